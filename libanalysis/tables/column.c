/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the definitions of columns by key. */
#include "tables/column.h"

const CulpritColumn *
culprit_definition_find (const CulpritDefinition *definition, const char *key)
{
  const CulpritColumn *column = definition->columns;

  while (column->key && !g_str_equal (column->key, key))
    column++;
  g_assert (column->key);
  return column;
}

CulpritColumn *
culprit_definition_pick (const CulpritDefinition *definition, const char *keys)
{
  g_auto (GStrv) names = g_strsplit (keys, " ", -1);
  CulpritColumn *picked = g_new0 (CulpritColumn, g_strv_length (names) + 1);

  for (guint i = 0; names[i]; i++)
    picked[i] = *culprit_definition_find (definition, names[i]);
  return picked;
}

gboolean
culprit_column_is_greatest_first (const CulpritColumn *column)
{
  return column->kind >= CULPRIT_KIND_NUMBER && column->kind != CULPRIT_KIND_IDENTIFIER &&
         column->kind != CULPRIT_KIND_P;
}

CulpritTable *
culprit_definition_begin (const CulpritDefinition *definition)
{
  CulpritTable *table = culprit_table_new ();

  for (const CulpritColumn *column = definition->columns; column->key; column++)
    if (!column->of)
      culprit_table_add_column (table, column->key);
  return table;
}

char *
culprit_column_heading (const CulpritColumn *column)
{
  return column->explain ? g_utf8_strdown (column->title, -1) : g_strdup (column->title);
}

CulpritValue
culprit_column_value (const CulpritColumn *column, const CulpritTable *table, guint row)
{
  return culprit_table_value (table, row, column->of ? column->of : column->key);
}
