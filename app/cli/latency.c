/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency */
#include "latency/description.h"

#include "print.h"
#include "study/profiles.h"
#include "units.h"

#include <math.h>

#define WIDTH 100
#define HISTOGRAM_ROWS 24
#define HISTOGRAM_WIDTH 60

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
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_quantiles (JsonBuilder *builder, const CulpritDescription *description)
{
  json_builder_set_member_name (builder, "quantiles");
  json_builder_begin_array (builder);
  for (guint i = 0; i < description->quantiles->len; i++)
    {
      const CulpritQuantile *quantile = &g_array_index (description->quantiles, CulpritQuantile, i);

      json_builder_begin_object (builder);
      add_real (builder, "p", quantile->p_millionths / 1e6);
      add_real (builder, "ns", quantile->ns);
      add_real (builder, "nearest_ns", quantile->nearest_ns);
      add_real (builder, "low_ns", quantile->estimable ? quantile->low_ns : NAN);
      add_real (builder, "high_ns", quantile->estimable ? quantile->high_ns : NAN);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_peaks (JsonBuilder *builder, const char *name, const GArray *peaks)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      json_builder_begin_object (builder);
      add_int (builder, "ns", peak->low_ns);
      add_int (builder, "to_ns", peak->high_ns);
      add_int (builder, "count", peak->count);
      add_real (builder, "share", peak->share);
      add_real (builder, "prominence", peak->prominence);
      json_builder_set_member_name (builder, "weak");
      json_builder_add_boolean_value (builder, peak->prominence < CULPRIT_PEAK_SIGNIFICANT);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_fits (JsonBuilder *builder, const CulpritDescription *description)
{
  static const char *const members[CULPRIT_FITS][2] = { { "mean_ns", "sd_ns" },
                                                        { "shape", "scale_ns" },
                                                        { "mu", "sigma" } };
  g_autofree char *words = culprit_description_of_fits (description);

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
      add_real (builder, members[kind][0], fit->first_ns);
      add_real (builder, members[kind][1], fit->second_ns);
      add_real (builder, "loglik", fit->log_likelihood);
      add_real (builder, "ppcc", fit->correlation);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  add_real (builder, "gamma_plot_shape", description->gamma_plot.possible ? description->gamma_plot.shape : NAN);
  add_real (builder, "gamma_plot_ppcc", description->gamma_plot.possible ? description->gamma_plot.correlation : NAN);
  json_builder_set_member_name (builder, "fits_in_words");
  json_builder_add_string_value (builder, words);
}

static void
add_description (JsonBuilder *builder, const char *run, const CulpritDescription *description)
{
  const CulpritMoments *moments = &description->moments;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "run");
  json_builder_add_string_value (builder, run);
  add_int (builder, "n", moments->n);
  add_real (builder, "min_ns", moments->min_ns);
  add_real (builder, "mean_ns", moments->mean_ns);
  add_real (builder, "sd_ns", moments->sd_ns);
  add_real (builder, "skewness", moments->skewness);
  add_real (builder, "excess_kurtosis", moments->excess_kurtosis);
  add_real (builder, "mode_ns", moments->mode_ns);
  add_real (builder, "median_ns", moments->median_ns);
  add_real (builder, "mad_ns", moments->mad_ns);
  add_real (builder, "max_ns", moments->max_ns);
  add_quantiles (builder, description);
  add_peaks (builder, "peaks", description->peaks);
  add_peaks (builder, "tail_clusters", description->tail);
  add_fits (builder, description);
  json_builder_end_object (builder);
}

static void
print_moment (const char *name, double ns)
{
  g_autofree char *text = isfinite (ns) ? culprit_time_format (llround (ns)) : g_strdup ("-");

  g_print ("  %-10s %12s\n", name, text);
}

static void
print_quantiles (const CulpritDescription *description)
{
  g_print ("\n  %10s %12s   95 %% interval\n", "quantile", "value");
  for (guint i = 0; i < description->quantiles->len; i++)
    {
      const CulpritQuantile *quantile = &g_array_index (description->quantiles, CulpritQuantile, i);
      g_autofree char *value = culprit_time_format (llround (quantile->ns));
      g_autofree char *low = culprit_time_format (llround (quantile->low_ns));
      g_autofree char *high = culprit_time_format (llround (quantile->high_ns));

      if (quantile->estimable)
        g_print ("  %8g %% %12s   %s to %s\n", quantile->p_millionths / 1e4, value, low, high);
      else
        g_print ("  %8g %% %12s   not estimable from so few\n", quantile->p_millionths / 1e4, value);
    }
}

static void
print_peaks (const GArray *peaks, const char *what)
{
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      g_autofree char *low = culprit_time_format (peak->low_ns);
      g_autofree char *high = culprit_time_format (peak->high_ns + 1);

      g_print ("  %s at %s to %s: %" G_GUINT64_FORMAT " there, %.1f %% around it%s\n", what, low, high, peak->count,
               peak->share * 100, peak->prominence < CULPRIT_PEAK_SIGNIFICANT ? " (weak)" : "");
    }
}

