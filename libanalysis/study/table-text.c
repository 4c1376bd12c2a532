/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cell by cell. */
#include "table-text.h"

#include <math.h>
#include <string.h>

gboolean
culprit_table_is_time (const char *column)
{
  return g_str_has_suffix (column, "_ns");
}

/* Spreadsheets run a cell that begins like a formula, whoever wrote it: an apostrophe makes it text. */
static gboolean
is_formula (const char *text)
{
  return *text && strchr ("=+-@\t\r", *text);
}

static void
add_csv_text (GString *csv, const char *plain)
{
  g_autofree char *text = g_strconcat (is_formula (plain) ? "'" : "", plain, NULL);

  if (strpbrk (text, ",\"\r\n"))
    {
      g_auto (GStrv) parts = g_strsplit (text, "\"", -1);
      g_autofree char *doubled = g_strjoinv ("\"\"", parts);

      g_string_append_printf (csv, "\"%s\"", doubled);
    }
  else
    g_string_append (csv, text);
}

static void
add_csv_cell (GString *csv, CulpritValue value, const char *column)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (value.type == CULPRIT_VALUE_INTEGER)
    g_string_append_printf (csv, "%" G_GINT64_FORMAT, value.integer);
  else if (value.type == CULPRIT_VALUE_REAL && culprit_table_is_time (column))
    g_string_append_printf (csv, "%.0f", round (value.real) + 0.0);
  else if (value.type == CULPRIT_VALUE_REAL)
    g_string_append (csv, g_ascii_dtostr (text, sizeof text, value.real));
  else if (value.type == CULPRIT_VALUE_TEXT)
    add_csv_text (csv, value.text);
}

static void
add_csv_row (GString *csv, const CulpritTable *table, guint row)
{
  for (guint i = 0; i < table->columns->len; i++)
    {
      if (i > 0)
        g_string_append_c (csv, ',');
      add_csv_cell (csv, culprit_table_at (table, row, i), g_ptr_array_index (table->columns, i));
    }
  g_string_append_c (csv, '\n');
}

char *
culprit_table_to_csv (const CulpritTable *table, const guint *rows, guint n)
{
  GString *csv = g_string_new (NULL);

  for (guint i = 0; i < table->columns->len; i++)
    {
      if (i > 0)
        g_string_append_c (csv, ',');
      add_csv_text (csv, g_ptr_array_index (table->columns, i));
    }
  g_string_append_c (csv, '\n');
  for (guint i = 0; i < (rows ? n : culprit_table_rows (table)); i++)
    add_csv_row (csv, table, rows ? rows[i] : i);
  return g_string_free (csv, FALSE);
}

static void
add_json_value (JsonBuilder *builder, CulpritValue value, const char *column)
{
  if (value.type == CULPRIT_VALUE_REAL && !isfinite (value.real))
    value.type = CULPRIT_VALUE_NULL;
  switch (value.type)
    {
    case CULPRIT_VALUE_INTEGER:
      json_builder_add_int_value (builder, value.integer);
      break;
    case CULPRIT_VALUE_REAL:
      if (culprit_table_is_time (column) && fabs (value.real) < 9e18)
        json_builder_add_int_value (builder, llround (value.real));
      else
        json_builder_add_double_value (builder, value.real);
      break;
    case CULPRIT_VALUE_TEXT:
      json_builder_add_string_value (builder, value.text);
      break;
    default:
      json_builder_add_null_value (builder);
    }
}

void
culprit_table_add_members (const CulpritTable *table, guint row, JsonBuilder *builder)
{
  g_autofree char *group = NULL;

  for (guint i = 0; i < table->columns->len; i++)
    {
      const char *column = g_ptr_array_index (table->columns, i);
      const char *dot = table->grouped ? strchr (column, '.') : NULL;
      g_autofree char *own = dot ? g_strndup (column, dot - column) : NULL;

      if (group && g_strcmp0 (group, own) != 0)
        {
          json_builder_end_object (builder);
          g_clear_pointer (&group, g_free);
        }
      if (own && !group)
        {
          json_builder_set_member_name (builder, own);
          json_builder_begin_object (builder);
          group = g_steal_pointer (&own);
        }
      json_builder_set_member_name (builder, dot ? dot + 1 : column);
      add_json_value (builder, culprit_table_at (table, row, i), column);
    }
  if (group)
    json_builder_end_object (builder);
}

char *
culprit_table_to_json (const CulpritTable *table, const guint *rows, guint n)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_array (builder);
  for (guint i = 0; i < (rows ? n : culprit_table_rows (table)); i++)
    {
      json_builder_begin_object (builder);
      culprit_table_add_members (table, rows ? rows[i] : i, builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
