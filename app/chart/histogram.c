/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram: steps on a logarithmic axis, on which a single late wake-up is still visible, and the significant
 * peaks. */
#include "latency/histogram.h"

#include "chart-private.h"
#include "latency/description.h"

#define MOST_BINS 400
#define MOST_TOLD 3     /* peaks in the legend */
#define LEAST_COUNT 0.5 /* the axis's low end, so that a count of one is visible */
#define ROOM 3          /* above the highest count, for marks */

static void
add_steps (Chart *chart, guint series, const CulpritBinning *binning, const GArray *counts)
{
  ChartMark *mark = chart_add_mark (chart, MARK_STEPS, series);
  double end_ns = binning->low_ns + (double) binning->width_ns * binning->bins;
  guint64 last = 0;

  chart_mark_add (mark, binning->low_ns, 0);
  for (guint i = 0; i < binning->bins; i++)
    {
      guint64 count = g_array_index (counts, guint64, i);

      if (count != last)
        chart_mark_add (mark, binning->low_ns + (double) binning->width_ns * i, count);
      last = count;
    }
  chart_mark_add (mark, end_ns, 0);
}

/* A peak was found in bins of its own; its mark is placed above the chart's bin. Returns the peaks for the legend. */
static char *
add_peaks (
    Chart *chart, guint series, const CulpritProfile *profile, const CulpritBinning *binning, const GArray *counts)
{
  gint64 width_ns = culprit_profile_nice_width (profile);
  g_autoptr (GArray) peaks = culprit_peaks_find (profile, width_ns, CULPRIT_PEAK_SIGNIFICANT);
  ChartMark *mark = chart_add_mark (chart, MARK_PEAKS, series);
  GString *told = g_string_new (NULL);

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      guint bin = culprit_binning_index (binning, MAX (peak->low_ns, binning->low_ns));
      g_autofree char *latency = chart_time (peak->low_ns);

      chart_mark_add (mark, (peak->low_ns + peak->high_ns + 1.0) / 2, g_array_index (counts, guint64, bin));
      if (i < MOST_TOLD)
        g_string_append_printf (told, "%s %s", i > 0 ? "," : peaks->len > 1 ? ", peaks" : ", peak", latency);
    }
  g_string_append (told, peaks->len > MOST_TOLD ? ", ..." : "");
  return g_string_free (told, FALSE);
}

static CulpritBinning
find_binning (const ChartSeries *series, guint n)
{
  g_autofree const CulpritProfile **profiles = g_new (const CulpritProfile *, n);

  for (guint i = 0; i < n; i++)
    profiles[i] = series[i].profile;
  return culprit_binning_find (profiles, n, MOST_BINS);
}

void
histogram_fill (Chart *chart, const ChartSeries *series, guint n)
{
  CulpritBinning binning = find_binning (series, n);
  double width_ns = binning.width_ns;
  const char *unit;
  double unit_ns = axis_time_unit (width_ns, &unit);
  guint64 most = 1;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) counts = culprit_histogram (series[i].profile, &binning);
      g_autofree char *highest = chart_time (culprit_moments (series[i].profile).max_ns);
      g_autofree char *peaks = NULL;

      for (guint bin = 0; bin < counts->len; bin++)
        most = MAX (most, g_array_index (counts, guint64, bin));
      add_steps (chart, i, &binning, counts);
      peaks = add_peaks (chart, i, series[i].profile, &binning, counts);
      chart_add_legend (chart, &series[i], "n = %" G_GUINT64_FORMAT ", max %s%s", series[i].profile->n, highest, peaks);
    }
  chart->x = axis_make_times (AXIS_LINEAR, binning.low_ns - width_ns, binning.low_ns + width_ns * (binning.bins + 1.0),
                              "latency");
  chart->y = axis_make (AXIS_LOG, LEAST_COUNT, (double) most * ROOM, 1,
                        g_strdup_printf ("latencies in each %g %s", width_ns / unit_ns, unit));
}
