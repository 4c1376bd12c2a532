/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of charts: each fills an empty one with its axes and marks. */
#include "chart-private.h"
#include "latency/density.h"
#include "latency/description.h"
#include "latency/histogram.h"
#include "latency/peaks.h"
#include "latency/profile.h"
#include "latency/statistics.h"
#include "units.h"

#include <math.h>

/* Charts of counts: stacked bars by name. */

#define ROOM 1.05 /* of the highest bar */

static void
add_bars (Chart *chart, guint place, const ChartBars *bars, guint n_labels)
{
  ChartMark *mark = chart_add_mark (chart, MARK_BARS, place);
  g_autofree char *name = chart_clean_name (bars->name);
  double sum = 0;

  for (guint i = 0; i < n_labels; i++)
    {
      chart_mark_add (mark, i, bars->counts[i]);
      sum += bars->counts[i];
    }
  chart_add_look (chart, place);
  g_array_index (chart->looks, ChartLook, place).grey = bars->rest;
  g_ptr_array_add (chart->peaks, g_array_new (FALSE, FALSE, sizeof (CulpritPeak)));
  g_ptr_array_add (chart->legend, g_strdup_printf ("%s (%.0f)", name, sum));
  g_ptr_array_add (chart->spoken, g_strdup_printf ("%s %.0f", name, sum));
}

Chart *
chart_new_bars (const char *title,
                const char *across,
                const char *up,
                const char *part,
                const char *const *labels,
                guint n_labels,
                const ChartBars *bars,
                guint n_bars)
{
  Chart *chart = chart_begin (title, part);
  double highest = 0;

  for (guint i = 0; i < n_bars; i++)
    add_bars (chart, i, &bars[i], n_labels);
  for (guint i = 0; i < n_labels; i++)
    highest = MAX (highest, chart_bar_base (chart, n_bars, i));
  chart->x = axis_make_names (labels, n_labels, g_strdup (across));
  chart->y = axis_make (AXIS_LINEAR, 0, MAX (highest, 1) * ROOM, 1, g_strdup (up));
  chart->whole_low = chart->x.low;
  chart->whole_high = chart->x.high;
  return chart;
}

/* Density plots of several runs: the bulk of the latencies, without the ends. */

#define POINTS 800
#define HEADROOM 1.05
#define PER_CENT 100

/* The profiles to draw: on a logarithmic axis, of positions instead of latencies. */
static GPtrArray *
find_profiles (const Chart *chart, const ChartSeries *series, guint n)
{
  GPtrArray *profiles =
      g_ptr_array_new_with_free_func (chart->logarithmic ? (GDestroyNotify) culprit_profile_free : NULL);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (profiles, chart->logarithmic ? culprit_profile_scaled (series[i].profile, chart->knee_ns)
                                                  : (gpointer) series[i].profile);
  return profiles;
}

/* The latency of @value, which may be a position. */
static double
find_latency_ns (const Chart *chart, double value)
{
  return chart->logarithmic ? culprit_scale_latency (chart->knee_ns, value / CULPRIT_DECADE) : value;
}

/* On a logarithmic axis a bandwidth is a ratio. */
static char *
bandwidth_in_words (const Chart *chart, double bandwidth)
{
  g_autofree char *time = NULL;

  if (chart->logarithmic)
    return g_strdup_printf ("bandwidth %.2g %%", PER_CENT * (pow (10, bandwidth / CULPRIT_DECADE) - 1));
  time = chart_time (bandwidth);
  return g_strdup_printf ("bandwidth %s", time);
}

/* Draws the density of @profile, derived from that of @series. Returns its height. */
static double
add_curve (Chart *chart, guint place, const ChartSeries *series, const CulpritProfile *profile, double low, double high)
{
  g_autoptr (CulpritDensity) density = culprit_density_new (profile, low, high, POINTS);
  g_autofree char *bandwidth = bandwidth_in_words (chart, density->bandwidth_ns);
  ChartMark *mark = chart_add_mark (chart, MARK_AREA, place);
  double highest = 0;

  for (guint k = 0; k < density->values->len; k++)
    {
      double value = g_array_index (density->values, double, k);

      chart_mark_add (mark, find_latency_ns (chart, low + density->step_ns * k), value);
      highest = fmax (highest, value);
    }
  chart_add_legend (chart, place, series, bandwidth, bandwidth);
  return highest;
}

