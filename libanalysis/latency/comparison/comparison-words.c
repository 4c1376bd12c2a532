/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the claims of a comparison into words, without claiming more: where no difference was found, runs are not
 * distinguishable, not equal. */
#include "comparison-words.h"

#include "units.h"

#include <math.h>

/* Puts the result of a comparison of shapes into words. */

const char *
culprit_shape_verdict_name (CulpritShapeVerdict verdict)
{
  static const char *const names[] = { "inconclusive", "same", "different" };

  return names[verdict];
}

/* "on = 1.082 x off + 3.2 us" */
static void
say_line (const CulpritShape *shape, const char *base, const char *other, GString *words)
{
  g_autofree char *shift = culprit_time_format (llround (fabs (shape->shift_ns)));

  g_string_append_printf (words, "%s = %.3f x %s %c %s", other, shape->scale, base, shape->shift_ns < 0 ? '-' : '+',
                          shift);
}

/* How much of a peak was gained or lost, relative to the larger one. */
static double
change_of (const CulpritShapePeak *peak)
{
  return fabs (peak->other_share - peak->base_share) / MAX (peak->other_share, peak->base_share);
}

/* The peak with the largest change, among those whose mass differs. */
static const CulpritShapePeak *
find_changed_peak (const CulpritShape *shape)
{
  const CulpritShapePeak *changed = NULL;

  for (guint i = 0; i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);

      if (peak->p * shape->peaks->len < CULPRIT_SHAPE_ALPHA && (!changed || change_of (peak) > change_of (changed)))
        changed = peak;
    }
  return changed;
}

static void
say_different (const CulpritShape *shape, GString *words)
{
  const CulpritShapePeak *peak = find_changed_peak (shape);
  g_autofree char *distance_p = culprit_p_in_words (shape->distance_p);

  if (shape->distance_p < CULPRIT_SHAPE_ALPHA)
    g_string_append_printf (words,
                            "; once aligned the distributions are %.3f apart, more than randomly permuted runs (%s)",
                            shape->distance, distance_p);
  if (peak)
    {
      g_autofree char *place = culprit_time_format (peak->base_ns);
      g_autofree char *other = culprit_small_part_format (peak->other_share);
      g_autofree char *base = culprit_small_part_format (peak->base_share);
      g_autofree char *p = culprit_p_in_words (peak->p);

      g_string_append_printf (words, "; the peak at %s has %s instead of %s (%s)", place, other, base, p);
    }
}

static void
say_inconclusive (const CulpritShape *shape, GString *words)
{
  const guint runs = shape->base_runs;
  const CulpritShapePeak *open = culprit_shape_open_peak (shape);
  g_autofree char *place = culprit_time_format (open ? open->base_ns : 0);

  if (MIN (runs, shape->other_runs) < CULPRIT_SHAPE_RUNS)
    {
      if (runs != shape->other_runs)
        g_string_append_printf (words, "; %u and %u runs are too few", runs, shape->other_runs);
      else if (runs == 1)
        g_string_append (words, "; one run of each is too few");
      else
        g_string_append_printf (words, "; %u runs of each are too few", runs);
      g_string_append_printf (words, ": at least %u of each are needed, recorded alternately", CULPRIT_SHAPE_RUNS);
    }
  else if (shape->cut)
    g_string_append (
        words, "; more than 0.1 % of a run are above the end of its histogram, which this leaves out: measure with a "
               "longer one");
  else if (!shape->like_lengths)
    g_string_append (words, "; the runs of one are more than twice as long as those of the other");
  else if (open)
    g_string_append_printf (words,
                            "; whether the peak at %s has as much depends on where within a bin it begins and ends: "
                            "measure with finer bins",
                            place);
  else if (shape->coarse)
    g_string_append_printf (words,
                            "; once aligned the distributions are %.3f apart, more than randomly permuted runs, but "
                            "where within bins latencies are may account for that: measure with finer bins",
                            shape->distance);
  else if (!shape->peaks_match)
    g_string_append (words, "; nothing differs significantly, but their peaks do not match: record longer runs");
  else
    g_string_append_printf (words,
                            "; nothing differs significantly, but they may be up to %.3f apart, above the margin of "
                            "%.3f: record more or longer runs",
                            shape->distance_high, shape->margin);
}

