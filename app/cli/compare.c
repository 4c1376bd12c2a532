/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare */
#include "latency/comparison.h"

#include "print.h"
#include "study/profiles.h"
#include "units.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 100

/* What shall not have become worse: a quantile, by how much. */
typedef struct
{
  double p;
  double percent;
} Limit;

static void
compared_clear (gpointer data)
{
  CulpritCompared *compared = data;

  if (compared->profile)
    culprit_profile_free ((CulpritProfile *) compared->profile);
}

/* "43.483,0.178,10" is a profile of which only mean, sd and n are known; anything else names a run. */
static gboolean
read_compared (
    CulpritStudy **study, const Options *options, const char *text, CulpritCompared *compared, GError **error)
{
  double mean;
  double sd;
  double n;
  int length = 0;

  *compared = (CulpritCompared) { 0 };
  if (sscanf (text, "%lf%*[ ,]%lf%*[ ,]%lf%n", &mean, &sd, &n, &length) == 3 && text[length] == '\0' && n >= 2 &&
      sd > 0)
    {
      compared->summary = (CulpritSummary) { mean * 1000, sd * 1000, n };
      return TRUE;
    }
  if (!*study)
    *study = culprit_study_open (options->study, CULPRIT_STUDY_READ, error);
  compared->profile = *study ? culprit_study_profile (*study, text, error) : NULL;
  if (!compared->profile)
    return FALSE;
  compared->summary = culprit_summarise (compared->profile);
  if (compared->summary.n >= 2 && compared->summary.sd_ns > 0)
    return TRUE;
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
               "run \"%s\" has no spread: at least two different latencies are needed to compare", text);
  return FALSE;
}

static void
add_real (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_ranks (JsonBuilder *builder, const CulpritComparison *comparison)
{
  json_builder_set_member_name (builder, "mannwhitney");
  json_builder_begin_object (builder);
  add_real (builder, "u", comparison->ranks.u);
  add_real (builder, "p", comparison->ranks.u_p);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "ks");
  json_builder_begin_object (builder);
  add_real (builder, "d", comparison->ranks.ks);
  add_real (builder, "p", comparison->ranks.ks_p);
  json_builder_end_object (builder);
  add_real (builder, "cliffs_delta", comparison->ranks.cliffs_delta);
  add_real (builder, "wasserstein_ns", comparison->ranks.wasserstein_ns);
  json_builder_set_member_name (builder, "tail");
  json_builder_begin_object (builder);
  add_real (builder, "above_ns", comparison->tail_ns);
  add_real (builder, "base", comparison->base_tail);
  add_real (builder, "run", comparison->other_tail);
  add_real (builder, "p", comparison->tail_p);
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
      add_real (builder, "p", shift->p);
      add_real (builder, "difference_ns", shift->difference_ns);
      add_real (builder, "low_ns", shift->low_ns);
      add_real (builder, "high_ns", shift->high_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_comparison (JsonBuilder *builder, const CulpritComparison *comparison, const char *base, const char *other)
{
  g_autofree char *words = culprit_comparison_in_words (comparison, base, other);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "run");
  json_builder_add_string_value (builder, other);
  add_real (builder, "mean_difference_ns", comparison->means.difference_ns);
  add_real (builder, "overhead_percent", comparison->means.overhead_percent);
  add_real (builder, "t", comparison->means.t);
  add_real (builder, "df", comparison->means.df);
  add_real (builder, "p", comparison->means.p);
  add_real (builder, "corrected_p", comparison->corrected_p);
  json_builder_set_member_name (builder, "ci95_ns");
  json_builder_begin_array (builder);
  json_builder_add_double_value (builder, comparison->means.low_ns);
  json_builder_add_double_value (builder, comparison->means.high_ns);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "significant");
  json_builder_add_boolean_value (builder, comparison->significant);
  if (comparison->ranked)
    {
      add_ranks (builder, comparison);
      add_shifts (builder, comparison);
    }
  json_builder_set_member_name (builder, "in_words");
  json_builder_add_string_value (builder, words);
  json_builder_end_object (builder);
}

static void
print_json_comparisons (char **names, const GArray *comparisons)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "base");
  json_builder_add_string_value (builder, names[0]);
  json_builder_set_member_name (builder, "against");
  json_builder_begin_array (builder);
  for (guint i = 0; i < comparisons->len; i++)
    add_comparison (builder, &g_array_index (comparisons, CulpritComparison, i), names[0], names[i + 1]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  print_json_built (builder);
}

/* "the 99 % quantile is 2.0 us higher (1.0 to 4.0)" for each quantile. */
static void
print_shifts (const CulpritComparison *comparison)
{
  for (guint i = 0; i < CULPRIT_SHIFTS && comparison->ranked; i++)
    {
      const CulpritShift *shift = &comparison->shifts[i];

      g_print ("  %6g %% quantile: %+.3f us, 95 %% interval %+.3f to %+.3f\n", shift->p * 100,
               shift->difference_ns / 1e3, shift->low_ns / 1e3, shift->high_ns / 1e3);
    }
}

