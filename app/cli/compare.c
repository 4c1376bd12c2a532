/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit compare */
#include "compare.h"

#include "study/sides.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
} Wishes;

static void
side_clear (gpointer data)
{
  Side *side = data;

  g_free (side->name);
  g_clear_pointer (&side->shape, culprit_shape_free);
}

static void
wishes_clear (Wishes *wishes)
{
  g_free (wishes->fail_if_worse);
  g_free (wishes->map);
  g_free (wishes->margin);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wishes, wishes_clear)

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

static const CulpritCompared *
compared_at (const Comparing *comparing, guint index)
{
  return &g_array_index (comparing->compared, CulpritCompared, index);
}

/* Takes @name, and what @compared has. */
static void
add_side (Comparing *comparing, char *name, const CulpritCompared *compared)
{
  const Side side = { .name = name };

  g_array_append_val (comparing->sides, side);
  g_array_append_val (comparing->compared, *compared);
}

static gboolean
read_side (CulpritStudy **study,
           const Options *options,
           const char *text,
           gboolean same_shape,
           Comparing *comparing,
           GError **error)
{
  CulpritCompared compared = { 0 };
  gboolean good = parse_summary (text, &compared.summary);

  if (!good)
    {
      if (!*study)
        *study = culprit_study_open (options->study, CULPRIT_STUDY_READ, error);
      good = *study &&
             culprit_study_side (*study, text, same_shape ? CULPRIT_SIDE_RUNS : CULPRIT_SIDE_MEANT, &compared, error);
    }
  if (good && !culprit_summary_has_spread (&compared.summary))
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                   "run \"%s\" has no spread: at least two different latencies are needed to compare", text);
      good = FALSE;
    }
  if (good)
    add_side (comparing, g_strdup (text), &compared);
  else
    culprit_side_clear (&compared);
  return good;
}

/* Appends the captured wake-ups of those of the named runs that have captures, without the tracer's time. */
static void
add_untraced (CulpritStudy *study, Comparing *comparing)
{
  guint named = comparing->sides->len;

  for (guint i = 0; i < named && study; i++)
    {
      const char *name = compare_side (comparing, i)->name;
      CulpritCompared compared;

      if (!culprit_study_side (study, name, CULPRIT_SIDE_CAPTURED, &compared, NULL))
        continue;
      if (culprit_summary_has_spread (&compared.summary))
        add_side (comparing, g_strdup_printf ("%s without the tracer", name), &compared);
      else
        culprit_side_clear (&compared);
    }
}

static void
compare_shapes (Comparing *comparing)
{
  const GPtrArray *base = compared_at (comparing, 0)->runs;

  for (guint i = 1; i < comparing->sides->len; i++)
    {
      Side *side = &g_array_index (comparing->sides, Side, i);
      const GPtrArray *runs = compared_at (comparing, i)->runs;

      if (base && runs)
        side->shape = culprit_shape_compare ((const CulpritProfile *const *) base->pdata, base->len,
                                             (const CulpritProfile *const *) runs->pdata, runs->len);
    }
}

static void
map_latencies (Comparing *comparing)
{
  const CulpritProfile *base = compared_at (comparing, 0)->profile;

  for (guint i = 1; i < comparing->sides->len; i++)
    {
      Side *side = &g_array_index (comparing->sides, Side, i);
      const CulpritProfile *other = compared_at (comparing, i)->profile;

      for (guint k = 0; k < comparing->n_mapped; k++)
        side->mapped[k] = base && other ? culprit_map_latency (base, other, comparing->mapped_ns[k])
                                        : (CulpritMapped) { NAN, NAN, NAN, NAN };
    }
}

/* Parses "200us" or "575us,585us", from the lower to the higher. */
static gboolean
parse_mapped (const char *text, Comparing *comparing)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", COMPARE_MAPPED);

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
  const CulpritCompared *base = compared_at (comparing, 0);
  const CulpritCompared *other = compared_at (comparing, index);
  const char *base_name = compare_side (comparing, 0)->name;
  const char *name = compare_side (comparing, index)->name;
  CulpritShift shift = { .low_ns = NAN };

  if (base->profile && other->profile)
    shift = culprit_compare_quantile (base, other, &comparing->rules, limit->p,
                                      culprit_level_of_each (comparing->compared->len - 1));
  if (isnan (shift.low_ns))
    return command_complain ("culprit: cannot tell whether %s is worse than %s: its %g %% quantile needs %u or more "
                             "runs of each (or --independent), of similar length, each with enough latencies",
                             name, base_name, limit->p * 100, CULPRIT_TEST_RUNS);
  if (shift.low_ns <= 0 || shift.difference_ns <= fabs (shift.base_ns) * limit->percent / 100)
    return EXIT_DONE;
  command_complain ("culprit: %s is worse than %s: its %g %% quantile is more than %g %% higher", name, base_name,
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
      int found = check_limit (comparing, i, limit);

      status = MAX (status, found);
    }
  return status;
}

