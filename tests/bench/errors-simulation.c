/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures how often the statistics of latencies err, on data whose truth is known: tests of equal systems, independent
 * and bursty (an autoregressive logarithm); intervals of quantiles; peaks of distributions with a single one. Exits
 * with status 1 if a rate is above its limit by more than chance. */
#include "latency/comparison/comparison.h"
#include "latency/comparison/shape.h"
#include "units.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 5000 /* per run */
#define ALPHA 0.05
#define MOST 0.07     /* errors at ALPHA */
#define SIGMA 0.4     /* of the logarithm of latencies */
#define CHANCE 0.0005 /* that a rate is this far above its limit by chance */

static guint failures;

/* Prints how often something happened, and how often it may. */
static void
report (const char *what, const char *where, guint count, guint rounds, double limit)
{
  gboolean high = count > 0 && gsl_cdf_binomial_Q (count - 1, limit, rounds) < CHANCE;

  printf ("%-30s %-32s %6.1f %%  of %u%s\n", what, where, count * 100.0 / rounds, rounds, high ? "  TOO OFTEN" : "");
  fflush (stdout);
  failures += high;
}

static CulpritProfile *
simulate_run (double rho, guint n, gsl_rng *random)
{
  CulpritProfile *profile = culprit_profile_new (1);
  double level = gsl_ran_ugaussian (random);

  for (guint i = 0; i < n; i++)
    {
      culprit_profile_add (profile, llround (10000 * exp (SIGMA * level)), 1);
      level = rho * level + gsl_ran_gaussian (random, sqrt (1 - rho * rho));
    }
  culprit_profile_finish (profile);
  return profile;
}

/* One side of a comparison, of @n_runs runs. */
typedef struct
{
  GPtrArray *runs;
  CulpritProfile *profile;
  CulpritCompared compared;
} Arm;

static Arm
simulate_arm (double rho, guint n_runs, guint n, gsl_rng *random)
{
  Arm arm = { .runs = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free) };

  for (guint i = 0; i < n_runs; i++)
    g_ptr_array_add (arm.runs, simulate_run (rho, n, random));
  arm.profile = culprit_profile_sum (arm.runs);
  arm.compared = (CulpritCompared) { culprit_summarise (arm.profile), arm.profile, arm.runs };
  return arm;
}

static void
arm_clear (Arm *arm)
{
  g_ptr_array_unref (arm->runs);
  culprit_profile_free (arm->profile);
}

/* What was found for a pair of equal systems. */
enum
{
  RANKS = CULPRIT_CLAIMS,
  ANY,
  ALIGNED,
  ALIGNED_PEAK,
  FOUND,
};

static void
count_claims (const CulpritComparison *comparison, guint *counts)
{
  gboolean any = FALSE;

  for (guint i = 0; i < CULPRIT_CLAIMS; i++)
    {
      counts[i] += comparison->claims[i].p < ALPHA;
      any |= comparison->claims[i].corrected_p < ALPHA;
    }
  counts[RANKS] += comparison->u_p < ALPHA;
  counts[ANY] += any;
}

static void
count_shape (const Arm *base, const Arm *other, guint *counts)
{
  g_autoptr (CulpritShape) shape =
      culprit_shape_compare ((const CulpritProfile *const *) base->runs->pdata, base->runs->len,
                             (const CulpritProfile *const *) other->runs->pdata, other->runs->len);
  gboolean any = FALSE;

  for (guint i = 0; i < shape->peaks->len; i++)
    any |= g_array_index (shape->peaks, CulpritShapePeak, i).p * shape->peaks->len < CULPRIT_SHAPE_ALPHA;
  counts[ALIGNED] += shape->distance_p < CULPRIT_SHAPE_ALPHA;
  counts[ALIGNED_PEAK] += any;
}

