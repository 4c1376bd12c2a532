/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many of n latencies lie below a distribution's quantile is binomial, so where the quantile lies among them in
 * order is drawn directly: of 10^9 latencies that costs no more than of ten. Of few latencies a resample's own quantile
 * is biased, and its interval held a true median of 12 in 90 % instead of 95 % of the cases. */
#include "bootstrap.h"

#include "statistics.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define RESAMPLES 5000
#define SEED 20040801

/* A profile with the samples before each bin, to find ranks by halving. */
typedef struct
{
  const CulpritProfile *profile;
  guint64 *before; /* one more than there are bins */
} Ranked;

static guint64 *
count_before (const CulpritProfile *profile)
{
  guint64 *before = g_new0 (guint64, profile->bins->len + 1);

  for (guint i = 0; i < profile->bins->len; i++)
    before[i + 1] = before[i] + culprit_profile_bin (profile, i)->count;
  return before;
}

/* The latency before which there are @rank others. */
static double
latency_at (const Ranked *ranked, guint64 rank)
{
  guint low = 0;
  guint high = ranked->profile->bins->len - 1;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (rank < ranked->before[middle + 1])
        high = middle;
      else
        low = middle + 1;
    }
  return culprit_profile_bin (ranked->profile, low)->latency_ns;
}

/* Anywhere between the last latency below the quantile and the first above. */
static double
draw (const Ranked *ranked, double p, gsl_rng *random)
{
  guint64 n = ranked->profile->n;
  double scale = n > G_MAXUINT ? (double) n / G_MAXUINT : 1;
  guint64 below = MIN ((guint64) (gsl_ran_binomial (random, p, MIN (n, G_MAXUINT)) * scale), n);
  double last = latency_at (ranked, MAX (below, 1) - 1);
  double first = latency_at (ranked, MIN (below, n - 1));

  return last + gsl_rng_uniform (random) * (first - last);
}

CulpritShift
culprit_quantile_shift (const CulpritProfile *base, const CulpritProfile *other, double p, double level)
{
  g_autofree guint64 *base_before = count_before (base);
  g_autofree guint64 *other_before = count_before (other);
  const Ranked ranked_base = { base, base_before };
  const Ranked ranked_other = { other, other_before };
  g_autofree double *shifts = g_new (double, RESAMPLES);
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);
  CulpritShift shift = { .p = p, .base_ns = culprit_quantile_type7 (base, p) };
  guint above = 1;
  guint below = 1;

  shift.difference_ns = culprit_quantile_type7 (other, p) - shift.base_ns;

  gsl_rng_set (random, SEED);
  for (guint i = 0; i < RESAMPLES; i++)
    {
      shifts[i] = draw (&ranked_other, p, random) - draw (&ranked_base, p, random);
      above += shifts[i] >= 0;
      below += shifts[i] <= 0;
    }
  gsl_rng_free (random);
  gsl_sort (shifts, 1, RESAMPLES);
  shift.low_ns = gsl_stats_quantile_from_sorted_data (shifts, 1, RESAMPLES, (1 - level) / 2);
  shift.high_ns = gsl_stats_quantile_from_sorted_data (shifts, 1, RESAMPLES, 1 - (1 - level) / 2);
  shift.p_value = MIN (2.0 * MIN (above, below) / (RESAMPLES + 1), 1);
  return shift;
}
