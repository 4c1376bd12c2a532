/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the definitions of columns by key. */
#include "tables/column.h"

#include "tables/budget.h"
#include "tables/comparison.h"

#include <math.h>
#include <string.h>

/* Formats values as text, and defines their order. */

#define HUGE_NUMBER 1e15        /* from here on, digits are meaningless */
#define DIGITS_BEFORE_POINT 1e5 /* from here on, one digit behind it makes six or more */

/* Columns are in us or ms, so that tables resemble each other, and short times beside long ones keep their digits. */
#define LEAST_LARGEST_NS 1e3
#define MOST_LARGEST_NS 1e9

/* Only a user's own query, or a damaged study, gives such values. */
static gboolean
is_huge (CulpritValue value)
{
  return value.type == CULPRIT_VALUE_REAL && fabs (value.real) >= HUGE_NUMBER;
}

char *
culprit_class_text (const char *class)
{
  return g_strdelimit (g_strdup (class), "-", ' ');
}

static char *
number_text (double number, CulpritKind kind)
{
  switch (kind)
    {
    case CULPRIT_KIND_TIME:
    case CULPRIT_KIND_EXACT:
    case CULPRIT_KIND_RANGE:
      return culprit_time_format (llround (number));
    case CULPRIT_KIND_DIFFERENCE:
      return culprit_difference_format (number);
    case CULPRIT_KIND_SHARE:
      return culprit_share_format (number);
    case CULPRIT_KIND_SMALL_PART:
      return culprit_small_part_format (number);
    case CULPRIT_KIND_CHANGE:
      return g_strdup_printf ("%+.2f %%", culprit_shown_number (number, 2));
    case CULPRIT_KIND_RATIO:
      return g_strdup_printf ("%.3f", number);
    case CULPRIT_KIND_P:
      return culprit_p_format (number);
    case CULPRIT_KIND_IDENTIFIER:
    case CULPRIT_KIND_COUNT:
      return g_strdup_printf ("%.0f", number);
    case CULPRIT_KIND_NUMBER:
      return g_strdup_printf (fabs (number) < DIGITS_BEFORE_POINT ? "%.6g" : "%.1f", number);
    default:
      return g_strdup_printf ("%.1f", number);
    }
}

char *
culprit_value_text (CulpritValue value, CulpritKind kind)
{
  double number = culprit_value_number (value);

  if (value.type == CULPRIT_VALUE_TEXT)
    return kind == CULPRIT_KIND_FILE     ? g_path_get_basename (value.text)
           : kind == CULPRIT_KIND_CLASS  ? culprit_class_text (value.text)
           : kind == CULPRIT_KIND_ANSWER ? g_strdup (culprit_answer_text (value.text))
                                         : g_strdup (value.text);
  if (isnan (number) || (isinf (number) && kind != CULPRIT_KIND_NUMBER))
    return NULL;
  if (is_huge (value))
    return g_strdup_printf ("%g", number);
  if (value.type == CULPRIT_VALUE_INTEGER && kind >= CULPRIT_KIND_NUMBER && kind <= CULPRIT_KIND_COUNT)
    return g_strdup_printf ("%" G_GINT64_FORMAT, value.integer);
  return number_text (number, kind);
}

/* "10.0 us to 20.0 us", from the two columns next to ..._ns, which a summary does not have. */
static char *
range_text (const CulpritTable *table, guint row, const char *key)
{
  g_autofree char *name = g_strndup (key, strlen (key) - strlen ("_ns"));
  g_autofree char *from = g_strconcat (name, "_from_ns", NULL);
  g_autofree char *to = g_strconcat (name, "_to_ns", NULL);
  double from_ns;
  double to_ns;

  if (!culprit_table_has (table, from))
    return NULL;
  from_ns = culprit_value_number (culprit_table_value (table, row, from));
  to_ns = culprit_value_number (culprit_table_value (table, row, to));
  return isfinite (from_ns) ? culprit_time_format_range (llround (from_ns), llround (to_ns)) : NULL;
}

char *
culprit_cell_text (const CulpritTable *table, guint row, const CulpritColumn *column)
{
  CulpritValue value = culprit_column_value (column, table, row);

  if (column->kind == CULPRIT_KIND_FUNCTION && value.type == CULPRIT_VALUE_TEXT)
    return culprit_part_label (table, row);
  if (column->kind == CULPRIT_KIND_RANGE)
    return range_text (table, row, column->key);
  return culprit_value_text (value, column->kind);
}

const CulpritUnit *
culprit_column_unit (const CulpritTable *table, const CulpritColumn *column)
{
  double largest = 0;

  if (column->kind < CULPRIT_KIND_TIME)
    return NULL;
  for (guint row = 0; row < culprit_table_rows (table); row++)
    largest = fmax (largest, fabs (culprit_value_number (culprit_column_value (column, table, row))));
  return culprit_unit_of_all (CLAMP (largest, LEAST_LARGEST_NS, MOST_LARGEST_NS));
}

char *
culprit_cell_text_in (const CulpritTable *table, guint row, const CulpritColumn *column, const CulpritUnit *unit)
{
  CulpritValue value = culprit_column_value (column, table, row);
  double number = culprit_value_number (value);

  if (value.type == CULPRIT_VALUE_TEXT && column->kind != CULPRIT_KIND_FUNCTION && column->kind != CULPRIT_KIND_ANSWER)
    return g_strdup (value.text);
  if (unit && !isnan (number) && !is_huge (value))
    {
      int decimals = column->kind == CULPRIT_KIND_EXACT ? unit->all_decimals : unit->decimals;

      return g_strdup_printf ("%.*f", decimals, culprit_shown_number (number / unit->ns, decimals));
    }
  return culprit_cell_text (table, row, column);
}

int
culprit_value_compare (CulpritValue left, CulpritValue right)
{
  double left_number = culprit_value_number (left);
  double right_number = culprit_value_number (right);

  if (!isnan (left_number) && !isnan (right_number))
    return left_number < right_number ? -1 : left_number > right_number;
  if (left.type == CULPRIT_VALUE_TEXT && right.type == CULPRIT_VALUE_TEXT)
    return g_utf8_collate (left.text, right.text);
  return (int) (left.type == CULPRIT_VALUE_NULL) - (int) (right.type == CULPRIT_VALUE_NULL);
}

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
  return column->explain ? g_ascii_strdown (column->title, -1) : g_strdup (column->title);
}

CulpritValue
culprit_column_value (const CulpritColumn *column, const CulpritTable *table, guint row)
{
  return culprit_table_value (table, row, column->of ? column->of : column->key);
}
