/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reading of a capture: owns its file, the events of the CPUs, and the functions' names. Everything that reads
 * captures opens a session and walks over it with its own functions. */
#pragma once

#include "stream.h"
#include "symbols-private.h"

typedef struct
{
  TraceFile *file;
  Formats *formats;
  Symbols *symbols;
  const FileBuffer *buffer; /* The one that contains the functions. */
  GPtrArray *streams;       /* of Stream, one for each CPU with events */
  GArray *addresses;        /* of guint64: the functions' addresses, numbered as in the streams */
  Marker marker;            /* The first one of that buffer, else of another one with the same clock. */
} Session;

/* What else is done with the file's bytes. */
typedef enum
{
  SESSION_PLAIN,
  SESSION_DIGEST, /* See trace_file_digest(). */
} SessionKind;

/* Reads the events of the capture at @path, from the buffer with the most function events. */
Session *session_open (const char *path, SessionKind kind, GCancellable *cancellable, GError **error);

/* The trace clock of @buffer. Belongs to @session. */
const char *session_clock (const Session *session, const FileBuffer *buffer);

void session_free (Session *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_free)
