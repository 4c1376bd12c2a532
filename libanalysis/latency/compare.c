/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares by one walk over the bins of both profiles. */
#include "compare.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#define KS_TERMS 100
#define EXACT_KS_SAMPLES 1000000
#define SMALL_P 0.01 /* below it both sides do not exceed at once */

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

/* Two-sided, normal approximation with continuity and ties, as is usual from 20 samples on. */
static double
mann_whitney_p (double u, double m, double n, double ties)
{
  double all = m + n;
  double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
  double distance = fabs (u - m * n / 2) - 0.5;

  return variance > 0 ? MIN (2 * gsl_cdf_ugaussian_Q (MAX (distance, 0) / sqrt (variance)), 1) : 1;
}

static double
log_choose (double n, double k)
{
  return gsl_sf_lngamma (n + 1) - gsl_sf_lngamma (k + 1) - gsl_sf_lngamma (n - k + 1);
}

/* Smirnov's exact chance that the distribution function of @n samples lies @d above at some place. */
static double
smirnov_q (double n, double d)
{
  double sum = 0;

  for (double j = 0; j <= floor (n * (1 - d)); j++)
    {
      double rest = 1 - d - j / n;

      if (rest > 0)
        sum += exp (log_choose (n, j) + (j - 1) * log (d + j / n) + (n - j) * log (rest));
    }
  return MIN (d * sum, 1);
}

/* The asymptotic distribution of Kolmogorov; its series changes places where it would converge slowly. */
static double
kolmogorov_q (double x)
{
  double sum = 0;

  if (x < 0.2)
    return 1;
  if (x < 1)
    {
      for (guint k = 1; k <= KS_TERMS; k++)
        sum += exp (-(2 * k - 1) * (2 * k - 1) * M_PI * M_PI / (8 * x * x));
      return 1 - sqrt (2 * M_PI) / x * sum;
    }
  for (guint k = 1; k <= KS_TERMS; k++)
    sum += (k % 2 ? 2 : -2) * exp (-2.0 * k * k * x * x);
  return sum;
}

/* The chance of a distance of @d between samples of @m and @n, as if one of mn/(m+n) were held against the truth. */
static double
kolmogorov_smirnov_p (double d, double m, double n)
{
  double both = round (m * n / (m + n));
  double x = d * sqrt (both);
  double p;

  if (d <= 0)
    return 1;
  p = kolmogorov_q (x + 1 / (6 * sqrt (both)) + (x - 1) / (4 * both));
  return p < SMALL_P && both <= EXACT_KS_SAMPLES ? 2 * smirnov_q (both, d) : p;
}

CulpritRanks
culprit_compare_ranks (const CulpritProfile *base, const CulpritProfile *other)
{
  double m = base->n;
  double n = other->n;
  double base_before = 0;
  double other_before = 0;
  double ties = 0;
  gint64 last_ns = 0;
  Pairs pairs = { .base = base, .other = other };
  CulpritRanks ranks = { 0 };

  while (pairs_next (&pairs))
    {
      double tied = (double) pairs.base_count + pairs.other_count;
      double distance = fabs (base_before / m - other_before / n);

      ranks.wasserstein_ns += distance > 0 ? distance * (pairs.latency_ns - last_ns) : 0;
      ranks.u += pairs.base_count * (other_before + pairs.other_count / 2.0);
      ties += tied * tied * tied - tied;
      base_before += pairs.base_count;
      other_before += pairs.other_count;
      ranks.ks = MAX (ranks.ks, fabs (base_before / m - other_before / n));
      last_ns = pairs.latency_ns;
    }
  ranks.u_p = mann_whitney_p (ranks.u, m, n, ties);
  ranks.cliffs_delta = 1 - 2 * ranks.u / (m * n);
  ranks.ks_p = kolmogorov_smirnov_p (ranks.ks, m, n);
  return ranks;
}

double
culprit_compare_tails (const CulpritProfile *base, const CulpritProfile *other, gint64 limit_ns)
{
  double m = base->n;
  double n = other->n;
  double a = m - culprit_profile_count_to (base, limit_ns);
  double both = a + n - culprit_profile_count_to (other, limit_ns);
  double whole = log_choose (m + n, both);
  double seen = log_choose (m, a) + log_choose (n, both - a) - whole;
  double p = 0;

  for (double k = MAX (0, both - n); k <= MIN (both, m); k++)
    {
      double chance = log_choose (m, k) + log_choose (n, both - k) - whole;

      p += chance <= seen + 1e-7 ? exp (chance) : 0;
    }
  return MIN (p, 1);
}