static Axis
make_axis_up (const Chart *chart, double highest, double low_ns, double high_ns)
{
  const CulpritUnit *unit = culprit_unit_of_all (fmax (fabs (low_ns), fabs (high_ns)));

  if (chart->logarithmic)
    return axis_make (AXIS_LINEAR, 0, highest * HEADROOM, 1.0 / CULPRIT_DECADE, g_strdup ("density (per decade)"));
  return axis_make (AXIS_LINEAR, 0, highest * HEADROOM, 1 / unit->ns, g_strdup_printf ("density (per %s)", unit->name));
}

static void
density_fill (Chart *chart, const ChartSeries *series, guint n)
{
  g_autoptr (GPtrArray) profiles = find_profiles (chart, series, n);
  double low = INFINITY;
  double high = -INFINITY;
  double highest = 0;
  double low_ns;
  double high_ns;

  for (guint i = 0; i < n; i++)
    {
      double from;
      double to;

      culprit_density_range (g_ptr_array_index (profiles, i), &from, &to);
      low = fmin (low, from);
      high = fmax (high, to);
    }
  for (guint i = 0; i < n; i++)
    highest = fmax (highest, add_curve (chart, i, &series[i], g_ptr_array_index (profiles, i), low, high));
  low_ns = find_latency_ns (chart, low);
  high_ns = find_latency_ns (chart, high);
  chart->x = chart_latency_axis (chart, low_ns, high_ns, 0, "latency, from the 1 % to the 99 % quantile");
  chart->y = make_axis_up (chart, highest, low_ns, high_ns);
}

/* A histogram: steps on a logarithmic axis, on which a single late wake-up is still visible, and the significant
 * peaks. */

#define MOST_BINS 400
#define DECADE_BINS 40
#define MOST_TOLD 3          /* peaks in the legend */
#define LEAST_COUNT 0.5      /* the axis's low end, so that one latency has height */
#define HISTOGRAM_HEADROOM 5 /* above the highest count, for marks */
#define ROOM_FOR_MARKS 0.01  /* beside the outermost bins */

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

/* What the peak from @low_ns to @high_ns is due to; NULL: that is not known. */
static const ChartLabel *
find_label (const ChartSeries *series, double low_ns, double high_ns)
{
  for (guint i = 0; series->labels && i < series->labels->len; i++)
    {
      const ChartLabel *label = &g_array_index (series->labels, ChartLabel, i);

      if (label->low_ns <= high_ns && label->high_ns >= low_ns)
        return label;
    }
  return NULL;
}

/* A peak was found in bins of its own; its mark is above the highest of the chart's bins that it extends into. */
static void
add_peaks (Chart *chart, guint series, const ChartSeries *from, const CulpritBinning *binning, const GArray *counts)
{
  const GArray *peaks = g_ptr_array_index (chart->peaks, series);
  ChartMark *mark = chart_add_mark (chart, MARK_PEAKS, series);

  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);
      const ChartLabel *label = find_label (from, peak->at_ns, peak->at_ns);
      gboolean named = label != NULL;
      guint place = find_highest (counts, culprit_binning_index (binning, peak->low_ns),
                                  culprit_binning_index (binning, peak->high_ns));

      chart_mark_add (
          mark, CLAMP (peak->at_ns, culprit_binning_edge (binning, place), culprit_binning_edge (binning, place + 1)),
          g_array_index (counts, guint64, place));
      g_ptr_array_add (mark->labels, label ? chart_clean_name (label->text) : chart_time (peak->at_ns));
      g_array_append_val (mark->named, named);
    }
}

