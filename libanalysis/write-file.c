/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a file completely or not at all. GLib's error names a temporary file next to the target, so the reason is
 * taken from its end. */
#include "write-file.h"

#include <string.h>

gboolean
culprit_write_file (const char *path, const char *content, gssize size, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autoptr (GError) problem = NULL;
  const char *reason;

  if (g_file_set_contents_full (path, content, size, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &problem))
    return TRUE;
  reason = strrchr (problem->message, ':');
  g_set_error (error, problem->domain, problem->code, "%s: cannot be written:%s", shown, reason ? reason + 1 : "");
  return FALSE;
}
