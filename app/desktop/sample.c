/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the sample study as a copy: the installed file stays unchanged, states and notes go to the copy. */
#include "sample.h"

#include <glib/gstdio.h>

#define STUDY "sample.culprit"
#define CAPTURES "sample.captures"

/* Where it was installed, or in the folder this was built from. NULL: nowhere. */
static const char *
find_folder (void)
{
  static const char *const folders[] = { CULPRIT_DATA "/sample", CULPRIT_SOURCE "/data/sample" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *study = g_build_filename (folders[i], STUDY, NULL);

      if (g_file_test (study, G_FILE_TEST_EXISTS))
        return folders[i];
    }
  return NULL;
}

gboolean
sample_exists (void)
{
  return find_folder () != NULL;
}

static gboolean
copy (const char *from, const char *to, const char *name, GError **error)
{
  g_autoptr (GFile) source = g_file_new_build_filename (from, name, NULL);
  g_autoptr (GFile) target = g_file_new_build_filename (to, name, NULL);

  return g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS, NULL, NULL, NULL,
                      error);
}

static gboolean
copy_captures (const char *from, const char *to, GError **error)
{
  g_autofree char *source = g_build_filename (from, CAPTURES, NULL);
  g_autofree char *target = g_build_filename (to, CAPTURES, NULL);
  g_autoptr (GDir) folder = g_dir_open (source, 0, error);
  const char *name;

  if (!folder)
    return FALSE;
  g_mkdir_with_parents (target, 0777);
  while ((name = g_dir_read_name (folder)))
    if (!copy (source, target, name, error))
      return FALSE;
  return TRUE;
}

char *
sample_open (GError **error)
{
  const char *from = find_folder ();
  g_autofree char *to = g_build_filename (g_get_user_data_dir (), "culprit", NULL);
  g_autofree char *study = g_build_filename (to, STUDY, NULL);

  if (g_file_test (study, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&study);
  if (!from)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the sample study is not installed");
      return NULL;
    }
  g_mkdir_with_parents (to, 0777);
  /* The study last: with it the copy is whole. */
  return copy_captures (from, to, error) && copy (from, to, STUDY, error) ? g_steal_pointer (&study) : NULL;
}
