/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency */
#include "latency.h"

#include "plot-options.h"
#include "study/profiles.h"
#include "study/triage.h"
#include "units.h"

/* The options. */
typedef struct
{
  gboolean summary;
  gboolean stress_ng;
  gboolean per_cpu;
  gboolean untraced;
  gboolean density;
  guint64 period_ns; /* 0: the run's own, as for the next */
  guint64 deadline_ns;
} Wishes;

/* What to show of one run, or of one CPU of it, which is then numbered separately. */
typedef struct
{
  char *name;
  CulpritProfile *profile; /* NULL: only the summary is known */
  CulpritProfileFacts facts;
  guint number;  /* of the run in the study */
  guint ignored; /* captures that are left out of it */
} Loaded;

static void
loaded_clear (gpointer data)
{
  Loaded *loaded = data;

  g_free (loaded->name);
  g_clear_pointer (&loaded->profile, culprit_profile_free);
}

static void
add_loaded (
    GArray *all, char *name, CulpritProfile *profile, const CulpritProfileFacts *facts, guint number, guint ignored)
{
  const Loaded loaded = { name, profile, *facts, number, ignored };

  g_array_append_val (all, loaded);
}

static gboolean
load_cpus (CulpritStudy *study, const char *name, const CulpritProfileFacts *facts, GArray *all, GError **error)
{
  g_autoptr (GArray) cpus = culprit_study_profile_cpus (study, name, error);

  for (guint i = 0; cpus && i < cpus->len; i++)
    {
      gint64 cpu = g_array_index (cpus, gint64, i);
      CulpritProfile *profile = culprit_study_profile (study, name, cpu, error);

      if (!profile)
        return FALSE;
      add_loaded (all, g_strdup_printf ("%s, CPU %" G_GINT64_FORMAT, name, cpu), profile, facts, all->len, 0);
    }
  return cpus != NULL;
}

static gboolean
load_run (CulpritStudy *study, const char *name, const Wishes *wishes, GArray *all, GError **error)
{
  CulpritProfileFacts facts = { 0 };
  CulpritProfile *profile = NULL;
  guint number;
  guint ignored = 0;

  if (!culprit_study_profile_facts (study, name, &facts, error) ||
      !culprit_study_run_number (study, name, &number, error))
    return FALSE;
  if (facts.whole && wishes->per_cpu)
    return load_cpus (study, name, &facts, all, error);
  if (facts.whole)
    {
      profile = wishes->untraced ? culprit_study_profile_untraced (study, name, &ignored, error)
                                 : culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
      if (!profile)
        return FALSE;
    }
  add_loaded (all, g_strdup (name), profile, &facts, number, ignored);
  return TRUE;
}

/* The runs to show: those named, or all. */
static GPtrArray *
find_names (CulpritStudy *study, char **wanted, gboolean untraced, GError **error)
{
  g_autoptr (GPtrArray) all = NULL;

  if (!*wanted)
    return culprit_study_profile_names (study, NULL, error);
  all = g_ptr_array_new_with_free_func (g_free);
  for (; *wanted; wanted++)
    {
      if (untraced)
        {
          g_ptr_array_add (all, g_strdup (*wanted));
          continue;
        }
      g_autoptr (GPtrArray) names = culprit_study_profile_names (study, *wanted, error);

      if (!names)
        return NULL;
      g_ptr_array_extend_and_steal (all, g_steal_pointer (&names));
    }
  return g_steal_pointer (&all);
}

static gboolean
load_all (CulpritStudy *study, char **wanted, const Wishes *wishes, GArray *all, GError **error)
{
  g_autoptr (GPtrArray) names = find_names (study, wanted, wishes->untraced, error);

  for (guint i = 0; names && i < names->len; i++)
    if (!load_run (study, g_ptr_array_index (names, i), wishes, all, error))
      return FALSE;
  return names != NULL;
}

static gboolean
plot_all (const GArray *all, const PlotOptions *plots, GError **error)
{
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));

  for (guint i = 0; i < all->len; i++)
    {
      const Loaded *loaded = &g_array_index (all, Loaded, i);
      const ChartSeries one = { loaded->name, loaded->profile, loaded->number };

      if (loaded->profile)
        g_array_append_val (series, one);
    }
  if (!plots->plots || series->len > 0)
    return plot_options_write (plots, series, error);
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "nothing to plot: no run has latencies yet");
  return FALSE;
}

/* The destination: JSON, a table for CSV or summaries, or text. */
typedef struct
{
  const Wishes *wishes;
  JsonBuilder *builder;
  CulpritTable *table;
} Output;

static void
show_run (const Output *output, const CulpritRunLatencies *run)
{
  const Wishes *wishes = output->wishes;

  if (output->table)
    culprit_latencies_add (output->table, run);
  else if (output->builder && run->description)
    latency_add_json (output->builder, run, wishes->density);
  else if (output->builder)
    latency_add_summary_json (output->builder, run);
  else if (!run->description)
    latency_print_summary (run);
  else if (wishes->stress_ng)
    latency_print_stress_ng (run);
  else
    latency_print_text (run);
}

