/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reading of a capture: owns its file, the events of the CPUs, the functions' names, the walk and the windows.
 * Everything that reads captures opens a session and walks over it with its own functions. */
#pragma once

#include "stream.h"
#include "symbols-private.h"
#include "walk-private.h"

typedef struct
{
  TraceFile *file;
  Formats *formats;
  Symbols *symbols;
  const FileBuffer *buffer; /* The one that contains the functions. */
  GPtrArray *streams;       /* of Stream, one for each CPU with events */
  GArray *addresses;        /* of guint64: the functions' addresses, numbered as in the streams */
  Marker marker;            /* The first one of that buffer, else of another one with the same clock. */

  /* After session_prepare(). */
  CulpritCapture *capture; /* Its functions, CPUs and events; later its windows. */
  Walk *walk;
} Session;

/* What else is done with the file's bytes. */
typedef enum
{
  SESSION_PLAIN,
  SESSION_DIGEST, /* See trace_file_digest(). */
} SessionKind;

/* Reads the events of the capture at @path, from the buffer with the most function events. */
Session *session_open (const char *path, SessionKind kind, GCancellable *cancellable, GError **error);

/* Names the functions and prepares the walk, with @measured_pid as the measured task (-1: none). */
void session_prepare (Session *session, gint32 measured_pid);

/* Finds the windows: from the cycle log if there is one, else from the marker. FALSE with an error if that log is
 * damaged, or if they are absurdly long. */
gboolean session_find_windows (Session *session, const CulpritCaptureOptions *options, GError **error);

/* Whether the sums over the functions are no more than MAX_SUM, once they are known. */
gboolean session_check_sums (const Session *session, GError **error);

/* The trace clock of @buffer. Belongs to @session. */
const char *session_clock (const Session *session, const FileBuffer *buffer);

void session_free (Session *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_free)
