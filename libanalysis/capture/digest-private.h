/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Digests a file while others read it. */
#pragma once

#include "digest.h"

#define DIGEST_BLOCK (128 * 1024)

typedef struct _Digest Digest;

/* Begins the digest of the file @fd, of @size bytes. Free with digest_free(). */
Digest *digest_new (int fd, guint64 size);

void digest_free (Digest *digest);

/* Adds the blocks that lie completely in the @size bytes at @offset, which were read as @data. Several threads may do
 * so at once. */
void digest_add (Digest *digest, const guint8 *data, guint64 offset, guint64 size);

/* Reads the blocks that were not added. The caller owns the text. NULL with an error. */
char *digest_finish (Digest *digest, GCancellable *cancellable, GError **error);

/* The SHA-256 of the file @fd, likewise. */
char *digest_sha256 (int fd, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Digest, digest_free)
