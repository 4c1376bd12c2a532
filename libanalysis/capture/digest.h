/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What identifies a capture, wherever its file is: a digest of the file's bytes, as text of 64 characters.
 *
 * It is the XXH3-128 of the XXH3-128s of the file's blocks of 128 KiB (the last may be shorter), each hash in its
 * canonical form, in hexadecimal, followed by CULPRIT_DIGEST_KIND. Blocks can be hashed in any order while the capture
 * is being read from them, so that hashing costs next to nothing and covers exactly what was read. It is not a
 * signature: two captures with the same digest can be made on purpose.
 *
 * Studies of older versions identify captures by the file's SHA-256, 64 hexadecimal digits. */
#pragma once

#include <gio/gio.h>

#define CULPRIT_DIGEST_KIND "-xxh3-128-over-blocks-of-128-KiB"

/* The digest of the file at @path, of the same kind as @digest. The caller owns it. NULL with an error. */
char *culprit_digest_like (const char *digest, const char *path, GError **error);
