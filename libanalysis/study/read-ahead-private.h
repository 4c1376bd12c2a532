/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads captures ahead of whoever stores them: on all processors, but handed over in their order. */
#pragma once

#include "capture/capture.h"

typedef struct _ReadAhead ReadAhead;

/* Begins to read @files (of char *). They and @options must stay until read_ahead_free(). */
ReadAhead *read_ahead_new (const GPtrArray *files, const CulpritCaptureOptions *options, GCancellable *cancellable);

/* Waits for the next of the files, of which there must be one, and gives what culprit_capture_read() gave. */
CulpritCapture *read_ahead_next (ReadAhead *ahead, GError **error);

/* Waits for those that are being read, and forgets what was not taken. */
void read_ahead_free (ReadAhead *ahead);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReadAhead, read_ahead_free)
