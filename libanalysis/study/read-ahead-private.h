/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads captures ahead of storing them: on all processors, but delivered in order. */
#pragma once

#include "capture/capture.h"

typedef struct _ReadAhead ReadAhead;

/* Begins to read @files (of char *). They and @options must remain valid until read_ahead_free(). */
ReadAhead *read_ahead_new (const GPtrArray *files, const CulpritCaptureOptions *options, GCancellable *cancellable);

/* Waits for the next file, of which there must be one, and returns the result of culprit_capture_read(). */
CulpritCapture *read_ahead_next (ReadAhead *ahead, GError **error);

/* Waits for files that are being read, and discards what was not used. */
void read_ahead_free (ReadAhead *ahead);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReadAhead, read_ahead_free)