/* Above the highest of the bins of the late wake-ups. Returns its label; "" if there are none. */
static const char *
add_late (
    Chart *chart, guint series, const CulpritProfile *profile, const CulpritBinning *binning, const GArray *counts)
{
  ChartMark *mark = chart_add_mark (chart, MARK_LATE, series);
  CulpritLate late;
  g_autofree char *range = NULL;
  guint highest;

  culprit_late_find (profile, &late);
  g_array_append_val (chart->late, late);
  if (late.count == 0)
    return "";
  range = culprit_time_format_range (late.from_ns, late.to_ns);
  highest =
      find_highest (counts, culprit_binning_index (binning, late.from_ns), culprit_binning_index (binning, late.to_ns));
  chart_mark_add (mark, late.from_ns, g_array_index (counts, guint64, highest));
  chart_mark_add (mark, late.to_ns, g_array_index (counts, guint64, highest));
  g_ptr_array_add (mark->labels, g_strdup_printf ("%" G_GUINT64_FORMAT " late: %s", late.count, range));
  return g_ptr_array_index (mark->labels, 0);
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
bins_in_words (const CulpritBinning *binning)
{
  const CulpritUnit *unit = culprit_unit_of_all (binning->width_ns);

  if (binning->width_ns == 0)
    return g_strdup_printf ("latencies in each 1/%d decade", DECADE_BINS);
  return g_strdup_printf ("latencies in each %g %s", binning->width_ns / unit->ns, unit->name);
}

/* @late and what the peaks are due to, as one text that the caller owns. */
static char *
labels_in_words (const ChartSeries *series, const char *late)
{
  GString *text = g_string_new (late);

  for (guint i = 0; series->labels && i < series->labels->len; i++)
    {
      const ChartLabel *label = &g_array_index (series->labels, ChartLabel, i);
      g_autofree char *at = chart_time (label->at_ns);
      g_autofree char *clean = chart_clean_name (label->text);

      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", at, clean);
    }
  return g_string_free (text, FALSE);
}

static void
histogram_fill (Chart *chart, const ChartSeries *series, guint n)
{
  g_autoptr (CulpritBinning) binning = find_binning (chart, series, n);
  guint64 most = 1;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) counts = culprit_histogram (series[i].profile, binning);
      g_autofree char *peaks = chart_peaks_in_words (chart, i, MOST_TOLD);
      g_autofree char *own = NULL;
      g_autofree char *spoken = NULL;
      const char *late;

      for (guint bin = 0; bin < counts->len; bin++)
        most = MAX (most, g_array_index (counts, guint64, bin));
      add_steps (chart, i, binning, counts);
      add_peaks (chart, i, &series[i], binning, counts);
      late = add_late (chart, i, series[i].profile, binning, counts);
      own = g_strconcat (late, *late && *peaks ? ", " : "", peaks, NULL);
      spoken = labels_in_words (&series[i], late);
      chart_add_legend (chart, i, &series[i], own, spoken);
    }
  chart->x = chart_latency_axis (chart, culprit_binning_edge (binning, 0),
                                 culprit_binning_edge (binning, binning->bins), ROOM_FOR_MARKS, "latency");
  chart->y = axis_make (AXIS_LOG, LEAST_COUNT, (double) most * HISTOGRAM_HEADROOM, 1, bins_in_words (binning));
}

/* A probability plot: the latencies against those of the fitted distribution at the same ranks. Where they depart from
 * the dashed line, the distribution does not fit. */

#define MOST_POINTS 400
#define PROBABILITY_ROOM 0.05
#define NOTHING_NS 1e4 /* the length of empty axes */

typedef struct
{
  double low_ns;
  double high_ns;
} Span;

static void
span_add (Span *span, double ns)
{
  if (isfinite (ns))
    *span = (Span) { fmin (span->low_ns, ns), fmax (span->high_ns, ns) };
}

