/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the runs of two studies. A label is what the user called a measurement: the recording's name, else the
 * run's. */
#include "merge-private.h"

#include "statement-private.h"

static GPtrArray *
find_taken_labels (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "merge/labels", error);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_ptr_array_add (labels, g_strdup (statement_text (statement, 0)));
    }
  return statement ? g_steal_pointer (&labels) : NULL;
}

/* The first of LABEL-2, LABEL-3... that is free. The caller owns it; NULL with an error. */
static char *
find_free_label (CulpritStudy *study, const char *label, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "merge/taken", error);

  for (guint i = 2; statement; i++)
    {
      g_autofree char *free_label = g_strdup_printf ("%s-%u", label, i);
      gboolean row;

      statement_bind_named (statement, "t:label", free_label);
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (sqlite3_column_int (statement, 0) == 0)
        return g_steal_pointer (&free_label);
      sqlite3_reset (statement);
    }
  return NULL;
}

gboolean
merge_map_runs (CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) labels = NULL;

  if (!study_execute_named (study, "merge/runs", error) || !(labels = find_taken_labels (study, error)))
    return FALSE;
  for (guint i = 0; i < labels->len; i++)
    {
      const char *label = g_ptr_array_index (labels, i);
      g_autofree char *free_label = find_free_label (study, label, error);

      if (!free_label || !study_change (study, error, "merge/rename", "t:label t:free", label, free_label))
        return FALSE;
    }
  return TRUE;
}