/* Whether a peak begins in the row from @low_ns to below @high_ns. */
static gboolean
has_peak (const CulpritDescription *description, gint64 low_ns, gint64 high_ns)
{
  for (guint i = 0; i < description->peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (description->peaks, CulpritPeak, i);

      if (peak->low_ns >= low_ns && peak->low_ns < high_ns)
        return TRUE;
    }
  return FALSE;
}

/* Rows of equal width up to where the tail thins out, and one for what lies above. The axis is logarithmic. */
static void
print_histogram (const CulpritProfile *profile, const CulpritDescription *description)
{
  gint64 first_ns = description->moments.min_ns;
  gint64 tail_ns = culprit_quantile_nearest (profile, 995000);
  gint64 width_ns = MAX (description->peak_width_ns, (tail_ns - first_ns) / HISTOGRAM_ROWS);
  double most = log10 (profile->n);

  width_ns = (width_ns + description->peak_width_ns - 1) / description->peak_width_ns * description->peak_width_ns;
  first_ns = first_ns >= 0 ? first_ns / width_ns * width_ns : first_ns;
  g_print ("\n  how many, on a logarithmic axis; * marks a peak\n");
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
print_description (const char *run, const CulpritProfile *profile, const CulpritDescription *description)
{
  const CulpritMoments *moments = &description->moments;
  g_autofree char *words = culprit_description_of_fits (description);

  g_print ("%s: %" G_GUINT64_FORMAT " latencies\n", run, moments->n);
  print_moment ("min", moments->min_ns);
  print_moment ("mode", moments->mode_ns);
  print_moment ("median", moments->median_ns);
  print_moment ("mean", moments->mean_ns);
  print_moment ("sd", moments->sd_ns);
  print_moment ("max", moments->max_ns);
  print_quantiles (description);
  print_histogram (profile, description);
  g_print ("\n");
  print_peaks (description->peaks, "peak");
  print_peaks (description->tail, "cluster in the tail");
  g_print ("  ");
  print_wrapped (words, 2, WIDTH);
}

static gboolean
describe_run (CulpritStudy *study, const char *run, const guint *quantiles, JsonBuilder *builder, GError **error)
{
  g_autoptr (CulpritProfile) profile = culprit_study_profile (study, run, error);
  g_autoptr (CulpritDescription) description = NULL;

  if (!profile)
    return FALSE;
  description = culprit_describe (profile, quantiles);
  if (builder)
    add_description (builder, run, description);
  else
    print_description (run, profile, description);
  return TRUE;
}

/* The runs that are meant: those named, or all. */
static GPtrArray *
find_names (CulpritStudy *study, char **wanted, GError **error)
{
  g_autoptr (GPtrArray) all = NULL;

  if (!*wanted)
    return culprit_study_profile_names (study, NULL, error);
  all = g_ptr_array_new_with_free_func (g_free);
  for (; *wanted; wanted++)
    {
      g_autoptr (GPtrArray) names = culprit_study_profile_names (study, *wanted, error);

      if (!names)
        return NULL;
      g_ptr_array_extend_and_steal (all, g_steal_pointer (&names));
    }
  return g_steal_pointer (&all);
}

int
command_latency (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  gboolean summary = FALSE;
  const GOptionEntry own[] = {
    { "summary", 0, 0, G_OPTION_ARG_NONE, &summary, "Quartiles only, as R's summary", NULL },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (JsonBuilder) builder = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse ("latency", argc, argv, own, &options, &status))
    return status;
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  names = find_names (study, options.rest, &error);
  if (!names)
    return command_fail (error);
  if (options.format == FORMAT_JSON)
    {
      builder = json_builder_new ();
      json_builder_begin_array (builder);
    }
  else if (names->len == 0)
    g_print ("No runs with latencies yet; culprit record measures some, culprit import brings others in.\n");
  for (guint i = 0; i < names->len; i++)
    {
      if (i > 0 && !builder)
        g_print ("\n");
      if (!describe_run (study, g_ptr_array_index (names, i),
                         summary ? culprit_quantiles_summary : culprit_quantiles_usual, builder, &error))
        return command_fail (error);
    }
  if (builder)
    {
      json_builder_end_array (builder);
      print_json_built (builder);
    }
  return EXIT_DONE;
}
