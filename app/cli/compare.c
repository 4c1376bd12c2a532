/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare */
#include "latency/comparison/comparison-words.h"
#include "latency/comparison/comparison.h"
#include "latency/comparison/mapping.h"
#include "latency/comparison/shape.h"
#include "print.h"
#include "study/profiles.h"
#include "tables/comparison.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_MAPPED 2 /* a threshold, or both ends of a band */

typedef struct
{
  GPtrArray *sides;  /* of CulpritSide */
  GPtrArray *shapes; /* of CulpritShape, in the same order; NULL: not compared */
  CulpritRules rules;
  guint64 mapped_ns[MOST_MAPPED];
  guint n_mapped;
} Comparing;

static inline const CulpritSide *
side_at (const Comparing *comparing, guint index)
{
  return culprit_side_at (comparing->sides, index);
}

static inline const CulpritShape *
shape_at (const Comparing *comparing, guint index)
{
  return index < comparing->shapes->len ? g_ptr_array_index (comparing->shapes, index) : NULL;
}

/* The latency of the side at @index that corresponds to the base's at @which. */
static CulpritMapped
map (const Comparing *comparing, guint index, guint which)
{
  const CulpritProfile *base = side_at (comparing, 0)->compared.profile;
  const CulpritProfile *other = side_at (comparing, index)->compared.profile;

  return base && other && !side_at (comparing, index)->result.selected
             ? culprit_map_latency (base, other, comparing->mapped_ns[which])
             : (CulpritMapped) { NAN, NAN, NAN, NAN };
}

/* culprit compare: output as text and as CSV. */

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
  g_autofree char *difference = isnan (difference_ns) ? g_strdup ("-") : g_strdup_printf ("%+.3f", difference_ns / 1e3);

  g_print ("  %-18s %12s %24s %9s %9s  %s\n", name, difference, interval, p, corrected, say_significant (claim));
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
  if (comparison->ranked && !comparison->selected)
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
  const char *base = side_at (comparing, 0)->name;

  for (guint i = first; i < comparing->sides->len; i++)
    {
      const CulpritSide *side = side_at (comparing, i);
      const CulpritShape *shape = shape_at (comparing, i);

      culprit_comparison_table_add (table, base, side->name, &side->compared.summary, i > 0 ? &side->result : NULL,
                                    shape ? culprit_shape_verdict_name (shape->verdict) : "");
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
      g_autofree char *p = isnan (peak->p) ? g_strdup ("not known within bins") : culprit_p_in_words (peak->p);

      g_print ("  peak at %s (%s in the other): %s and %s of the wake-ups, %s\n", here, there, base_share, other_share,
               p);
    }
}

static void
print_mapped (const Comparing *comparing, guint index)
{
  for (guint i = 0; i < comparing->n_mapped; i++)
    {
      CulpritMapped mapped = map (comparing, index, i);
      g_autofree char *words =
          isnan (mapped.p)
              ? g_strdup_printf ("--map: not possible for %s: %s", side_at (comparing, index)->name,
                                 side_at (comparing, index)->result.selected
                                     ? culprit_claim_untested (&side_at (comparing, index)->result, CULPRIT_CLAIM_MEAN)
                                     : "only mean and sd are known, of it or of the baseline")
              : culprit_mapped_in_words (&mapped, comparing->mapped_ns[i], side_at (comparing, 0)->name);

      g_print ("  ");
      print_wrapped (words, 2);
      if (isnan (mapped.p))
        break;
    }
}

/* Why a difference may not be significant although its interval excludes 0. */
static void
print_legend (const Comparing *comparing)
{
  guint tests = 0;

  for (guint i = 1; i < comparing->sides->len; i++)
    tests += side_at (comparing, i)->result.tests;
  if (tests > 0)
    g_print ("\nIntervals and p are for each line by itself. A difference is significant if its p, corrected for all\n"
             "tests, is below 5 %% and it exceeds the margin.\n");
}

