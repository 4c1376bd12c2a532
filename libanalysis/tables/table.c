/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores a table's values in one array: a table of 100,000 rows needs only a handful of allocations. */
#include "tables/table.h"

#include <math.h>

CulpritTable *
culprit_table_new (void)
{
  CulpritTable *table = g_new0 (CulpritTable, 1);

  table->columns = g_ptr_array_new_with_free_func (g_free);
  table->values = g_array_new (FALSE, FALSE, sizeof (CulpritValue));
  table->texts = g_string_chunk_new (4096);
  return table;
}

void
culprit_table_free (CulpritTable *table)
{
  g_ptr_array_unref (table->columns);
  g_array_unref (table->values);
  g_string_chunk_free (table->texts);
  g_free (table);
}

void
culprit_table_add_column (CulpritTable *table, const char *name)
{
  g_ptr_array_add (table->columns, g_strdup (name));
}

static CulpritValue
text_value (CulpritTable *table, const char *text)
{
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);

  return (CulpritValue) { .type = CULPRIT_VALUE_TEXT,
                          .text = g_string_chunk_insert (table->texts, valid ? valid : text) };
}

static CulpritValue
real_value (double real)
{
  return (CulpritValue) { .type = isnan (real) ? CULPRIT_VALUE_NULL : CULPRIT_VALUE_REAL, .real = real };
}

void
culprit_table_add_text (CulpritTable *table, const char *text)
{
  CulpritValue value = text_value (table, text);

  g_array_append_val (table->values, value);
}

void
culprit_table_add_integer (CulpritTable *table, gint64 integer)
{
  CulpritValue value = { .type = CULPRIT_VALUE_INTEGER, .integer = integer };

  g_array_append_val (table->values, value);
}

void
culprit_table_add_real (CulpritTable *table, double real)
{
  CulpritValue value = real_value (real);

  g_array_append_val (table->values, value);
}

static void
set_value (CulpritTable *table, guint row, const char *column, CulpritValue value)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (g_str_equal (g_ptr_array_index (table->columns, i), column))
      g_array_index (table->values, CulpritValue, row * table->columns->len + i) = value;
}

void
culprit_table_set_text (CulpritTable *table, guint row, const char *column, const char *text)
{
  set_value (table, row, column, text_value (table, text));
}

void
culprit_table_set_real (CulpritTable *table, guint row, const char *column, double real)
{
  set_value (table, row, column, real_value (real));
}

guint
culprit_table_rows (const CulpritTable *table)
{
  return table->columns->len > 0 ? table->values->len / table->columns->len : 0;
}

double
culprit_value_number (CulpritValue value)
{
  if (value.type == CULPRIT_VALUE_INTEGER)
    return value.integer;
  return value.type == CULPRIT_VALUE_REAL ? value.real : NAN;
}

CulpritValue
culprit_table_at (const CulpritTable *table, guint row, guint column)
{
  return g_array_index (table->values, CulpritValue, row * table->columns->len + column);
}

CulpritValue
culprit_table_value (const CulpritTable *table, guint row, const char *column)
{
  for (guint i = 0; i < table->columns->len && row < culprit_table_rows (table); i++)
    if (g_str_equal (g_ptr_array_index (table->columns, i), column))
      return culprit_table_at (table, row, i);
  return (CulpritValue) { .type = CULPRIT_VALUE_NULL };
}

gint64
culprit_table_integer (const CulpritTable *table, guint row, const char *column)
{
  CulpritValue value = culprit_table_value (table, row, column);

  if (value.type == CULPRIT_VALUE_REAL)
    return (gint64) value.real;
  return value.type == CULPRIT_VALUE_INTEGER ? value.integer : 0;
}

const char *
culprit_table_text (const CulpritTable *table, guint row, const char *column)
{
  CulpritValue value = culprit_table_value (table, row, column);

  return value.type == CULPRIT_VALUE_TEXT ? value.text : "";
}
