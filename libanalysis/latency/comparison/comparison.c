/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides what can be tested, runs the tests and corrects them for their number. A test of means alone misleads: means
 * may be equal while everything else differs. */
#include "comparison.h"

#include "budgets.h"
#include "latency/peaks.h"
#include "tests.h"
#include "units.h"

#include <stdio.h>

#define LEAST_RESAMPLED 20 /* latencies, for the interval of a quantile's difference, */
#define LEAST_BEYOND 5     /* of them beyond the quantile */
#define ALPHA (1 - CULPRIT_LEVEL)
#define TAIL_PARTS 200 /* A side with fewer latencies would have none in the tail on average. */
#define PERCENT 100
#define FEW 60 /* latencies of both together: their ranks are tested exactly */

static const double quantiles[CULPRIT_SHIFTS] = { 0.5, 0.9, 0.99, 0.999 };

gboolean
culprit_rules_take_margin (CulpritRules *rules, const char *text)
{
  double percent;
  guint64 margin_ns;
  int length = 0;

  if (sscanf (text, "%lf%%%n", &percent, &length) == 1 && length > 0 && text[length] == '\0')
    {
      if (!(percent >= 0) || percent == INFINITY)
        return FALSE;
      *rules = (CulpritRules) { rules->independent, percent, NAN };
      return TRUE;
    }
  if (!culprit_time_parse (text, &margin_ns))
    return FALSE;
  *rules = (CulpritRules) { rules->independent, NAN, margin_ns };
  return TRUE;
}

CulpritSummary
culprit_summarise (const CulpritProfile *profile)
{
  CulpritMoments moments = culprit_moments (profile);

  return (CulpritSummary) { moments.mean_ns, moments.sd_ns, moments.n + moments.beyond };
}

static gboolean
has_runs (const CulpritCompared *compared)
{
  return compared->runs && compared->runs->len >= CULPRIT_TEST_RUNS;
}

static gboolean
have_like_lengths (const CulpritCompared *base, const CulpritCompared *other)
{
  return culprit_have_like_lengths (base->profile->n + base->profile->beyond, base->runs->len,
                                    other->profile->n + other->profile->beyond, other->runs->len);
}

static CulpritUnits
choose_units (const CulpritCompared *base, const CulpritCompared *other, const CulpritRules *rules)
{
  gboolean base_known = !base->profile || rules->independent || has_runs (base);
  gboolean other_known = !other->profile || rules->independent || has_runs (other);

  if (!base_known || !other_known || base->selected || other->selected)
    return CULPRIT_UNITS_NONE;
  if (!base->profile || !other->profile)
    return CULPRIT_UNITS_VALUES;
  return rules->independent ? CULPRIT_UNITS_LATENCIES : CULPRIT_UNITS_RUNS;
}

/* A tick of the clock, or the width of a table's bins. */
static double
resolution (const CulpritCompared *compared)
{
  return compared->profile ? culprit_lattice_find (compared->profile).step_ns : 0;
}

static double
choose_margin (const CulpritCompared *base, const CulpritCompared *other, const CulpritRules *rules)
{
  double percent = isnan (rules->margin_percent) ? CULPRIT_MARGIN_PERCENT : rules->margin_percent;
  double margin_ns = fabs (base->summary.mean_ns) * percent / PERCENT;

  if (isnan (rules->margin_percent))
    margin_ns = fmin (margin_ns, base->summary.sd_ns / 2); /* Either may not be known. */
  if (!isnan (rules->margin_ns))
    margin_ns = rules->margin_ns;
  return MAX (margin_ns, MAX (resolution (base), resolution (other)));
}

/* The standard deviation hidden by a clock this coarse. */
static double
rounding_sd (const CulpritCompared *compared)
{
  return resolution (compared) / sqrt (12);
}

static double
mean_of_run (const CulpritProfile *run, gconstpointer data)
{
  return culprit_moments (run).mean_ns;
}

static double
quantile_of_run (const CulpritProfile *run, gconstpointer data)
{
  return culprit_quantile_type7 (run, *(const double *) data);
}