static void
report_claims (const char *where, const guint *counts, guint rounds)
{
  static const char *const names[] = {
    "mean",          "distribution (KS)", "tail",         "50 % quantile",       "90 % quantile",
    "99 % quantile", "99.9 % quantile",   "Mann-Whitney", "any claim, corrected"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    report (names[i], where, counts[i], rounds, MOST);
}

/* Pairs of equal systems of six runs each, of @base_n latencies and of SAMPLES. */
static void
simulate_runs (double rho, guint base_n, guint rounds, gboolean shapes, gsl_rng *random)
{
  guint counts[FOUND] = { 0 };
  const CulpritRules rules = CULPRIT_RULES_USUAL;
  g_autofree char *where = g_strdup_printf ("rho %g, 6 runs of %u and %u", rho, base_n, SAMPLES);

  for (guint round = 0; round < rounds; round++)
    {
      Arm base = simulate_arm (rho, CULPRIT_TEST_RUNS, base_n, random);
      Arm other = simulate_arm (rho, CULPRIT_TEST_RUNS, SAMPLES, random);
      g_autoptr (GArray) comparisons = culprit_compare (&base.compared, &other.compared, 1, &rules);

      count_claims (&g_array_index (comparisons, CulpritComparison, 0), counts);
      if (shapes)
        count_shape (&base, &other, counts);
      arm_clear (&base);
      arm_clear (&other);
    }
  report_claims (where, counts, rounds);
  if (!shapes)
    return;
  report ("aligned shape, at 2.5 %", where, counts[ALIGNED], rounds, CULPRIT_SHAPE_ALPHA);
  report ("mass of any peak, at 2.5 %", where, counts[ALIGNED_PEAK], rounds, CULPRIT_SHAPE_ALPHA);
}

/* Pairs of equal systems whose latencies are independent, one by one. */
static void
simulate_latencies (guint n, guint rounds, gsl_rng *random)
{
  guint counts[FOUND] = { 0 };
  const CulpritRules rules = { TRUE, NAN, NAN };
  g_autofree char *where = g_strdup_printf ("n = %u, --independent", n);

  for (guint round = 0; round < rounds; round++)
    {
      Arm base = simulate_arm (0, 1, n, random);
      Arm other = simulate_arm (0, 1, n, random);
      g_autoptr (GArray) comparisons = culprit_compare (&base.compared, &other.compared, 1, &rules);

      count_claims (&g_array_index (comparisons, CulpritComparison, 0), counts);
      arm_clear (&base);
      arm_clear (&other);
    }
  report_claims (where, counts, rounds);
}

/* The latencies of @profile three times as long. */
static CulpritProfile *
stretch (const CulpritProfile *profile)
{
  CulpritProfile *stretched = culprit_profile_new (1);

  for (guint i = 0; i < profile->bins->len; i++)
    culprit_profile_add (stretched, 3 * culprit_profile_bin (profile, i)->latency_ns,
                         culprit_profile_bin (profile, i)->count);
  culprit_profile_finish (stretched);
  return stretched;
}

/* How often the interval of a quantile's difference misses the true one, among those that are shown; for @base_n
 * latencies and @n others. */
static void
simulate_interval (guint base_n, guint n, double p, guint rounds, gsl_rng *random)
{
  const CulpritRules rules = { TRUE, NAN, NAN };
  double truth_ns = 2 * 10000 * exp (SIGMA * gsl_cdf_ugaussian_Pinv (p));
  guint shown = 0;
  guint missed = 0;
  guint ungated = 0;
  g_autofree char *where = g_strdup_printf ("n = %u and %u, %g %% quantile", base_n, n, p * 100);

  for (guint round = 0; round < rounds; round++)
    {
      g_autoptr (CulpritProfile) base = simulate_run (0, base_n, random);
      g_autoptr (CulpritProfile) same = simulate_run (0, n, random);
      g_autoptr (CulpritProfile) other = stretch (same);
      const CulpritCompared one = { culprit_summarise (base), base, NULL };
      const CulpritCompared two = { culprit_summarise (other), other, NULL };
      CulpritShift any = culprit_quantile_shift (base, other, p, CULPRIT_LEVEL);
      CulpritShift shift = culprit_compare_quantile (&one, &two, &rules, p, CULPRIT_LEVEL);

      ungated += any.low_ns > truth_ns || any.high_ns < truth_ns;
      shown += !isnan (shift.low_ns);
      missed += shift.low_ns > truth_ns || shift.high_ns < truth_ns;
    }
  report ("interval misses, all", where, ungated, rounds, 1);
  if (shown > 0)
    report ("interval misses, shown", where, missed, shown, MOST);
  else
    printf ("%-30s %-32s none is shown\n", "interval misses, shown", where);
}

/* The intervals of the quantiles' differences in one round. */
typedef struct
{
  CulpritShift shifts[CULPRIT_SHIFTS];
} Shifts;

/* How often intervals miss @truth_ns, among those that are shown, in @rounds at 95 %. */
static void
report_misses (
    const char *what, const char *where, const Shifts *rounds, guint n, guint which, double truth_ns, double limit)
{
  guint shown = 0;
  guint missed = 0;
  g_autofree char *misses = g_strdup_printf ("%g %%: misses %s", rounds[0].shifts[which].p * 100, what);

  for (guint i = 0; i < n; i++)
    {
      shown += !isnan (rounds[i].shifts[which].low_ns);
      missed += rounds[i].shifts[which].low_ns > truth_ns || rounds[i].shifts[which].high_ns < truth_ns;
    }
  if (shown > 0)
    report (misses, where, missed, shown, limit);
  else
    printf ("%-30s %-32s none is shown\n", misses, where);
}

/* How often the intervals of runs miss the difference of two systems, one of which is three times as late: that of all
 * their latencies, and that of runs of this length, whose quantiles differ from those of all if latencies are
 * bursty. */
static void
simulate_run_intervals (double rho, guint rounds, gsl_rng *random)
{
  const CulpritRules rules = CULPRIT_RULES_USUAL;
  const double mean_ns = 2 * 10000 * exp (SIGMA * SIGMA / 2);
  g_autofree Shifts *found = g_new (Shifts, rounds);
  double sums_ns[CULPRIT_SHIFTS] = { 0 };
  guint means_missed = 0;
  g_autofree char *where = g_strdup_printf ("rho %g, 6 and 6 runs", rho);

  for (guint round = 0; round < rounds; round++)
    {
      Arm base = simulate_arm (rho, CULPRIT_TEST_RUNS, SAMPLES, random);
      Arm other = simulate_arm (rho, CULPRIT_TEST_RUNS, SAMPLES, random);
      Arm late = { .runs = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free) };
      g_autoptr (GArray) comparisons = NULL;
      const CulpritComparison *comparison;

      for (guint i = 0; i < other.runs->len; i++)
        g_ptr_array_add (late.runs, stretch (g_ptr_array_index (other.runs, i)));
      late.profile = culprit_profile_sum (late.runs);
      late.compared = (CulpritCompared) { culprit_summarise (late.profile), late.profile, late.runs };
      comparisons = culprit_compare (&base.compared, &late.compared, 1, &rules);
      comparison = &g_array_index (comparisons, CulpritComparison, 0);
      means_missed += comparison->means.low_ns > mean_ns || comparison->means.high_ns < mean_ns;
      memcpy (found[round].shifts, comparison->shifts, sizeof comparison->shifts);
      for (guint i = 0; i < CULPRIT_SHIFTS; i++)
        sums_ns[i] += comparison->shifts[i].difference_ns;
      arm_clear (&base);
      arm_clear (&other);
      arm_clear (&late);
    }
  report ("mean: misses", where, means_missed, rounds, MOST);
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    {
      double all_ns = 2 * 10000 * exp (SIGMA * gsl_cdf_ugaussian_Pinv (found[0].shifts[i].p));

      report_misses ("that of all", where, found, rounds, i, all_ns, 1);
      report_misses ("that of runs so long", where, found, rounds, i, sums_ns[i] / rounds, MOST);
    }
}

