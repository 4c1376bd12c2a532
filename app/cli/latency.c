/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency */
#include "tables/latency.h"
#include "latency/density.h"
#include "latency/mapping.h"
#include "plot-options.h"
#include "print.h"
#include "study/profiles.h"
#include "study/triage.h"
#include "units.h"

#include <math.h>

/* culprit latency: output as text, and as tables. */

#define HISTOGRAM_ROWS 24
#define HISTOGRAM_WIDTH 60

static void
print_moment (const char *name, double ns)
{
  g_autofree char *text = isfinite (ns) ? culprit_time_format (llround (ns)) : g_strdup ("-");

  g_print ("  %-10s %12s\n", name, text);
}

/* "7.0 us to 9.0 us"; a single bound if the other needs more latencies. The caller owns it. */
static char *
say_interval (const CulpritQuantile *quantile)
{
  g_autofree char *low = culprit_time_format (isnan (quantile->low_ns) ? 0 : llround (quantile->low_ns));
  g_autofree char *high = culprit_time_format (isnan (quantile->high_ns) ? 0 : llround (quantile->high_ns));

  if (quantile->estimable)
    return g_strdup_printf ("%s to %s", low, high);
  if (!isnan (quantile->low_ns))
    return g_strdup_printf ("at least %s; too few latencies for an upper bound", low);
  if (!isnan (quantile->high_ns))
    return g_strdup_printf ("at most %s; too few latencies for a lower bound", high);
  return g_strdup ("not estimable: too few latencies");
}

static void
print_quantiles (const CulpritDescription *description)
{
  g_print ("\n  %10s %12s   95 %% interval, if latencies are independent\n", "quantile", "value");
  for (guint i = 0; i < description->quantiles->len; i++)
    {
      const CulpritQuantile *quantile = &g_array_index (description->quantiles, CulpritQuantile, i);
      g_autofree char *value = culprit_time_format_range (llround (quantile->from_ns), llround (quantile->to_ns));
      g_autofree char *interval = say_interval (quantile);

      g_print ("  %8g %% %12s   %s\n", quantile->p_millionths / 1e4, value, interval);
    }
}

static void
print_peaks (const CulpritProfile *profile, const GArray *peaks)
{
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      CulpritBandCount count = culprit_band_count (profile, peak->band_low_ns, peak->band_high_ns);
      g_autofree char *at = culprit_time_format (peak->at_ns);
      g_autofree char *band = culprit_time_format_range (peak->band_low_ns, peak->band_high_ns + 1);
      g_autofree char *words = culprit_band_in_words (&count);

      g_print ("  peak at %s%s, band %s: %s\n", at, peak->weak ? " (weak)" : "", band, words);
    }
}

/* Whether a peak is in the row from @low_ns to below @high_ns. */
static gboolean
has_peak (const CulpritDescription *description, gint64 low_ns, gint64 high_ns)
{
  for (guint i = 0; i < description->peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (description->peaks, CulpritPeak, i);

      if (peak->at_ns >= low_ns && peak->at_ns < high_ns)
        return TRUE;
    }
  return FALSE;
}

/* Rows of equal width up to where the tail gets thin, and one row for the rest. The axis is logarithmic. */
static void
print_histogram (const CulpritProfile *profile, const CulpritDescription *description)
{
  gint64 first_ns = description->moments.min_ns;
  gint64 tail_ns = culprit_quantile_nearest (profile, 995000);
  gint64 width_ns = MAX (description->peak_width_ns, (tail_ns - first_ns) / HISTOGRAM_ROWS);
  double most = log10 (profile->n);

  width_ns = (width_ns + description->peak_width_ns - 1) / description->peak_width_ns * description->peak_width_ns;
  first_ns = first_ns >= 0 ? first_ns / width_ns * width_ns : first_ns;
  g_print ("\n  count, on a logarithmic axis; * marks a peak\n");
  for (guint row = 0; row <= HISTOGRAM_ROWS; row++)
    {
      gint64 low_ns = first_ns + row * width_ns;
      gint64 high_ns = row < HISTOGRAM_ROWS ? low_ns + width_ns : G_MAXINT64;
      guint64 count = culprit_profile_count_to (profile, high_ns - 1) - culprit_profile_count_to (profile, low_ns - 1);
      g_autofree char *label = culprit_time_format (low_ns);
      guint length = count > 0 ? 1 + lround (log10 (count) / MAX (most, 1) * (HISTOGRAM_WIDTH - 1)) : 0;
      g_autofree char *bar = g_strnfill (length, '#');

      if (low_ns > description->moments.max_ns)
        break;
      g_print ("  %12s%s %10" G_GUINT64_FORMAT " %c%s\n", label, row < HISTOGRAM_ROWS ? " " : "+", count,
               has_peak (description, low_ns, high_ns) ? '*' : ' ', bar);
    }
}