char *
culprit_shape_in_words (const CulpritShape *shape, const char *base, const char *other)
{
  static const char *const verdicts[] = { CULPRIT_UNDECIDED, "same characteristics", "different" };
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "%s against %s: %s. ", other, base, verdicts[shape->verdict]);
  say_line (shape, base, other, words);
  if (shape->verdict == CULPRIT_SHAPE_DIFFERENT)
    say_different (shape, words);
  else if (shape->verdict == CULPRIT_SHAPE_INCONCLUSIVE)
    say_inconclusive (shape, words);
  else
    g_string_append_printf (
        words, "; %u and %u runs, %u peak%s in the same place, at most %.3f apart once aligned (margin %.3f)",
        shape->base_runs, shape->other_runs, shape->peaks->len, shape->peaks->len == 1 ? "" : "s", shape->distance_high,
        shape->margin);
  return g_string_free (g_string_append_c (words, '.'), FALSE);
}

/* Answers from the claims of a comparison and, with and without tracing, from the comparison of shapes. */

gboolean
culprit_answer_needs_runs (const CulpritComparison *comparison)
{
  return comparison->units == CULPRIT_UNITS_NONE && !comparison->selected;
}

static gboolean
any_claim_holds (const CulpritComparison *comparison)
{
  guint claims = comparison->ranked ? CULPRIT_CLAIMS : CULPRIT_CLAIM_MEAN + 1;

  for (guint i = 0; i < claims; i++)
    if (comparison->claims[i].significant)
      return TRUE;
  return FALSE;
}

#define PERCENT 100
#define APART 0.99      /* from this Kolmogorov-Smirnov distance on, two profiles hardly overlap */
#define LEAST_APART 100 /* latencies, of which 99 % can be */
#define MEDIAN 0        /* of the shifts */

/* A shift, as far as it is not due to the widths of bins. */
static double
shift_seen (const CulpritComparison *comparison, guint i)
{
  double difference_ns = comparison->shifts[i].difference_ns;

  return fabs (difference_ns) <= comparison->doubt_ns ? 0 : difference_ns;
}

/* "the 99, 99.9 % quantiles are larger": those above the median of which that is seen, and, if they were tested, holds.
 * Returns their number; 0: nothing was said. */
static guint
say_quantiles_seen (
    const CulpritComparison *comparison, gboolean larger, const char *before, const char *after, GString *words)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint seen = 0;

  for (guint i = MEDIAN + 1; i < CULPRIT_SHIFTS; i++)
    {
      double shift_ns = shift_seen (comparison, i);

      if ((larger ? shift_ns > 0 : shift_ns < 0) &&
          (comparison->units == CULPRIT_UNITS_NONE || comparison->claims[CULPRIT_CLAIM_QUANTILE + i].significant))
        g_string_append_printf (list, "%s%g", seen++ > 0 ? ", " : "", comparison->shifts[i].p * PERCENT);
    }
  if (seen > 0)
    g_string_append_printf (words, "%sthe %s %% quantile%s %s%s", before, list->str, seen > 1 ? "s are" : " is",
                            larger ? "larger" : "smaller", after);
  return seen;
}

/* "1.2 us higher" */
static void
say_difference (double difference_ns, GString *words)
{
  g_autofree char *size = culprit_time_format (llround (fabs (difference_ns)));

  g_string_append_printf (words, "%s %s", size, difference_ns > 0 ? "higher" : "lower");
}

