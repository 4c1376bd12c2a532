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

gboolean
merge_map_runs (CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) labels = NULL;

  if (!study_execute_named (study, "merge/runs", error) || !(labels = find_taken_labels (study, error)))
    return FALSE;
  for (guint i = 0; i < labels->len; i++)
    if (!study_change (study, error, "merge/rename", "t:label", g_ptr_array_index (labels, i)))
      return FALSE;
  return TRUE;
}