static void
show_loaded (const Output *output, const Loaded *loaded)
{
  const Wishes *wishes = output->wishes;
  gint64 period_ns = wishes->period_ns ? (gint64) wishes->period_ns : loaded->facts.period_ns;
  gint64 deadline_ns = wishes->deadline_ns ? (gint64) wishes->deadline_ns : loaded->facts.deadline_ns;
  g_autoptr (CulpritDescription) description =
      loaded->profile ? culprit_describe (loaded->profile, culprit_quantiles_usual) : NULL;
  CulpritRunLatencies run = { loaded->name, loaded->profile, description, loaded->facts.summary };
  g_autofree char *left_out = culprit_ignored_in_words (loaded->ignored);

  if (period_ns > 0 && loaded->profile)
    run.lateness = culprit_lateness (loaded->profile, period_ns, deadline_ns);
  show_run (output, &run);
  if (left_out && !output->builder && !output->table)
    g_print ("\n  %s.\n", left_out);
}

static void
show_all (const GArray *all, const Wishes *wishes, Format format)
{
  gboolean people = format == FORMAT_TEXT && !wishes->summary;
  g_autoptr (JsonBuilder) builder = format == FORMAT_JSON ? json_builder_new () : NULL;
  g_autoptr (CulpritTable) table =
      builder || people ? NULL : culprit_latencies_table (wishes->summary ? culprit_latencies.text : NULL);
  const Output output = { wishes, builder, table };

  if (builder)
    json_builder_begin_array (builder);
  else if (people && all->len == 0)
    g_print ("No runs with latencies yet; record some with culprit record, or import them with culprit import.\n");
  for (guint i = 0; i < all->len; i++)
    {
      if (i > 0 && people)
        g_print ("\n");
      show_loaded (&output, &g_array_index (all, Loaded, i));
    }
  if (builder)
    {
      json_builder_end_array (builder);
      print_json_built (builder);
    }
  else if (table)
    print_table (table, format, &culprit_latencies, "No runs with latencies yet.");
}

static int
show (const Options *options, const Wishes *wishes, const PlotOptions *plots)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Loaded));
  GError *error = NULL;

  g_array_set_clear_func (all, loaded_clear);
  if (!study)
    return EXIT_BAD;
  if (!load_all (study, options->rest, wishes, all, &error) || !plot_all (all, plots, &error))
    return command_fail (error);
  show_all (all, wishes, options->format);
  return EXIT_DONE;
}

int
command_latency (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *period = NULL;
  g_autofree char *deadline = NULL;
  g_auto (PlotOptions) plots = { 0 };
  Wishes wishes = { 0 };
  const GOptionEntry own[] = {
    { "summary", 0, 0, G_OPTION_ARG_NONE, &wishes.summary, "Only quartiles, one line per run, like R's summary", NULL },
    { "percentiles", 0, 0, G_OPTION_ARG_NONE, &wishes.stress_ng, "Print what stress-ng prints, with its percentiles",
      NULL },
    { "per-cpu", 0, 0, G_OPTION_ARG_NONE, &wishes.per_cpu, "Each CPU separately", NULL },
    { "untraced", 0, 0, G_OPTION_ARG_NONE, &wishes.untraced, "Only captured wake-ups, without the tracer's time",
      NULL },
    { "period", 0, 0, G_OPTION_ARG_STRING, &period, "A wake-up this late is missed (default: the run's period)",
      "TIME" },
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &deadline, "A wake-up this late is late (default: half the period)",
      "TIME" },
    { "density", 0, 0, G_OPTION_ARG_NONE, &wishes.density, "With --json: also the density", NULL },
    { NULL },
  };
  g_autofree GOptionEntry *entries = plot_options_entries (&plots, own);
  GError *error = NULL;
  int status;

  if (!command_parse ("latency", argc, argv, entries, &options, &status))
    return status;
  if (!plot_options_check (&plots, &error))
    return command_fail (error);
  if (wishes.density && options.format != FORMAT_JSON)
    return command_complain ("culprit latency: --density needs --json");
  if (period && !culprit_time_parse (period, &wishes.period_ns))
    return command_complain ("culprit latency: --period \"%s\" is not a valid time; expected e.g. 5ms or 250us",
                             period);
  if (deadline && !culprit_time_parse (deadline, &wishes.deadline_ns))
    return command_complain ("culprit latency: --deadline \"%s\" is not a valid time; expected e.g. 5ms or 250us",
                             deadline);
  if (wishes.summary && wishes.stress_ng)
    return command_complain ("culprit latency: --summary and --percentiles cannot be used together");
  if (wishes.untraced && (wishes.per_cpu || !options.rest[0]))
    return command_complain (
        "culprit latency: --untraced needs names of runs with captures, and cannot be used with --per-cpu");
  return show (&options, &wishes, &plots);
}
