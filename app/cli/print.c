/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as text, JSON and CSV. */
#include "print.h"

#include "clean.h"
#include "names.h"
#include "units.h"

#include <glib/gprintf.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 100      /* of a line */
#define WIDEST_TEXT 34 /* in a column */
#define NARROWEST_TEXT 10
#define HUGE_NUMBER 1e15

typedef struct
{
  const char *name;
  double ns;
  int decimals;
  int all_decimals; /* to the nanosecond */
} Unit;

static const Unit microseconds = { "us", 1e3, 1, 3 };
static const Unit milliseconds = { "ms", 1e6, 3, 6 };

static double
as_number (CulpritValue value)
{
  if (value.type == CULPRIT_VALUE_INTEGER)
    return value.integer;
  return value.type == CULPRIT_VALUE_REAL ? value.real : 0;
}

void
print_coloured (const char *colour, const char *text)
{
  g_autofree char *clean = culprit_clean_text (text);

  g_fprintf (stdout, "\033[%sm%s\033[0m", colour, clean);
}

void
print_wrapped (const char *text, guint indent, guint width)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gsize column = indent;

  for (char **word = words; *word; word++)
    {
      gsize length = g_utf8_strlen (*word, -1);

      if (column > indent && column + 1 + length > width)
        {
          g_print ("\n%*s", (int) indent, "");
          column = indent;
        }
      g_print ("%s%s", column > indent ? " " : "", *word);
      column += length + (column > indent);
    }
  g_print ("\n");
}

char *
print_shorten (const char *text, guint width)
{
  glong length = g_utf8_strlen (text, -1);

  if (length <= (glong) width)
    return g_strdup (text);
  return g_strconcat ("…", g_utf8_offset_to_pointer (text, length - width + 1), NULL);
}

/* The unit in which all of a column's times can be read. */
static const Unit *
choose_unit (const CulpritTable *table, const char *key)
{
  double largest = 0;

  for (guint row = 0; row < culprit_table_rows (table); row++)
    largest = MAX (largest, fabs (as_number (culprit_table_value (table, row, key))));
  return largest < 1e8 ? &microseconds : &milliseconds;
}

static char *
format_cell (CulpritValue value, ColumnKind kind, const Unit *unit, guint text_width)
{
  if (value.type == CULPRIT_VALUE_NULL)
    return g_strdup ("-");
  if (value.type == CULPRIT_VALUE_TEXT)
    return kind == COLUMN_WORD ? g_strdup (value.text) : print_shorten (value.text, text_width);
  if (fabs (as_number (value)) >= HUGE_NUMBER && value.type == CULPRIT_VALUE_REAL)
    return g_strdup_printf ("%g", value.real);
  if (unit)
    return g_strdup_printf ("%.*f", kind == COLUMN_EXACT ? unit->all_decimals : unit->decimals,
                            as_number (value) / unit->ns);
  if (kind == COLUMN_PERCENT)
    return culprit_share_format (as_number (value));
  if (kind == COLUMN_MEAN || value.type == CULPRIT_VALUE_REAL)
    return g_strdup_printf ("%.1f", as_number (value));
  return g_strdup_printf ("%" G_GINT64_FORMAT, value.integer);
}

static CulpritValue
column_value (const CulpritTable *table, guint row, const Column *column)
{
  return column->place > 0 ? culprit_table_at (table, row, column->place - 1)
                           : culprit_table_value (table, row, column->key);
}

static char *
format_row (const CulpritTable *table, guint row, const Column *column, const Unit *unit, guint text_width)
{
  CulpritValue value = column_value (table, row, column);
  g_autofree char *label = NULL;

  if (column->kind == COLUMN_FUNCTION && value.type == CULPRIT_VALUE_TEXT)
    value.text = label = culprit_function_label (value.text, culprit_table_integer (table, row, "ordinal"));
  return format_cell (value, column->kind, unit, text_width);
}

