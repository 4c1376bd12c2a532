/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The SHA-256 of a file, by which a capture is known again. */
#pragma once

#include <gio/gio.h>

/* In hexadecimal; NULL with an error. By libcrypto, which uses the processor's own instructions: 1.7 GB/s,
 * where GChecksum does 0.2 and would take longer than reading the capture. */
char *digest_file (const char *path, GCancellable *cancellable, GError **error);