/* What differs, where the medians do not. */
static void
say_beside_the_median (const CulpritComparison *comparison, GString *words)
{
  if (say_quantiles_seen (comparison, TRUE, "; ", "", words) + say_quantiles_seen (comparison, FALSE, "; ", "", words) >
          0 ||
      !comparison->claims[CULPRIT_CLAIM_MEAN].significant)
    return;
  g_string_append (words, "; the mean is ");
  say_difference (comparison->means.difference_ns, words);
}

/* What the latencies themselves show, without any claim about other runs: "286.4 us more at the median; every quantile
 * is larger; they do not overlap". */
static void
say_plain (const CulpritComparison *comparison, GString *words)
{
  const CulpritRanks *ranks = &comparison->ranks;
  const double median_ns = comparison->ranked ? shift_seen (comparison, MEDIAN) : comparison->means.difference_ns;
  const char *where = comparison->ranked ? "at the median" : "on average";
  g_autofree char *size = culprit_time_format (isnan (median_ns) ? 0 : llround (fabs (median_ns)));
  g_autofree char *shared = culprit_small_part_format (1 - ranks->ks);
  gboolean whole = comparison->base_moments.beyond + comparison->other_moments.beyond == 0;

  if (comparison->selected && !comparison->ranked)
    g_string_append (words, "not comparable, as only a mean is known");
  else if (comparison->mostly_late)
    g_string_append_printf (words, "not comparable: %s", culprit_claim_untested (comparison, CULPRIT_CLAIM_MEAN));
  else if (isnan (median_ns))
    g_string_append (words, "half or more of one are above the end of a histogram");
  else if (median_ns == 0)
    g_string_append_printf (words, "no difference %s", where);
  else
    g_string_append_printf (words, "%s %s %s", size, median_ns > 0 ? "more" : "less", where);
  if (median_ns == 0 && comparison->doubt_ns > 0)
    g_string_append (words, " beyond the widths of their bins");
  if (!comparison->ranked || comparison->selected || isnan (median_ns))
    return;
  if (median_ns == 0)
    say_beside_the_median (comparison, words);
  else if (median_ns > 0 ? comparison->all_larger : comparison->all_smaller)
    g_string_append_printf (words, "; every %squantile is %s", whole ? "" : "known ",
                            median_ns > 0 ? "larger" : "smaller");
  else if (say_quantiles_seen (comparison, median_ns < 0, ", but ", "", words) == 0)
    say_quantiles_seen (comparison, median_ns > 0, "; ", " too", words);
  if (comparison->doubt_ns > 0 && median_ns == 0)
    return;
  if (ranks->ks >= 1)
    g_string_append (words, "; they do not overlap");
  else if (ranks->ks >= APART)
    g_string_append_printf (words, "; they overlap in only %s of the wake-ups", shared);
}

static char *
answer_tracing (const CulpritShape *shape)
{
  switch (shape->verdict)
    {
    case CULPRIT_SHAPE_DIFFERENT:
      return g_strdup ("Tracing changed the system: more than a shift and a scale.");
    case CULPRIT_SHAPE_SAME:
      return g_strdup ("No sign that tracing changed the system, apart from a shift and a scale.");
    default:
      if (shape->cut)
        return g_strdup ("Not comparable: more than 0.1 % of a run are above the end of its histogram.");
      if (shape->coarse)
        return g_strdup ("Not known whether tracing changed the system: measure with finer bins.");
      return g_strdup (shape->like_lengths
                           ? "Not yet known whether tracing changed the system: record more or longer runs."
                           : "Not comparable: the runs of one are more than twice as long as those of the other.");
    }
}

static gboolean
any_claim_is_tested (const CulpritComparison *comparison)
{
  for (guint i = 0; i < CULPRIT_CLAIMS; i++)
    if (!isnan (comparison->claims[i].p))
      return TRUE;
  return FALSE;
}