/* A gamma distribution, which has a single peak, measured by a clock that ticks every @step_ns. */
static CulpritProfile *
simulate_clock (double step_ns, guint n, gsl_rng *random)
{
  CulpritProfile *profile = culprit_profile_new (1);
  double phase_ns = gsl_rng_uniform (random) * step_ns;
  double shape = 2 + 20 * gsl_rng_uniform (random);
  double scale_ns = (500 + 5000 * gsl_rng_uniform (random)) / sqrt (shape);

  for (guint i = 0; i < n; i++)
    culprit_profile_add (profile,
                         floor (floor (gsl_ran_gamma (random, shape, scale_ns) / step_ns) * step_ns + phase_ns), 1);
  culprit_profile_finish (profile);
  return profile;
}

static void
simulate_peaks (double step_ns, guint n, guint rounds, gsl_rng *random)
{
  guint peaks = 0;
  g_autofree char *where = g_strdup_printf ("tick %g ns, n = %u", step_ns, n);

  for (guint round = 0; round < rounds; round++)
    {
      g_autoptr (CulpritProfile) profile = simulate_clock (step_ns, n, random);
      g_autoptr (CulpritDescription) description = culprit_describe_values (profile, culprit_quantiles_usual);
      guint significant = 0;

      for (guint i = 0; i < description->peaks->len; i++)
        significant += !g_array_index (description->peaks, CulpritPeak, i).weak;
      peaks += significant > 1;
    }
  report ("a second peak", where, peaks, rounds, 0.01);
}

