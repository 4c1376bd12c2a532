/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All CPUs of a capture's buffer, decoded in parallel. */
#pragma once

#include "stream-private.h"

#include <gio/gio.h>

/* The CPUs of @buffer that have events, of Stream, in file order; NULL with the error of the first CPU that failed. */
GPtrArray *streams_read (
    const TraceFile *file, const Formats *formats, const FileBuffer *buffer, GCancellable *cancellable, GError **error);