static void
add_series (Chart *chart,
            guint i,
            const ChartSeries *series,
            CulpritFitKind kind,
            const CulpritFit *fit,
            Span *across,
            Span *up)
{
  g_autoptr (GArray) points = culprit_rank_points (series->profile, MOST_POINTS);
  g_autofree char *words = g_strdup_printf ("%s, r = %.4f", culprit_fit_name (kind), fit->correlation);
  ChartMark *mark = chart_add_mark (chart, MARK_POINTS, i);

  for (guint k = 0; k < points->len; k++)
    {
      const CulpritRankPoint *point = &g_array_index (points, CulpritRankPoint, k);
      double expected_ns = culprit_fit_quantile (kind, fit, point->below);

      chart_mark_add (mark, expected_ns, point->ns);
      span_add (across, expected_ns);
      span_add (up, point->ns);
    }
  chart_add_legend (chart, i, series, words, words);
}

static Axis
make_axis (const Chart *chart, Span span, const char *what)
{
  if (span.low_ns > span.high_ns)
    return axis_make_times (AXIS_LINEAR, 0, NOTHING_NS, what);
  return chart_latency_axis (chart, span.low_ns, span.high_ns, PROBABILITY_ROOM, what);
}

/* The line on which both latencies are equal, as far as both axes extend. */
static void
add_guide (Chart *chart)
{
  double low_ns = fmax (chart->x.low, chart->y.low);
  double high_ns = fmin (chart->x.high, chart->y.high);
  ChartMark *guide = chart_add_mark (chart, MARK_GUIDE, 0);

  if (low_ns < high_ns)
    {
      chart_mark_add (guide, low_ns, low_ns);
      chart_mark_add (guide, high_ns, high_ns);
    }
}

static void
probability_fill (Chart *chart, const ChartSeries *series, guint n, CulpritFitKind wanted)
{
  Span across = { INFINITY, -INFINITY };
  Span up = across;

  for (guint i = 0; i < n; i++)
    {
      CulpritFit fits[CULPRIT_FITS];
      CulpritFitKind kind = wanted;

      culprit_fits_find (series[i].profile, fits);
      if (kind == CULPRIT_FITS)
        kind = culprit_fits_best (fits);
      if (kind != CULPRIT_FITS && fits[kind].possible)
        add_series (chart, i, &series[i], kind, &fits[kind], &across, &up);
      else
        chart_add_legend (chart, i, &series[i], "nothing to fit", "nothing to fit");
    }
  chart->x = make_axis (chart, across, "latency of the fitted distribution");
  chart->y = make_axis (chart, up, "latency");
  add_guide (chart);
}

/* A quantile plot, which shows the whole tail. */

#define QUANTILES_MOST_POINTS 1000
#define QUANTILES_ROOM 0.05 /* of the axes */

typedef double (*Edge) (const CulpritProfile *profile, double latency_ns);

/* One edge of the latencies: in a coarse histogram only their bins are known. */
static void
add_edge (Chart *chart, guint series, const GArray *points, const CulpritProfile *profile, Edge edge)
{
  ChartMark *mark = chart_add_mark (chart, MARK_LINE, series);
  CulpritMoments moments = culprit_moments (profile);

  for (guint k = 0; k < points->len; k++)
    {
      const CulpritRankPoint *point = &g_array_index (points, CulpritRankPoint, k);
      double ns = edge (profile, point->ns);

      chart_mark_add (mark, -log10 (point->above), fmax (fmin (ns, moments.max_ns), moments.min_ns));
    }
}