int
main (int argc, char **argv)
{
  static const double rhos[] = { 0, 0.5, 0.9, 0.99 };
  static const guint sizes[] = { 5, 25, 500, SAMPLES };
  static const double ticks_ns[] = { 52.083333333, 41.666666667, 69.841269841, 18.518518519, 10, 1000, 1 };
  static const struct
  {
    guint base_n;
    guint n;
    double p;
  } intervals[] = { { 12, 12, 0.5 },     { 5000, 12, 0.5 },    { 40, 40, 0.9 },    { 5000, 40, 0.9 },
                    { 20, 20, 0.99 },    { 100, 100, 0.99 },   { 400, 400, 0.99 }, { 5000, 400, 0.99 },
                    { 500, 500, 0.999 }, { 4000, 4000, 0.999 } };
  guint rounds = argc > 1 ? atoi (argv[1]) : 1000;
  const char *only = argc > 2 ? argv[2] : "all";
  gboolean all = g_str_equal (only, "all");
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);

  culprit_numbers_init ();
  gsl_rng_set (random, argc > 3 ? atoi (argv[3]) : 1);
  for (guint i = 0; i < G_N_ELEMENTS (rhos) && (all || strstr (only, "tests")); i++)
    simulate_runs (rhos[i], SAMPLES, rounds, FALSE, random);
  for (guint i = 0; i < G_N_ELEMENTS (rhos) && (all || strstr (only, "unequal")); i++)
    simulate_runs (rhos[i], SAMPLES / 2, rounds, FALSE, random);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && (all || strstr (only, "latencies")); i++)
    simulate_latencies (sizes[i], rounds, random);
  for (guint i = 0; i < G_N_ELEMENTS (rhos) && (all || strstr (only, "shapes")); i++)
    simulate_runs (rhos[i], SAMPLES, MAX (rounds / 5, 1), TRUE, random);
  for (guint i = 0; i < G_N_ELEMENTS (rhos) && (all || strstr (only, "coverage")); i++)
    simulate_run_intervals (rhos[i], rounds, random);
  if (all || strstr (only, "intervals"))
    {
      for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
        simulate_interval (intervals[i].base_n, intervals[i].n, intervals[i].p, rounds, random);
    }
  for (guint i = 0; i < G_N_ELEMENTS (ticks_ns) && (all || strstr (only, "peaks")); i++)
    {
      simulate_peaks (ticks_ns[i], 100000, MAX (rounds / 20, 1), random);
      simulate_peaks (ticks_ns[i], 1000000, MAX (rounds / 100, 1), random);
    }
  gsl_rng_free (random);
  return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
