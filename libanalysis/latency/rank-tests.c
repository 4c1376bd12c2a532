/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the outcomes with each sum of ranks, adding one value after another. Ranks are doubled, as those of ties are
 * halves. */
#include "rank-tests.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define MOST_EXACT 60 /* values; above, the normal approximation is as good */

typedef struct
{
  double value;
  guint index;
} Ranked;

static int
compare_values (const void *a, const void *b)
{
  double left = ((const Ranked *) a)->value;
  double right = ((const Ranked *) b)->value;

  return (left > right) - (left < right);
}

/* The doubled rank of each of @values. The caller owns the array. */
static guint *
rank (const double *values, guint n)
{
  g_autofree Ranked *order = g_new (Ranked, n);
  guint *ranks = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    order[i] = (Ranked) { values[i], i };
  if (n > 0)
    qsort (order, n, sizeof *order, compare_values);
  for (guint first = 0, next; first < n; first = next)
    {
      for (next = first + 1; next < n && order[next].value == order[first].value; next++)
        ;
      for (guint i = first; i < next; i++)
        ranks[order[i].index] = first + next + 1;
    }
  return ranks;
}

/* The probability that the sum of @m of the @n @ranks, drawn at random, is at least as far from its mean as @sum. */
static double
exact_rank_sum (const guint *ranks, guint m, guint n, guint sum)
{
  guint most = n * (n + 1);
  g_autofree double *ways = g_new0 (double, (gsize) (m + 1) * (most + 1)); /* [drawn][sum] */
  double mean = m * (n + 1.0);
  double all = 0;
  double far = 0;

  ways[0] = 1;
  for (guint i = 0; i < n; i++)
    for (guint drawn = MIN (i + 1, m); drawn > 0; drawn--)
      for (guint s = most; s + 1 > ranks[i]; s--)
        ways[drawn * (most + 1) + s] += ways[(drawn - 1) * (most + 1) + s - ranks[i]];
  for (guint s = 0; s <= most; s++)
    {
      all += ways[m * (most + 1) + s];
      if (fabs (s - mean) >= fabs (sum - mean))
        far += ways[m * (most + 1) + s];
    }
  return far / all;
}

/* Sum of squares of the distances of @ranks from their mean. */
static double
spread (const guint *ranks, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += (ranks[i] - (n + 1.0)) * (ranks[i] - (n + 1.0));
  return sum;
}

double
culprit_rank_sum_p (const double *a, guint m, const double *b, guint n)
{
  guint all = m + n;
  g_autofree double *values = g_new (double, all);
  g_autofree guint *ranks = NULL;
  guint sum = 0;
  double variance;

  for (guint i = 0; i < all; i++)
    values[i] = i < m ? a[i] : b[i - m];
  ranks = rank (values, all);
  for (guint i = 0; i < m; i++)
    sum += ranks[i];
  if (all <= MOST_EXACT)
    return exact_rank_sum (ranks, m, all, sum);
  variance = (double) m * n / all / (all - 1) * spread (ranks, all);
  return variance > 0 ? MIN (2 * gsl_cdf_ugaussian_Q ((fabs (sum - m * (all + 1.0)) - 1) / sqrt (variance)), 1) : 1;
}