static char *
answer (const CulpritComparison *comparison,
        const CulpritShape *shape,
        CulpritAsked asked,
        const char *base,
        const char *other)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  say_plain (comparison, plain);
  if (comparison->units == CULPRIT_UNITS_NONE)
    return g_strdup_printf ("%s against %s: %s.", other, base, plain->str);
  if (asked == CULPRIT_ASKED_TRACING && shape && MIN (shape->base_runs, shape->other_runs) >= CULPRIT_SHAPE_RUNS)
    return answer_tracing (shape);
  if (any_claim_holds (comparison))
    return g_strdup_printf ("%s differs from %s: %s.", other, base, plain->str);
  if (!any_claim_is_tested (comparison))
    return g_strdup_printf ("Not known whether %s differs from %s: %s.", other, base,
                            culprit_claim_untested (comparison, CULPRIT_CLAIM_MEAN));
  return g_strdup_printf ("No sign that %s differs from %s.", other, base);
}

char *
culprit_answer (const CulpritComparison *comparison,
                const CulpritShape *shape,
                CulpritAsked asked,
                const char *base,
                const char *other)
{
  const CulpritMoments *base_moments = &comparison->base_moments;
  const CulpritMoments *other_moments = &comparison->other_moments;
  g_autofree char *answered = answer (comparison, shape, asked, base, other);
  g_autofree char *of_base =
      culprit_beyond_in_words (base_moments->beyond, base_moments->n - base_moments->beyond, base);
  g_autofree char *of_other =
      culprit_beyond_in_words (other_moments->beyond, other_moments->n - other_moments->beyond, other);

  return g_strconcat (answered, of_base ? " Only counted: " : "", of_base ? of_base : "", of_base ? "." : "",
                      of_other ? " Only counted: " : "", of_other ? of_other : "", of_other ? "." : "", NULL);
}

#define ALPHA (1 - CULPRIT_LEVEL)
#define TAIL_QUANTILE 0.99 /* from here on, a quantile belongs to the tail */

const char *
culprit_units_name (CulpritUnits units)
{
  static const char *const names[] = { NULL, "runs", "latencies", "values" };

  return names[units];
}

const char *
culprit_claim_untested (const CulpritComparison *comparison, CulpritClaimKind kind)
{
  if (!isnan (comparison->claims[kind].p))
    return NULL;
  if (comparison->mostly_late)
    return "more than a tenth of the captured wake-ups are late; record captures that hold more of the others, with a "
           "larger buffer";
  if (comparison->selected)
    return "too many of the captured wake-ups are late, so only the bulk of the distribution can be compared";
  if (comparison->units == CULPRIT_UNITS_NONE)
    return "latencies of one run depend on each other, so six or more runs of each are needed";
  if (kind == CULPRIT_CLAIM_MEAN)
    return "some latencies are only known to be above the end of a histogram";
  if (!comparison->ranked)
    return "only mean, standard deviation and n are known";
  if (!comparison->like_lengths)
    return "runs of one are more than twice as long as those of the other: only their means can be tested";
  return kind == CULPRIT_CLAIM_TAIL ? "too few latencies for a tail" : "too few latencies to estimate the quantile";
}

static const CulpritClaim *
claim_of (const CulpritComparison *comparison, CulpritClaimKind kind)
{
  return &comparison->claims[kind];
}

static void
say_mean (const CulpritComparison *comparison, GString *words)
{
  const CulpritClaim *mean = claim_of (comparison, CULPRIT_CLAIM_MEAN);

  if (isnan (mean->corrected_p))
    {
      g_string_append (words, "the means cannot be tested");
      return;
    }
  if (mean->corrected_p >= ALPHA)
    {
      g_string_append (words, "the means are not distinguishable");
      return;
    }
  g_string_append (words, "the mean is ");
  say_difference (comparison->means.difference_ns, words);
  if (!mean->relevant)
    g_string_append (words, ", which is within the margin");
}

