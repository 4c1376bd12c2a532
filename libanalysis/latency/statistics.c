/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes moments in two passes around the mean, which is accurate even for 10^9 samples, and quantiles by rank. */
#include "statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define MILLION 1000000
#define HALVINGS 60               /* bisections of a share, beyond the precision of a double */
#define BINOMIAL_LIMIT 1000000000 /* GSL's counts have 32 bits; above, the normal approximation is exact enough */

/* Sums of powers of the distances from the mean. */
static void
sum_powers (const CulpritProfile *profile, double mean_ns, double sums[5])
{
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      double distance = bin->latency_ns - mean_ns;
      double power = bin->count;

      for (guint k = 1; k <= 4; k++)
        {
          power *= distance;
          sums[k] += power;
        }
    }
}

static double
find_mean (const CulpritProfile *profile)
{
  double sum = 0;
  double correction = 0;
  gint64 origin_ns = culprit_profile_bin (profile, 0)->latency_ns;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      sum += (double) (bin->latency_ns - origin_ns) * (double) bin->count;
    }
  sum /= profile->n;
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      correction += ((double) (bin->latency_ns - origin_ns) - sum) * (double) bin->count;
    }
  return origin_ns + sum + correction / profile->n;
}

static const CulpritBin *
find_mode (const CulpritProfile *profile)
{
  const CulpritBin *mode = culprit_profile_bin (profile, 0);

  for (guint i = 1; i < profile->bins->len; i++)
    if (culprit_profile_bin (profile, i)->count > mode->count)
      mode = culprit_profile_bin (profile, i);
  return mode;
}

static double
find_mad (const CulpritProfile *profile, double median_ns)
{
  g_autoptr (CulpritProfile) doubled = culprit_profile_new (1);

  /* In halves of a nanosecond: a median may lie between two samples. */
  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);

      culprit_profile_add (doubled, llabs (2 * bin->latency_ns - (gint64) (2 * median_ns)), bin->count);
    }
  culprit_profile_finish (doubled);
  return culprit_quantile_type7 (doubled, 0.5) / 2;
}

/* Uses what the tool knew better, since it saw every latency before it counted them in bins. */
static void
take_printed (CulpritMoments *moments, const CulpritPrinted *printed)
{
  moments->min_ns = isnan (printed->min_ns) ? moments->min_ns : printed->min_ns;
  moments->max_ns = isnan (printed->max_ns) ? moments->max_ns : printed->max_ns;
  moments->mean_ns = isnan (printed->mean_ns) ? moments->mean_ns : printed->mean_ns;
  moments->sd_ns = isnan (printed->sd_ns) ? moments->sd_ns : printed->sd_ns;
  moments->mode_ns = isnan (printed->mode_ns) ? moments->mode_ns : printed->mode_ns;
}

CulpritMoments
culprit_moments (const CulpritProfile *profile)
{
  const CulpritBin *mode = find_mode (profile);
  double n = profile->n;
  double sums[5] = { 0 };
  CulpritMoments moments = { .n = profile->n,
                             .beyond = profile->beyond,
                             .min_ns = culprit_profile_from (profile, culprit_profile_bin (profile, 0)->latency_ns),
                             .max_ns = culprit_profile_to (profile, culprit_profile_rank (profile, profile->n - 1)),
                             .mean_ns = find_mean (profile),
                             .mode_ns = mode->latency_ns,
                             .mode_count = mode->count,
                             .median_ns = culprit_quantile_type7 (profile, 0.5) };

  sum_powers (profile, moments.mean_ns, sums);
  moments.sd_ns = n > 1 ? sqrt (sums[2] / (n - 1)) : NAN;
  moments.skewness = sums[2] > 0 ? sums[3] / n / pow (sums[2] / n, 1.5) : NAN;
  moments.kurtosis = sums[2] > 0 ? sums[4] / n / (sums[2] / n * (sums[2] / n)) - 3 : NAN;
  moments.mad_ns = find_mad (profile, moments.median_ns);
  if (profile->beyond > 0)
    {
      moments.mean_ns = moments.sd_ns = moments.skewness = moments.kurtosis = moments.mad_ns = moments.max_ns = NAN;
      moments.median_ns = culprit_quantile_known (profile, MILLION / 2);
    }
  if (profile->printed)
    {
      double median_ns = culprit_quantile_known (profile, MILLION / 2);

      take_printed (&moments, profile->printed);
      moments.median_ns = isnan (median_ns) ? moments.median_ns : median_ns;
    }
  return moments;
}

