/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds captures below a folder by their content, not by their names; and jitterdebugger's results, whose folder has
 * other files that look like tables. */
#include "import.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_SIZE 10

/* A file that a recording has not finished is not one. One that is called like a capture is, if its content does not
 * say otherwise: the import tells why it cannot be read. */
static gboolean
is_capture (const char *path)
{
  char start[MAGIC_SIZE];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gssize n = fd >= 0 ? read (fd, start, sizeof start) : -1;

  if (fd >= 0)
    close (fd);
  if (n == MAGIC_SIZE)
    return !g_str_has_suffix (path, CULPRIT_PART_SUFFIX) && memcmp (start, MAGIC, MAGIC_SIZE) == 0;
  return g_str_has_suffix (path, ".dat");
}

static gboolean
is_result (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_equal (name, CULPRIT_JITTERDEBUGGER_FILE);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Links to folders are not followed, as they may form a cycle. A subfolder that cannot be read is returned itself, so
 * that importing it reports the reason. */
static gboolean
find_below (const char *folder, GPtrArray *found, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GError *problem = NULL;
  GDir *dir = g_dir_open (folder, 0, &problem);
  const char *name;

  if (!dir)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      const char *path = g_ptr_array_index (names, i);

      if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (is_capture (path) || is_result (path))
            g_ptr_array_add (found, g_strdup (path));
        }
      else if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK) && !find_below (path, found, NULL))
        g_ptr_array_add (found, g_strdup (path));
    }
  return TRUE;
}

GPtrArray *
culprit_import_find (const char *path, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    g_ptr_array_add (found, g_strdup (path));
  else if (!find_below (path, found, error))
    return NULL;
  if (found->len == 0)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "%s: no captures in this folder; expected files saved by trace-cmd or culprit, or "
                   "jitterdebugger's " CULPRIT_JITTERDEBUGGER_FILE,
                   path);
      return NULL;
    }
  return g_steal_pointer (&found);
}
