/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that a capture is read from, whatever its format. What is read of it is digested on the way; several threads
 * may read at once. */
#pragma once

#include "capture.h"

#include <sys/stat.h>
#include <xxhash.h>

#define DIGEST_BLOCK                                                                                                   \
  (128 * 1024) /* Whole blocks that are read, beginning at a multiple of this, need not be read again. */

typedef struct
{
  char *path;
  int fd;
  guint64 size;
  struct stat status; /* when it was opened */

  /* Of the blocks for the digest; there are none if it is not wanted. */
  guint64 n_blocks;
  XXH128_canonical_t *hashes;
  gint *hashed; /* whether a thread has hashed it, or is doing so */
} Input;

/* Opens the regular file at @path; an error if it is mostly holes. Free with input_free(). */
Input *input_open (const char *path, GError **error);
void input_free (Input *input);

/* From now on, digests what is read. FALSE with an error. */
gboolean input_begin_digest (Input *input, GError **error);

/* The digest of the file, after it was read, and its SHA-256 if its size is among @sha256_sizes (may be NULL); the
 * caller owns them. FALSE with an error, also if the file changed since it was opened. */
gboolean input_digest (const Input *input,
                       GHashTable *sha256_sizes,
                       GCancellable *cancellable,
                       char **digest,
                       char **sha256,
                       GError **error);

/* How the system identifies the file. */
CulpritFileIdentity input_identity (const Input *input);

/* Whether the file has @size bytes at @offset; an error if not. */
gboolean input_has (const Input *input, guint64 offset, guint64 size, GError **error);

/* Reads the @size bytes at @offset into @data. */
gboolean input_read_into (const Input *input, guint8 *data, guint64 offset, guint64 size, GError **error);

/* The same, newly allocated, with a zero after them. */
guint8 *input_read_at (const Input *input, guint64 offset, guint64 size, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Input, input_free)
