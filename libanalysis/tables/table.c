/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores a table's values in one array: a table of 100,000 rows needs only a handful of allocations. */
#include "tables/table.h"

#include "clean.h"
#include "seeded-hash.h"

#include <math.h>
#include <string.h>

/* A text from here on is stored once, however many rows repeat it. */
#define LONG_TEXT 64 /* bytes */

CulpritTable *
culprit_table_new (void)
{
  CulpritTable *table = g_new0 (CulpritTable, 1);

  table->columns = g_ptr_array_new_with_free_func (g_free);
  table->values = g_array_new (FALSE, FALSE, sizeof (CulpritValue));
  table->texts = g_string_chunk_new (4096);
  table->long_texts = g_hash_table_new (culprit_hash_text, g_str_equal);
  return table;
}

void
culprit_table_free (CulpritTable *table)
{
  g_ptr_array_unref (table->columns);
  g_array_unref (table->values);
  g_hash_table_unref (table->long_texts);
  g_string_chunk_free (table->texts);
  g_free (table);
}

void
culprit_table_add_column (CulpritTable *table, const char *name)
{
  g_ptr_array_add (table->columns, g_strdup (name));
}

static const char *
keep (CulpritTable *table, const char *text)
{
  gsize length = strlen (text);
  const char *kept;

  if (length < LONG_TEXT)
    return g_string_chunk_insert_len (table->texts, text, length);
  kept = g_hash_table_lookup (table->long_texts, text);
  if (!kept)
    {
      kept = g_string_chunk_insert_len (table->texts, text, length);
      g_hash_table_add (table->long_texts, (gpointer) kept);
    }
  return kept;
}

static CulpritValue
text_value (CulpritTable *table, const char *text)
{
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);

  return (CulpritValue) { .type = CULPRIT_VALUE_TEXT, .text = keep (table, valid ? valid : text) };
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

gboolean
culprit_table_has (const CulpritTable *table, const char *column)
{
  return g_ptr_array_find_with_equal_func (table->columns, column, g_str_equal, NULL);
}

static guint
find_column (const CulpritTable *table, const char *column)
{
  guint index;

  if (!g_ptr_array_find_with_equal_func (table->columns, column, g_str_equal, &index))
    g_error ("a table has no column \"%s\"", column);
  return index;
}

static void
set_value (CulpritTable *table, guint row, const char *column, CulpritValue value)
{
  g_array_index (table->values, CulpritValue, row * table->columns->len + find_column (table, column)) = value;
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
  guint index = find_column (table, column);

  return row < culprit_table_rows (table) ? culprit_table_at (table, row, index)
                                          : (CulpritValue) { .type = CULPRIT_VALUE_NULL };
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

GHashTable *
culprit_table_index (const CulpritTable *table, const char *column)
{
  GHashTable *rows = g_hash_table_new (culprit_hash_text, g_str_equal);

  for (guint row = 0; row < culprit_table_rows (table); row++)
    g_hash_table_insert (rows, (gpointer) culprit_table_text (table, row, column), GUINT_TO_POINTER (row));
  return rows;
}

/* Writes tables as CSV and JSON, cell by cell directly into the text: with json-glib's nodes, culprit outliers --json
 * took nearly twice as long. */

#define MOST_DIGITS 20 /* of an integer, with its sign */
#define EXACT 1e15     /* Below, an integer looks the same in either format. */

static gboolean
is_time (const char *column)
{
  return g_str_has_suffix (column, "_ns");
}

/* Nearly all cells are integers, and printf() took most of the time for large tables. */
static void
add_integer (GString *to, gint64 integer)
{
  char digits[MOST_DIGITS];
  char *at = digits + sizeof digits;
  guint64 rest = integer < 0 ? -(guint64) integer : (guint64) integer;

  do
    *--at = '0' + rest % 10;
  while ((rest /= 10) > 0);
  if (integer < 0)
    *--at = '-';
  g_string_append_len (to, at, digits + sizeof digits - at);
}

static void
add_real (GString *to, double real, const char *column)
{
  double shown = is_time (column) ? round (real) + 0.0 : real;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (fabs (shown) < EXACT && shown == trunc (shown) && !(shown == 0 && signbit (shown)))
    add_integer (to, (gint64) shown);
  else if (is_time (column))
    g_string_append_printf (to, "%.0f", shown);
  else
    g_string_append (to, g_ascii_dtostr (text, sizeof text, shown));
}

static gboolean
is_formula (const char *text)
{
  static const char *const signs[] = { "=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20" };
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    found |= g_str_has_prefix (text, signs[i]);
  return found;
}

/* Spreadsheets evaluate cells that begin like a formula: an apostrophe turns them into text. Where a comma separates
 * nothing, quotes do not help, and a cell also begins after a semicolon, a tab or the end of a line. */
static char *
not_a_formula (const char *text)
{
  GString *safe = g_string_new (NULL);
  gboolean begins = TRUE;

  for (; *text; text++)
    {
      if (begins && is_formula (text))
        g_string_append_c (safe, '\'');
      begins = strchr (";\t\r\n", *text) || (begins && *text == '"');
      g_string_append_c (safe, *text);
    }
  return g_string_free (safe, FALSE);
}

char *
culprit_pasted_text (const char *text)
{
  g_autofree char *line = culprit_clean_line (text);

  return not_a_formula (line);
}

static void
add_csv_text (GString *csv, const char *plain)
{
  g_autofree char *text = not_a_formula (plain);

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
  if (value.type == CULPRIT_VALUE_INTEGER)
    add_integer (csv, value.integer);
  else if (value.type == CULPRIT_VALUE_REAL)
    add_real (csv, value.real, column);
  else if (value.type == CULPRIT_VALUE_TEXT)
    add_csv_text (csv, value.text);
}

void
culprit_table_add_csv_header (const CulpritTable *table, GString *csv)
{
  for (guint i = 0; i < table->columns->len; i++)
    {
      if (i > 0)
        g_string_append_c (csv, ',');
      add_csv_text (csv, g_ptr_array_index (table->columns, i));
    }
  g_string_append_c (csv, '\n');
}

void
culprit_table_add_csv_row (const CulpritTable *table, guint row, GString *csv)
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

  culprit_table_add_csv_header (table, csv);
  for (guint i = 0; i < n; i++)
    culprit_table_add_csv_row (table, rows[i], csv);
  return g_string_free (csv, FALSE);
}