static void
say_distribution (const CulpritComparison *comparison, GString *words)
{
  const CulpritClaim *distribution = claim_of (comparison, CULPRIT_CLAIM_DISTRIBUTION);
  double mean_p = claim_of (comparison, CULPRIT_CLAIM_MEAN)->corrected_p;
  gboolean mean_differs = mean_p < ALPHA;

  if (distribution->corrected_p >= ALPHA)
    g_string_append (words, mean_differs || isnan (mean_p) ? ", but the distributions are not distinguishable"
                                                           : ", nor are the distributions");
  else
    g_string_append_printf (words, ", %s the distributions differ%s", mean_differs ? "and" : "but",
                            distribution->relevant ? "" : " by less than a hundredth of the latencies");
}

/* "77 latencies above 47.0 us instead of 28 (0.740 % instead of 0.269 %)" */
static void
say_tail_counts (const CulpritComparison *comparison, GString *words)
{
  double base_n = comparison->base_moments.n;
  double other_n = comparison->other_moments.n;
  g_autofree char *limit = culprit_time_format (comparison->tail_ns);
  g_autofree char *base_tail = culprit_count_format (comparison->base_tail);
  g_autofree char *other_tail = culprit_count_format (comparison->other_tail);

  g_string_append_printf (words, "%s latencies above %s instead of %s", other_tail, limit, base_tail);
  if (base_n != other_n)
    g_string_append_printf (words, " (%.3f %% instead of %.3f %%)", comparison->other_tail / other_n * PERCENT,
                            comparison->base_tail / base_n * PERCENT);
}

/* Whether a quantile beyond which the tail lies differs: then the tails cannot be called indistinguishable. */
static gboolean
tail_quantile_differs (const CulpritComparison *comparison)
{
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    if (comparison->shifts[i].p >= TAIL_QUANTILE && claim_of (comparison, CULPRIT_CLAIM_QUANTILE + i)->significant)
      return TRUE;
  return FALSE;
}

static void
say_tail (const CulpritComparison *comparison, GString *words)
{
  gboolean equal_n = comparison->base_moments.n == comparison->other_moments.n;
  gboolean heavier = comparison->other_tail * (double) comparison->base_moments.n >
                     comparison->base_tail * (double) comparison->other_moments.n;
  gboolean higher = comparison->other_moments.max_ns > comparison->base_moments.max_ns;

  if (claim_of (comparison, CULPRIT_CLAIM_TAIL)->significant)
    {
      g_string_append_printf (words, "; %sthe tail is %s: ",
                              heavier == higher || !equal_n ? ""
                              : heavier                     ? "the maximum is lower, but "
                                                            : "the maximum is higher, but ",
                              heavier ? "heavier" : "lighter");
      say_tail_counts (comparison, words);
    }
  else if (!comparison->tail_known)
    g_string_append (words, "; there are too few latencies to compare the tails");
  else if (claim_of (comparison, CULPRIT_CLAIM_TAIL)->corrected_p < ALPHA)
    g_string_append (words, "; the tails differ by less than a tenth");
  else if (!tail_quantile_differs (comparison))
    g_string_append (words, "; the tails are not distinguishable");
}

static void
say_quantiles (const CulpritComparison *comparison, GString *words)
{
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    if (claim_of (comparison, CULPRIT_CLAIM_QUANTILE + i)->significant)
      {
        g_string_append_printf (words, "; the %g %% quantile is ", comparison->shifts[i].p * PERCENT);
        say_difference (comparison->shifts[i].difference_ns, words);
      }
}

static void
say_spread (const CulpritComparison *comparison, GString *words)
{
  gboolean known = isfinite (comparison->base_spread_ns) && isfinite (comparison->other_spread_ns);
  g_autofree char *base = culprit_time_format (known ? llround (comparison->base_spread_ns) : 0);
  g_autofree char *other = culprit_time_format (known ? llround (comparison->other_spread_ns) : 0);
  double difference_ns = fabs (comparison->other_spread_ns - comparison->base_spread_ns);

  /* Each is the difference of two quantiles. */
  if (!g_str_equal (base, other) && difference_ns > 2 * comparison->doubt_ns)
    g_string_append_printf (words, "; the middle half is %s wide instead of %s", other, base);
}

