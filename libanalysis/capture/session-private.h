/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reading of a capture: owns its file, what the CPUs hold, the functions' names, the walk and the windows. Who
 * wants to know something of a capture opens a session and gives a walk of its own. */
#pragma once

#include "streams-private.h"
#include "symbols-private.h"
#include "walk-private.h"

typedef struct
{
  TraceFile *file;
  Formats *formats;
  Symbols *symbols;
  const FileBuffer *buffer; /* The one that holds the functions. */
  GPtrArray *streams;       /* of Stream, one for each CPU with events */
  GArray *addresses;        /* of guint64: the functions' addresses, in the order of streams' numbering */
  Marker marker;            /* The first one of that buffer, else of others in its clock. */

  /* From session_prepare() on. */
  CulpritCapture *capture; /* Its functions, CPUs and events; later its windows. */
  Walk *walk;
} Session;

/* What is done with the file's bytes beside reading them. */
typedef enum
{
  SESSION_PLAIN,
  SESSION_DIGEST, /* See trace_file_digest(). */
} SessionKind;

/* Reads the events of the capture at @path, of its buffers that with most function events. */
Session *session_open (const char *path, SessionKind kind, GCancellable *cancellable, GError **error);

/* Names the functions and prepares the walk, with @measured_pid as the measured task (-1: none). */
void session_prepare (Session *session, gint32 measured_pid);

/* Finds the windows: by the cycle log beside the file, else by the marker. FALSE, with an error, where that log is
 * damaged. */
gboolean session_find_windows (Session *session, const CulpritCaptureOptions *options, GError **error);

/* The trace clock of @buffer. Belongs to @session. */
const char *session_clock (const Session *session, const FileBuffer *buffer);

void session_free (Session *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_free)