static void
print_lateness (const CulpritLateness *lateness)
{
  g_autofree char *deadline = culprit_time_format (lateness->deadline_ns);
  g_autofree char *period = culprit_time_format (lateness->period_ns);

  if (lateness->period_ns > 0)
    g_print ("  late by %s or more: %" G_GUINT64_FORMAT "; by %s, the period, or more: %" G_GUINT64_FORMAT "\n",
             deadline, lateness->late, period, lateness->missed);
}

static void
latency_print_summary (const CulpritRunLatencies *run)
{
  g_autofree char *mean = culprit_time_format (llround (run->summary.mean_ns));
  g_autofree char *sd = culprit_time_format (llround (run->summary.sd_ns));

  g_print ("%s: %.0f latencies, mean %s, sd %s; nothing else is known\n", run->name, run->summary.n, mean, sd);
}

static void
latency_print_text (const CulpritRunLatencies *run)
{
  const CulpritDescription *description = run->description;
  const CulpritProfile *profile = run->profile;
  const CulpritMoments *moments = &description->moments;
  g_autofree char *words = culprit_description_of_fits (description);

  g_print ("%s: %" G_GUINT64_FORMAT " latenc%s\n", run->name, moments->n, moments->n == 1 ? "y" : "ies");
  print_moment ("min", moments->min_ns);
  print_moment ("mode", moments->mode_ns);
  print_moment ("median", moments->median_ns);
  print_moment ("mean", moments->mean_ns);
  print_moment ("sd", isnan (moments->sd_ns) ? 0 : moments->sd_ns);
  print_moment ("max", moments->max_ns);
  print_lateness (&run->lateness);
  print_quantiles (description);
  print_histogram (profile, description);
  g_print ("\n");
  print_peaks (profile, description->peaks);
  g_print ("  ");
  print_wrapped (words, 2);
}

/* As printed by stress-ng --cyclic, with percentiles by its rule. */
static void
latency_print_stress_ng (const CulpritRunLatencies *run)
{
  const CulpritMoments *moments = &run->description->moments;

  g_print ("%s: %" G_GUINT64_FORMAT " samples\n", run->name, moments->n);
  g_print ("  mean: %.2f ns, mode: %.0f ns\n", moments->mean_ns, moments->mode_ns);
  g_print ("  min: %.0f ns, max: %.0f ns, std.dev. %.2f\n  latency percentiles:\n", moments->min_ns, moments->max_ns,
           moments->sd_ns);
  for (const guint *p = culprit_quantiles_stress_ng; *p; p++)
    g_print ("  %5.2f%%: %10.0f ns\n", *p / 1e4, culprit_quantile_stress_ng (run->profile, *p));
}

/* culprit latency --json */

#define DENSITY_POINTS 512

