/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit latency: output as text, and as tables. */
#include "latency.h"

#include "latency/band.h"
#include "units.h"

#include <math.h>

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

void
latency_print_summary (const CulpritRunLatencies *run)
{
  g_autofree char *mean = culprit_time_format (llround (run->summary.mean_ns));
  g_autofree char *sd = culprit_time_format (llround (run->summary.sd_ns));

  g_print ("%s: %.0f latencies, mean %s, sd %s; nothing else is known\n", run->name, run->summary.n, mean, sd);
}

void
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

void
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
