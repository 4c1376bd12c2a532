/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency */
#include "latency.h"

#include "plot-options.h"
#include "study/profiles.h"
#include "units.h"

/* What the command line asks for. */
typedef struct
{
  gboolean summary;
  gboolean stress_ng;
  gboolean per_cpu;
  gboolean untraced;
  gboolean density;
  guint64 period_ns; /* 0: the run's own, as the next */
  guint64 deadline_ns;
} Wishes;

/* What is written while runs come one after the other. */
typedef struct
{
  const Wishes *wishes;
  Format format;
  JsonBuilder *builder; /* of JSON */
  CulpritTable *table;  /* of CSV and of summaries */
  GArray *series;       /* of ChartSeries: what was shown, to be plotted */
  guint shown;
} Output;

static void
series_clear (gpointer data)
{
  ChartSeries *series = data;

  g_free ((char *) series->name);
  culprit_profile_free ((CulpritProfile *) series->profile);
}

/* Shows @profile, of which it takes possession, as @name. */
static void
show_profile (Output *output, const char *name, CulpritProfile *profile, const CulpritProfileFacts *facts)
{
  gint64 period_ns = output->wishes->period_ns ? (gint64) output->wishes->period_ns : facts->period_ns;
  gint64 deadline_ns = output->wishes->deadline_ns ? (gint64) output->wishes->deadline_ns : facts->deadline_ns;
  const ChartSeries series = { .name = g_strdup (name), .profile = profile };
  g_autoptr (CulpritDescription) description = culprit_describe (profile, culprit_quantiles_usual);
  const LatencyRun run = { (char *) name, profile, description,
                           period_ns > 0 ? culprit_lateness (profile, period_ns, deadline_ns)
                                         : (CulpritLateness) { 0 } };

  g_array_append_val (output->series, series);
  if (output->builder)
    latency_add_json (output->builder, &run, output->wishes->density);
  else if (output->table)
    latency_add_row (output->table, &run, output->wishes->summary);
  else
    {
      g_print (output->shown > 0 ? "\n" : "");
      (output->wishes->stress_ng ? latency_print_stress_ng : latency_print_text) (&run);
    }
  output->shown++;
}

static void
show_summary (Output *output, const char *name, const CulpritSummary *summary)
{
  if (output->builder)
    latency_add_summary_json (output->builder, name, summary);
  else if (!output->table)
    {
      g_print (output->shown > 0 ? "\n" : "");
      latency_print_summary (name, summary);
    }
  output->shown++;
}

static gboolean
show_cpus (Output *output, CulpritStudy *study, const char *name, const CulpritProfileFacts *facts, GError **error)
{
  g_autoptr (GArray) cpus = culprit_study_profile_cpus (study, name, error);

  for (guint i = 0; cpus && i < cpus->len; i++)
    {
      gint64 cpu = g_array_index (cpus, gint64, i);
      CulpritProfile *profile = culprit_study_profile (study, name, cpu, error);
      g_autofree char *title = g_strdup_printf ("%s, CPU %" G_GINT64_FORMAT, name, cpu);

      if (!profile)
        return FALSE;
      show_profile (output, title, profile, facts);
    }
  return cpus != NULL;
}

static gboolean
show_run (Output *output, CulpritStudy *study, const char *name, GError **error)
{
  CulpritProfileFacts facts = { 0 };
  CulpritProfile *profile;

  if (!culprit_study_profile_facts (study, name, &facts, error))
    return FALSE;
  if (!facts.whole)
    {
      show_summary (output, name, &facts.summary);
      return TRUE;
    }
  if (output->wishes->per_cpu)
    return show_cpus (output, study, name, &facts, error);
  profile = output->wishes->untraced ? culprit_study_profile_untraced (study, name, error)
                                     : culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
  if (profile)
    show_profile (output, name, profile, &facts);
  return profile != NULL;
}

/* The runs that are meant: those named, or all. */
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
show_all (Output *output, CulpritStudy *study, const GPtrArray *names, GError **error)
{
  for (guint i = 0; i < names->len; i++)
    if (!show_run (output, study, g_ptr_array_index (names, i), error))
      return FALSE;
  if (output->builder)
    {
      json_builder_end_array (output->builder);
      print_json_built (output->builder);
    }
  else if (output->table)
    latency_print_table (output->table, output->format);
  else if (output->shown == 0)
    g_print ("No runs with latencies yet; culprit record measures some, culprit import brings others in.\n");
  return TRUE;
}

static int
show (const Options *options, const Wishes *wishes, const PlotOptions *plots)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (JsonBuilder) builder = NULL;
  g_autoptr (CulpritTable) table = NULL;
  g_autoptr (GArray) series = g_array_new (FALSE, FALSE, sizeof (ChartSeries));
  Output output = { wishes, options->format, .series = series };
  GError *error = NULL;

  g_array_set_clear_func (series, series_clear);
  if (!study)
    return EXIT_BAD;
  names = find_names (study, options->rest, wishes->untraced, &error);
  if (!names)
    return command_fail (error);
  if (options->format == FORMAT_JSON)
    {
      output.builder = builder = json_builder_new ();
      json_builder_begin_array (builder);
    }
  else if (options->format == FORMAT_CSV || wishes->summary)
    {
      output.table = table = culprit_table_new ();
      latency_add_columns (table, wishes->summary);
    }
  if (!show_all (&output, study, names, &error))
    return command_fail (error);
  if (plots->plots && series->len == 0)
    return command_complain ("culprit latency: there is nothing to plot");
  return plot_options_write (plots, series, &error) ? EXIT_DONE : command_fail (error);
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
    { "summary", 0, 0, G_OPTION_ARG_NONE, &wishes.summary, "Quartiles only, a line for each run, as R's summary",
      NULL },
    { "percentiles", 0, 0, G_OPTION_ARG_NONE, &wishes.stress_ng, "What stress-ng prints, percentiles by its rule",
      NULL },
    { "per-cpu", 0, 0, G_OPTION_ARG_NONE, &wishes.per_cpu, "Each CPU by itself", NULL },
    { "untraced", 0, 0, G_OPTION_ARG_NONE, &wishes.untraced, "The captured wake-ups, with the tracer's time taken out",
      NULL },
    { "period", 0, 0, G_OPTION_ARG_STRING, &period, "A wake-up so late is missed (else the run's period)", "TIME" },
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &deadline, "A wake-up so late is late (else half of the period)", "TIME" },
    { "density", 0, 0, G_OPTION_ARG_NONE, &wishes.density, "With --json: the density too", NULL },
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
    return command_complain ("culprit latency: --density is for --json");
  if (period && !culprit_time_parse (period, &wishes.period_ns))
    return command_complain ("culprit latency: --period \"%s\" is no time; expected one as 5ms or 250us", period);
  if (deadline && !culprit_time_parse (deadline, &wishes.deadline_ns))
    return command_complain ("culprit latency: --deadline \"%s\" is no time; expected one as 5ms or 250us", deadline);
  if (wishes.summary && wishes.stress_ng)
    return command_complain ("culprit latency: --summary and --percentiles exclude each other");
  if (wishes.untraced && (wishes.per_cpu || !options.rest[0]))
    return command_complain ("culprit latency: --untraced needs the names of runs with captures, and is of all CPUs");
  return show (&options, &wishes, &plots);
}