/* Every cell of one column, the title first, all of the same width. */
static GPtrArray *
format_column (const CulpritTable *table, const Column *column, guint text_width)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  const Unit *unit = column->kind >= COLUMN_TIME ? choose_unit (table, column->key) : NULL;
  glong width = 0;

  g_ptr_array_add (cells, unit ? g_strdup_printf ("%s %s", column->title, unit->name) : g_strdup (column->title));
  for (guint row = 0; row < culprit_table_rows (table); row++)
    g_ptr_array_add (cells, format_row (table, row, column, unit, text_width));
  for (guint i = 0; i < cells->len; i++)
    width = MAX (width, g_utf8_strlen (g_ptr_array_index (cells, i), -1));
  for (guint i = 0; i < cells->len; i++)
    {
      char *cell = g_ptr_array_index (cells, i);
      g_autofree char *space = g_strnfill (width - g_utf8_strlen (cell, -1), ' ');

      g_ptr_array_index (cells, i) =
          column->kind <= COLUMN_WORD ? g_strconcat (cell, space, NULL) : g_strconcat (space, cell, NULL);
      g_free (cell);
    }
  return cells;
}

/* All columns of the table, for a query of the user's own. */
static Column *
all_columns (const CulpritTable *table)
{
  Column *columns = g_new0 (Column, table->columns->len + 1);

  for (guint i = 0; i < table->columns->len; i++)
    {
      CulpritValue first = { .type = CULPRIT_VALUE_NULL };

      if (culprit_table_rows (table) > 0)
        first = culprit_table_at (table, 0, i);
      columns[i].place = i + 1;
      columns[i].key = columns[i].title = g_ptr_array_index (table->columns, i);
      columns[i].kind = first.type == CULPRIT_VALUE_TEXT   ? COLUMN_TEXT
                        : first.type == CULPRIT_VALUE_REAL ? COLUMN_MEAN
                                                           : COLUMN_COUNT;
    }
  return columns;
}

/* All columns, with texts cut so that a line fits, as far as texts can be cut. */
static GPtrArray *
format_columns (const CulpritTable *table, const Column *columns)
{
  for (guint text_width = WIDEST_TEXT;; text_width--)
    {
      GPtrArray *formatted = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
      glong width = -2;

      for (const Column *column = columns; column->key; column++)
        {
          GPtrArray *cells = format_column (table, column, text_width);

          width += g_utf8_strlen (g_ptr_array_index (cells, 0), -1) + 2;
          g_ptr_array_add (formatted, cells);
        }
      if (width <= WIDTH || text_width == NARROWEST_TEXT)
        return formatted;
      g_ptr_array_unref (formatted);
    }
}

static void
print_text (const CulpritTable *table, const Column *columns)
{
  g_autoptr (GPtrArray) formatted = format_columns (table, columns);
  gboolean colour = isatty (STDOUT_FILENO) && !g_getenv ("NO_COLOR");

  for (guint row = 0; row <= culprit_table_rows (table); row++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      for (guint i = 0; i < formatted->len; i++)
        g_string_append_printf (line, "%s%s", i > 0 ? "  " : "",
                                (char *) g_ptr_array_index ((GPtrArray *) g_ptr_array_index (formatted, i), row));
      g_strchomp (line->str);
      if (row == 0 && colour)
        print_coloured ("1", line->str);
      else
        g_print ("%s", line->str);
      g_print ("\n");
    }
}

void
print_table (const CulpritTable *table, Format format, const Column *columns, const char *empty)
{
  g_autofree Column *all = NULL;
  g_autofree char *csv = NULL;

  switch (format)
    {
    case FORMAT_JSON:
      print_json (table, NULL, NULL, NULL);
      break;
    case FORMAT_CSV:
      csv = culprit_table_to_csv (table, NULL, 0);
      g_print ("%s", csv);
      break;
    default:
      if (culprit_table_rows (table) == 0 && empty)
        g_print ("%s\n", empty);
      else
        print_text (table, columns ? columns : (all = all_columns (table)));
    }
}

void
print_share_legend (const CulpritTable *table, const char *key, const char *whole)
{
  for (guint row = 0; row < culprit_table_rows (table); row++)
    if (culprit_share_is_all (as_number (culprit_table_value (table, row, key))))
      {
        g_print ("\nall: all of the %s; others were faster.\n", whole);
        return;
      }
}

void
print_json_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

void
print_json_flag (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}
