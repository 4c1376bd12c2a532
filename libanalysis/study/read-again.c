/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Updates captures of older versions: reads from their files what these versions did not store. */
#include "import-private.h"
#include "query.h"
#include "statement-private.h"

/* A capture that an older version read. */
typedef struct
{
  gint64 capture;
  guint64 period_ns; /* that the user gave; 0: none */
} Old;

static GArray *
find_old (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "old-captures", error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Old));
  gboolean row = statement != NULL;

  if (statement)
    statement_bind_named (statement, "i:read_version", (gint64) CULPRIT_READ_VERSION);
  while (row)
    {
      Old old;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      old = (Old) { sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1) };
      if (row)
        g_array_append_val (found, old);
    }
  return statement ? g_steal_pointer (&found) : NULL;
}

/* What only the captures used that were read again, e.g. paths that older versions did not know. Foreign keys would
 * have every row searched for each of them. */
static gboolean
remove_unused_nodes (CulpritStudy *study, GError **error)
{
  gboolean removed =
      study_execute (study, "PRAGMA foreign_keys = OFF", error) && study_execute_named (study, "unused-nodes", error);

  return study_execute (study, "PRAGMA foreign_keys = ON", removed ? error : NULL) && removed;
}

/* A stranger's study may name any file: captures elsewhere are read again when they are imported. */
gboolean
culprit_study_read_again (CulpritStudy *study, GError **error)
{
  g_autoptr (GArray) all = find_old (study, error);

  for (guint i = 0; all && i < all->len; i++)
    {
      const Old *old = &g_array_index (all, Old, i);
      g_autofree char *path = culprit_query_capture_file_beside (study, old->capture);
      CulpritImportOptions options = { .period_ns = old->period_ns };
      CulpritImportResult result;
      GError *problem = NULL;

      if (!path)
        continue;
      if (!culprit_study_import (study, path, &options, NULL, &result, &problem) && import_is_over (problem))
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      g_clear_error (&problem);
      culprit_import_result_clear (&result);
    }
  return all && (all->len == 0 || remove_unused_nodes (study, error));
}