/* The independent values behind the mean of @compared. */
static CulpritSummary
summarise_units (const CulpritCompared *compared, const CulpritRules *rules)
{
  if (!compared->profile || rules->independent)
    return compared->summary;
  return culprit_run_values (compared->runs, mean_of_run, NULL, rounding_sd (compared));
}

static CulpritMeans
compare_means (const CulpritCompared *base, const CulpritCompared *other, const CulpritRules *rules, CulpritUnits units)
{
  CulpritMeans means;

  if (units != CULPRIT_UNITS_NONE)
    {
      CulpritSummary base_units = summarise_units (base, rules);
      CulpritSummary other_units = summarise_units (other, rules);

      return culprit_compare_means (&base_units, &other_units, CULPRIT_LEVEL);
    }
  if (base->selected || other->selected)
    return (CulpritMeans) { NAN, NAN, NAN, NAN, NAN, NAN, NAN };
  means = culprit_compare_means (&base->summary, &other->summary, CULPRIT_LEVEL);
  means.t = means.df = means.p = means.low_ns = means.high_ns = NAN;
  return means;
}

/* Both sides are compared as far as both are known: their distributions in bins of one width, for latencies of which
 * one side knows the microsecond only differ from the same ones in nanoseconds. Latencies above the end of a histogram
 * are only counted; then the others' are, too, from there on: every rank below is known, and none above. */

#define NO_END G_MAXINT64

/* Both sides, owned where they had to be changed. */
typedef struct
{
  CulpritCompared base;
  CulpritCompared other;
  gint64 end_ns;
  gboolean base_owned;
  gboolean other_owned;
} Sides;

/* The width into whose bins those of both widths fit. */
static gint64
common_width (gint64 a_ns, gint64 b_ns)
{
  gint64 divisor = a_ns;

  for (gint64 rest = b_ns; rest > 0;)
    {
      gint64 next = divisor % rest;

      divisor = rest;
      rest = next;
    }
  return a_ns / divisor <= MAX_LATENCY_NS / b_ns ? a_ns / divisor * b_ns : MAX (a_ns, b_ns);
}

static gint64
widen (gint64 width_ns, const CulpritCompared *compared)
{
  width_ns = common_width (width_ns, culprit_profile_step (compared->profile));
  for (guint i = 0; compared->runs && i < compared->runs->len; i++)
    width_ns = common_width (width_ns, culprit_profile_step (g_ptr_array_index (compared->runs, i)));
  return width_ns;
}

static gboolean
has_width (const CulpritCompared *compared, gint64 width_ns)
{
  gboolean same = culprit_profile_step (compared->profile) == width_ns;

  for (guint i = 0; same && compared->runs && i < compared->runs->len; i++)
    same = culprit_profile_step (g_ptr_array_index (compared->runs, i)) == width_ns;
  return same;
}

/* NO_END: there is none. */
static gint64
find_end (const CulpritCompared *compared)
{
  return compared->profile->beyond > 0 ? compared->profile->end_ns : NO_END;
}

static void
compared_clear (const CulpritCompared *compared)
{
  culprit_profile_free ((CulpritProfile *) compared->profile);
  if (compared->runs)
    g_ptr_array_unref ((GPtrArray *) compared->runs);
}

/* Replaces what is compared by what @change makes of it. */
static void
replace (CulpritCompared *compared,
         gboolean *owned,
         CulpritProfile *(*change) (const CulpritProfile *profile, gint64 ns),
         gint64 ns)
{
  const CulpritCompared before = *compared;
  GPtrArray *runs = NULL;

  if (before.runs)
    runs = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free);
  for (guint i = 0; runs && i < before.runs->len; i++)
    g_ptr_array_add (runs, change (g_ptr_array_index (before.runs, i), ns));
  /* Of runs of several widths, the sum does not know which of its latencies have which. */
  *compared = (CulpritCompared) { before.summary, runs ? culprit_profile_sum (runs) : change (before.profile, ns), runs,
                                  before.selected, before.mostly_late };
  if (*owned)
    compared_clear (&before);
  *owned = TRUE;
}

