/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantile of a resample is the profile's quantile at a beta distributed rank. It is drawn directly, so that a
 * resample of 10^9 latencies costs no more than one of ten. */
#include "bootstrap.h"

#include "latency/statistics.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define RESAMPLES 5000
#define SEED 20040801

/* A profile with the number of samples before each bin, for finding ranks by bisection. */
typedef struct
{
  const CulpritProfile *profile;
  guint64 *before; /* one entry more than there are bins */
} Ranked;

static guint64 *
count_before (const CulpritProfile *profile)
{
  guint64 *before = g_new0 (guint64, profile->bins->len + 1);

  for (guint i = 0; i < profile->bins->len; i++)
    before[i + 1] = before[i] + culprit_profile_bin (profile, i)->count;
  return before;
}

/* The latency that the share @u of all samples does not exceed. */
static double
latency_at (const Ranked *ranked, double u)
{
  guint64 rank = MIN ((guint64) (u * ranked->profile->n), ranked->profile->n - 1);
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

static double
draw (const Ranked *ranked, double p, gsl_rng *random)
{
  double n = ranked->profile->n;
  double rank = floor (p * (n - 1)) + 1;

  return latency_at (ranked, gsl_ran_beta (random, rank, n + 1 - rank));
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