/* What the claims are based on. */
static void
say_basis (const CulpritComparison *comparison, GString *words)
{
  g_autofree char *margin = culprit_time_format (llround (comparison->margin_ns));

  if (comparison->units == CULPRIT_UNITS_RUNS)
    g_string_append_printf (words, ". Tested by %u and %u runs", comparison->base_runs, comparison->other_runs);
  else if (comparison->units == CULPRIT_UNITS_LATENCIES)
    g_string_append (words, ". Tested as if all latencies were independent");
  else
    g_string_append (words, ". Tested by means and standard deviations");
  g_string_append_printf (words, ", at 5 %% for all %u test%s together; margin %s", comparison->tests,
                          culprit_plural (comparison->tests), margin);
}

static void
say_claims (const CulpritComparison *comparison, GString *words)
{
  say_mean (comparison, words);
  if (!comparison->like_lengths)
    g_string_append_printf (words, "; nothing else can be tested: %s",
                            culprit_claim_untested (comparison, CULPRIT_CLAIM_DISTRIBUTION));
  else if (comparison->ranked)
    {
      say_distribution (comparison, words);
      say_tail (comparison, words);
      say_quantiles (comparison, words);
      say_spread (comparison, words);
    }
  say_basis (comparison, words);
}

/* The differences as measured, and what they leave open. */
static void
say_differences (const CulpritComparison *comparison, GString *words)
{
  if (isnan (comparison->means.difference_ns))
    g_string_append (words, "a mean is not known");
  else if (llround (comparison->means.difference_ns) == 0)
    g_string_append (words, "the means are equal");
  else if (fabs (comparison->means.difference_ns) <= comparison->doubt_ns)
    g_string_append (words, "the means are within the widths of the bins");
  else
    {
      g_string_append (words, "the mean is ");
      say_difference (comparison->means.difference_ns, words);
    }
  if (comparison->ranked)
    {
      g_string_append_printf (words, ", and the distributions are up to %.3f apart", comparison->ranks.ks);
      if (comparison->tail_known)
        {
          g_string_append (words, "; ");
          say_tail_counts (comparison, words);
        }
      say_spread (comparison, words);
      if (comparison->ranks.ks >= APART && MIN (comparison->base_moments.n, comparison->other_moments.n) >= LEAST_APART)
        g_string_append (words, ". That they differ, and which is larger, needs no further runs: 99 % of one run's "
                                "wake-ups are slower than 99 % of the other's, and no drift within either run went "
                                "that far");
    }
  g_string_append_printf (words, ". How much of this recurs in other runs is not known: %s",
                          culprit_claim_untested (comparison, CULPRIT_CLAIM_MEAN));
  if (comparison->base_runs > 0 && comparison->other_runs > 0)
    g_string_append_printf (words, ", recorded alternately (here %u and %u)", comparison->base_runs,
                            comparison->other_runs);
}

/* What can be said of captured wake-ups, and why no more. */
static void
say_bulk (const CulpritComparison *comparison, GString *words)
{
  say_plain (comparison, words);
  if (comparison->mostly_late)
    return;
  if (comparison->ranked)
    say_spread (comparison, words);
  g_string_append_printf (words, ". No more is said: %s", culprit_claim_untested (comparison, CULPRIT_CLAIM_MEAN));
}

char *
culprit_comparison_in_words (const CulpritComparison *comparison, const char *base, const char *other)
{
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "%s against %s: ", other, base);
  if (comparison->selected)
    say_bulk (comparison, words);
  else if (comparison->units == CULPRIT_UNITS_NONE)
    say_differences (comparison, words);
  else
    say_claims (comparison, words);
  return g_string_free (g_string_append_c (words, '.'), FALSE);
}
