/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files from outside, and files that are written at once. */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <sys/stat.h>

/* Opens the regular file @path to be read, and sets @status. -1 with errno, which is EINVAL if it is anything else:
 * that is not opened, since opening a device can start it, and reading a pipe empties it. */
int culprit_open_regular (const char *path, struct stat *status);

/* The content of the regular file @path, at most @most bytes, with a terminating zero. NULL with a G_IO_ERROR, which
 * names no file; G_IO_ERROR_MESSAGE_TOO_LARGE if it is longer. The caller owns it. */
char *culprit_load (const char *path, gsize most, gsize *length, GError **error);

/* Writes exported files completely or not at all. */

/* Writes @size bytes (-1: a text) to @path, which afterwards has the new content completely or is unchanged. FALSE with
 * a one-line error that names it, also if it is a study or belongs to one, cannot be read, or is no regular file. Links
 * stay. */
gboolean culprit_write_file (const char *path, const char *content, gssize size, GError **error);

/* Whether both paths refer to the same file; not if there is none. */
gboolean culprit_is_same_file (const char *a, const char *b);
