/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what the claims of a comparison say, and no more: what was not found is not distinguishable, not equal. */
#include "comparison.h"

#include "units.h"

#define ALPHA (1 - CULPRIT_LEVEL)
#define PERCENT 100
#define TAIL_QUANTILE 0.99 /* from here on quantiles are of the tail */

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
  if (comparison->units == CULPRIT_UNITS_NONE)
    return "latencies of one run depend on each other, so six or more runs of each are needed";
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

/* "1.2 us higher" */
static void
say_difference (double difference_ns, GString *words)
{
  g_autofree char *size = culprit_time_format (llround (fabs (difference_ns)));

  g_string_append_printf (words, "%s %s", size, difference_ns > 0 ? "higher" : "lower");
}

static void
say_mean (const CulpritComparison *comparison, GString *words)
{
  const CulpritClaim *mean = claim_of (comparison, CULPRIT_CLAIM_MEAN);

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
  gboolean mean_differs = claim_of (comparison, CULPRIT_CLAIM_MEAN)->corrected_p < ALPHA;

  if (distribution->corrected_p >= ALPHA)
    g_string_append (words,
                     mean_differs ? ", but the distributions are not distinguishable" : ", nor are the distributions");
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

  g_string_append_printf (words, "%" G_GUINT64_FORMAT " latencies above %s instead of %" G_GUINT64_FORMAT,
                          comparison->other_tail, limit, comparison->base_tail);
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
  g_autofree char *base = culprit_time_format (llround (comparison->base_spread_ns));
  g_autofree char *other = culprit_time_format (llround (comparison->other_spread_ns));

  g_string_append_printf (words, "; the middle half spreads over %s instead of %s", other, base);
}

/* What the claims rest on. */
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

/* What was measured, without a word of what that means for other runs. */
static void
say_differences (const CulpritComparison *comparison, GString *words)
{
  g_string_append (words, "the mean here is ");
  say_difference (comparison->means.difference_ns, words);
  if (comparison->ranked)
    {
      g_string_append_printf (words, ", and the distributions are up to %.3f apart", comparison->ranks.ks);
      if (comparison->tail_known)
        {
          g_string_append (words, "; ");
          say_tail_counts (comparison, words);
        }
      say_spread (comparison, words);
    }
  g_string_append_printf (words, ". This may be chance and cannot be tested: %s",
                          culprit_claim_untested (comparison, CULPRIT_CLAIM_MEAN));
  if (comparison->base_runs > 0 && comparison->other_runs > 0)
    g_string_append_printf (words, " (here %u and %u)", comparison->base_runs, comparison->other_runs);
}

char *
culprit_comparison_in_words (const CulpritComparison *comparison, const char *base, const char *other)
{
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "%s against %s: ", other, base);
  if (comparison->units == CULPRIT_UNITS_NONE)
    say_differences (comparison, words);
  else
    say_claims (comparison, words);
  return g_string_free (g_string_append_c (words, '.'), FALSE);
}
