/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare: output as text and as CSV. */
#include "compare.h"

#include "latency/answer.h"

#include "tables/comparison.h"
#include "units.h"

#include <math.h>

/* "yes", "no"; "-" if it was not tested. */
static const char *
say_significant (const CulpritClaim *claim)
{
  return isnan (claim->p) ? "-" : claim->significant ? "yes" : "no";
}

/* A difference of latencies, with its interval and its p, as it is and corrected. */
static void
print_difference (const char *name, double difference_ns, double low_ns, double high_ns, const CulpritClaim *claim)
{
  g_autofree char *p = culprit_p_format (claim->p);
  g_autofree char *corrected = culprit_p_format (claim->corrected_p);
  g_autofree char *interval =
      isnan (low_ns) ? g_strdup ("-") : g_strdup_printf ("%+.3f to %+.3f", low_ns / 1e3, high_ns / 1e3);

  g_print ("  %-18s %+12.3f %24s %9s %9s  %s\n", name, difference_ns / 1e3, interval, p, corrected,
           say_significant (claim));
}

/* A distance, or a share of the latencies. */
static void
print_part (const char *name, const char *value, const CulpritClaim *claim)
{
  g_autofree char *p = culprit_p_format (claim->p);
  g_autofree char *corrected = culprit_p_format (claim->corrected_p);

  g_print ("  %-18s %12s %24s %9s %9s  %s\n", name, value, "", p, corrected, say_significant (claim));
}

/* The numbers behind the sentence. */
static void
print_claims (const CulpritComparison *comparison)
{
  const CulpritClaim *claims = comparison->claims;

  g_print ("  %-18s %12s %24s %9s %9s  %s\n", "difference", "us", "95 % interval us", "p", "corrected", "significant");
  print_difference ("mean", comparison->means.difference_ns, comparison->means.low_ns, comparison->means.high_ns,
                    &claims[CULPRIT_CLAIM_MEAN]);
  for (guint i = 0; i < CULPRIT_SHIFTS && comparison->ranked; i++)
    {
      const CulpritShift *shift = &comparison->shifts[i];
      g_autofree char *name = g_strdup_printf ("%g %% quantile", shift->p * 100);

      print_difference (name, shift->difference_ns, shift->low_ns, shift->high_ns, &claims[CULPRIT_CLAIM_QUANTILE + i]);
    }
  if (comparison->ranked)
    {
      g_autofree char *distance = g_strdup_printf ("D = %.4f", comparison->ranks.ks);
      g_autofree char *tails = g_strdup_printf ("%" G_GUINT64_FORMAT " (%" G_GUINT64_FORMAT ")", comparison->other_tail,
                                                comparison->base_tail);

      print_part ("distribution", distance, &claims[CULPRIT_CLAIM_DISTRIBUTION]);
      print_part ("tail (base)", tails, &claims[CULPRIT_CLAIM_TAIL]);
    }
}

/* A row for each side, beginning with @first. */
static CulpritTable *
make_table (const Comparing *comparing, guint first)
{
  CulpritTable *table = culprit_definition_begin (&culprit_comparisons);
  const char *base = compare_side (comparing, 0)->name;

  for (guint i = first; i < comparing->sides->len; i++)
    {
      const Side *side = compare_side (comparing, i);

      culprit_comparison_table_add (table, base, side->name,
                                    &g_array_index (comparing->compared, CulpritCompared, i).summary,
                                    i > 0 ? compare_result (comparing, i) : NULL,
                                    side->shape ? culprit_shape_verdict_name (side->shape->verdict) : "");
    }
  return table;
}

/* The peaks of both, if shapes were compared. */
static void
print_peaks (const CulpritShape *shape)
{
  for (guint i = 0; i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);
      g_autofree char *here = culprit_time_format (peak->base_ns);
      g_autofree char *there = culprit_time_format (peak->other_ns);
      g_autofree char *base_share = culprit_small_part_format (peak->base_share);
      g_autofree char *other_share = culprit_small_part_format (peak->other_share);
      g_autofree char *p = culprit_p_in_words (peak->p);

      g_print ("  peak at %s (%s in the other): %s and %s of the wake-ups, %s\n", here, there, base_share, other_share,
               p);
    }
}

static void
print_mapped (const Comparing *comparing, const Side *side)
{
  if (comparing->n_mapped > 0 && isnan (side->mapped[0].p))
    g_print ("  --map: not possible for %s: only mean and sd are known, of it or of the baseline\n", side->name);
  for (guint i = 0; i < comparing->n_mapped && !isnan (side->mapped[i].p); i++)
    {
      const CulpritMapped *mapped = &side->mapped[i];
      g_autofree char *words =
          culprit_mapped_in_words (mapped, comparing->mapped_ns[i], compare_side (comparing, 0)->name);

      g_print ("  ");
      print_wrapped (words, 2);
    }
}

/* Why a difference may not be significant although its interval excludes 0. */
static void
print_legend (const Comparing *comparing)
{
  guint tests = 0;

  for (guint i = 1; i < comparing->sides->len; i++)
    tests += compare_result (comparing, i)->tests;
  if (tests > 0)
    g_print ("\nIntervals and p are for each line by itself. A difference is significant if its p, corrected for all\n"
             "tests, is below 5 %% and it exceeds the margin.\n");
}

void
compare_print_text (const Comparing *comparing)
{
  g_autoptr (CulpritTable) table = make_table (comparing, 0);

  print_table (table, FORMAT_TEXT, &culprit_comparisons, NULL);
  for (guint i = 1; i < comparing->sides->len; i++)
    {
      const Side *side = compare_side (comparing, i);
      const char *base = compare_side (comparing, 0)->name;
      g_autofree char *words = culprit_comparison_in_words (compare_result (comparing, i), base, side->name);
      g_autofree char *shape = side->shape ? culprit_shape_in_words (side->shape, base, side->name) : NULL;

      g_autofree char *answer =
          culprit_answer (compare_result (comparing, i), side->shape, CULPRIT_ASKED_DIFFERENCE, base, side->name);

      g_print ("\n");
      print_wrapped (answer, 0);
      print_wrapped (words, 0);
      print_claims (compare_result (comparing, i));
      print_mapped (comparing, side);
      if (!shape)
        continue;
      print_wrapped (shape, 0);
      print_peaks (side->shape);
    }
  print_legend (comparing);
}

void
compare_print_csv (const Comparing *comparing)
{
  g_autoptr (CulpritTable) table = make_table (comparing, 1);

  print_table (table, FORMAT_CSV, &culprit_comparisons, NULL);
}