static void
sides_cut (Sides *sides)
{
  if (sides->end_ns == NO_END)
    return;
  replace (&sides->base, &sides->base_owned, culprit_profile_cut, sides->end_ns);
  replace (&sides->other, &sides->other_owned, culprit_profile_cut, sides->end_ns);
}

/* Cut at the first of their ends: for quantiles, which are known to half a bin. */
static void
sides_init (Sides *sides, const CulpritCompared *base, const CulpritCompared *other)
{
  *sides = (Sides) { *base, *other, MIN (find_end (base), find_end (other)), FALSE, FALSE };
  sides_cut (sides);
}

/* In bins of one width. */
static void
sides_init_alike (Sides *sides, const CulpritCompared *base, const CulpritCompared *other)
{
  gint64 width_ns = widen (widen (1, base), other);

  *sides = (Sides) { *base, *other, NO_END, FALSE, FALSE };
  if (!has_width (base, width_ns))
    replace (&sides->base, &sides->base_owned, culprit_profile_coarsen, width_ns);
  if (!has_width (other, width_ns))
    replace (&sides->other, &sides->other_owned, culprit_profile_coarsen, width_ns);
  sides->end_ns = MIN (find_end (&sides->base), find_end (&sides->other));
}

static void
sides_clear (Sides *sides)
{
  if (sides->base_owned)
    compared_clear (&sides->base);
  if (sides->other_owned)
    compared_clear (&sides->other);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sides, sides_clear)

/* NaN among those that are only counted. */
static double
known_quantile (const Sides *sides, const CulpritProfile *profile, double p)
{
  double ns = culprit_quantile_type7 (profile, p);

  return ns <= sides->end_ns ? ns : NAN;
}

static gboolean
is_estimable (const Sides *sides, const CulpritProfile *profile, double p, double level)
{
  double low_ns;
  double high_ns;

  return culprit_quantile_interval (profile, p, level, &low_ns, &high_ns) && high_ns <= sides->end_ns;
}

static gboolean
are_estimable (const Sides *sides, const GPtrArray *runs, double p, double level)
{
  for (guint i = 0; i < runs->len; i++)
    if (!is_estimable (sides, g_ptr_array_index (runs, i), p, level))
      return FALSE;
  return TRUE;
}

/* Whether there are enough single latencies for resampling: compared with 5000 others, the interval of a median of 12
 * missed the true difference in 9.6 % of 1000 simulations instead of 5 %, that of the 90 % quantile of 40 in 8.3 % of
 * 300. */
static gboolean
has_enough (const CulpritProfile *profile, double p)
{
  return profile->n >= LEAST_RESAMPLED && profile->n * MIN (p, 1 - p) > LEAST_BEYOND - 0.5;
}

static CulpritShift
shift_of_runs (const CulpritCompared *base, const CulpritCompared *other, double p, double level)
{
  CulpritSummary base_values = culprit_run_values (base->runs, quantile_of_run, &p, rounding_sd (base));
  CulpritSummary other_values = culprit_run_values (other->runs, quantile_of_run, &p, rounding_sd (other));
  CulpritMeans means = culprit_compare_means (&base_values, &other_values, level);

  return (CulpritShift) { p, base_values.mean_ns, means.difference_ns, means.low_ns, means.high_ns, means.p };
}

static CulpritShift
compare_quantile (const Sides *sides, const CulpritRules *rules, double p, double level)
{
  const CulpritCompared *base = &sides->base;
  const CulpritCompared *other = &sides->other;
  CulpritUnits units = choose_units (base, other, rules);
  double base_ns = known_quantile (sides, base->profile, p);

  if (units == CULPRIT_UNITS_RUNS && have_like_lengths (base, other) && are_estimable (sides, base->runs, p, level) &&
      are_estimable (sides, other->runs, p, level))
    return shift_of_runs (base, other, p, level);
  if (units == CULPRIT_UNITS_LATENCIES && is_estimable (sides, base->profile, p, level) &&
      is_estimable (sides, other->profile, p, level) && has_enough (base->profile, p) && has_enough (other->profile, p))
    return culprit_quantile_shift (base->profile, other->profile, p, level);
  return (CulpritShift) { p, base_ns, known_quantile (sides, other->profile, p) - base_ns, NAN, NAN, NAN };
}

