/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares by one walk over the bins of both profiles, by permuting runs, and by resampling. */
#include "tests.h"

#include "latency/curves-private.h"
#include "latency/statistics.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_combination.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counts the outcomes with each sum of ranks, adding one value after another. Ranks are doubled, as those of ties are
 * halves. */

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

/* The probability that a sum of ranks is at least as far from its mean as @sum, if of each @round of the @n @ranks @m
 * are drawn at random. */
static double
exact_rank_sum (const guint *ranks, guint n, guint round, guint m, guint sum)
{
  guint most = n * (n + 1);
  gsize row = most + 1;
  g_autofree double *ways = g_new0 (double, (m + 1) * row); /* [drawn of this round][sum] */
  guint all_drawn = n / round * m;
  double mean = all_drawn * (n + 1.0);
  double all = 0;
  double far = 0;

  ways[0] = 1;
  for (guint i = 0; i < n; i++)
    {
      for (guint drawn = MIN (i % round + 1, m); drawn > 0; drawn--)
        for (guint s = most; s + 1 > ranks[i]; s--)
          ways[drawn * row + s] += ways[(drawn - 1) * row + s - ranks[i]];
      if ((i + 1) % round > 0)
        continue;
      memmove (ways, ways + m * row, row * sizeof *ways);
      memset (ways + row, 0, m * row * sizeof *ways);
    }
  for (guint s = 0; s <= most; s++)
    {
      all += ways[s];
      if (fabs (s - mean) >= fabs (sum - mean))
        far += ways[s];
    }
  return far / all;
}

/* Sum of squares of the distances of @ranks from their mean. */
static double
spread (const guint *ranks, guint n)
{
  double mean = 0;
  double sum = 0;

  for (guint i = 0; i < n; i++)
    mean += ranks[i] / (double) n;
  for (guint i = 0; i < n; i++)
    sum += (ranks[i] - mean) * (ranks[i] - mean);
  return sum;
}

double
culprit_rank_sum_of_rounds_p (const double *values, guint n, guint round, guint m)
{
  g_autofree guint *ranks = rank (values, n);
  guint sum = 0;
  guint drawn = n / round * m;
  double variance = 0;
  double distance;

  for (guint i = 0; i < n; i++)
    sum += i % round < m ? ranks[i] : 0;
  if (n <= MOST_EXACT)
    return exact_rank_sum (ranks, n, round, m, sum);
  for (guint i = 0; i < n; i += round)
    variance += (double) m * (round - m) / round / (round - 1) * spread (ranks + i, round);
  distance = fabs (sum - drawn * (n + 1.0)) - 1;
  return variance > 0 ? MIN (2 * gsl_cdf_ugaussian_Q (distance / sqrt (variance)), 1) : 1;
}

double
culprit_rank_sum_p (const double *a, guint m, const double *b, guint n)
{
  g_autofree double *values = g_new (double, m + n);

  if (m == 0 || n == 0)
    return 1;
  for (guint i = 0; i < m + n; i++)
    values[i] = i < m ? a[i] : b[i - m];
  return culprit_rank_sum_of_rounds_p (values, m + n, m + n, m);
}

/* The Kolmogorov-Smirnov distance: counts the possible orders of two small samples; treats large ones like one sample
 * of mn/(m+n) compared with a known distribution. */

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

#define NORMAL_VARIANCE 1e10 /* of the number of late ones; from there on, summing takes long, and changes nothing */

/* How many times as likely as @k late ones among the @m are @k + 1, if @both of all are late. */
static double
next_ratio (double k, double m, double n, double both)
{
  return (m - k) * (both - k) / ((k + 1) * (n - both + k + 1));
}

/* Adds up the chances from that of @k on, which is @chance, @step by @step, as long as they matter; of all of them to
 * @all, and of those that are at most @seen to @rare. */
static void
add_chances (double k, double chance, int step, double m, double n, double both, double seen, double *all, double *rare)
{
  for (; chance > DBL_MIN && (chance > seen || chance > *rare * DBL_EPSILON); k += step)
    {
      *all += chance;
      *rare += chance <= seen ? chance : 0;
      chance = step > 0 ? chance * next_ratio (k, m, n, both) : chance / next_ratio (k - 1, m, n, both);
    }
}

