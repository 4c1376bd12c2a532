/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes times with units. */
#include "units.h"

#include <gsl/gsl_errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define SMALLEST_P 1e-9 /* smaller ones make no difference to people */

/* Times are written in the first four; the others are only read. */
static const CulpritUnit units[] = {
  { "ns", 1, 0, 0, 0, 0 },     { "us", 1e3, 1e3, 1, 2, 3 }, { "ms", 1e6, 1e7, 3, 3, 6 },
  { "s", 1e9, 1e10, 3, 3, 9 }, { "m", 60e9, 0, 0, 0, 0 },   { "h", 3600e9, 0, 0, 0, 0 },
};
enum
{
  MILLISECONDS = 2,
  LARGEST_WRITTEN = 3,
};

void
culprit_numbers_init (void)
{
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  gsl_set_error_handler_off ();
}

/* The unit that suits a single time or difference. */
static const CulpritUnit *
unit_of (double time_ns)
{
  guint i = LARGEST_WRITTEN;

  while (i > 0 && !(fabs (time_ns) >= units[i].ns))
    i--;
  return &units[i];
}

const CulpritUnit *
culprit_unit_of_all (double largest_ns)
{
  guint i = LARGEST_WRITTEN;

  while (i > 0 && !(fabs (largest_ns) >= units[i].common_from_ns))
    i--;
  return &units[i];
}

gboolean
culprit_time_parse (const char *text, guint64 *time_ns)
{
  char *rest;
  double value = g_ascii_strtod (text, &rest);

  if (rest == text || !isfinite (value) || value <= 0)
    return FALSE;
  rest += strspn (rest, " ");
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
  const CulpritUnit *unit = unit_of (time_ns);

  return g_strdup_printf ("%.*f %s", unit->decimals, time_ns / unit->ns, unit->name);
}

char *
culprit_time_format_exact (gint64 time_ns)
{
  guint i = MILLISECONDS;

  while (i > 1 && time_ns % (gint64) units[i].ns != 0)
    i--;
  return g_strdup_printf ("%.*f%s", time_ns % (gint64) units[i].ns == 0 ? 0 : units[i].all_decimals,
                          time_ns / units[i].ns, units[i].name);
}

char *
culprit_long_time_format (double ns)
{
  static const struct
  {
    const char *name;
    double ns;
  } longest[] = { { "years", 31557600e9 }, { "days", 86400e9 }, { "h", 3600e9 }, { "min", 60e9 } };
  const CulpritUnit *unit;

  for (guint i = 0; i < G_N_ELEMENTS (longest); i++)
    if (ns >= 2 * longest[i].ns)
      return g_strdup_printf (ns < 1e15 * longest[i].ns ? "%.0f %s" : "%.0e %s", ns / longest[i].ns, longest[i].name);
  unit = unit_of (llround (ns));
  return g_strdup_printf ("%.*f %s", ns < 10 * unit->ns && fmod (ns, unit->ns) > 0, ns / unit->ns, unit->name);
}

char *
culprit_silence_format (guint64 length_ns)
{
  g_autofree char *time = culprit_time_format (length_ns);

  return g_strdup_printf ("nothing traced for %s", time);
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
  return fabs (value) * pow (10, decimals) <= 0.5 ? 0 : value;
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
  const CulpritUnit *unit = unit_of (ns);
  int decimals = unit->difference_decimals;

  return g_strdup_printf ("%+.*f %s", decimals, culprit_shown_number (ns / unit->ns, decimals), unit->name);
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