CulpritShift
culprit_compare_quantile (
    const CulpritCompared *base, const CulpritCompared *other, const CulpritRules *rules, double p, double level)
{
  g_auto (Sides) sides;

  sides_init (&sides, base, other);
  return compare_quantile (&sides, rules, p, level);
}

/* How much of a difference may be due to where latencies are in their bins: half of each one's, where the middle
 * represents a bin, and at least the microsecond that is cut off from others. */
static double
doubt (const CulpritCompared *base, const CulpritCompared *other)
{
  const CulpritProfile *sides[] = { base->profile, other->profile };
  double middles_ns = 0;
  double least_ns = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      middles_ns += sides[i]->middle_ns > 0 ? culprit_profile_step (sides[i]) / 2.0 : 0;
      least_ns = fmax (least_ns, sides[i]->middle_ns > 0 ? 0 : culprit_profile_step (sides[i]));
    }
  return middles_ns + least_ns;
}

gboolean
culprit_is_worse (const CulpritCompared *base, const CulpritCompared *other, const CulpritShift *shift, double percent)
{
  return shift->low_ns > 0 &&
         shift->difference_ns > fmax (fabs (shift->base_ns) * percent / PERCENT, doubt (base, other));
}

/* The latency that one in TAIL_PARTS of both profiles together exceeds: in coarse bins, the end of one. */
static gint64
find_tail (const CulpritProfile *base, const CulpritProfile *other)
{
  const guint64 tail = (base->n + other->n) / TAIL_PARTS;
  guint i = base->bins->len;
  guint k = other->bins->len;
  guint64 above = 0;

  for (;;)
    {
      const CulpritBin *last = i > 0 ? culprit_profile_bin (base, i - 1) : NULL;
      const CulpritBin *other_last = k > 0 ? culprit_profile_bin (other, k - 1) : NULL;
      gboolean of_base = last && (!other_last || last->latency_ns > other_last->latency_ns);
      const CulpritBin *longest = of_base ? last : other_last;

      above += longest->count;
      if (above > tail)
        return culprit_profile_to (of_base ? base : other, longest->latency_ns);
      i -= of_base;
      k -= !of_base;
    }
}

static double
find_spread (const Sides *sides, const CulpritProfile *profile)
{
  return known_quantile (sides, profile, 0.75) - known_quantile (sides, profile, 0.25);
}

/* All latencies of @profile, ascending. The caller owns the array. */
static double *
list_latencies (const CulpritProfile *profile)
{
  double *latencies = g_new (double, profile->n);
  guint filled = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    for (guint64 k = 0; k < culprit_profile_bin (profile, i)->count; k++)
      latencies[filled++] = culprit_profile_bin (profile, i)->latency_ns;
  return latencies;
}

static double
test_ranks (const CulpritProfile *base, const CulpritProfile *other, const CulpritRanks *ranks)
{
  g_autofree double *base_ns = NULL;
  g_autofree double *other_ns = NULL;

  if (base->n > FEW || other->n > FEW - base->n)
    return culprit_mann_whitney_p (ranks->u, base->n, other->n, ranks->ties);
  base_ns = list_latencies (base);
  other_ns = list_latencies (other);
  return culprit_rank_sum_p (base_ns, base->n, other_ns, other->n);
}

static CulpritRunTests
test_latencies (const CulpritProfile *base, const CulpritProfile *other, const CulpritComparison *comparison)
{
  return (CulpritRunTests) {
    .u_p = test_ranks (base, other, &comparison->ranks),
    .ks_p = culprit_smirnov_p (comparison->ranks.ks, base->n, other->n),
    .tail_p = culprit_fisher_p (comparison->base_tail, base->n, comparison->other_tail, other->n),
  };
}

