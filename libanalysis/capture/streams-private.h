/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All CPUs of a capture's buffer, decoded in parallel, with one numbering of functions. */
#pragma once

#include "capture.h"
#include "stream-private.h"

typedef struct
{
  TraceFile *file;
  Formats *formats;
  const FileBuffer *buffer; /* The one that holds the functions. */
  GPtrArray *streams;       /* of Stream, one for each CPU with events */
  GArray *addresses;        /* of guint64: the functions' addresses, in the order of streams' numbering */
  Marker marker;            /* The first one of that buffer, else of others in its clock. */
} Streams;

/* Reads @path and takes over of its buffers the one with most function events. */
Streams *streams_read (const char *path, GCancellable *cancellable, GError **error);

/* The trace clock of @buffer. Belongs to @streams. */
const char *streams_clock (const Streams *streams, const FileBuffer *buffer);

void streams_free (Streams *streams);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Streams, streams_free)
