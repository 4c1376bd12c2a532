/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads small files from outside. */
#pragma once

#include <gio/gio.h>

/* The content of the regular file @path, at most @most bytes, with a terminating zero. NULL with a G_IO_ERROR, which
 * names no file; G_IO_ERROR_MESSAGE_TOO_LARGE if it is longer. The caller owns it. */
char *culprit_load (const char *path, gsize most, gsize *length, GError **error);