static void
test_all (CulpritComparison *comparison, const CulpritCompared *base, const CulpritCompared *other)
{
  CulpritRunTests tests = { NAN, NAN, NAN };

  if (comparison->units == CULPRIT_UNITS_RUNS && comparison->like_lengths)
    tests = culprit_test_runs (base->runs, other->runs, comparison->tail_ns);
  else if (comparison->units == CULPRIT_UNITS_LATENCIES)
    tests = test_latencies (base->profile, other->profile, comparison);
  comparison->u_p = tests.u_p;
  comparison->claims[CULPRIT_CLAIM_DISTRIBUTION].p = tests.ks_p;
  comparison->claims[CULPRIT_CLAIM_TAIL].p = comparison->tail_known ? tests.tail_p : NAN;
}

static void
find_relevance (CulpritComparison *comparison)
{
  double base_part = comparison->base_tail / (double) comparison->base_moments.n;
  double other_part = comparison->other_tail / (double) comparison->other_moments.n;

  comparison->claims[CULPRIT_CLAIM_DISTRIBUTION].relevant = comparison->ranks.ks > CULPRIT_MARGIN_DISTRIBUTION;
  comparison->claims[CULPRIT_CLAIM_TAIL].relevant = fabs (other_part - base_part) > CULPRIT_MARGIN_TAIL * base_part;
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    comparison->claims[CULPRIT_CLAIM_QUANTILE + i].relevant =
        fabs (comparison->shifts[i].difference_ns) > comparison->margin_ns;
}

/* The shortest latency; NO_END: all are above an end. */
static gint64
first_of (const CulpritCompared *compared)
{
  return compared->profile->n > 0 ? culprit_profile_rank (compared->profile, 0) : NO_END;
}

static void
compare_distributions (CulpritComparison *comparison, const CulpritCompared *base, const CulpritCompared *other)
{
  g_auto (Sides) sides;

  sides_init_alike (&sides, base, other);
  if (sides.end_ns < MIN (first_of (&sides.base), first_of (&sides.other))) /* Nothing would be left in such bins. */
    {
      sides_clear (&sides);
      sides_init (&sides, base, other);
    }
  else
    sides_cut (&sides);
  base = &sides.base;
  other = &sides.other;
  comparison->ranks = culprit_compare_ranks (base->profile, other->profile);
  comparison->tail_ns = MIN (find_tail (base->profile, other->profile), sides.end_ns);
  comparison->base_tail = base->profile->n - culprit_profile_count_to (base->profile, comparison->tail_ns);
  comparison->other_tail = other->profile->n - culprit_profile_count_to (other->profile, comparison->tail_ns);
  comparison->tail_known =
      comparison->base_tail + comparison->other_tail > 0 && MIN (base->profile->n, other->profile->n) >= TAIL_PARTS;
  comparison->base_moments.n = base->profile->n;
  comparison->other_moments.n = other->profile->n;
  if (sides.end_ns < NO_END)
    comparison->ranks.wasserstein_ns = NAN;
  test_all (comparison, base, other);
}

static void
compare_quantiles (CulpritComparison *comparison,
                   const CulpritCompared *base,
                   const CulpritCompared *other,
                   const CulpritRules *rules)
{
  g_auto (Sides) sides;

  sides_init (&sides, base, other);
  comparison->base_spread_ns = comparison->mostly_late ? NAN : find_spread (&sides, sides.base.profile);
  comparison->other_spread_ns = comparison->mostly_late ? NAN : find_spread (&sides, sides.other.profile);
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    {
      comparison->shifts[i] = comparison->mostly_late || (comparison->selected && quantiles[i] > 0.5)
                                  ? (CulpritShift) { quantiles[i], NAN, NAN, NAN, NAN, NAN }
                                  : compare_quantile (&sides, rules, quantiles[i], CULPRIT_LEVEL);
      comparison->claims[CULPRIT_CLAIM_QUANTILE + i].p = comparison->shifts[i].p_value;
    }
}

