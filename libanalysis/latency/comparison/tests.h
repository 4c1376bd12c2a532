/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far apart two profiles are, in their means, their ranks, their shape. Differences are the other minus the base,
 * in ns. */
#pragma once

#include "latency/profile.h"

#include <glib.h>

/* Rank tests of few values, exact for any distribution, including ties. */

/* Wilcoxon's rank sum test (Mann-Whitney), two-sided: the probability that @m values of @a differ this much from the @n
 * of @b by chance. */
double culprit_rank_sum_p (const double *a, guint m, const double *b, guint n);

/* The same for rounds of @round values, which divides @n: of each round the first @m of @values are drawn, and others
 * of that round could have been, but none of another round. */
double culprit_rank_sum_of_rounds_p (const double *values, guint n, guint round, guint m);

/* How often @runs runs are exchanged at random where @usual times suit a few hundred: each time costs as much as there
 * are runs, so that of thousands it is less often; the least probability that can be found is then 1 in 200, or 1 in
 * 100 if the usual times are 999. */
guint culprit_exchanges (guint usual, guint runs);

/* Tests of two samples whose values are independent of each other. */

/* The probability that samples of @m and @n independent values of one distribution are at least @d apart. Exact for m n
 * up to 10^6; with ties it is somewhat too large, never too small. */
double culprit_smirnov_p (double d, guint64 m, guint64 n);

/* Fisher's exact test, two-sided: the probability that @a of @m and @b of @n differ this much; by the normal
 * distribution where millions are late. */
double culprit_fisher_p (guint64 a, guint64 m, guint64 b, guint64 n);

/* Mann-Whitney test of @u, two-sided, by the normal distribution, corrected for continuity and for @ties, the sum of
 * t^3 - t over all values that occur t times. For few values culprit_rank_sum_p() is exact. */
double culprit_mann_whitney_p (double u, guint64 m, guint64 n, double ties);

/* Two means: Welch's test; for equal n, its t is that of the pooled test. */
typedef struct
{
  double difference_ns;
  double overhead_percent; /* NaN if the base's mean is not above 0 */
  double t;
  double df;
  double p;
  double low_ns; /* interval of the difference at the level */
  double high_ns;
} CulpritMeans;

CulpritMeans culprit_compare_means (const CulpritSummary *base, const CulpritSummary *other, double level);

typedef struct
{
  double u;              /* Mann-Whitney: pairs in which the base's sample is greater, ties counted half */
  double ties;           /* the sum of t^3 - t over all latencies that occur t times */
  double cliffs_delta;   /* how much more often the other's sample is larger than smaller */
  double ks;             /* Kolmogorov-Smirnov: the largest distance of the distribution functions */
  double wasserstein_ns; /* the mean distance between equal ranks */
} CulpritRanks;

/* Neither profile may be empty. */
CulpritRanks culprit_compare_ranks (const CulpritProfile *base, const CulpritProfile *other);

/* Whether every quantile of @high that both know is more than @by_ns above that of @low. */
gboolean culprit_is_above (const CulpritProfile *high, const CulpritProfile *low, double by_ns);

/* Tests of two groups of runs. Latencies of one run depend on each other, runs do not: so runs are the unit. */

/* At least this many runs of each are needed for a test. */
#define CULPRIT_TEST_RUNS 6

/* Whether, on average, the runs of @base_n latencies in @base_runs and those of the others are no more than twice as
 * long as each other: only then may runs be permuted. */
gboolean culprit_have_like_lengths (guint64 base_n, guint base_runs, guint64 other_n, guint other_runs);

/* What is measured of each run. @data belongs to the caller. */
typedef double (*CulpritRunValue) (const CulpritProfile *run, gconstpointer data);

/* Mean, standard deviation and number of the values that @measure gives for @runs (of CulpritProfile), at least two.
 * The deviation is at least @least_sd_ns, since a coarse clock hides smaller ones. */
CulpritSummary culprit_run_values (const GPtrArray *runs,
                                   CulpritRunValue measure,
                                   gconstpointer data,
                                   double least_sd_ns);

/* Probabilities that runs randomly permuted between both groups differ as much: exact if there are no more than 10,000
 * permutations, else from 4,999 of them. */
typedef struct
{
  double u_p;    /* in how often the latencies of one exceed the other's (Mann-Whitney) */
  double ks_p;   /* in the Kolmogorov-Smirnov distance, all runs weighted equally */
  double tail_p; /* in the share of latencies above the limit, all runs weighted equally */
} CulpritRunTests;

CulpritRunTests culprit_test_runs (const GPtrArray *base, const GPtrArray *other, gint64 limit_ns);

/* The confidence interval of the difference of two quantiles, by resampling both profiles. Seeded: the same profiles
 * give the same interval. */
typedef struct
{
  double p;
  double base_ns;       /* the base's quantile, by type 7 */
  double difference_ns; /* the other's quantile minus the base's */
  double low_ns;        /* interval at the level; NaN if not known, as is p_value */
  double high_ns;
  double p_value; /* probability of such a difference by chance */
} CulpritShift;

/* The latencies of both must be independent of each other, and the quantile estimable in both. */
CulpritShift culprit_quantile_shift (const CulpritProfile *base, const CulpritProfile *other, double p, double level);
