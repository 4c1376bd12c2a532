/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as texts, and their order. */
#include "tables/cell.h"

#include "units.h"

#include <math.h>
#include <string.h>

#define UNKNOWN "–"
#define SMALLEST_P 1e-9 /* smaller ones are all the same to people */

char *
culprit_class_text (const char *class)
{
  return g_strdelimit (g_strdup (class), "-", ' ');
}

/* A digit more than of other times: an interval may be narrow. */
static char *
difference_text (double ns)
{
  if (fabs (ns) < 1e3)
    return g_strdup_printf ("%+.0f ns", ns + 0.0);
  if (fabs (ns) < 1e6)
    return g_strdup_printf ("%+.2f us", ns / 1e3);
  return g_strdup_printf ("%+.3f ms", ns / 1e6);
}

static char *
p_text (double number)
{
  if (number < SMALLEST_P)
    return g_strdup ("< 1e-9");
  return culprit_p_format (number);
}

static char *
number_text (double number, CellKind kind)
{
  if (!isfinite (number))
    return g_strdup (UNKNOWN);
  switch (kind)
    {
    case CELL_TIME:
      return culprit_time_format (llround (number));
    case CELL_PERCENT:
      return culprit_share_format (number);
    case CELL_DIFFERENCE:
      return difference_text (number);
    case CELL_CHANGE:
      return g_strdup_printf ("%+.2f %%", number);
    case CELL_RATIO:
      return g_strdup_printf ("%.3f", number);
    case CELL_P:
      return p_text (number);
    case CELL_MEAN:
      return g_strdup_printf ("%.1f", number);
    default:
      return g_strdup_printf ("%.0f", number);
    }
}

char *
culprit_cell_text (CulpritValue value, CellKind kind)
{
  switch (value.type)
    {
    case CULPRIT_VALUE_TEXT:
      if (kind == CELL_FILE)
        return g_path_get_basename (value.text);
      return kind == CELL_CLASS ? culprit_class_text (value.text) : g_strdup (value.text);
    case CULPRIT_VALUE_INTEGER:
      return number_text (value.integer, kind);
    case CULPRIT_VALUE_REAL:
      return number_text (value.real, kind);
    default:
      return g_strdup (UNKNOWN);
    }
}

static double
as_number (CulpritValue value)
{
  return value.type == CULPRIT_VALUE_INTEGER ? (double) value.integer : value.real;
}

int
culprit_cell_compare (CulpritValue left, CulpritValue right)
{
  gboolean left_number = left.type == CULPRIT_VALUE_INTEGER || left.type == CULPRIT_VALUE_REAL;
  gboolean right_number = right.type == CULPRIT_VALUE_INTEGER || right.type == CULPRIT_VALUE_REAL;

  if (left_number && right_number)
    return as_number (left) < as_number (right) ? -1 : as_number (left) > as_number (right);
  if (left.type == CULPRIT_VALUE_TEXT && right.type == CULPRIT_VALUE_TEXT)
    return g_utf8_collate (left.text, right.text);
  return (int) (left.type == CULPRIT_VALUE_NULL) - (int) (right.type == CULPRIT_VALUE_NULL);
}