CulpritLateness
culprit_lateness (const CulpritProfile *profile, gint64 period_ns, gint64 deadline_ns)
{
  CulpritLateness lateness = { .deadline_ns = deadline_ns > 0 ? deadline_ns : period_ns / 2 + period_ns % 2,
                               .period_ns = period_ns };

  lateness.late = culprit_profile_count_late (profile, lateness.deadline_ns);
  lateness.divided = culprit_profile_divides (profile, lateness.deadline_ns);
  lateness.hidden = culprit_profile_hides (profile, lateness.deadline_ns);
  lateness.missed = period_ns > 0 ? culprit_profile_count_late (profile, period_ns) : 0;
  lateness.missed_divided = period_ns > 0 && culprit_profile_divides (profile, period_ns);
  lateness.missed_hidden = period_ns > 0 && culprit_profile_hides (profile, period_ns);
  return lateness;
}

/* Between the samples of the ranks around @place. */
static double
interpolate (const CulpritProfile *profile, double place)
{
  guint64 rank = place;
  double below_ns = culprit_profile_rank (profile, rank);
  double fraction = place - rank;

  return fraction > 0 ? below_ns + fraction * (culprit_profile_rank (profile, rank + 1) - below_ns) : below_ns;
}

double
culprit_quantile_type7 (const CulpritProfile *profile, double p)
{
  return interpolate (profile, p * (profile->n - 1));
}

double
culprit_quantile_of_all (const CulpritProfile *profile, double p)
{
  double place = p * (profile->n + profile->beyond - 1);

  return place <= profile->n - 1 ? interpolate (profile, place) : NAN;
}

double
culprit_quantile_known (const CulpritProfile *profile, guint p_millionths)
{
  double printed_ns = culprit_printed_quantile (profile->printed, p_millionths);
  double ns = culprit_quantile_of_all (profile, p_millionths / (double) MILLION);

  if (!isnan (printed_ns))
    return printed_ns;
  return profile->printed && !isnan (ns) ? fmax (fmin (ns, profile->printed->max_ns), profile->printed->min_ns) : ns;
}

double
culprit_quantile_nearest (const CulpritProfile *profile, guint p_millionths)
{
  guint64 rank = ((unsigned __int128) (profile->n + profile->beyond) * p_millionths + MILLION - 1) / MILLION;

  return culprit_profile_rank (profile, rank > 0 ? rank - 1 : 0);
}

double
culprit_quantile_stress_ng (const CulpritProfile *profile, guint p_millionths)
{
  double printed_ns = culprit_printed_quantile (profile->printed, p_millionths);
  guint64 rank = (unsigned __int128) (profile->n + profile->beyond) * p_millionths / MILLION;

  if (!isnan (printed_ns))
    return printed_ns;
  return rank < profile->n || profile->beyond == 0 ? culprit_profile_rank (profile, rank) : NAN;
}

/* The probability that at most @k of @n samples are below the quantile @p. */
static double
binomial (guint64 k, double p, guint64 n)
{
  if (n <= BINOMIAL_LIMIT)
    return gsl_cdf_binomial_P (k, p, n);
  return gsl_cdf_ugaussian_P ((k + 0.5 - n * p) / sqrt (n * p * (1 - p)));
}

/* The smallest k with a probability of at least @wanted. */
static guint64
binomial_inverse (double wanted, double p, guint64 n)
{
  guint64 low = 0;
  guint64 high = n;

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;

      if (binomial (middle, p, n) >= wanted)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

gboolean
culprit_quantile_interval (const CulpritProfile *profile, double p, double level, double *low_ns, double *high_ns)
{
  double tail = (1 - level) / 2;
  guint64 n = profile->n;
  guint64 low = binomial_inverse (tail, p, n + profile->beyond); /* rank from 1; 0: none */
  guint64 high = binomial_inverse (1 - tail, p, n + profile->beyond) + 1;

  *low_ns = low >= 1 && low <= n ? culprit_profile_from (profile, culprit_profile_rank (profile, low - 1)) : NAN;
  *high_ns = high <= n ? culprit_profile_to (profile, culprit_profile_rank (profile, high - 1)) : NAN;
  return low >= 1 && high <= n;
}

/* The share @p for which the probability of at most @k of @n samples is @wanted. By bisection: GSL's inverse beta
 * distribution aborts the program if it does not converge, as for 83,600 of 120,000. */
static double
find_part (guint64 k, guint64 n, double wanted)
{
  double low = 0;
  double high = 1;

  for (guint i = 0; i < HALVINGS; i++)
    {
      double middle = low + (high - low) / 2;

      if (binomial (k, middle, n) > wanted)
        low = middle;
      else
        high = middle;
    }
  return low;
}

void
culprit_part_interval (guint64 k, guint64 n, double level, double *low, double *high)
{
  double tail = (1 - level) / 2;

  *low = k > 0 ? find_part (k - 1, n, 1 - tail) : 0;
  *high = k < n ? find_part (k, n, tail) : 1;
}