static void
print_all (const Comparing *comparing, Format format)
{
  if (format == FORMAT_JSON)
    compare_print_json (comparing);
  else if (format == FORMAT_CSV)
    compare_print_csv (comparing);
  else
    compare_print_text (comparing);
}

static int
compare_all (const Options *options, const Wishes *wishes, const Limit *limit, Comparing *comparing)
{
  g_autoptr (CulpritStudy) study = NULL;
  GError *error = NULL;

  for (char **name = options->rest; *name; name++)
    if (!read_side (&study, options, *name, wishes->same_shape, comparing, &error))
      return command_fail (error);
  if (wishes->untraced)
    add_untraced (study, comparing);
  comparing->comparisons = culprit_compare (compared_at (comparing, 0), compared_at (comparing, 1),
                                            comparing->compared->len - 1, &comparing->rules);
  if (wishes->same_shape)
    compare_shapes (comparing);
  map_latencies (comparing);
  print_all (comparing, options->format);
  return wishes->fail_if_worse ? check_limits (comparing, limit) : EXIT_DONE;
}

int
command_compare (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (Wishes) wishes = { 0 };
  const GOptionEntry own[] = {
    { "same-shape", 0, 0, G_OPTION_ARG_NONE, &wishes.same_shape, "Test for the same shape apart from shift and scale",
      NULL },
    { "untraced", 0, 0, G_OPTION_ARG_NONE, &wishes.untraced, "Also captured wake-ups without the tracer's time", NULL },
    { "map", 0, 0, G_OPTION_ARG_STRING, &wishes.map, "Map a threshold or band of BASE to the others", "LATENCY" },
    { "margin", 0, 0, G_OPTION_ARG_STRING, &wishes.margin,
      "Ignore smaller differences, e.g. 2us (default: 1% of BASE's mean)", "MARGIN" },
    { "independent", 0, 0, G_OPTION_ARG_NONE, &wishes.independent,
      "Test single latencies, not runs: all are independent", NULL },
    { "fail-if-worse", 0, 0, G_OPTION_ARG_STRING, &wishes.fail_if_worse,
      "Exit with status 1 if a quantile got worse, e.g. p99=5%", "LIMIT" },
    { NULL },
  };
  g_autoptr (GArray) sides = g_array_new (FALSE, FALSE, sizeof (Side));
  g_autoptr (GArray) compared = g_array_new (FALSE, FALSE, sizeof (CulpritCompared));
  Comparing comparing = { .sides = sides, .compared = compared, .rules = CULPRIT_RULES_USUAL };
  Limit limit;
  int status;

  if (!command_parse ("compare", argc, argv, own, &options, &status))
    return status;
  if (g_strv_length (options.rest) < 2)
    return command_complain ("culprit compare: expected BASE and at least one run to compare with it");
  if (wishes.fail_if_worse && !parse_limit (wishes.fail_if_worse, &limit))
    return command_complain ("culprit compare: --fail-if-worse \"%s\" is not a valid limit; expected e.g. p99=5%%",
                             wishes.fail_if_worse);
  if (wishes.map && !parse_mapped (wishes.map, &comparing))
    return command_complain ("culprit compare: --map \"%s\" is not a valid latency; expected e.g. 200us, or a band, "
                             "e.g. 575us,585us, with the lower end first",
                             wishes.map);
  if (wishes.margin && !culprit_rules_take_margin (&comparing.rules, wishes.margin))
    return command_complain ("culprit compare: --margin \"%s\" is not a valid margin; expected e.g. 0.5%% or 2us",
                             wishes.margin);
  comparing.rules.independent = wishes.independent;
  g_array_set_clear_func (sides, side_clear);
  g_array_set_clear_func (compared, (GDestroyNotify) culprit_side_clear);
  status = compare_all (&options, &wishes, &limit, &comparing);
  g_clear_pointer (&comparing.comparisons, g_array_unref);
  return status;
}
