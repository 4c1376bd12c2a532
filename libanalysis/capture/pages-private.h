/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One CPU's sub-buffers in order, decompressed if necessary, a few at a time: memory use is small however large the
 * file is. */
#pragma once

#include "file-private.h"

typedef struct _Pages Pages;

/* Starts at the first page of @data in @buffer. Free with pages_free(). */
Pages *pages_new (const TraceFile *file, const FileBuffer *buffer, const CpuData *data, GError **error);

void pages_free (Pages *pages);

/* The next page, of the buffer's page size, valid until the next call; NULL at the end, or with an error. */
const guint8 *pages_next (Pages *pages, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pages, pages_free)