static void
print_comparisons (char **names, const GArray *comparisons, const GArray *compared)
{
  g_print ("%-22s %12s %10s %10s %10s %9s %12s\n", "run", "mean us", "sd us", "n", "overhead", "t", "significant");
  for (guint i = 0; i < compared->len; i++)
    {
      const CulpritSummary *summary = &g_array_index (compared, CulpritCompared, i).summary;
      g_autofree char *name = print_shorten (names[i], 22);

      g_print ("%-22s %12.3f %10.3f %10.0f", name, summary->mean_ns / 1e3, summary->sd_ns / 1e3, summary->n);
      if (i > 0)
        {
          const CulpritComparison *comparison = &g_array_index (comparisons, CulpritComparison, i - 1);

          g_print (" %8.2f %% %9.3f %12s", comparison->means.overhead_percent, comparison->means.t,
                   comparison->significant ? "yes" : "no");
        }
      g_print ("\n");
    }
  g_print ("\n");
  for (guint i = 0; i < comparisons->len; i++)
    {
      const CulpritComparison *comparison = &g_array_index (comparisons, CulpritComparison, i);
      g_autofree char *words = culprit_comparison_in_words (comparison, names[0], names[i + 1]);

      print_wrapped (words, 0, WIDTH);
      print_shifts (comparison);
    }
}

/* "p99=5%", "p99.9=10%". */
static gboolean
parse_limit (const char *text, Limit *limit)
{
  int length = 0;

  if (sscanf (text, "p%lf=%lf%%%n", &limit->p, &limit->percent, &length) != 2 || text[length] != '\0')
    return FALSE;
  limit->p /= 100;
  return limit->p > 0 && limit->p < 1 && limit->percent >= 0;
}

/* Whether @other's quantile is above @base's by more than the limit, beyond what their intervals allow. */
static gboolean
is_worse (const CulpritProfile *base, const CulpritProfile *other, const Limit *limit)
{
  double low_ns;
  double high_ns;
  double ignored_ns;

  if (!base || !other || !culprit_quantile_interval (base, limit->p, CULPRIT_LEVEL, &ignored_ns, &high_ns) ||
      !culprit_quantile_interval (other, limit->p, CULPRIT_LEVEL, &low_ns, &ignored_ns))
    return FALSE;
  return low_ns > high_ns && culprit_quantile_type7 (other, limit->p) >
                                 culprit_quantile_type7 (base, limit->p) * (1 + limit->percent / 100);
}

static gboolean
any_is_worse (char **names, const GArray *compared, const Limit *limit)
{
  const CulpritProfile *base = g_array_index (compared, CulpritCompared, 0).profile;
  gboolean worse = FALSE;

  for (guint i = 1; i < compared->len; i++)
    if (is_worse (base, g_array_index (compared, CulpritCompared, i).profile, limit))
      {
        command_complain ("culprit: %s is worse than %s: its %g %% quantile is more than %g %% higher", names[i],
                          names[0], limit->p * 100, limit->percent);
        worse = TRUE;
      }
  return worse;
}

int
command_compare (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *limit_text = NULL;
  const GOptionEntry own[] = {
    { "fail-if-worse", 0, 0, G_OPTION_ARG_STRING, &limit_text,
      "End with status 1 where a quantile got worse, as p99=5%", "LIMIT" },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (GArray) compared = g_array_new (FALSE, FALSE, sizeof (CulpritCompared));
  g_autoptr (GArray) comparisons = NULL;
  Limit limit;
  GError *error = NULL;
  int status;

  if (!command_parse ("compare", argc, argv, own, &options, &status))
    return status;
  if (g_strv_length (options.rest) < 2)
    return command_complain ("culprit compare: expected a base and at least one run to hold against it");
  if (limit_text && !parse_limit (limit_text, &limit))
    return command_complain ("culprit compare: --fail-if-worse \"%s\" is no limit; expected one as p99=5%%",
                             limit_text);
  g_array_set_clear_func (compared, compared_clear);
  for (char **name = options.rest; *name; name++)
    {
      CulpritCompared one;

      if (!read_compared (&study, &options, *name, &one, &error))
        return command_fail (error);
      g_array_append_val (compared, one);
    }
  comparisons = culprit_compare (&g_array_index (compared, CulpritCompared, 0),
                                 &g_array_index (compared, CulpritCompared, 1), compared->len - 1);
  if (options.format == FORMAT_JSON)
    print_json_comparisons (options.rest, comparisons);
  else
    print_comparisons (options.rest, comparisons, compared);
  return limit_text && any_is_worse (options.rest, compared, &limit) ? EXIT_FOUND : EXIT_DONE;
}
