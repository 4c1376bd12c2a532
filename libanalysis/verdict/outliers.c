/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the study's rows and the verdict's side by side. */
#include "outliers.h"

#include <math.h>

gboolean
culprit_class_exists (const char *name)
{
  for (guint class = 0; class < CULPRIT_CLASSES; class ++)
    if (g_str_equal (name, culprit_class_name (class)))
      return TRUE;
  return FALSE;
}

static void
add_value (CulpritTable *table, CulpritValue value)
{
  if (value.type == CULPRIT_VALUE_TEXT)
    culprit_table_add_text (table, value.text);
  else
    g_array_append_val (table->values, value);
}

static void
add_case (CulpritTable *table, const CulpritCase *one)
{
  culprit_table_add_text (table, culprit_class_name (one ? one->class : CULPRIT_CLASS_UNEXPLAINED));
  if (one && one->culprit)
    culprit_table_add_text (table, one->culprit);
  else
    culprit_table_add_real (table, NAN);
  culprit_table_add_real (table, one && one->ordinary > 0 ? one->excess_ns : NAN);
  culprit_table_add_real (table, one && one->culprit ? one->share : NAN);
  culprit_table_add_real (table, one && one->culprit ? one->confidence : NAN);
}

CulpritTable *
culprit_verdict_outliers (
    CulpritStudy *study, const CulpritFilter *filter, const CulpritVerdict *verdict, const char *class, GError **error)
{
  static const char *const added[] = { "class", "culprit", "excess_ns", "share", "confidence" };
  g_autoptr (CulpritTable) rows = culprit_query_outliers (study, filter, error);
  CulpritTable *table;

  if (!rows)
    return NULL;
  table = culprit_table_new ();
  table->grouped = rows->grouped;
  for (guint i = 0; i < rows->columns->len; i++)
    culprit_table_add_column (table, g_ptr_array_index (rows->columns, i));
  for (guint i = 0; i < G_N_ELEMENTS (added); i++)
    culprit_table_add_column (table, added[i]);
  for (guint row = 0; row < culprit_table_rows (rows); row++)
    {
      const CulpritCase *one = culprit_verdict_case (verdict, culprit_table_integer (rows, row, "capture"));

      if (class && !g_str_equal (class, culprit_class_name (one ? one->class : CULPRIT_CLASS_UNEXPLAINED)))
        continue;
      for (guint i = 0; i < rows->columns->len; i++)
        add_value (table, culprit_table_at (rows, row, i));
      add_case (table, one);
    }
  return table;
}