static void
add_quantiles (JsonBuilder *builder, const CulpritDescription *description)
{
  json_builder_set_member_name (builder, "quantiles");
  json_builder_begin_array (builder);
  for (guint i = 0; i < description->quantiles->len; i++)
    {
      const CulpritQuantile *quantile = &g_array_index (description->quantiles, CulpritQuantile, i);

      json_builder_begin_object (builder);
      print_json_real (builder, "p", quantile->p_millionths / 1e6);
      print_json_real (builder, "ns", quantile->ns);
      print_json_real (builder, "nearest_ns", quantile->nearest_ns);
      print_json_real (builder, "from_ns", quantile->from_ns);
      print_json_real (builder, "to_ns", quantile->to_ns);
      print_json_real (builder, "low_ns", quantile->low_ns);
      print_json_real (builder, "high_ns", quantile->high_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_peaks (JsonBuilder *builder, const GArray *peaks)
{
  json_builder_set_member_name (builder, "peaks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      json_builder_begin_object (builder);
      print_json_int (builder, "at_ns", peak->at_ns);
      print_json_int (builder, "ns", peak->low_ns);
      print_json_int (builder, "to_ns", peak->high_ns);
      print_json_int (builder, "band_low_ns", peak->band_low_ns);
      print_json_int (builder, "band_high_ns", peak->band_high_ns);
      print_json_int (builder, "count", peak->count);
      print_json_real (builder, "share", peak->share);
      print_json_real (builder, "prominence", peak->prominence);
      print_json_flag (builder, "weak", peak->weak);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_fits (JsonBuilder *builder, const CulpritProfile *profile, const CulpritDescription *description)
{
  static const char *const members[CULPRIT_FITS][2] = { { "mean_ns", "sd_ns" },
                                                        { "shape", "scale_ns" },
                                                        { "mu", "sigma" } };
  g_autofree char *words = culprit_description_of_fits (description);
  CulpritGammaPlot plot = culprit_gamma_plot (profile);

  json_builder_set_member_name (builder, "fits");
  json_builder_begin_object (builder);
  for (guint kind = 0; kind < CULPRIT_FITS; kind++)
    {
      const CulpritFit *fit = &description->fits[kind];

      json_builder_set_member_name (builder, culprit_fit_name (kind));
      if (!fit->possible)
        {
          json_builder_add_null_value (builder);
          continue;
        }
      json_builder_begin_object (builder);
      print_json_real (builder, members[kind][0], fit->first_ns);
      print_json_real (builder, members[kind][1], fit->second_ns);
      print_json_real (builder, "loglik", fit->log_likelihood);
      print_json_real (builder, "ppcc", fit->correlation);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  print_json_real (builder, "gamma_plot_shape", plot.possible ? plot.shape : NAN);
  print_json_real (builder, "gamma_plot_ppcc", plot.possible ? plot.correlation : NAN);
  print_json_text (builder, "fits_in_words", words);
}

static void
add_lateness (JsonBuilder *builder, const CulpritLateness *lateness)
{
  json_builder_set_member_name (builder, "lateness");
  if (lateness->period_ns == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  print_json_int (builder, "deadline_ns", lateness->deadline_ns);
  print_json_int (builder, "late", lateness->late);
  print_json_int (builder, "period_ns", lateness->period_ns);
  print_json_int (builder, "missed", lateness->missed);
  json_builder_end_object (builder);
}

static void
add_density (JsonBuilder *builder, const CulpritProfile *profile)
{
  g_autoptr (CulpritDensity) density = NULL;
  double low_ns;
  double high_ns;

  culprit_density_range (profile, &low_ns, &high_ns);
  density = culprit_density_new (profile, low_ns, high_ns, DENSITY_POINTS);
  json_builder_set_member_name (builder, "density");
  json_builder_begin_object (builder);
  print_json_real (builder, "low_ns", density->low_ns);
  print_json_real (builder, "step_ns", density->step_ns);
  print_json_real (builder, "bandwidth_ns", density->bandwidth_ns);
  json_builder_set_member_name (builder, "values");
  json_builder_begin_array (builder);
  for (guint i = 0; i < density->values->len; i++)
    json_builder_add_double_value (builder, g_array_index (density->values, double, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* @density: with its density. */
static void
latency_add_json (JsonBuilder *builder, const CulpritRunLatencies *run, gboolean density)
{
  const CulpritDescription *description = run->description;
  const CulpritMoments *moments = &description->moments;

  json_builder_begin_object (builder);
  print_json_text (builder, "run", run->name);
  print_json_int (builder, "n", moments->n);
  print_json_real (builder, "min_ns", moments->min_ns);
  print_json_real (builder, "mean_ns", moments->mean_ns);
  print_json_real (builder, "sd_ns", moments->sd_ns);
  print_json_real (builder, "skewness", moments->skewness);
  print_json_real (builder, "excess_kurtosis", moments->excess_kurtosis);
  print_json_real (builder, "mode_ns", moments->mode_ns);
  print_json_real (builder, "median_ns", moments->median_ns);
  print_json_real (builder, "mad_ns", moments->mad_ns);
  print_json_real (builder, "max_ns", moments->max_ns);
  add_lateness (builder, &run->lateness);
  add_quantiles (builder, description);
  add_peaks (builder, description->peaks);
  add_fits (builder, run->profile, description);
  if (density)
    add_density (builder, run->profile);
  json_builder_end_object (builder);
}

/* For a run of which only the summary is known. */
static void
latency_add_summary_json (JsonBuilder *builder, const CulpritRunLatencies *run)
{
  json_builder_begin_object (builder);
  print_json_text (builder, "run", run->name);
  print_json_int (builder, "n", run->summary.n);
  print_json_real (builder, "mean_ns", run->summary.mean_ns);
  print_json_real (builder, "sd_ns", run->summary.sd_ns);
  json_builder_end_object (builder);
}

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
  g_autofree char *left_out = NULL;

  if (!*wanted && !culprit_study_left_out (study, NULL, &left_out, error))
    return FALSE;
  if (left_out)
    command_complain ("culprit: %s; see culprit check", left_out);
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
