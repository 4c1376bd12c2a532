/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses bins and counts. */
#include "histogram.h"

#include "description.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

/* Computes positions on the scale, and when to use it. */

#define FAR 20      /* times the median */
#define BELOW 10    /* minimum ratio of the median to the knee */
#define HALF 500000 /* millionths */
#define ALL 1000000

/* The median; if some are negative, that of their absolute values. Zeros in a table in us are somewhere below one. */
static double
typical_ns (const CulpritProfile *profile)
{
  g_autoptr (CulpritProfile) sizes = NULL;

  if (culprit_profile_rank (profile, 0) >= 0)
    return fmax (culprit_quantile_known (profile, HALF), profile->width_ns);
  sizes = culprit_profile_new (profile->width_ns);
  for (guint i = 0; i < profile->bins->len; i++)
    culprit_profile_add (sizes, llabs (culprit_profile_bin (profile, i)->latency_ns),
                         culprit_profile_bin (profile, i)->count);
  culprit_profile_finish (sizes);
  return fmax (culprit_quantile_type7 (sizes, 0.5), profile->width_ns);
}

static double
lowest_ns (const CulpritProfile *const *profiles, guint n)
{
  double lowest = INFINITY;

  for (guint i = 0; i < n; i++)
    lowest = fmin (lowest, typical_ns (profiles[i]));
  return lowest;
}

gboolean
culprit_scale_is_due (const CulpritProfile *const *profiles, guint n)
{
  double highest = -INFINITY;

  for (guint i = 0; i < n; i++)
    highest = fmax (highest, culprit_quantile_known (profiles[i], ALL));
  return highest > FAR * lowest_ns (profiles, n);
}

double
culprit_scale_knee (const CulpritProfile *const *profiles, guint n)
{
  double width_ns = 1;

  for (guint i = 0; i < n; i++)
    width_ns = fmax (width_ns, profiles[i]->width_ns);
  return fmax (pow (10, floor (log10 (lowest_ns (profiles, n) / BELOW))), width_ns);
}

double
culprit_scale_place (double knee_ns, double ns)
{
  double size = fabs (ns) / knee_ns;

  return copysign (size <= 1 ? size / M_LN10 : 1 / M_LN10 + log10 (size), ns);
}

double
culprit_scale_latency (double knee_ns, double place)
{
  double size = fabs (place) * M_LN10;

  return copysign (knee_ns * (size <= 1 ? size : exp (size - 1)), place);
}

/* The width of bins is that at the lowest latencies, where it is largest. */
CulpritProfile *
culprit_profile_scaled (const CulpritProfile *profile, double knee_ns)
{
  double low_ns = culprit_profile_rank (profile, profile->n / 100);
  double width = culprit_scale_place (knee_ns, low_ns + profile->width_ns) - culprit_scale_place (knee_ns, low_ns);
  CulpritProfile *scaled = culprit_profile_new (MAX (llround (width * CULPRIT_DECADE), 1));

  for (guint i = 0; i < profile->bins->len; i++)
    culprit_profile_add (
        scaled, llround (culprit_scale_place (knee_ns, culprit_profile_bin (profile, i)->latency_ns) * CULPRIT_DECADE),
        culprit_profile_bin (profile, i)->count);
  culprit_profile_finish (scaled);
  return scaled;
}

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

/* Requirements for bins. */
typedef struct
{
  gint64 low_ns;
  gint64 high_ns;
  gint64 step_ns;   /* whole bins of all profiles */
  gint64 wanted_ns; /* a width that shows the shape of each */
} Extent;

static Extent
find_extent (const CulpritProfile *const *profiles, guint n)
{
  Extent extent = { G_MAXINT64, G_MININT64, 1, 1 };

  for (guint i = 0; i < n; i++)
    {
      extent.low_ns = MIN (extent.low_ns, culprit_profile_rank (profiles[i], 0));
      extent.high_ns = MAX (extent.high_ns, culprit_profile_rank (profiles[i], G_MAXUINT64));
      extent.step_ns = common_width (extent.step_ns, profiles[i]->width_ns);
      extent.wanted_ns = MAX (extent.wanted_ns, culprit_profile_nice_width (profiles[i]));
    }
  return extent;
}

/* The multiple of @step_ns at or below @ns. */
static gint64
round_down (gint64 ns, gint64 step_ns)
{
  gint64 above_ns = ns % step_ns;

  return ns - above_ns - (above_ns < 0 ? step_ns : 0);
}

static CulpritBinning *
binning_new (gint64 width_ns)
{
  CulpritBinning *binning = g_new0 (CulpritBinning, 1);

  binning->width_ns = width_ns;
  binning->edges = g_array_new (FALSE, FALSE, sizeof (gint64));
  return binning;
}

CulpritBinning *
culprit_binning_new (const CulpritProfile *const *profiles, guint n, guint most)
{
  Extent extent = find_extent (profiles, n);
  gint64 least_ns = ((guint64) extent.high_ns - (guint64) extent.low_ns) / most;
  CulpritBinning *binning = binning_new (round_up (extent.step_ns, MAX (extent.wanted_ns, least_ns)));
  gint64 edge = round_down (extent.low_ns, binning->width_ns);

  g_array_append_val (binning->edges, edge);
  while (edge <= extent.high_ns)
    {
      edge += binning->width_ns;
      g_array_append_val (binning->edges, edge);
    }
  binning->bins = binning->edges->len - 1;
  return binning;
}

CulpritBinning *
culprit_binning_new_scaled (const CulpritProfile *const *profiles, guint n, double knee_ns, guint decade)
{
  Extent extent = find_extent (profiles, n);
  CulpritBinning *binning = binning_new (0);
  double place = floor (culprit_scale_place (knee_ns, extent.low_ns) * decade);
  gint64 last = round_down ((gint64) floor (culprit_scale_latency (knee_ns, place / decade)), extent.step_ns);

  g_array_append_val (binning->edges, last);
  /* The scale is not exact at its ends: there is a bin even if its edge is above all latencies. */
  while (last <= extent.high_ns || binning->edges->len < 2)
    {
      gint64 edge = round_down ((gint64) floor (culprit_scale_latency (knee_ns, ++place / decade)), extent.step_ns);

      if (edge > last)
        g_array_append_val (binning->edges, edge);
      last = MAX (last, edge);
    }
  binning->bins = binning->edges->len - 1;
  return binning;
}

void
culprit_binning_free (CulpritBinning *binning)
{
  g_array_unref (binning->edges);
  g_free (binning);
}

guint
culprit_binning_index (const CulpritBinning *binning, gint64 latency_ns)
{
  guint low = 0;
  guint high = binning->bins;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (culprit_binning_edge (binning, middle) <= latency_ns)
        low = middle;
      else
        high = middle;
    }
  return low;
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
