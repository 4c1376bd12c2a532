/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses bins and counts. */
#include "histogram.h"

#include "description.h"

#define MOST_WIDER 10 /* times the wider of two bins */

/* @step times 1, 2 or 5 times a power of ten, at least @wanted. */
static gint64
round_up (gint64 step, gint64 wanted)
{
  static const gint64 digits[] = { 1, 2, 5 };

  for (gint64 unit = step; unit < G_MAXINT64 / 100; unit *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
      if (digits[i] * unit >= wanted)
        return digits[i] * unit;
  return wanted;
}

/* The smallest width that contains whole bins of both, unless it is much wider than either; else the wider one. */
static gint64
common_width (gint64 one_ns, gint64 other_ns)
{
  gint64 wider_ns = MAX (one_ns, other_ns);
  gint64 common_ns = wider_ns;

  while (common_ns % MIN (one_ns, other_ns) != 0 && common_ns < MOST_WIDER * wider_ns)
    common_ns += wider_ns;
  return common_ns % MIN (one_ns, other_ns) == 0 ? common_ns : wider_ns;
}

CulpritBinning
culprit_binning_find (const CulpritProfile *const *profiles, guint n, guint most)
{
  gint64 low_ns = G_MAXINT64;
  gint64 high_ns = G_MININT64;
  gint64 step_ns = 1;
  gint64 wanted_ns = 1;
  CulpritBinning binning;

  for (guint i = 0; i < n; i++)
    {
      low_ns = MIN (low_ns, culprit_profile_rank (profiles[i], 0));
      high_ns = MAX (high_ns, culprit_profile_rank (profiles[i], G_MAXUINT64));
      step_ns = common_width (step_ns, profiles[i]->width_ns);
      wanted_ns = MAX (wanted_ns, culprit_profile_nice_width (profiles[i]));
    }
  wanted_ns = MAX ((guint64) wanted_ns, ((guint64) high_ns - (guint64) low_ns) / most);
  binning.width_ns = round_up (step_ns, wanted_ns);
  binning.low_ns = low_ns / binning.width_ns * binning.width_ns;
  if (binning.low_ns > low_ns)
    binning.low_ns -= binning.width_ns;
  binning.bins = culprit_binning_index (&binning, high_ns) + 1;
  return binning;
}

guint
culprit_binning_index (const CulpritBinning *binning, gint64 latency_ns)
{
  return ((guint64) latency_ns - (guint64) binning->low_ns) / (guint64) binning->width_ns;
}

GArray *
culprit_histogram (const CulpritProfile *profile, const CulpritBinning *binning)
{
  GArray *counts = g_array_sized_new (FALSE, TRUE, sizeof (guint64), binning->bins);

  g_array_set_size (counts, binning->bins);
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      g_array_index (counts, guint64, culprit_binning_index (binning, bin->latency_ns)) += bin->count;
    }
  return counts;
}