static void
compare_print_text (const Comparing *comparing)
{
  g_autoptr (CulpritTable) table = make_table (comparing, 0);

  print_table (table, FORMAT_TEXT, &culprit_comparisons, NULL);
  for (guint i = 1; i < comparing->sides->len; i++)
    {
      const CulpritSide *side = side_at (comparing, i);
      const CulpritShape *shape = shape_at (comparing, i);
      const char *base = side_at (comparing, 0)->name;
      g_autofree char *answer = culprit_answer (&side->result, shape, CULPRIT_ASKED_DIFFERENCE, base, side->name);
      g_autofree char *words = culprit_comparison_in_words (&side->result, base, side->name);
      g_autofree char *shape_words = shape ? culprit_shape_in_words (shape, base, side->name) : NULL;

      g_print ("\n");
      print_wrapped (answer, 0);
      print_wrapped (words, 0);
      print_claims (&side->result);
      print_mapped (comparing, i);
      if (!shape)
        continue;
      print_wrapped (shape_words, 0);
      print_peaks (shape);
    }
  print_legend (comparing);
}

/* One row for each side except the base. */
static void
compare_print_csv (const Comparing *comparing)
{
  g_autoptr (CulpritTable) table = make_table (comparing, 1);

  print_table (table, FORMAT_CSV, &culprit_comparisons, NULL);
}

/* culprit compare --json */

/* Why @claim was not tested. */
static void
add_reason (JsonBuilder *builder, gconstpointer claim, gconstpointer context)
{
  const CulpritComparison *comparison = context;

  members_add_text (builder, culprit_claim_untested (comparison, (const CulpritClaim *) claim - comparison->claims));
}

/* A claim's members other than p. */
static const Member claim[] = {
  MEMBER (CulpritClaim, "corrected_p", corrected_p, REAL),
  { "p_reason", 0, MEMBER_OWN, .add = add_reason },
  MEMBER (CulpritClaim, "relevant", relevant, FLAG),
  MEMBER (CulpritClaim, "significant", significant, FLAG),
  { 0 },
};

static void
add_interval (JsonBuilder *builder, gconstpointer value, gconstpointer comparison)
{
  const CulpritMeans *means = value;

  json_builder_begin_array (builder);
  members_add_real (builder, means->low_ns);
  members_add_real (builder, means->high_ns);
  json_builder_end_array (builder);
}

static const Member comparison_members[] = {
  MEMBER (CulpritComparison, "mean_difference_ns", means.difference_ns, REAL),
  MEMBER (CulpritComparison, "overhead_percent", means.overhead_percent, REAL),
  MEMBER (CulpritComparison, "t", means.t, REAL),
  MEMBER (CulpritComparison, "df", means.df, REAL),
  MEMBER (CulpritComparison, "p", means.p, REAL),
  MEMBER (CulpritComparison, "", claims[CULPRIT_CLAIM_MEAN], SAME, .of = claim),
  MEMBER (CulpritComparison, "ci95_ns", means, OWN, .add = add_interval),
  MEMBER (CulpritComparison, "units", units, NAME, .name_of = culprit_units_name),
  MEMBER (CulpritComparison, "base_runs", base_runs, REAL_COUNT),
  MEMBER (CulpritComparison, "runs", other_runs, REAL_COUNT),
  MEMBER (CulpritComparison, "margin_ns", margin_ns, REAL),
  MEMBER (CulpritComparison, "tests", tests, REAL_COUNT),
  { 0 },
};

static const Member mannwhitney[] = {
  MEMBER (CulpritComparison, "u", ranks.u, REAL),
  MEMBER (CulpritComparison, "p", u_p, REAL),
  MEMBER (CulpritComparison, "p_reason", claims[CULPRIT_CLAIM_DISTRIBUTION], OWN, .add = add_reason),
  { 0 },
};

static const Member ks[] = {
  MEMBER (CulpritComparison, "d", ranks.ks, REAL),
  MEMBER (CulpritComparison, "p", claims[CULPRIT_CLAIM_DISTRIBUTION].p, REAL),
  MEMBER (CulpritComparison, "", claims[CULPRIT_CLAIM_DISTRIBUTION], SAME, .of = claim),
  { 0 },
};

