/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All CPUs of a capture's buffer, decoded in parallel. */
#pragma once

#include "stream-private.h"

#include <gio/gio.h>

/* The CPUs of @buffer that hold events, of Stream, in the file's order; NULL with the first CPU's error. */
GPtrArray *streams_read (
    const TraceFile *file, const Formats *formats, const FileBuffer *buffer, GCancellable *cancellable, GError **error);
