/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes exported files completely or not at all. */
#pragma once

#include <glib.h>

/* Writes @size bytes (-1: a text) to @path, which afterwards has the new content completely or is unchanged. FALSE with
 * a one-line error that names it. */
gboolean culprit_write_file (const char *path, const char *content, gssize size, GError **error);
