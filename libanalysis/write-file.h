/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exported files are written completely or not at all. */
#pragma once

#include <glib.h>

/* Writes @size bytes (-1: a text) to @path, which is afterwards wholly there or as it was before. FALSE with an error
 * of one line that names it. */
gboolean culprit_write_file (const char *path, const char *content, gssize size, GError **error);