static void
quantiles_fill (Chart *chart, const ChartSeries *series, guint n)
{
  double low_ns = INFINITY;
  double high_ns = -INFINITY;
  double nines = 1;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) points = culprit_rank_points (series[i].profile, QUANTILES_MOST_POINTS);
      CulpritMoments moments = culprit_moments (series[i].profile);
      g_autofree char *width = chart_time (series[i].profile->width_ns);
      g_autofree char *bins = g_strdup_printf ("in bins of %s", width);
      gboolean coarse = series[i].profile->middle_ns > 0;

      add_edge (chart, i, points, series[i].profile, culprit_profile_from);
      if (coarse)
        add_edge (chart, i, points, series[i].profile, culprit_profile_to);
      nines = fmax (nines, -log10 (g_array_index (points, CulpritRankPoint, points->len - 1).above));
      low_ns = fmin (low_ns, moments.min_ns);
      high_ns = fmax (high_ns, isnan (moments.max_ns) ? g_array_index (points, CulpritRankPoint, points->len - 1).ns
                                                      : moments.max_ns);
      chart_add_legend (chart, i, &series[i], coarse ? bins : NULL, coarse ? bins : NULL);
    }
  chart->x =
      axis_make (AXIS_NINES, 0, nines * (1 + QUANTILES_ROOM), 1, g_strdup ("share of latencies that are shorter (%)"));
  chart->y = chart_latency_axis (chart, low_ns, high_ns, QUANTILES_ROOM, "latency");
}

/* Return levels: the latency that one in so many wake-ups exceeds. */

#define TAIL_MOST_POINTS 400
#define TAIL_ONCE_IN 1e9 /* the axis's high end, if anything is predicted */
#define TAIL_BEYOND 3    /* the number of wake-ups, else */
#define TAIL_HIGHEST 2   /* of the predictions: how far intervals extend the axis */
#define TAIL_DEADLINE 3  /* of what is there: how far a deadline extends it */
#define TAIL_ROOM 0.02

static void
add_observed (Chart *chart, guint i, const ChartSeries *series, Span *up)
{
  g_autoptr (GArray) points = culprit_rank_points (series->profile, TAIL_MOST_POINTS);
  ChartMark *mark = chart_add_mark (chart, MARK_POINTS, i);

  mark->what = "observed";
  for (guint k = 0; k < points->len; k++)
    {
      const CulpritRankPoint *point = &g_array_index (points, CulpritRankPoint, k);

      chart_mark_add (mark, 1 / point->above, point->ns);
      span_add (up, point->ns);
    }
}

/* From the threshold on, where all are as observed. What is not bounded ends outside the chart. */
static void
add_predicted (Chart *chart, guint i, const CulpritTail *tail, Span *up)
{
  ChartMark *band = chart_add_mark (chart, MARK_BAND, i);
  ChartMark *line = chart_add_mark (chart, MARK_LINE, i);
  double from = (double) tail->n / tail->exceeding;
  guint last = tail->levels->len - 1;
  double most = g_array_index (tail->levels, CulpritTailLevel, last).ns.value * TAIL_HIGHEST;

  line->what = "predicted";
  band->what = "95 % interval";
  chart_mark_add (line, from, tail->threshold_ns);
  chart_mark_add (band, from, tail->threshold_ns);
  for (guint k = 0; k <= last; k++)
    {
      const CulpritTailLevel *level = &g_array_index (tail->levels, CulpritTailLevel, k);

      chart_mark_add (line, level->once_in, level->ns.value);
      chart_mark_add (band, level->once_in, level->ns.low);
      span_add (up, level->ns.value);
      span_add (up, fmin (level->ns.high, most));
    }
  for (guint k = last + 1; k-- > 0;)
    {
      const CulpritTailLevel *level = &g_array_index (tail->levels, CulpritTailLevel, k);

      chart_mark_add (band, level->once_in, fmin (level->ns.high, (double) G_MAXINT64));
    }
  chart_mark_add (band, from, tail->threshold_ns);
}

/* A line for each deadline that is not far away. */
static void
add_deadlines (Chart *chart, const ChartSeries *series, guint n, double most, Span *up)
{
  double most_ns = up->high_ns * TAIL_DEADLINE;

  for (guint i = 0; i < n; i++)
    {
      gint64 deadline_ns = series[i].tail ? series[i].tail->asked.deadline_ns : 0;
      ChartMark *guide;

      if (deadline_ns <= 0 || deadline_ns > most_ns)
        continue;
      guide = chart_add_mark (chart, MARK_GUIDE, i);
      chart_mark_add (guide, 1, deadline_ns);
      chart_mark_add (guide, most, deadline_ns);
      span_add (up, deadline_ns);
    }
}