double
culprit_fisher_p (guint64 a, guint64 m, guint64 b, guint64 n)
{
  double both = (double) a + b;
  double total = (double) m + n;
  double mean = m / total * both;
  double variance = total > 1 ? mean * (n / total) * (total - both) / (total - 1) : 0;
  double mode = floor ((m + 1.0) / (total + 2) * (both + 1));
  double chance = 1; /* relative to that of the mode, as the next ones */
  double seen;
  double all = 0;
  double rare = 0;

  if (variance > NORMAL_VARIANCE)
    return MIN (2 * gsl_cdf_ugaussian_Q (MAX (fabs (a - mean) - 0.5, 0) / sqrt (variance)), 1);
  for (double k = mode; k < a && chance > DBL_MIN; k++)
    chance *= next_ratio (k, m, n, both);
  for (double k = mode; k > a && chance > DBL_MIN; k--)
    chance /= next_ratio (k - 1, m, n, both);
  seen = chance * (1 + 1e-7);
  add_chances (mode, 1, 1, m, n, both, seen, &all, &rare);
  all -= 1;
  rare -= 1 <= seen ? 1 : 0;
  add_chances (mode, 1, -1, m, n, both, seen, &all, &rare);
  return CLAMP (rare / all, DBL_MIN, 1);
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

/* Measures each run once; a permutation of runs then only adds up these measurements. */

#define LIKE_LENGTHS 2
#define SEED 20040801
#define MOST_COUNTED 10000
#define EXCHANGES 4999
#define FEWEST_EXCHANGES 199
#define MANY_RUNS 500
#define SAME (1 - 1e-9) /* Sums in a different order differ in their last digits. */

guint
culprit_exchanges (guint usual, guint runs)
{
  return runs <= MANY_RUNS ? usual : MAX ((guint64) usual * MANY_RUNS / runs, MIN (usual / 10, FEWEST_EXCHANGES));
}

CulpritSummary
culprit_run_values (const GPtrArray *runs, CulpritRunValue measure, gconstpointer data, double least_sd_ns)
{
  g_autofree double *values = g_new (double, runs->len);

  for (guint i = 0; i < runs->len; i++)
    values[i] = measure (g_ptr_array_index (runs, i), data);
  return (CulpritSummary) { gsl_stats_mean (values, 1, runs->len),
                            MAX (gsl_stats_sd (values, 1, runs->len), least_sd_ns), runs->len };
}

/* How far apart two groups are. */
typedef struct
{
  double rank;
  double distance;
  double tail;
} Apart;

/* All runs, the base's first, and the measurements of each. */
typedef struct
{
  const CulpritProfile **runs;
  Curves *curves;
  double *ranks; /* mean rank among all latencies, from 0 to 1 */
  double *tails;
  guint n_base;
  guint n;
} Groups;

static void
groups_clear (Groups *groups)
{
  g_free (groups->runs);
  g_free (groups->ranks);
  g_free (groups->tails);
  curves_free (groups->curves);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Groups, groups_clear)

/* The mean rank of @run's latencies among those of @all; ties count half. */
static double
mean_rank (const CulpritProfile *run, const CulpritProfile *all)
{
  double sum = 0;
  double before = 0;
  guint index = 0;

  for (guint i = 0; i < run->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (run, i);

      for (; culprit_profile_bin (all, index)->latency_ns < bin->latency_ns; index++)
        before += culprit_profile_bin (all, index)->count;
      sum += bin->count * (before + culprit_profile_bin (all, index)->count / 2.0);
    }
  return sum / run->n / all->n;
}

static Groups
measure (const GPtrArray *base, const GPtrArray *other, gint64 limit_ns)
{
  g_autoptr (CulpritProfile) all = culprit_profile_new (1);
  Groups groups = { .n_base = base->len, .n = base->len + other->len };
  g_autofree Line *lines = g_new (Line, groups.n);

  groups.runs = g_new (const CulpritProfile *, groups.n);
  groups.ranks = g_new (double, groups.n);
  groups.tails = g_new (double, groups.n);
  for (guint i = 0; i < groups.n; i++)
    {
      groups.runs[i] = i < base->len ? g_ptr_array_index (base, i) : g_ptr_array_index (other, i - base->len);
      lines[i] = (Line) { 1, 0 };
      culprit_profile_add_all (all, groups.runs[i]);
    }
  culprit_profile_finish (all);
  for (guint i = 0; i < groups.n; i++)
    {
      const CulpritProfile *run = groups.runs[i];

      groups.ranks[i] = mean_rank (run, all);
      groups.tails[i] = 1 - (double) culprit_profile_count_to (run, limit_ns) / run->n;
    }
  groups.curves = curves_new (groups.runs, lines, groups.n);
  return groups;
}

static double
mean_of (const double *values, const guint *indices, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[indices[i]];
  return sum / n;
}

/* Permutations that wait to be measured together, and what was found so far. */
typedef struct
{
  const Groups *groups;
  guint8 *chosen; /* the base's runs of each */
  double *sums;
  double *all; /* the sum of all runs' curves */
  Apart *apart;
  guint n;
  Apart seen; /* of the first permutation, the observed one */
  double exchanges;
  double rank; /* how many permutations are at least as far apart as observed */
  double distance;
  double tail;
} Counts;

static Counts *
counts_new (const Groups *groups)
{
  Counts *counts = g_new0 (Counts, 1);

  counts->groups = groups;
  counts->chosen = g_new0 (guint8, (groups->n / RUNS_OF_BYTE + 1) * CURVES_TOGETHER);
  counts->sums = g_new (double, CURVES_TOGETHER *CURVE_EDGES);
  counts->all = g_new0 (double, CURVE_EDGES);
  counts->apart = g_new (Apart, CURVES_TOGETHER);
  for (guint i = 0; i < groups->n; i++)
    for (guint edge = 0; edge < CURVE_EDGES; edge++)
      counts->all[edge] += g_array_index (groups->curves->parts, double, i *CURVE_EDGES + edge);
  return counts;
}

static void
counts_free (Counts *counts)
{
  g_free (counts->chosen);
  g_free (counts->sums);
  g_free (counts->all);
  g_free (counts->apart);
  g_free (counts);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Counts, counts_free)

/* The distance of the base's mean curve from the other's. */
static double
find_distance (const Counts *counts, const double *sums)
{
  const double n_base = counts->groups->n_base;
  const double n_other = counts->groups->n - n_base;
  double distance = 0;

  for (guint edge = 0; edge < CURVE_EDGES; edge++)
    distance = MAX (distance, fabs (sums[edge] / n_base - (counts->all[edge] - sums[edge]) / n_other));
  return distance;
}

static void
count_waiting (Counts *counts)
{
  curves_add_chosen (counts->groups->curves, counts->chosen, counts->n, counts->sums);
  for (guint i = 0; i < counts->n; i++)
    {
      Apart *apart = &counts->apart[i];

      apart->distance = find_distance (counts, counts->sums + i * CURVE_EDGES);
      if (counts->exchanges == 0)
        counts->seen = *apart;
      counts->exchanges++;
      counts->rank += apart->rank >= counts->seen.rank * SAME;
      counts->distance += apart->distance >= counts->seen.distance * SAME;
      counts->tail += apart->tail >= counts->seen.tail * SAME;
    }
  memset (counts->chosen, 0, (counts->groups->n / RUNS_OF_BYTE + 1) * CURVES_TOGETHER);
  counts->n = 0;
}

/* Adds the permutation in which the first n_base runs of @order are the base's. */
static void
count (Counts *counts, const guint *order)
{
  const Groups *groups = counts->groups;
  const guint *other = order + groups->n_base;
  const guint n_other = groups->n - groups->n_base;

  counts->apart[counts->n] = (Apart) {
    .rank = fabs (mean_of (groups->ranks, other, n_other) - mean_of (groups->ranks, order, groups->n_base)),
    .tail = fabs (mean_of (groups->tails, other, n_other) - mean_of (groups->tails, order, groups->n_base)),
  };
  for (guint i = 0; i < groups->n_base; i++)
    counts->chosen[order[i] / RUNS_OF_BYTE * CURVES_TOGETHER + counts->n] |= 1 << order[i] % RUNS_OF_BYTE;
  if (++counts->n == CURVES_TOGETHER)
    count_waiting (counts);
}

static void
count_all (Counts *counts)
{
  const Groups *groups = counts->groups;
  gsl_combination *chosen = gsl_combination_calloc (groups->n, groups->n_base);
  g_autofree guint *order = g_new (guint, groups->n);

  do
    {
      guint base = 0;
      guint other = groups->n_base;

      for (guint i = 0; i < groups->n; i++)
        if (base < groups->n_base && gsl_combination_get (chosen, base) == i)
          order[base++] = i;
        else
          order[other++] = i;
      count (counts, order);
    }
  while (gsl_combination_next (chosen) == 0);
  gsl_combination_free (chosen);
}

static void
count_some (Counts *counts)
{
  const guint n = counts->groups->n;
  g_autofree guint *order = g_new (guint, n);
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  gsl_rng_set (random, SEED);
  count (counts, order);
  for (guint left = culprit_exchanges (EXCHANGES, n); left > 0; left--)
    {
      gsl_ran_shuffle (random, order, n, sizeof *order);
      count (counts, order);
    }
  gsl_rng_free (random);
}

/* The rarest latencies of bursty runs are the later, the longer a run is, and the quantiles of short runs vary more:
 * for equal systems with runs of 500 and 5000 latencies, the 99 % quantile differed in 35 % of simulations instead of 5
 * %, the tail in 27 %; with runs of 2500 and 5000, in no more than 6.5 %. */
gboolean
culprit_have_like_lengths (guint64 base_n, guint base_runs, guint64 other_n, guint other_runs)
{
  double base = base_n / (double) base_runs;
  double other = other_n / (double) other_runs;

  return base <= LIKE_LENGTHS * other && other <= LIKE_LENGTHS * base;
}

CulpritRunTests
culprit_test_runs (const GPtrArray *base, const GPtrArray *other, gint64 limit_ns)
{
  g_auto (Groups) groups = measure (base, other, limit_ns);
  g_autoptr (Counts) counts = counts_new (&groups);

  if (gsl_sf_lnchoose (groups.n, groups.n_base) <= log (MOST_COUNTED))
    count_all (counts);
  else
    count_some (counts);
  count_waiting (counts);
  return (CulpritRunTests) { .u_p = counts->rank / counts->exchanges,
                             .ks_p = counts->distance / counts->exchanges,
                             .tail_p = counts->tail / counts->exchanges };
}

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

  if (isnan (means.difference_ns) || isnan (a + b))
    return (CulpritMeans) { means.difference_ns, NAN, NAN, NAN, NAN, NAN, NAN };
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

gboolean
culprit_is_above (const CulpritProfile *high, const CulpritProfile *low, double by_ns)
{
  const guint64 n_high = high->n + high->beyond;
  const guint64 n_low = low->n + low->beyond;
  guint64 high_until = 0; /* how many of its are no more above */
  guint64 low_before = 0;
  guint place = 0;

  for (guint i = 0; i < low->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (low, i);

      for (; place < high->bins->len && culprit_profile_bin (high, place)->latency_ns <= bin->latency_ns + by_ns;
           place++)
        high_until += culprit_profile_bin (high, place)->count;
      if ((unsigned __int128) high_until * n_low > (unsigned __int128) low_before * n_high)
        return FALSE;
      low_before += bin->count;
    }
  return TRUE;
}

/* Intervals of quantiles. A quantile of a resample is the profile's quantile at a beta distributed rank. It is drawn
 * directly, so that a resample of 10^9 latencies costs no more than one of ten. */

#define RESAMPLES 5000

/* A profile with the number of samples before each bin, for finding ranks by bisection. */
typedef struct
{
  const CulpritProfile *profile;
  guint64 *before; /* one entry more than there are bins */
} Ranks;

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
latency_at (const Ranks *ranks, double u)
{
  guint64 rank = MIN ((guint64) (u * ranks->profile->n), ranks->profile->n - 1);
  guint low = 0;
  guint high = ranks->profile->bins->len - 1;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (rank < ranks->before[middle + 1])
        high = middle;
      else
        low = middle + 1;
    }
  return culprit_profile_bin (ranks->profile, low)->latency_ns;
}

static double
draw (const Ranks *ranks, double p, gsl_rng *random)
{
  double n = ranks->profile->n;
  double rank = floor (p * (n - 1)) + 1;

  return latency_at (ranks, gsl_ran_beta (random, rank, n + 1 - rank));
}

CulpritShift
culprit_quantile_shift (const CulpritProfile *base, const CulpritProfile *other, double p, double level)
{
  g_autofree guint64 *base_before = count_before (base);
  g_autofree guint64 *other_before = count_before (other);
  const Ranks ranked_base = { base, base_before };
  const Ranks ranked_other = { other, other_before };
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