static const Member tail[] = {
  MEMBER (CulpritComparison, "above_ns", tail_ns, REAL_NUMBER),
  MEMBER (CulpritComparison, "base", base_tail, REAL_NUMBER),
  MEMBER (CulpritComparison, "run", other_tail, REAL_NUMBER),
  MEMBER (CulpritComparison, "p", claims[CULPRIT_CLAIM_TAIL].p, REAL),
  MEMBER (CulpritComparison, "", claims[CULPRIT_CLAIM_TAIL], SAME, .of = claim),
  { 0 },
};

static const Member shift_members[] = {
  MEMBER (CulpritShift, "p", p, REAL),
  MEMBER (CulpritShift, "difference_ns", difference_ns, REAL),
  MEMBER (CulpritShift, "low_ns", low_ns, REAL),
  MEMBER (CulpritShift, "high_ns", high_ns, REAL),
  MEMBER (CulpritShift, "p_value", p_value, REAL),
  { 0 },
};

static void
add_shifts (JsonBuilder *builder, gconstpointer shifts, gconstpointer context)
{
  const CulpritComparison *comparison = context;

  json_builder_begin_array (builder);
  for (guint i = 0; i < CULPRIT_SHIFTS; i++)
    {
      json_builder_begin_object (builder);
      members_add (builder, shift_members, &comparison->shifts[i], NULL);
      members_add (builder, claim, &comparison->claims[CULPRIT_CLAIM_QUANTILE + i], comparison);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Of captured wake-ups, nothing else of this is known. */
static const Member shifts[] = {
  MEMBER (CulpritComparison, "quantiles", shifts, OWN, .add = add_shifts),
  { 0 },
};

static const Member ranked[] = {
  { "mannwhitney", 0, MEMBER_STRUCT, .of = mannwhitney },
  { "ks", 0, MEMBER_STRUCT, .of = ks },
  MEMBER (CulpritComparison, "cliffs_delta", ranks.cliffs_delta, REAL),
  MEMBER (CulpritComparison, "wasserstein_ns", ranks.wasserstein_ns, REAL),
  { "tail", 0, MEMBER_STRUCT, .of = tail },
  { 0 },
};

static const Member peak[] = {
  MEMBER (CulpritShapePeak, "base_ns", base_ns, REAL_NUMBER),
  MEMBER (CulpritShapePeak, "run_ns", other_ns, REAL_NUMBER),
  MEMBER (CulpritShapePeak, "base_share", base_share, REAL),
  MEMBER (CulpritShapePeak, "run_share", other_share, REAL),
  MEMBER (CulpritShapePeak, "p", p, REAL),
  { 0 },
};

static const Member shape_members[] = {
  MEMBER (CulpritShape, "verdict", verdict, NAME, .name_of = culprit_shape_verdict_name),
  MEMBER (CulpritShape, "base_runs", base_runs, REAL_COUNT),
  MEMBER (CulpritShape, "runs", other_runs, REAL_COUNT),
  MEMBER (CulpritShape, "shift_ns", shift_ns, REAL),
  MEMBER (CulpritShape, "scale", scale, REAL),
  MEMBER (CulpritShape, "correlation", correlation, REAL),
  MEMBER (CulpritShape, "aligned_ks", distance, REAL),
  MEMBER (CulpritShape, "aligned_ks_p", distance_p, REAL),
  MEMBER (CulpritShape, "aligned_ks_upper", distance_high, REAL),
  MEMBER (CulpritShape, "margin", margin, REAL),
  MEMBER (CulpritShape, "peaks_match", peaks_match, FLAG),
  MEMBER (CulpritShape, "peaks", peaks, ARRAY, .of = peak),
  { 0 },
};

static const Member mapped_members[] = {
  MEMBER (CulpritMapped, "p", p, REAL),
  MEMBER (CulpritMapped, "ns", ns, REAL),
  MEMBER (CulpritMapped, "low_ns", low_ns, REAL),
  MEMBER (CulpritMapped, "high_ns", high_ns, REAL),
  { 0 },
};

static void
add_mapped (JsonBuilder *builder, const Comparing *comparing, guint index)
{
  json_builder_set_member_name (builder, "mapped");
  json_builder_begin_array (builder);
  for (guint i = 0; i < comparing->n_mapped; i++)
    {
      CulpritMapped mapped = map (comparing, index, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "base_ns");
      members_add_real (builder, comparing->mapped_ns[i]);
      members_add (builder, mapped_members, &mapped, NULL);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_member_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_comparison (JsonBuilder *builder, const Comparing *comparing, guint index)
{
  const CulpritSide *side = side_at (comparing, index);
  const CulpritComparison *comparison = &side->result;
  const CulpritShape *shape = shape_at (comparing, index);
  const char *base = side_at (comparing, 0)->name;
  g_autofree char *answer = culprit_answer (comparison, shape, CULPRIT_ASKED_DIFFERENCE, base, side->name);
  g_autofree char *words = culprit_comparison_in_words (comparison, base, side->name);
  g_autofree char *shape_words = shape ? culprit_shape_in_words (shape, base, side->name) : NULL;

  json_builder_begin_object (builder);
  add_member_text (builder, "run", side->name);
  members_add (builder, comparison_members, comparison, comparison);
  if (comparison->ranked && !comparison->selected)
    members_add (builder, ranked, comparison, comparison);
  if (comparison->ranked)
    members_add (builder, shifts, comparison, comparison);
  if (shape)
    {
      json_builder_set_member_name (builder, "same_shape");
      json_builder_begin_object (builder);
      members_add (builder, shape_members, shape, NULL);
      add_member_text (builder, "in_words", shape_words);
      json_builder_end_object (builder);
    }
  if (comparing->n_mapped > 0)
    add_mapped (builder, comparing, index);
  add_member_text (builder, "answer", answer);
  add_member_text (builder, "in_words", words);
  json_builder_end_object (builder);
}

static void
add_base (JsonBuilder *builder, gconstpointer value, gconstpointer comparing)
{
  json_builder_add_string_value (builder, side_at (comparing, 0)->name);
}

static void
add_against (JsonBuilder *builder, gconstpointer value, gconstpointer comparing)
{
  json_builder_begin_array (builder);
  for (guint i = 1; i < ((const Comparing *) comparing)->sides->len; i++)
    add_comparison (builder, comparing, i);
  json_builder_end_array (builder);
}

static const Member comparing_members[] = {
  { "base", 0, MEMBER_OWN, .add = add_base },
  { "against", 0, MEMBER_OWN, .add = add_against },
  { 0 },
};

/* What must not have become worse: a quantile, and by how much. */
typedef struct
{
  double p;
  double percent;
} Limit;

/* The options and arguments. */
typedef struct
{
  char *fail_if_worse;
  char *map;
  char *margin;
  gboolean independent;
  gboolean same_shape;
  gboolean untraced;
} CompareOptions;

static void
compare_options_clear (CompareOptions *chosen)
{
  g_free (chosen->fail_if_worse);
  g_free (chosen->map);
  g_free (chosen->margin);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CompareOptions, compare_options_clear)

/* Parses "43.483,0.178,10", a profile of which only mean, sd and n are known. */
static gboolean
parse_summary (const char *text, CulpritSummary *summary)
{
  double mean;
  double sd;
  double n;
  int length = 0;

  if (sscanf (text, "%lf%*[ ,]%lf%*[ ,]%lf%n", &mean, &sd, &n, &length) != 3 || text[length] != '\0' ||
      !isfinite (mean) || !isfinite (sd) || !isfinite (n) || n < 2 || n != floor (n) || sd <= 0)
    return FALSE;
  *summary = (CulpritSummary) { mean * 1000, sd * 1000, n };
  return TRUE;
}

static gboolean
read_side (CulpritStudy **study,
           const Options *options,
           const char *text,
           gboolean same_shape,
           const Comparing *comparing,
           GError **error)
{
  CulpritSideKind kind = same_shape ? CULPRIT_SIDE_RUNS : CULPRIT_SIDE_MEANT;
  CulpritSummary summary;
  CulpritSide *side;

  if (parse_summary (text, &summary))
    side = culprit_side_new (text, &summary);
  else if (*study || (*study = culprit_study_open (options->study, CULPRIT_STUDY_READ, error)))
    side = culprit_side_read (*study, text, kind, text, error);
  else
    return FALSE;
  if (!side)
    return FALSE;
  g_ptr_array_add (comparing->sides, side);
  return (!*study || command_tell_left_out (*study, text, error)) && culprit_side_check (side, error);
}

/* Appends the captured wake-ups of those of the named runs that have captures, without the tracer's time. */
static void
add_untraced (CulpritStudy *study, const Comparing *comparing)
{
  guint named = comparing->sides->len;

  for (guint i = 0; i < named && study; i++)
    {
      const char *label = side_at (comparing, i)->name;
      g_autofree char *name = g_strdup_printf ("%s without the tracer", label);
      g_autoptr (CulpritSide) side = culprit_side_read (study, label, CULPRIT_SIDE_CAPTURED, name, NULL);

      if (side && culprit_side_check (side, NULL))
        g_ptr_array_add (comparing->sides, g_steal_pointer (&side));
    }
}

static void
free_shape (gpointer shape)
{
  if (shape)
    culprit_shape_free (shape);
}

/* Parses "200us" or "575us,585us", from the lower to the higher. */
static gboolean
parse_mapped (const char *text, Comparing *comparing)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", MOST_MAPPED);

  for (; parts[comparing->n_mapped]; comparing->n_mapped++)
    if (!culprit_time_parse (parts[comparing->n_mapped], &comparing->mapped_ns[comparing->n_mapped]))
      return FALSE;
  return comparing->n_mapped == 1 || (comparing->n_mapped == 2 && comparing->mapped_ns[0] < comparing->mapped_ns[1]);
}

/* Parses "p99=5%" or "p99.9=10%". */
static gboolean
parse_limit (const char *text, Limit *limit)
{
  int length = 0;

  if (sscanf (text, "p%lf=%lf%%%n", &limit->p, &limit->percent, &length) != 2 || text[length] != '\0')
    return FALSE;
  limit->p /= 100;
  return limit->p > 0 && limit->p < 1 && limit->percent >= 0;
}

/* Whether @other's quantile exceeds @base's by more than the limit, and not by chance, as an exit status. If this
 * cannot be decided, the check is not passed. */
static int
check_limit (const Comparing *comparing, guint index, const Limit *limit)
{
  const CulpritSide *base = side_at (comparing, 0);
  const CulpritSide *other = side_at (comparing, index);
  CulpritShift shift = { .low_ns = NAN };

  if (base->compared.profile && other->compared.profile)
    shift = culprit_compare_quantile (&base->compared, &other->compared, &comparing->rules, limit->p,
                                      culprit_level_of_each (comparing->sides->len - 1));
  if (isnan (shift.low_ns) && base->compared.profile && other->compared.profile &&
      base->compared.profile->beyond + other->compared.profile->beyond > 0)
    return command_complain (
        "cannot tell whether %s is worse than %s: its %g %% quantile, or its interval, may be above the "
        "end of a histogram; measure with longer ones",
        other->name, base->name, limit->p * 100);
  if (isnan (shift.low_ns))
    return command_complain ("cannot tell whether %s is worse than %s: its %g %% quantile needs %u or more "
                             "runs of each (or --independent), of similar length, each with enough latencies",
                             other->name, base->name, limit->p * 100, CULPRIT_TEST_RUNS);
  if (!culprit_is_worse (&base->compared, &other->compared, &shift, limit->percent))
    return EXIT_DONE;
  command_complain ("%s is worse than %s: its %g %% quantile is more than %g %% higher", other->name, base->name,
                    limit->p * 100, limit->percent);
  return EXIT_FOUND;
}

/* Undecided takes precedence over worse, and worse over neither. */
static int
check_limits (const Comparing *comparing, const Limit *limit)
{
  int status = EXIT_DONE;

  for (guint i = 1; i < comparing->sides->len; i++)
    {
      /* Captured wake-ups were not named, and have no tail to check. */
      int found = side_at (comparing, i)->result.selected ? EXIT_DONE : check_limit (comparing, i, limit);

      status = MAX (status, found);
    }
  return status;
}

static void
print_all (const Comparing *comparing, Format format)
{
  if (format == FORMAT_JSON)
    print_members (comparing_members, comparing, comparing);
  else if (format == FORMAT_CSV)
    compare_print_csv (comparing);
  else
    compare_print_text (comparing);
}

static int
compare_all (const Options *options, const CompareOptions *chosen, const Limit *limit, Comparing *comparing)
{
  g_autoptr (CulpritStudy) study = NULL;
  GError *error = NULL;

  for (char **name = options->rest; *name; name++)
    if (!read_side (&study, options, *name, chosen->same_shape, comparing, &error))
      return command_fail (error);
  if (chosen->untraced)
    add_untraced (study, comparing);
  culprit_sides_compare (comparing->sides, &comparing->rules);
  for (guint i = 0; chosen->same_shape && i < comparing->sides->len; i++)
    g_ptr_array_add (comparing->shapes,
                     i > 0 ? culprit_sides_shape (side_at (comparing, 0), side_at (comparing, i)) : NULL);
  print_all (comparing, options->format);
  return chosen->fail_if_worse ? check_limits (comparing, limit) : EXIT_DONE;
}

int
command_compare (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (CompareOptions) chosen = { 0 };
  const GOptionEntry own[] = {
    { "same-shape", 0, 0, G_OPTION_ARG_NONE, &chosen.same_shape, "Test for the same shape apart from shift and scale",
      NULL },
    { "untraced", 0, 0, G_OPTION_ARG_NONE, &chosen.untraced, "Also captured wake-ups without the tracer's time", NULL },
    { "map", 0, 0, G_OPTION_ARG_STRING, &chosen.map, "Map a threshold or band of BASE to the others", "LATENCY" },
    { "margin", 0, 0, G_OPTION_ARG_STRING, &chosen.margin,
      "Ignore smaller differences, e.g. 2us (default: 1% of BASE's mean)", "MARGIN" },
    { "independent", 0, 0, G_OPTION_ARG_NONE, &chosen.independent,
      "Test single latencies, not runs: all are independent", NULL },
    { "fail-if-worse", 0, 0, G_OPTION_ARG_STRING, &chosen.fail_if_worse,
      "Exit with status 1 if a quantile got worse, e.g. p99=5%", "LIMIT" },
    { NULL },
  };
  g_autoptr (GPtrArray) sides = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_side_free);
  g_autoptr (GPtrArray) shapes = g_ptr_array_new_with_free_func (free_shape);
  Comparing comparing = { .sides = sides, .shapes = shapes, .rules = CULPRIT_RULES_USUAL };
  Limit limit;
  int status;

  if (!command_parse (command, argc, argv, own, &options, &status))
    return status;
  if (g_strv_length (options.rest) < 2)
    return command_complain ("expected BASE and at least one run to compare with it; see culprit help compare");
  if (chosen.fail_if_worse && !parse_limit (chosen.fail_if_worse, &limit))
    return command_complain ("--fail-if-worse \"%s\" is not a valid limit; expected e.g. p99=5%%",
                             chosen.fail_if_worse);
  if (chosen.map && !parse_mapped (chosen.map, &comparing))
    return command_complain ("--map \"%s\" is not a valid latency; expected e.g. 200us, or a band, "
                             "e.g. 575us,585us, with the lower end first",
                             chosen.map);
  if (chosen.margin && !culprit_rules_take_margin (&comparing.rules, chosen.margin))
    return command_complain ("--margin \"%s\" is not a valid margin; expected e.g. 0.5%% or 2us", chosen.margin);
  comparing.rules.independent = chosen.independent;
  return compare_all (&options, &chosen, &limit, &comparing);
}