static CulpritComparison
compare_two (const CulpritCompared *base,
             const CulpritMoments *base_moments,
             const CulpritCompared *other,
             const CulpritRules *rules)
{
  CulpritComparison comparison = { .units = choose_units (base, other, rules),
                                   .selected = base->selected || other->selected,
                                   .mostly_late = base->mostly_late || other->mostly_late,
                                   .base_runs = base->runs ? base->runs->len : 0,
                                   .other_runs = other->runs ? other->runs->len : 0,
                                   .margin_ns = choose_margin (base, other, rules),
                                   .ranked = base->profile && other->profile,
                                   .u_p = NAN };

  comparison.like_lengths = comparison.units != CULPRIT_UNITS_RUNS || have_like_lengths (base, other);
  comparison.means = compare_means (base, other, rules, comparison.units);
  for (guint i = 0; i < CULPRIT_CLAIMS; i++)
    comparison.claims[i] = (CulpritClaim) { .p = NAN, .corrected_p = NAN };
  comparison.claims[CULPRIT_CLAIM_MEAN].p = comparison.means.p;
  comparison.claims[CULPRIT_CLAIM_MEAN].relevant = fabs (comparison.means.difference_ns) > comparison.margin_ns;
  if (comparison.ranked)
    {
      comparison.base_moments = *base_moments;
      comparison.other_moments = culprit_moments (other->profile);
      if (MAX (culprit_profile_step (base->profile), culprit_profile_step (other->profile)) > 1)
        comparison.doubt_ns = doubt (base, other);
      compare_quantiles (&comparison, base, other, rules);
    }
  if (comparison.ranked && !comparison.selected)
    {
      comparison.all_larger = culprit_is_above (other->profile, base->profile, comparison.doubt_ns);
      comparison.all_smaller = culprit_is_above (base->profile, other->profile, comparison.doubt_ns);
      compare_distributions (&comparison, base, other);
      find_relevance (&comparison);
    }
  return comparison;
}

static int
compare_p (gconstpointer a, gconstpointer b)
{
  double left = (*(const CulpritClaim *const *) a)->p;
  double right = (*(const CulpritClaim *const *) b)->p;

  return (left > right) - (left < right);
}

/* Holm's correction: the smallest of n is multiplied by n, the next by n - 1, and none becomes smaller than the
 * previous one. */
static void
correct (GArray *comparisons)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  double most = 0;

  for (guint i = 0; i < comparisons->len; i++)
    for (guint k = 0; k < CULPRIT_CLAIMS; k++)
      {
        CulpritClaim *claim = &g_array_index (comparisons, CulpritComparison, i).claims[k];

        if (!isnan (claim->p))
          g_ptr_array_add (order, claim);
      }
  g_ptr_array_sort (order, compare_p);
  for (guint i = 0; i < order->len; i++)
    {
      CulpritClaim *claim = g_ptr_array_index (order, i);

      most = MAX (most, MIN (claim->p * (order->len - i), 1));
      claim->corrected_p = most;
      claim->significant = claim->relevant && most < ALPHA;
    }
  for (guint i = 0; i < comparisons->len; i++)
    g_array_index (comparisons, CulpritComparison, i).tests = order->len;
}

CulpritShape *
culprit_compare_shapes (const CulpritCompared *base, const CulpritCompared *other)
{
  g_auto (Sides) sides = { .end_ns = NO_END };
  const GPtrArray *there;
  const GPtrArray *here;

  if (!base->runs || !other->runs)
    return NULL;
  sides_init_alike (&sides, base, other);
  there = sides.base.runs;
  here = sides.other.runs;
  return culprit_shape_compare ((const CulpritProfile *const *) there->pdata, there->len,
                                (const CulpritProfile *const *) here->pdata, here->len);
}

double
culprit_level_of_each (guint n)
{
  return 1 - ALPHA / n;
}

GArray *
culprit_compare (const CulpritCompared *base, const CulpritCompared *others, guint n, const CulpritRules *rules)
{
  GArray *comparisons = g_array_new (FALSE, FALSE, sizeof (CulpritComparison));
  CulpritMoments base_moments = { 0 };

  if (base->profile)
    base_moments = culprit_moments (base->profile);
  for (guint i = 0; i < n; i++)
    {
      CulpritComparison comparison = compare_two (base, &base_moments, &others[i], rules);

      g_array_append_val (comparisons, comparison);
    }
  correct (comparisons);
  return comparisons;
}
