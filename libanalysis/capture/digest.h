/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By what a capture is known, wherever its file lies: a digest of the file's bytes, as text of 64 characters.
 *
 * It is the XXH3-128 of the XXH3-128s of the file's blocks of 128 KiB (the last may be shorter), each hash in its
 * canonical form, in hexadecimal, and CULPRIT_DIGEST_KIND behind it. Blocks can be hashed in any order, while the
 * capture is read from them: that costs next to nothing, and what was digested is what was read. It does not withstand
 * people who look for two captures of one digest; it is no signature.
 *
 * Studies of older versions know captures by the file's SHA-256, 64 hexadecimal digits. */
#pragma once

#include <gio/gio.h>

#define CULPRIT_DIGEST_KIND "-xxh3-128-over-blocks-of-128-KiB"

/* The digest of the file at @path, of the kind that @digest is. The caller owns it. NULL with an error. */
char *culprit_digest_like (const char *digest, const char *path, GError **error);
