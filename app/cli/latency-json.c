/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency --json */
#include "latency.h"

#include "latency/density.h"

#include <math.h>

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

void
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

void
latency_add_summary_json (JsonBuilder *builder, const CulpritRunLatencies *run)
{
  json_builder_begin_object (builder);
  print_json_text (builder, "run", run->name);
  print_json_int (builder, "n", run->summary.n);
  print_json_real (builder, "mean_ns", run->summary.mean_ns);
  print_json_real (builder, "sd_ns", run->summary.sd_ns);
  json_builder_end_object (builder);
}