static void
tail_fill (Chart *chart, const ChartSeries *series, guint n)
{
  Span up = { INFINITY, -INFINITY };
  double most = TAIL_BEYOND;

  for (guint i = 0; i < n; i++)
    {
      const CulpritTail *tail = series[i].tail;
      gboolean fitted = tail && tail->levels->len > 0;
      g_autofree char *deadline = tail && tail->asked.deadline_ns > 0 ? chart_time (tail->asked.deadline_ns) : NULL;
      g_autofree char *own =
          g_strconcat (fitted ? "predicted" : "not predicted", deadline ? ", deadline " : NULL, deadline, NULL);

      if (fitted)
        add_predicted (chart, i, tail, &up);
      add_observed (chart, i, &series[i], &up);
      most = fmax (most, fitted ? TAIL_ONCE_IN : (double) series[i].profile->n * TAIL_BEYOND);
      chart_add_legend (chart, i, &series[i], own, own);
    }
  add_deadlines (chart, series, n, most, &up);
  chart->x = axis_make (AXIS_LOG, 1, most, 1, g_strdup ("wake-ups, of which one is later"));
  chart->y = chart_latency_axis (chart, up.low_ns, up.high_ns, TAIL_ROOM, "latency");
}

/* The peaks of a function that was delayed. */

#define PROOF_ROOM 0.05

/* "peak 2 at 31.2 us: 40.0 calls (39.5 to 40.6)". The caller owns it. */
static char *
name_of_peak (const CulpritProvedPeak *peak)
{
  g_autofree char *at = chart_time (peak->at_ns);
  g_autofree char *calls = culprit_calls_format (peak->calls);
  g_autofree char *low = culprit_calls_format (peak->calls_low);
  g_autofree char *high = culprit_calls_format (peak->calls_high);

  if (peak->answer == CULPRIT_PATH_LOST)
    return g_strdup_printf ("peak %u at %s: not found again", peak->number, at);
  return g_strdup_printf ("peak %u at %s: %s calls (%s to %s)", peak->number, at, calls, low, high);
}

/* What calls were really held up with @dose, or what was asked for if there were none. */
static double
held_up_ns (const CulpritPathProof *proof, guint dose)
{
  const CulpritDose *one = &g_array_index (proof->doses, CulpritDose, dose);

  return isnan (one->spun_ns) ? one->delay_ns : one->spun_ns;
}

static void
add_proved (Chart *chart, guint i, const CulpritPathProof *proof, Span *across, Span *up)
{
  const CulpritProvedPeak *peak = &g_array_index (proof->peaks, CulpritProvedPeak, i);
  double first_ns = held_up_ns (proof, 0);
  double last_ns = held_up_ns (proof, proof->doses->len - 1);
  ChartMark *line = chart_add_mark (chart, MARK_LINE, i);
  ChartMark *points = chart_add_mark (chart, MARK_POINTS, i);

  chart_add_look (chart, i);
  g_ptr_array_add (chart->peaks, g_array_new (FALSE, FALSE, sizeof (CulpritPeak)));
  g_ptr_array_add (chart->legend, name_of_peak (peak));
  g_ptr_array_add (chart->spoken, name_of_peak (peak));
  line->what = "line";
  points->what = "moved";
  chart_mark_add (line, first_ns, isnan (peak->calls) ? NAN : 0);
  chart_mark_add (line, last_ns, (last_ns - first_ns) * peak->calls);
  span_add (up, (last_ns - first_ns) * peak->calls);
  for (guint k = 0; k < peak->moved_ns->len; k++)
    {
      double moved_ns = g_array_index (peak->moved_ns, double, k);

      chart_mark_add (points, held_up_ns (proof, k), moved_ns);
      span_add (across, held_up_ns (proof, k));
      span_add (up, moved_ns);
    }
}

