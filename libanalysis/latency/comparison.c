/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the tests together and says what they come to. A test of means alone misleads: means may be equal and all else
 * different. */
#include "comparison.h"

#include "units.h"

#include <math.h>

#define ALPHA (1 - CULPRIT_LEVEL)
#define TAIL_PARTS 200
#define PERCENT 100

CulpritSummary
culprit_summarise (const CulpritProfile *profile)
{
  CulpritMoments moments = culprit_moments (profile);

  return (CulpritSummary) { moments.mean_ns, moments.sd_ns, moments.n };
}

/* The latency that one in TAIL_PARTS of both profiles together exceeds. */
static gint64
find_tail (const CulpritProfile *base, const CulpritProfile *other)
{
  g_autoptr (CulpritProfile) both = culprit_profile_new (1);

  culprit_profile_add_all (both, base);
  culprit_profile_add_all (both, other);
  culprit_profile_finish (both);
  return culprit_profile_rank (both, both->n - both->n / TAIL_PARTS - 1);
}

static double
find_spread (const CulpritProfile *profile)
{
  return culprit_quantile_type7 (profile, 0.75) - culprit_quantile_type7 (profile, 0.25);
}

static void
find_shifts (CulpritComparison *comparison, const CulpritProfile *base, const CulpritProfile *other)
{
  static const double quantiles[CULPRIT_SHIFTS] = { 0.5, 0.9, 0.99, 0.999 };

  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    comparison->shifts[i] = culprit_quantile_shift (base, other, quantiles[i], CULPRIT_LEVEL);
}

static CulpritComparison
compare_two (const CulpritCompared *base, const CulpritCompared *other)
{
  CulpritComparison comparison = { .means = culprit_compare_means (&base->summary, &other->summary, CULPRIT_LEVEL),
                                   .ranked = base->profile && other->profile };

  if (!comparison.ranked)
    return comparison;
  comparison.ranks = culprit_compare_ranks (base->profile, other->profile);
  comparison.tail_ns = find_tail (base->profile, other->profile);
  comparison.base_tail = base->profile->n - culprit_profile_count_to (base->profile, comparison.tail_ns);
  comparison.other_tail = other->profile->n - culprit_profile_count_to (other->profile, comparison.tail_ns);
  comparison.tail_p = culprit_compare_tails (base->profile, other->profile, comparison.tail_ns);
  comparison.base_moments = culprit_moments (base->profile);
  comparison.other_moments = culprit_moments (other->profile);
  find_shifts (&comparison, base->profile, other->profile);
  comparison.base_spread_ns = find_spread (base->profile);
  comparison.other_spread_ns = find_spread (other->profile);
  return comparison;
}

static int
compare_p (gconstpointer a, gconstpointer b)
{
  double left = (*(const CulpritComparison *const *) a)->means.p;
  double right = (*(const CulpritComparison *const *) b)->means.p;

  return (left > right) - (left < right);
}

/* Holm's correction: the smallest of n is multiplied by n, the next by n - 1, and none becomes smaller than one before.
 */
static void
correct (GArray *comparisons)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  double most = 0;

  for (guint i = 0; i < comparisons->len; i++)
    g_ptr_array_add (order, &g_array_index (comparisons, CulpritComparison, i));
  g_ptr_array_sort (order, compare_p);
  for (guint i = 0; i < order->len; i++)
    {
      CulpritComparison *comparison = g_ptr_array_index (order, i);

      most = MAX (most, MIN (comparison->means.p * (order->len - i), 1));
      comparison->corrected_p = most;
      comparison->significant = most < ALPHA;
    }
}

GArray *
culprit_compare (const CulpritCompared *base, const CulpritCompared *others, guint n)
{
  GArray *comparisons = g_array_new (FALSE, FALSE, sizeof (CulpritComparison));

  for (guint i = 0; i < n; i++)
    {
      CulpritComparison comparison = compare_two (base, &others[i]);

      g_array_append_val (comparisons, comparison);
    }
  correct (comparisons);
  return comparisons;
}

static void
say_mean (const CulpritComparison *comparison, GString *words)
{
  g_autofree char *difference = culprit_time_format (llround (fabs (comparison->means.difference_ns)));

  if (comparison->significant)
    g_string_append_printf (words, "the mean is %s %s", difference,
                            comparison->means.difference_ns > 0 ? "higher" : "lower");
  else
    g_string_append (words, "the means do not differ significantly");
}

static void
say_body (const CulpritComparison *comparison, GString *words)
{
  gboolean differs = comparison->ranks.ks_p < ALPHA;

  if (differs && !comparison->significant)
    g_string_append (words, ", but the shape does");
  else if (differs)
    g_string_append (words, ", and the shape differs too");
  else if (comparison->significant)
    g_string_append (words, ", the shape does not differ significantly");
  else
    g_string_append (words, ", nor does the shape");
}

static void
say_tail (const CulpritComparison *comparison, GString *words)
{
  double base_n = comparison->base_moments.n;
  double other_n = comparison->other_moments.n;
  gboolean heavier = comparison->other_tail / other_n > comparison->base_tail / base_n;
  gboolean higher = comparison->other_moments.max_ns > comparison->base_moments.max_ns;
  g_autofree char *limit = culprit_time_format (comparison->tail_ns);

  if (comparison->tail_p >= ALPHA)
    {
      g_string_append (words, "; the tail is no heavier and no lighter");
      return;
    }
  g_string_append_printf (words,
                          "; %sthe tail is %s: %" G_GUINT64_FORMAT " latencies above %s instead of %" G_GUINT64_FORMAT,
                          heavier == higher || base_n != other_n ? ""
                          : heavier                              ? "the maximum is lower, but "
                                                                 : "the maximum is higher, but ",
                          heavier ? "heavier" : "lighter", comparison->other_tail, limit, comparison->base_tail);
  if (base_n != other_n)
    g_string_append_printf (words, " (%.3f %% instead of %.3f %%)", comparison->other_tail / other_n * PERCENT,
                            comparison->base_tail / base_n * PERCENT);
}

static void
say_spread (const CulpritComparison *comparison, GString *words)
{
  g_autofree char *base = culprit_time_format (llround (comparison->base_spread_ns));
  g_autofree char *other = culprit_time_format (llround (comparison->other_spread_ns));

  g_string_append_printf (words, "; the middle half spreads over %s instead of %s", other, base);
}

char *
culprit_comparison_in_words (const CulpritComparison *comparison, const char *base, const char *other)
{
  GString *words = g_string_new (NULL);

  g_string_append_printf (words, "%s against %s: ", other, base);
  say_mean (comparison, words);
  if (comparison->ranked)
    {
      say_body (comparison, words);
      say_tail (comparison, words);
      say_spread (comparison, words);
    }
  return g_string_free (g_string_append_c (words, '.'), FALSE);
}
