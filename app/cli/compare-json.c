/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare --json */
#include "compare.h"

/* A claim's members other than p, and why it was not tested. */
static void
add_claim (JsonBuilder *builder, const CulpritComparison *comparison, CulpritClaimKind kind)
{
  const CulpritClaim *claim = &comparison->claims[kind];

  print_json_real (builder, "corrected_p", claim->corrected_p);
  print_json_text (builder, "p_reason", culprit_claim_untested (comparison, kind));
  print_json_flag (builder, "relevant", claim->relevant);
  print_json_flag (builder, "significant", claim->significant);
}

static void
add_ranks (JsonBuilder *builder, const CulpritComparison *comparison)
{
  json_builder_set_member_name (builder, "mannwhitney");
  json_builder_begin_object (builder);
  print_json_real (builder, "u", comparison->ranks.u);
  print_json_real (builder, "p", comparison->u_p);
  print_json_text (builder, "p_reason", culprit_claim_untested (comparison, CULPRIT_CLAIM_DISTRIBUTION));
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "ks");
  json_builder_begin_object (builder);
  print_json_real (builder, "d", comparison->ranks.ks);
  print_json_real (builder, "p", comparison->claims[CULPRIT_CLAIM_DISTRIBUTION].p);
  add_claim (builder, comparison, CULPRIT_CLAIM_DISTRIBUTION);
  json_builder_end_object (builder);
  print_json_real (builder, "cliffs_delta", comparison->ranks.cliffs_delta);
  print_json_real (builder, "wasserstein_ns", comparison->ranks.wasserstein_ns);
  json_builder_set_member_name (builder, "tail");
  json_builder_begin_object (builder);
  print_json_real (builder, "above_ns", comparison->tail_ns);
  print_json_real (builder, "base", comparison->base_tail);
  print_json_real (builder, "run", comparison->other_tail);
  print_json_real (builder, "p", comparison->claims[CULPRIT_CLAIM_TAIL].p);
  add_claim (builder, comparison, CULPRIT_CLAIM_TAIL);
  json_builder_end_object (builder);
}

static void
add_shifts (JsonBuilder *builder, const CulpritComparison *comparison)
{
  json_builder_set_member_name (builder, "quantiles");
  json_builder_begin_array (builder);
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    {
      const CulpritShift *shift = &comparison->shifts[i];

      json_builder_begin_object (builder);
      print_json_real (builder, "p", shift->p);
      print_json_real (builder, "difference_ns", shift->difference_ns);
      print_json_real (builder, "low_ns", shift->low_ns);
      print_json_real (builder, "high_ns", shift->high_ns);
      print_json_real (builder, "p_value", shift->p_value);
      add_claim (builder, comparison, CULPRIT_CLAIM_QUANTILE + i);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_shape (JsonBuilder *builder, const CulpritShape *shape, const char *base, const char *other)
{
  g_autofree char *words = culprit_shape_in_words (shape, base, other);

  json_builder_set_member_name (builder, "same_shape");
  json_builder_begin_object (builder);
  print_json_text (builder, "verdict", culprit_shape_verdict_name (shape->verdict));
  print_json_real (builder, "base_runs", shape->base_runs);
  print_json_real (builder, "runs", shape->other_runs);
  print_json_real (builder, "shift_ns", shape->shift_ns);
  print_json_real (builder, "scale", shape->scale);
  print_json_real (builder, "correlation", shape->correlation);
  print_json_real (builder, "aligned_ks", shape->distance);
  print_json_real (builder, "aligned_ks_p", shape->distance_p);
  print_json_real (builder, "aligned_ks_upper", shape->distance_high);
  print_json_real (builder, "margin", shape->margin);
  print_json_flag (builder, "peaks_match", shape->peaks_match);
  json_builder_set_member_name (builder, "peaks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < shape->peaks->len; i++)
    {
      const CulpritShapePeak *peak = &g_array_index (shape->peaks, CulpritShapePeak, i);

      json_builder_begin_object (builder);
      print_json_real (builder, "base_ns", peak->base_ns);
      print_json_real (builder, "run_ns", peak->other_ns);
      print_json_real (builder, "base_share", peak->base_share);
      print_json_real (builder, "run_share", peak->other_share);
      print_json_real (builder, "p", peak->p);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  print_json_text (builder, "in_words", words);
  json_builder_end_object (builder);
}

static void
add_mapped (JsonBuilder *builder, const Comparing *comparing, const Side *side)
{
  json_builder_set_member_name (builder, "mapped");
  json_builder_begin_array (builder);
  for (guint i = 0; i < comparing->n_mapped; i++)
    {
      json_builder_begin_object (builder);
      print_json_real (builder, "base_ns", comparing->mapped_ns[i]);
      print_json_real (builder, "p", side->mapped[i].p);
      print_json_real (builder, "ns", side->mapped[i].ns);
      print_json_real (builder, "low_ns", side->mapped[i].low_ns);
      print_json_real (builder, "high_ns", side->mapped[i].high_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_comparison (JsonBuilder *builder, const Comparing *comparing, guint index)
{
  const CulpritComparison *comparison = compare_result (comparing, index);
  const Side *side = compare_side (comparing, index);
  const char *base = compare_side (comparing, 0)->name;
  g_autofree char *words = culprit_comparison_in_words (comparison, base, side->name);

  json_builder_begin_object (builder);
  print_json_text (builder, "run", side->name);
  print_json_real (builder, "mean_difference_ns", comparison->means.difference_ns);
  print_json_real (builder, "overhead_percent", comparison->means.overhead_percent);
  print_json_real (builder, "t", comparison->means.t);
  print_json_real (builder, "df", comparison->means.df);
  print_json_real (builder, "p", comparison->means.p);
  add_claim (builder, comparison, CULPRIT_CLAIM_MEAN);
  json_builder_set_member_name (builder, "ci95_ns");
  json_builder_begin_array (builder);
  print_json_real_element (builder, comparison->means.low_ns);
  print_json_real_element (builder, comparison->means.high_ns);
  json_builder_end_array (builder);
  print_json_text (builder, "units", culprit_units_name (comparison->units));
  print_json_real (builder, "base_runs", comparison->base_runs);
  print_json_real (builder, "runs", comparison->other_runs);
  print_json_real (builder, "margin_ns", comparison->margin_ns);
  print_json_real (builder, "tests", comparison->tests);
  if (comparison->ranked)
    {
      add_ranks (builder, comparison);
      add_shifts (builder, comparison);
    }
  if (side->shape)
    add_shape (builder, side->shape, base, side->name);
  if (comparing->n_mapped > 0)
    add_mapped (builder, comparing, side);
  print_json_text (builder, "in_words", words);
  json_builder_end_object (builder);
}

void
compare_print_json (const Comparing *comparing)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  print_json_text (builder, "base", compare_side (comparing, 0)->name);
  json_builder_set_member_name (builder, "against");
  json_builder_begin_array (builder);
  for (guint i = 1; i < comparing->sides->len; i++)
    add_comparison (builder, comparing, i);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  print_json_built (builder);
}