Chart *
chart_new_proof (const CulpritPathProof *proof)
{
  Chart *chart = chart_begin ("How much later each peak is", "peak");
  Span across = { 0, 0 };
  Span up = { 0, 0 };

  for (guint i = 0; i < proof->peaks->len; i++)
    add_proved (chart, i, proof, &across, &up);
  chart->x = chart_latency_axis (chart, across.low_ns, across.high_ns, PROOF_ROOM, "delay of a call");
  chart->y = chart_latency_axis (chart, up.low_ns, up.high_ns, PROOF_ROOM, "later by");
  chart->whole_low = chart->x.low;
  chart->whole_high = chart->x.high;
  return chart;
}

/* Any of these. */

static const struct
{
  const char *name;
  const char *title;
} kinds[CHART_KINDS] = { { "histogram", "Histogram of latencies" },
                         { "density", "Density of latencies" },
                         { "quantiles", "Quantiles of latencies" },
                         { "probability", "Probability plot of latencies: a perfect fit lies on the dashed line" },
                         { "tail", "Tail of latencies, with its 95 % interval" } };

const char *
chart_kind_name (ChartKind kind)
{
  return kinds[kind].name;
}

/* Chooses the scale of latencies. */
static void
choose_scale (Chart *chart, const ChartSeries *series, guint n, ChartScale scale)
{
  g_autofree const CulpritProfile **profiles = g_new (const CulpritProfile *, n);

  for (guint i = 0; i < n; i++)
    profiles[i] = series[i].profile;
  chart->logarithmic =
      scale == CHART_SCALE_LOGARITHMIC || (scale == CHART_SCALE_AUTOMATIC && culprit_scale_is_due (profiles, n));
  chart->knee_ns = culprit_scale_knee (profiles, n);
}

/* Whether one of @peaks is in the band of @label. */
static gboolean
is_among (const ChartLabel *label, const GArray *peaks)
{
  for (guint i = 0; i < peaks->len; i++)
    {
      const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, i);

      if (peak->at_ns >= label->low_ns && peak->at_ns <= label->high_ns)
        return TRUE;
    }
  return FALSE;
}

/* Those that are not weak, and those with labels. */
static GArray *
find_peaks (const ChartSeries *series)
{
  GArray *peaks = culprit_peaks_find_all (series->profile, culprit_profile_nice_width (series->profile));

  for (guint i = peaks->len; i-- > 0;)
    if (g_array_index (peaks, CulpritPeak, i).weak)
      g_array_remove_index (peaks, i);
  for (guint i = 0; series->labels && i < series->labels->len; i++)
    {
      const ChartLabel *label = &g_array_index (series->labels, ChartLabel, i);
      const CulpritPeak peak = { .at_ns = label->at_ns,
                                 .low_ns = label->at_ns,
                                 .high_ns = label->at_ns,
                                 .band_low_ns = label->low_ns,
                                 .band_high_ns = label->high_ns };

      if (!is_among (label, peaks))
        g_array_append_val (peaks, peak);
    }
  return peaks;
}

Chart *
chart_new (ChartKind kind, const ChartSeries *series, guint n, CulpritFitKind fit, ChartScale scale)
{
  Chart *chart = chart_begin (kinds[kind].title, "run");

  chart->across = kind == CHART_HISTOGRAM || kind == CHART_DENSITY;
  choose_scale (chart, series, n, scale);
  for (guint i = 0; i < n; i++)
    {
      chart_add_look (chart, series[i].number);
      g_ptr_array_add (chart->peaks, find_peaks (&series[i]));
    }
  switch (kind)
    {
    case CHART_HISTOGRAM:
      histogram_fill (chart, series, n);
      break;
    case CHART_DENSITY:
      density_fill (chart, series, n);
      break;
    case CHART_QUANTILES:
      quantiles_fill (chart, series, n);
      break;
    case CHART_TAIL:
      tail_fill (chart, series, n);
      break;
    default:
      probability_fill (chart, series, n, fit);
    }
  chart->whole_low = chart->x.low;
  chart->whole_high = chart->x.high;
  return chart;
}
