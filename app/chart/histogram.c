/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram: steps on a logarithmic axis, on which a single late wake-up is still visible, and the significant
 * peaks. */
#include "latency/histogram.h"

#include "chart-private.h"
#include "latency/description.h"
#include "latency/scale.h"
#include "units.h"

#define MOST_BINS 400
#define DECADE_BINS 40
#define MOST_TOLD 3     /* peaks in the legend */
#define LEAST_COUNT 0.5 /* the axis's low end, so that one latency has height */
#define HEADROOM 5      /* above the highest count, for marks */
#define ROOM 0.01       /* beside the outermost bins */

static void
add_steps (Chart *chart, guint series, const CulpritBinning *binning, const GArray *counts)
{
  ChartMark *mark = chart_add_mark (chart, MARK_STEPS, series);
  guint64 last = 0;

  chart_mark_add (mark, culprit_binning_edge (binning, 0), 0);
  for (guint i = 0; i < binning->bins; i++)
    {
      guint64 count = g_array_index (counts, guint64, i);

      if (count != last)
        chart_mark_add (mark, culprit_binning_edge (binning, i), count);
      last = count;
    }
  chart_mark_add (mark, culprit_binning_edge (binning, binning->bins), 0);
}

/* The highest of the bins with the indices @place to @last. */
static guint
find_highest (const GArray *counts, guint place, guint last)
{
  for (guint i = place + 1; i <= last; i++)
    if (g_array_index (counts, guint64, i) > g_array_index (counts, guint64, place))
      place = i;
  return place;
}

/* A peak was found in bins of its own; its mark is above the highest of the chart's bins that it extends into. */
static void
add_peaks (Chart *chart, guint series, const CulpritBinning *binning, const GArray *counts)
{
  const GArray *peaks = g_ptr_array_index (chart->peaks, series);
  ChartMark *mark = chart_add_mark (chart, MARK_PEAKS, series);

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      guint place = find_highest (counts, culprit_binning_index (binning, peak->low_ns),
                                  culprit_binning_index (binning, peak->high_ns));

      chart_mark_add (
          mark, CLAMP (peak->at_ns, culprit_binning_edge (binning, place), culprit_binning_edge (binning, place + 1)),
          g_array_index (counts, guint64, place));
      g_ptr_array_add (mark->labels, chart_time (peak->at_ns));
    }
}

static CulpritBinning *
find_binning (const Chart *chart, const ChartSeries *series, guint n)
{
  g_autofree const CulpritProfile **profiles = g_new (const CulpritProfile *, n);

  for (guint i = 0; i < n; i++)
    profiles[i] = series[i].profile;
  if (chart->logarithmic)
    return culprit_binning_new_scaled (profiles, n, chart->knee_ns, DECADE_BINS);
  return culprit_binning_new (profiles, n, MOST_BINS);
}

static char *
tell_bins (const CulpritBinning *binning)
{
  const CulpritUnit *unit = culprit_unit_of_all (binning->width_ns);

  if (binning->width_ns == 0)
    return g_strdup_printf ("latencies in each 1/%d decade", DECADE_BINS);
  return g_strdup_printf ("latencies in each %g %s", binning->width_ns / unit->ns, unit->name);
}

void
histogram_fill (Chart *chart, const ChartSeries *series, guint n)
{
  g_autoptr (CulpritBinning) binning = find_binning (chart, series, n);
  guint64 most = 1;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) counts = culprit_histogram (series[i].profile, binning);
      g_autofree char *peaks = chart_peaks_in_words (chart, i, MOST_TOLD);

      for (guint bin = 0; bin < counts->len; bin++)
        most = MAX (most, g_array_index (counts, guint64, bin));
      add_steps (chart, i, binning, counts);
      add_peaks (chart, i, binning, counts);
      chart_add_legend (chart, i, &series[i], peaks, NULL);
    }
  chart->x = chart_latency_axis (chart, culprit_binning_edge (binning, 0),
                                 culprit_binning_edge (binning, binning->bins), ROOM, "latency");
  chart->y = axis_make (AXIS_LOG, LEAST_COUNT, (double) most * HEADROOM, 1, tell_bins (binning));
}
