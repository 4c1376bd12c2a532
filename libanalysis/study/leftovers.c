/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "leftovers.h"

#include "import-rows-private.h"
#include "seeded-hash.h"
#include "statement-private.h"

static void
leftover_free (CulpritLeftover *leftover)
{
  g_free (leftover->path);
  g_free (leftover->run);
  g_free (leftover);
}

/* Paths of the files of all captures, as stored in the study. */
static GHashTable *
find_stored (CulpritStudy *study, GError **error)
{
  g_autoptr (GHashTable) stored = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (Statement) statement = statement_new (study, "SELECT file FROM capture", error);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_hash_table_add (stored, g_strdup (statement_text (statement, 0)));
    }
  return statement ? g_steal_pointer (&stored) : NULL;
}

/* Adds the file at @path to @found if a recording of the study wrote it. */
static gboolean
add_recorded (CulpritStudy *study, Statement *statement, const char *path, GPtrArray *found, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  gboolean row;

  statement_bind_named (statement, "t:name", name);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    {
      CulpritLeftover *leftover = g_new (CulpritLeftover, 1);

      *leftover = (CulpritLeftover) { g_strdup (path), g_strdup (statement_text (statement, 0)) };
      g_ptr_array_add (found, leftover);
    }
  sqlite3_reset (statement);
  return TRUE;
}

GPtrArray *
culprit_study_leftovers (CulpritStudy *study, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) leftover_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GHashTable) stored = find_stored (study, error);
  g_autoptr (Statement) statement = stored ? statement_named (study, "recorded-file", error) : NULL;
  const char *name;

  while (dir && statement && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *file = rows_file_name (study, path);

      if (g_utf8_validate (name, -1, NULL) && !g_hash_table_contains (stored, file) &&
          !g_file_test (path, G_FILE_TEST_IS_SYMLINK) && !add_recorded (study, statement, path, found, error))
        return NULL;
    }
  return statement ? g_steal_pointer (&found) : NULL;
}
