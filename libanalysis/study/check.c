/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold in a study, each as a query for violations. */
#include "study.h"

#include "statement-private.h"

/* Each query in study/sql/check gives one row per fault: a sentence.
 * Numbers that are too large come first: other sums of them may overflow. */
static const char *const checks[] = {
  "check/times",
  "check/database",
  "check/references",
  "check/nodes",
  "check/outlier-parts",
  "check/window-lengths",
  "check/ordinary-windows",
  "check/ordinary-parts",
  "check/windows-of-nodes",
  "check/events",
  "check/lost-events",
  "check/truncated-calls",
  "check/outlier-tracing",
  "check/not-captured",
  "check/longest-stretch",
  "check/sections",
  "check/cycles",
  "check/run-functions",
  "check/series",
  "check/fleet",
};

GPtrArray *
culprit_study_check (CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);

  if (!study_check_pages (study, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autoptr (Statement) statement = statement_named (study, checks[i], error);
      gboolean row = statement != NULL;

      while (row)
        {
          if (!statement_step (study, statement, &row, error))
            {
              if (faults->len == 0)
                return NULL;
              g_clear_error (error); /* It overflowed, as was told already. */
              break;
            }
          if (row)
            g_ptr_array_add (faults, g_strdup (statement_text (statement, 0)));
        }
      if (!statement)
        return NULL;
    }
  return g_steal_pointer (&faults);
}
