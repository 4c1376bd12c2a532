/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares by one walk over the bins of both profiles. */
#include "tests.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static void
finish_means (CulpritMeans *means, const CulpritSummary *base, double error_ns, double df, double level)
{
  double reach_ns = gsl_cdf_tdist_Pinv (1 - (1 - level) / 2, df) * error_ns;

  means->overhead_percent = base->mean_ns > 0 ? means->difference_ns / base->mean_ns * 100 : NAN;
  means->t = means->difference_ns / error_ns;
  means->df = df;
  means->p = 2 * gsl_cdf_tdist_Q (fabs (means->t), df);
  means->low_ns = means->difference_ns - reach_ns;
  means->high_ns = means->difference_ns + reach_ns;
}

CulpritMeans
culprit_compare_means (const CulpritSummary *base, const CulpritSummary *other, double level)
{
  CulpritMeans means = { .difference_ns = other->mean_ns - base->mean_ns };
  double a = base->sd_ns * base->sd_ns / base->n;
  double b = other->sd_ns * other->sd_ns / other->n;
  double df = (a + b) * (a + b) / (a * a / (base->n - 1) + b * b / (other->n - 1));

  finish_means (&means, base, sqrt (a + b), df, level);
  return means;
}

/* Walks over the latencies that occur in either profile. */
typedef struct
{
  const CulpritProfile *base;
  const CulpritProfile *other;
  guint base_place;
  guint other_place;
  gint64 latency_ns;
  guint64 base_count; /* at this latency */
  guint64 other_count;
} Pairs;

static gboolean
pairs_next (Pairs *pairs)
{
  const CulpritBin *base =
      pairs->base_place < pairs->base->bins->len ? culprit_profile_bin (pairs->base, pairs->base_place) : NULL;
  const CulpritBin *other =
      pairs->other_place < pairs->other->bins->len ? culprit_profile_bin (pairs->other, pairs->other_place) : NULL;

  if (!base && !other)
    return FALSE;
  pairs->latency_ns = !other || (base && base->latency_ns <= other->latency_ns) ? base->latency_ns : other->latency_ns;
  pairs->base_count = base && base->latency_ns == pairs->latency_ns ? base->count : 0;
  pairs->other_count = other && other->latency_ns == pairs->latency_ns ? other->count : 0;
  pairs->base_place += pairs->base_count > 0;
  pairs->other_place += pairs->other_count > 0;
  return TRUE;
}

CulpritRanks
culprit_compare_ranks (const CulpritProfile *base, const CulpritProfile *other)
{
  double m = base->n;
  double n = other->n;
  double base_before = 0;
  double other_before = 0;
  gint64 last_ns = 0;
  Pairs pairs = { .base = base, .other = other };
  CulpritRanks ranks = { 0 };

  while (pairs_next (&pairs))
    {
      double tied = (double) pairs.base_count + pairs.other_count;
      double distance = fabs (base_before / m - other_before / n);

      ranks.wasserstein_ns += distance > 0 ? distance * (pairs.latency_ns - last_ns) : 0;
      ranks.u += pairs.base_count * (other_before + pairs.other_count / 2.0);
      ranks.ties += tied * tied * tied - tied;
      base_before += pairs.base_count;
      other_before += pairs.other_count;
      ranks.ks = MAX (ranks.ks, fabs (base_before / m - other_before / n));
      last_ns = pairs.latency_ns;
    }
  ranks.cliffs_delta = 1 - 2 * ranks.u / (m * n);
  return ranks;
}
