/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reading of a capture: the events of its CPUs, and facts. Everything that reads captures opens a session and walks
 * over it with its own functions. Which format the file has is known only to its source: see builder-private.h. */
#pragma once

#include "capture/events/stream-private.h"
#include "capture/events/symbols-private.h"

/* A ring buffer. */
typedef struct
{
  char *name;  /* Empty for the top-level one. */
  char *clock; /* Its trace clock. */
  gboolean has_functions;
  Marker marker;
} TraceBuffer;

/* A capture as it was read. Facts that a file does not contain are NULL, empty or 0. */
typedef struct
{
  char *path;
  guint64 size_bytes;
  CulpritFileIdentity identity;
  char *digest; /* of the file; NULL: not wanted */
  char *sha256; /* likewise */

  CulpritCycles *log;        /* The log beside it; NULL: none. */
  char *definition;          /* What its windows are, as options or its log state; NULL: neither does. */
  CulpritMeasured *measured; /* the same; NULL also for cycles */

  /* By its source. */
  guint file_version;      /* of a trace.dat file */
  gboolean tsc_known;      /* The clock "x86-tsc" was converted to ns. */
  char *uname;             /* "Linux host release version machine" */
  char *cmdlines;          /* names of tasks: lines of "pid name" */
  Symbols *symbols;        /* of the kernel, never NULL */
  GHashTable *event_names; /* id -> "system:event"; never NULL */
  GArray *buffers;         /* of TraceBuffer */
  guint64 events;          /* of all of them */

  guint buffer;       /* the one with the most function events, to which these belong: */
  GPtrArray *streams; /* of Stream, one for each CPU with events */
  GArray *addresses;  /* of guint64: the functions' addresses, numbered as in the streams */
  Marker marker;      /* The first one of that buffer, else of another one with the same clock; not owned. */
  GHashTable *comms;  /* pid -> the beginning of its name in cmdlines */
} Session;

/* Reads the file at @path and the log beside it, and its digests if there are options for them (NULL: not wanted).
 * @definition: what its windows are; NULL: as the log says, else cycles. Free with session_free(). NULL with an error.
 */
Session *session_open (const char *path,
                       const char *definition,
                       const CulpritCaptureOptions *digested,
                       GCancellable *cancellable,
                       GError **error);

void session_free (Session *session);

/* The buffer that was chosen. */
static inline const TraceBuffer *
session_buffer (const Session *session)
{
  return &g_array_index (session->buffers, TraceBuffer, session->buffer);
}

/* The name of @pid; NULL if it is not known. The caller owns it. */
char *session_find_comm (const Session *session, gint32 pid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_free)
