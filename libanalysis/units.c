/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes times with units. */
#include "units.h"

#include <math.h>
#include <string.h>

#define SMALLEST_P 1e-9 /* smaller ones make no difference to people */

gboolean
culprit_time_parse (const char *text, guint64 *time_ns)
{
  static const struct
  {
    const char *name;
    double ns;
  } units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 } };
  char *rest;
  double value = g_ascii_strtod (text, &rest);

  if (rest == text || !isfinite (value) || value <= 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (rest, units[i].name) && value * units[i].ns < 9e18 && value * units[i].ns >= 1)
      {
        *time_ns = llround (value * units[i].ns);
        return TRUE;
      }
  return FALSE;
}

char *
culprit_time_format (gint64 time_ns)
{
  double time = fabs ((double) time_ns);

  if (time < 1e3)
    return g_strdup_printf ("%" G_GINT64_FORMAT " ns", time_ns);
  if (time < 1e6)
    return g_strdup_printf ("%.1f us", time_ns / 1e3);
  if (time < 1e9)
    return g_strdup_printf ("%.3f ms", time_ns / 1e6);
  return g_strdup_printf ("%.3f s", time_ns / 1e9);
}

char *
culprit_time_format_range (gint64 from_ns, gint64 to_ns)
{
  g_autofree char *from = culprit_time_format (from_ns);
  g_autofree char *to = culprit_time_format (to_ns);

  return from_ns < to_ns ? g_strdup_printf ("%s to %s", from, to) : g_steal_pointer (&from);
}

double
culprit_shown_number (double value, int decimals)
{
  return fabs (value) * pow (10, decimals) < 0.5 ? 0 : value;
}

gboolean
culprit_share_is_all (double share)
{
  return round (share * 1000) > 1000;
}

char *
culprit_share_format (double share)
{
  return culprit_share_is_all (share) ? g_strdup ("all")
                                      : g_strdup_printf ("%.1f %%", culprit_shown_number (share * 100, 1));
}

char *
culprit_small_part_format (double part)
{
  return g_strdup_printf ("%.2f %%", culprit_shown_number (part * 100, 2));
}

char *
culprit_difference_format (double ns)
{
  if (fabs (ns) < 1e3)
    return g_strdup_printf ("%+.0f ns", culprit_shown_number (ns, 0));
  if (fabs (ns) < 1e6)
    return g_strdup_printf ("%+.2f us", ns / 1e3);
  return g_strdup_printf ("%+.3f ms", ns / 1e6);
}

char *
culprit_p_format (double p)
{
  if (p < SMALLEST_P)
    return g_strdup ("< 1e-9");
  return isnan (p) ? g_strdup ("-") : g_strdup_printf (p < 0.001 ? "%.1e" : "%.3f", p);
}

char *
culprit_p_in_words (double p)
{
  g_autofree char *text = culprit_p_format (p);

  return g_strconcat (*text == '<' ? "p " : "p = ", text, NULL);
}

char *
culprit_count_format (guint64 count)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%" G_GUINT64_FORMAT, count);
  for (gssize place = (gssize) text->len - 3; place > 0; place -= 3)
    g_string_insert_c (text, place, ',');
  return g_string_free (text, FALSE);
}

const char *
culprit_plural (guint64 n)
{
  return n == 1 ? "" : "s";
}
