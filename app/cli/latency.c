/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency */
#include "tables/latency.h"
#include "latency/comparison/mapping.h"
#include "latency/density.h"
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
say_interval (const CulpritQuantile *quantile, guint64 beyond)
{
  g_autofree char *low = culprit_time_format (isnan (quantile->low_ns) ? 0 : llround (quantile->low_ns));
  g_autofree char *high = culprit_time_format (isnan (quantile->high_ns) ? 0 : llround (quantile->high_ns));

  if (quantile->estimable)
    return g_strdup_printf ("%s to %s", low, high);
  if (!isnan (quantile->low_ns))
    return g_strdup_printf ("at least %s; %s", low,
                            beyond > 0 ? "the others are above the end" : "too few latencies for an upper bound");
  if (!isnan (quantile->high_ns))
    return g_strdup_printf ("at most %s; too few latencies for a lower bound", high);
  return g_strdup (beyond > 0 ? "above the end of the histogram" : "not estimable: too few latencies");
}

static void
print_quantiles (const CulpritDescription *description)
{
  g_print ("\n  %10s %12s   95 %% interval, if latencies are independent\n", "quantile", "value");
  for (guint i = 0; i < description->quantiles->len; i++)
    {
      const CulpritQuantile *quantile = &g_array_index (description->quantiles, CulpritQuantile, i);
      g_autofree char *value = isnan (quantile->ns)
                                   ? g_strdup ("-")
                                   : culprit_time_format_range (llround (quantile->from_ns), llround (quantile->to_ns));
      g_autofree char *interval = say_interval (quantile, description->moments.beyond);

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

static void
print_bar (gint64 from_ns, const char *suffix, guint64 count, double most, char mark)
{
  g_autofree char *label = culprit_time_format (from_ns);
  guint length = count > 0 ? 1 + lround (log10 (count) / MAX (most, 1) * (HISTOGRAM_WIDTH - 1)) : 0;
  g_autofree char *bar = g_strnfill (length, '#');

  g_print ("  %12s%s %10" G_GUINT64_FORMAT " %c%s\n", label, suffix, count, mark, bar);
}

/* Rows of equal width up to where the tail gets thin, one row for the rest, and one for those above the histogram's
 * end. The axis is logarithmic. */
static void
print_histogram (const CulpritProfile *profile, const CulpritDescription *description)
{
  gint64 first_ns = description->moments.min_ns;
  gint64 tail_ns = culprit_quantile_nearest (profile, 995000);
  gint64 width_ns = MAX (description->peak_width_ns, (tail_ns - first_ns) / HISTOGRAM_ROWS);
  gint64 end_ns = profile->beyond > 0 ? culprit_profile_beyond_from (profile) : G_MAXINT64;
  double most = log10 (MAX (profile->n, profile->beyond));

  width_ns = (width_ns + description->peak_width_ns - 1) / description->peak_width_ns * description->peak_width_ns;
  first_ns = first_ns >= 0 ? first_ns / width_ns * width_ns : first_ns;
  g_print ("\n  count, on a logarithmic axis; * marks a peak\n");
  for (guint row = 0; row <= HISTOGRAM_ROWS; row++)
    {
      gint64 low_ns = first_ns + row * width_ns;
      gint64 high_ns = row < HISTOGRAM_ROWS ? low_ns + width_ns : G_MAXINT64;

      if (low_ns > description->moments.max_ns || low_ns >= end_ns)
        break;
      print_bar (low_ns, row < HISTOGRAM_ROWS ? " " : "+",
                 culprit_profile_count_to (profile, high_ns - 1) - culprit_profile_count_to (profile, low_ns - 1), most,
                 has_peak (description, low_ns, high_ns) ? '*' : ' ');
    }
  if (profile->beyond > 0)
    print_bar (end_ns, "+", profile->beyond, most, ' ');
}

static void
print_lateness (const CulpritLateness *lateness)
{
  g_autofree char *deadline = culprit_time_format (lateness->deadline_ns);
  g_autofree char *period = culprit_time_format (lateness->period_ns);
  g_autofree char *late = culprit_count_format (lateness->late);
  g_autofree char *missed = culprit_count_format (lateness->missed);

  if (lateness->deadline_ns == 0)
    return;
  g_print ("  late by %s or more: %s%s%s", deadline,
           lateness->divided  ? "up to "
           : lateness->hidden ? "at least "
                              : "",
           late, lateness->divided ? " (that is within a bin, or above the end)" : "");
  if (lateness->period_ns > 0)
    g_print ("; by %s, the period, or more: %s%s", period,
             lateness->missed_divided  ? "up to "
             : lateness->missed_hidden ? "at least "
                                       : "",
             missed);
  g_print ("\n");
}

static void
latency_print_summary (const CulpritRunLatencies *run)
{
  g_autofree char *mean = culprit_time_format (llround (run->summary.mean_ns));
  g_autofree char *sd = culprit_time_format (llround (run->summary.sd_ns));
  g_autofree char *n = culprit_count_format (llround (run->summary.n));

  g_print ("%s: %s latencies, mean %s, sd %s; nothing else is known\n", run->name, n, mean, sd);
}

static void
latency_print_text (const CulpritRunLatencies *run)
{
  const CulpritDescription *description = run->description;
  const CulpritProfile *profile = run->profile;
  const CulpritMoments *moments = &description->moments;
  g_autofree char *words = culprit_description_of_fits (description);
  g_autofree char *n = culprit_count_format (moments->n);
  g_autofree char *beyond = culprit_beyond_in_words (moments->beyond, moments->n, run->name);

  g_print ("%s: %s latenc%s\n", run->name, n, moments->n == 1 ? "y" : "ies");
  if (beyond)
    {
      g_print ("  ");
      print_wrapped (beyond, 2);
    }
  print_moment ("min", moments->min_ns);
  print_moment ("mode", moments->mode_ns);
  print_moment ("median", moments->median_ns);
  print_moment ("mean", moments->mean_ns);
  print_moment ("sd", moments->n == 1 && moments->beyond == 0 ? 0 : moments->sd_ns);
  print_moment ("max", moments->max_ns);
  print_lateness (&run->lateness);
  print_quantiles (description);
  print_histogram (profile, description);
  g_print ("\n");
  print_peaks (profile, description->peaks);
  g_print ("  ");
  print_wrapped (words, 2);
}

static char *
figure_or_dash (double ns, int decimals)
{
  return isnan (ns) ? g_strdup ("-") : g_strdup_printf ("%.*f", decimals, ns);
}

/* As printed by stress-ng --cyclic, with percentiles by its rule. */
static void
latency_print_stress_ng (const CulpritRunLatencies *run)
{
  const CulpritMoments *moments = &run->description->moments;
  g_autofree char *mean = figure_or_dash (moments->mean_ns, 2);
  g_autofree char *max = figure_or_dash (moments->max_ns, 0);
  g_autofree char *sd = figure_or_dash (moments->sd_ns, 2);

  g_print ("%s: %" G_GUINT64_FORMAT " samples\n", run->name, moments->n + moments->beyond);
  g_print ("  mean: %s ns, mode: %.0f ns\n", mean, moments->mode_ns);
  g_print ("  min: %.0f ns, max: %s ns, std.dev. %s\n  latency percentiles:\n", moments->min_ns, max, sd);
  for (const guint *p = culprit_quantiles_stress_ng; *p; p++)
    {
      g_autofree char *ns = figure_or_dash (culprit_quantile_stress_ng (run->profile, *p), 0);

      g_print ("  %5.2f%%: %10s ns\n", *p / 1e4, ns);
    }
}

/* culprit latency --json */

#define DENSITY_POINTS 512

static void
add_p (JsonBuilder *builder, gconstpointer p_millionths, gconstpointer run)
{
  json_builder_add_double_value (builder, *(const guint *) p_millionths / 1e6);
}

static const Member quantile_members[] = {
  MEMBER (CulpritQuantile, "p", p_millionths, OWN, .add = add_p),
  MEMBER (CulpritQuantile, "ns", ns, REAL),
  MEMBER (CulpritQuantile, "nearest_ns", nearest_ns, REAL),
  MEMBER (CulpritQuantile, "from_ns", from_ns, REAL),
  MEMBER (CulpritQuantile, "to_ns", to_ns, REAL),
  MEMBER (CulpritQuantile, "low_ns", low_ns, REAL),
  MEMBER (CulpritQuantile, "high_ns", high_ns, REAL),
  { 0 },
};

static const Member peak_members[] = {
  MEMBER (CulpritPeak, "at_ns", at_ns, NUMBER),
  MEMBER (CulpritPeak, "ns", low_ns, NUMBER),
  MEMBER (CulpritPeak, "to_ns", high_ns, NUMBER),
  MEMBER (CulpritPeak, "band_low_ns", band_low_ns, NUMBER),
  MEMBER (CulpritPeak, "band_high_ns", band_high_ns, NUMBER),
  MEMBER (CulpritPeak, "count", count, NUMBER),
  MEMBER (CulpritPeak, "share", share, REAL),
  MEMBER (CulpritPeak, "prominence", prominence, REAL),
  MEMBER (CulpritPeak, "weak", weak, FLAG),
  { 0 },
};

/* What a fit and its parameters are called. */
#define FIT(name, first, second)                                                                                       \
  static const Member name[] = {                                                                                       \
    MEMBER (CulpritFit, first, first_ns, REAL),                                                                        \
    MEMBER (CulpritFit, second, second_ns, REAL),                                                                      \
    MEMBER (CulpritFit, "loglik", log_likelihood, REAL),                                                               \
    MEMBER (CulpritFit, "ppcc", correlation, REAL),                                                                    \
    { 0 },                                                                                                             \
  }

FIT (normal_members, "mean_ns", "sd_ns");
FIT (gamma_members, "shape", "scale_ns");
FIT (lognormal_members, "mu", "sigma");

static const Member density_members[] = {
  MEMBER (CulpritDensity, "low_ns", low_ns, REAL),
  MEMBER (CulpritDensity, "step_ns", step_ns, REAL),
  MEMBER (CulpritDensity, "bandwidth_ns", bandwidth_ns, REAL),
  MEMBER (CulpritDensity, "values", values, REALS),
  { 0 },
};

static const Member moments_members[] = {
  MEMBER (CulpritMoments, "n", n, NUMBER),
  MEMBER (CulpritMoments, "beyond", beyond, NUMBER),
  MEMBER (CulpritMoments, "min_ns", min_ns, REAL),
  MEMBER (CulpritMoments, "mean_ns", mean_ns, REAL),
  MEMBER (CulpritMoments, "sd_ns", sd_ns, REAL),
  MEMBER (CulpritMoments, "skewness", skewness, REAL),
  MEMBER (CulpritMoments, "excess_kurtosis", kurtosis, REAL),
  MEMBER (CulpritMoments, "mode_ns", mode_ns, REAL),
  MEMBER (CulpritMoments, "median_ns", median_ns, REAL),
  MEMBER (CulpritMoments, "mad_ns", mad_ns, REAL),
  MEMBER (CulpritMoments, "max_ns", max_ns, REAL),
  { 0 },
};

/* A run, with what is computed only for JSON. */
typedef struct Shown Shown;

struct Shown
{
  CulpritRunLatencies run;
  CulpritDescription description;
  const Shown *lateness; /* itself; NULL: not known */
  double period_ns;      /* NaN: not known, also below */
  double missed;
  const CulpritFit *fits[CULPRIT_FITS]; /* NULL: not possible */
  CulpritGammaPlot plot;
  const char *fits_in_words;
  const CulpritDensity *density;
};

static const Member lateness_members[] = {
  MEMBER (Shown, "deadline_ns", run.lateness.deadline_ns, NUMBER),
  MEMBER (Shown, "late", run.lateness.late, NUMBER),
  MEMBER (Shown, "within_bin", run.lateness.divided, FLAG),
  MEMBER (Shown, "period_ns", period_ns, ROUNDED),
  MEMBER (Shown, "missed", missed, ROUNDED),
  { 0 },
};

static const Member fit_members[] = {
  MEMBER (Shown, "normal", fits[CULPRIT_FIT_NORMAL], POINTER, .of = normal_members),
  MEMBER (Shown, "gamma", fits[CULPRIT_FIT_GAMMA], POINTER, .of = gamma_members),
  MEMBER (Shown, "lognormal", fits[CULPRIT_FIT_LOGNORMAL], POINTER, .of = lognormal_members),
  { 0 },
};

static const Member shown_members[] = {
  MEMBER (Shown, "run", run.name, TEXT),
  MEMBER (Shown, "", description.moments, SAME, .of = moments_members),
  MEMBER (Shown, "lateness", lateness, POINTER, .of = lateness_members),
  MEMBER (Shown, "quantiles", description.quantiles, ARRAY, .of = quantile_members),
  MEMBER (Shown, "peaks", description.peaks, ARRAY, .of = peak_members),
  { "fits", 0, MEMBER_STRUCT, .of = fit_members },
  MEMBER (Shown, "gamma_plot_shape", plot.shape, REAL),
  MEMBER (Shown, "gamma_plot_ppcc", plot.correlation, REAL),
  MEMBER (Shown, "fits_in_words", fits_in_words, TEXT),
  { 0 },
};

static const Member with_density[] = {
  { "", 0, MEMBER_SAME, .of = shown_members },
  MEMBER (Shown, "density", density, POINTER, .of = density_members),
  { 0 },
};

/* For a run of which only the summary is known. */
static const Member summary_members[] = {
  MEMBER (CulpritRunLatencies, "run", name, TEXT),
  MEMBER (CulpritRunLatencies, "n", summary.n, ROUNDED),
  MEMBER (CulpritRunLatencies, "mean_ns", summary.mean_ns, REAL),
  MEMBER (CulpritRunLatencies, "sd_ns", summary.sd_ns, REAL),
  { 0 },
};

static CulpritDensity *
find_density (const CulpritProfile *profile)
{
  double low_ns;
  double high_ns;

  culprit_density_range (profile, &low_ns, &high_ns);
  return culprit_density_new (profile, low_ns, high_ns, DENSITY_POINTS);
}

/* The element @index of the array of runs. @with: with its density. */
static void
latency_print_json (guint index, const CulpritRunLatencies *run, gboolean with)
{
  const CulpritDescription *description = run->description;
  g_autofree char *words = description ? culprit_description_of_fits (description) : NULL;
  g_autoptr (CulpritDensity) density = description && with ? find_density (run->profile) : NULL;
  Shown shown;

  if (!description)
    {
      print_element (index, summary_members, run, NULL);
      return;
    }
  shown = (Shown) { .run = *run,
                    .description = *description,
                    .lateness = run->lateness.deadline_ns > 0 ? &shown : NULL,
                    .period_ns = run->lateness.period_ns > 0 ? run->lateness.period_ns : NAN,
                    .missed = run->lateness.period_ns > 0 ? run->lateness.missed : NAN,
                    .plot = culprit_gamma_plot (run->profile),
                    .fits_in_words = words,
                    .density = density };

  for (guint i = 0; i < CULPRIT_FITS; i++)
    shown.fits[i] = description->fits[i].possible ? &description->fits[i] : NULL;
  if (!shown.plot.possible)
    shown.plot.shape = shown.plot.correlation = NAN;
  print_element (index, with ? with_density : shown_members, &shown, NULL);
}

/* The options. */
typedef struct
{
  gboolean summary;
  gboolean stress_ng;
  gboolean per_cpu;
  gboolean untraced;
  gboolean density;
  gint64 period_ns; /* 0: the run's own, as for the next */
  gint64 deadline_ns;
} LatencyOptions;

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
load_cpus (CulpritStudy *study,
           const char *name,
           const GArray *cpus,
           const CulpritProfileFacts *facts,
           GArray *all,
           GError **error)
{
  for (guint i = 0; i < cpus->len; i++)
    {
      gint64 cpu = g_array_index (cpus, gint64, i);
      CulpritProfile *profile = culprit_study_profile (study, name, cpu, error);

      if (!profile)
        return FALSE;
      add_loaded (all, g_strdup_printf ("%s, CPU %" G_GINT64_FORMAT, name, cpu), profile, facts, all->len, 0);
    }
  return TRUE;
}

static gboolean
load_run (CulpritStudy *study, const char *name, const LatencyOptions *chosen, GArray *all, GError **error)
{
  g_autoptr (GArray) cpus = NULL;
  CulpritProfileFacts facts = { 0 };
  CulpritProfile *profile = NULL;
  guint number;
  guint ignored = 0;

  if (!culprit_study_profile_facts (study, name, &facts, error) ||
      !culprit_study_run_number (study, name, &number, error))
    return FALSE;
  if (facts.whole && chosen->per_cpu && !(cpus = culprit_study_profile_cpus (study, name, error)))
    return FALSE;
  if (cpus && cpus->len > 0)
    return load_cpus (study, name, cpus, &facts, all, error);
  if (facts.whole)
    {
      profile = chosen->untraced ? culprit_study_profile_untraced (study, name, &ignored, error)
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
load_all (CulpritStudy *study, char **wanted, const LatencyOptions *chosen, GArray *all, GError **error)
{
  g_autoptr (GPtrArray) names = find_names (study, wanted, chosen->untraced, error);
  char **label = wanted;

  if (!names)
    return FALSE;
  do
    if (!command_tell_left_out (study, *label, error))
      return FALSE;
  while (*label && *++label);
  for (guint i = 0; i < names->len; i++)
    if (!load_run (study, g_ptr_array_index (names, i), chosen, all, error))
      return FALSE;
  return TRUE;
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
  return plot_options_write (plots, series, error);
}

/* The destination: JSON, a table for CSV or summaries, or text. */
typedef struct
{
  const LatencyOptions *chosen;
  gboolean json;
  CulpritTable *table;
} Output;

static void
show_run (const Output *output, guint index, const CulpritRunLatencies *run)
{
  const LatencyOptions *chosen = output->chosen;

  if (output->table)
    culprit_latencies_add (output->table, run);
  else if (output->json)
    latency_print_json (index, run, chosen->density);
  else if (!run->description)
    latency_print_summary (run);
  else if (chosen->stress_ng)
    latency_print_stress_ng (run);
  else
    latency_print_text (run);
}

static void
show_loaded (const Output *output, guint index, const Loaded *loaded)
{
  const LatencyOptions *chosen = output->chosen;
  gint64 period_ns = chosen->period_ns ? chosen->period_ns : loaded->facts.period_ns;
  gint64 deadline_ns = chosen->deadline_ns ? chosen->deadline_ns : loaded->facts.deadline_ns;
  g_autoptr (CulpritDescription) description =
      loaded->profile ? culprit_describe (loaded->profile, culprit_quantiles_usual) : NULL;
  CulpritRunLatencies run = { loaded->name, loaded->profile, description, loaded->facts.summary };
  g_autofree char *left_out = culprit_ignored_in_words (loaded->ignored);

  if ((period_ns > 0 || deadline_ns > 0) && loaded->profile)
    run.lateness = culprit_lateness (loaded->profile, period_ns, deadline_ns);
  show_run (output, index, &run);
  if (left_out && !output->json && !output->table)
    g_print ("\n  %s.\n", left_out);
}

static void
show_all (const GArray *all, const LatencyOptions *chosen, Format format)
{
  gboolean people = format == FORMAT_TEXT && !chosen->summary;
  gboolean json = format == FORMAT_JSON;
  g_autoptr (CulpritTable) table =
      json || people ? NULL : culprit_latencies_table (chosen->summary ? culprit_latencies.text : NULL);
  const Output output = { chosen, json, table };

  if (people && all->len == 0)
    g_print ("No runs with latencies yet; record some with culprit record, or import them with culprit import.\n");
  for (guint i = 0; i < all->len; i++)
    {
      if (i > 0 && people)
        g_print ("\n");
      show_loaded (&output, i, &g_array_index (all, Loaded, i));
    }
  if (json)
    print_elements_end (all->len);
  else if (table)
    print_table (table, format, &culprit_latencies, "No runs with latencies yet.");
}

static int
show (const Options *options, const LatencyOptions *chosen, const PlotOptions *plots)
{
  g_autoptr (CulpritStudy) study = command_open (options);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Loaded));
  GError *error = NULL;

  g_array_set_clear_func (all, loaded_clear);
  if (!study)
    return EXIT_BAD;
  if (!load_all (study, options->rest, chosen, all, &error) || !plot_all (all, plots, &error))
    return command_fail (error);
  show_all (all, chosen, options->format);
  return EXIT_DONE;
}

int
command_latency (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *period = NULL;
  g_autofree char *deadline = NULL;
  g_auto (PlotOptions) plots = { 0 };
  LatencyOptions chosen = { 0 };
  const GOptionEntry own[] = {
    { "summary", 0, 0, G_OPTION_ARG_NONE, &chosen.summary, "Only quartiles, one line per run, like R's summary", NULL },
    { "percentiles", 0, 0, G_OPTION_ARG_NONE, &chosen.stress_ng, "Print what stress-ng prints, with its percentiles",
      NULL },
    { "per-cpu", 0, 0, G_OPTION_ARG_NONE, &chosen.per_cpu, "Each CPU separately", NULL },
    { "untraced", 0, 0, G_OPTION_ARG_NONE, &chosen.untraced, "Only captured wake-ups, without the tracer's time",
      NULL },
    { "period", 0, 0, G_OPTION_ARG_STRING, &period, "A wake-up this late is missed (default: the run's period)",
      "TIME" },
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &deadline, "A wake-up this late is late (default: half the period)",
      "TIME" },
    { "density", 0, 0, G_OPTION_ARG_NONE, &chosen.density, "With --json: also the density", NULL },
    { NULL },
  };
  g_autofree GOptionEntry *entries = plot_options_entries (&plots, own);
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, entries, &options, &status))
    return status;
  if (!plot_options_check (&plots, &error))
    return command_fail (error);
  if (chosen.density && options.format != FORMAT_JSON)
    return command_complain ("--density needs --json");
  if (!command_parse_time ("period", period, &chosen.period_ns) ||
      !command_parse_time ("deadline", deadline, &chosen.deadline_ns))
    return EXIT_BAD;
  if (chosen.summary && chosen.stress_ng)
    return command_complain ("--summary and --percentiles cannot be used together");
  if (chosen.untraced && (chosen.per_cpu || !options.rest[0]))
    return command_complain ("--untraced needs names of runs with captures, and cannot be used with --per-cpu");
  return show (&options, &chosen, &plots);
}
