/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Kolmogorov-Smirnov distance: counts the possible orders of two small samples; treats large ones like one sample
 * of mn/(m+n) compared with a known distribution. */
#include "sample-tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#define EXACT_PAIRS 1e6
#define TERMS 100
#define EXACT_SAMPLES 1000000
#define SMALL_P 0.01 /* below this, both sides are practically never exceeded together */

/* The share of all orders of @m and @n values whose distribution functions are @far / (m n) or more apart somewhere.
 * Adds only positive numbers, so that small probabilities keep their digits. */
static double
count_orders (guint m, guint n, gint64 far)
{
  g_autofree double *parts = g_new0 (
      double, n + 1); /* of the orders of i and j values, the share of those that were too far apart at some point */

  for (guint i = 0; i <= m; i++)
    for (guint j = 0; j <= n; j++)
      {
        double last_of_base = i > 0 ? parts[j] * i : 0;
        double last_of_other = j > 0 ? parts[j - 1] * j : 0;

        if (ABS ((gint64) i * n - (gint64) j * m) >= far)
          parts[j] = 1;
        else
          parts[j] = i + j > 0 ? (last_of_base + last_of_other) / (i + j) : 0;
      }
  return parts[n];
}

static double
log_choose (double n, double k)
{
  return gsl_sf_lngamma (n + 1) - gsl_sf_lngamma (k + 1) - gsl_sf_lngamma (n - k + 1);
}

/* Smirnov's exact probability that the distribution function of @n samples is @d above the true one somewhere. */
static double
one_sided (double n, double d)
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

/* Kolmogorov's asymptotic distribution; a different series is used where one would converge slowly. */
static double
asymptotic (double x)
{
  double sum = 0;

  if (x < 0.2)
    return 1;
  for (int k = 1; k <= TERMS; k++)
    sum += x < 1 ? exp (-(2 * k - 1) * (2 * k - 1) * M_PI * M_PI / (8 * x * x))
                 : (k % 2 ? 2 : -2) * exp (-2.0 * k * k * x * x);
  return CLAMP (x < 1 ? 1 - sqrt (2 * M_PI) / x * sum : sum, 0, 1);
}

double
culprit_smirnov_p (double d, guint64 m, guint64 n)
{
  double pairs = (double) m * n;
  double both = round (pairs / ((double) m + n));
  double x = d * sqrt (both);
  double p;

  if (d <= 0)
    return 1;
  if (pairs <= EXACT_PAIRS)
    return count_orders (m, n, llround (d * pairs));
  p = asymptotic (x + 1 / (6 * sqrt (both)) + (x - 1) / (4 * both));
  return p < SMALL_P && both <= EXACT_SAMPLES ? MIN (2 * one_sided (both, d), 1) : p;
}

double
culprit_fisher_p (guint64 a, guint64 m, guint64 b, guint64 n)
{
  double both = (double) a + b;
  double whole = log_choose ((double) m + n, both);
  double seen = log_choose (m, a) + log_choose (n, b) - whole;
  double p = 0;

  for (double k = MAX (0, both - n); k <= MIN (both, m); k++)
    {
      double chance = log_choose (m, k) + log_choose (n, both - k) - whole;

      p += chance <= seen + 1e-7 ? exp (chance) : 0;
    }
  return MIN (p, 1);
}

double
culprit_mann_whitney_p (double u, guint64 m, guint64 n, double ties)
{
  double pairs = (double) m * n;
  double all = (double) m + n;
  double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
  double distance = fabs (u - pairs / 2) - 0.5;

  return variance > 0 ? MIN (2 * gsl_cdf_ugaussian_Q (MAX (distance, 0) / sqrt (variance)), 1) : 1;
}