static void
add_json_text (GString *json, const char *text)
{
  const char *plain = text;

  g_string_append_c (json, '"');
  for (const char *at = text; *at; at++)
    {
      if (*at != '"' && *at != '\\' && (guchar) *at >= ' ' && *at != 0x7f)
        continue;
      g_string_append_len (json, plain, at - plain);
      g_string_append_printf (json, *at == '"' || *at == '\\' ? "\\%c" : "\\u%04x", *at);
      plain = at + 1;
    }
  g_string_append (json, plain);
  g_string_append_c (json, '"');
}

static void
add_json_value (GString *json, CulpritValue value, const char *column)
{
  if (value.type == CULPRIT_VALUE_INTEGER)
    add_integer (json, value.integer);
  else if (value.type == CULPRIT_VALUE_REAL && isfinite (value.real))
    add_real (json, value.real, column);
  else if (value.type == CULPRIT_VALUE_TEXT)
    add_json_text (json, value.text);
  else
    g_string_append (json, "null");
}

/* The length of the group's name in @column. */
static gsize
group_length (const CulpritTable *table, const char *column)
{
  const char *dot = table->grouped ? strchr (column, '.') : NULL;

  return dot ? dot - column : 0;
}

void
culprit_table_add_members (const CulpritTable *table, guint row, GString *json)
{
  const char *before = "";
  gsize open = 0; /* length of the open group's name, with which @before begins */

  for (guint i = 0; i < table->columns->len; i++)
    {
      const char *column = g_ptr_array_index (table->columns, i);
      gsize group = group_length (table, column);
      gboolean same = group == open && strncmp (column, before, group) == 0;

      if (open > 0 && !same)
        g_string_append_c (json, '}');
      if (i > 0)
        g_string_append_c (json, ',');
      if (group > 0 && !same)
        g_string_append_printf (json, "\"%.*s\":{", (int) group, column);
      add_json_text (json, group > 0 ? column + group + 1 : column);
      g_string_append_c (json, ':');
      add_json_value (json, culprit_table_at (table, row, i), column);
      before = column;
      open = group;
    }
  if (open > 0)
    g_string_append_c (json, '}');
}

char *
culprit_table_to_json (const CulpritTable *table, const guint *rows, guint n)
{
  GString *json = g_string_new ("[");

  for (guint i = 0; i < (rows ? n : culprit_table_rows (table)); i++)
    {
      g_string_append (json, i > 0 ? ",\n {" : "{");
      culprit_table_add_members (table, rows ? rows[i] : i, json);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]\n");
  return g_string_free (json, FALSE);
}
