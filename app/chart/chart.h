/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of latency profiles, drawn with cairo onto anything. What a chart shows is computed once, when it is made;
 * drawing only maps it to pixels. */
#pragma once

#include "colours.h"
#include "latency/fits.h"

#include <cairo.h>

typedef enum
{
  CHART_HISTOGRAM,   /* how many there are of each latency, counts on a logarithmic axis, with the peaks */
  CHART_DENSITY,     /* the same smoothed, without the ends */
  CHART_QUANTILES,   /* latency against probability, with as much room for 99 to 99.9 per cent as for 90 to 99 */
  CHART_PROBABILITY, /* latencies against those that a distribution would have */
  CHART_KINDS,
} ChartKind;

/* How latencies are spread over their axis. */
typedef enum
{
  CHART_SCALE_AUTOMATIC, /* logarithmic where culprit_scale_is_due() */
  CHART_SCALE_LINEAR,
  CHART_SCALE_LOGARITHMIC, /* see latency/scale.h */
} ChartScale;

typedef struct
{
  const char *name;
  const CulpritProfile *profile; /* not empty */
  guint number;                  /* of the run, as of culprit_study_run_number(), which gives its colour */
} ChartSeries;

typedef struct _Chart Chart;

/* "histogram", "density", "quantiles", "probability". */
const char *chart_kind_name (ChartKind kind);

/* A chart of @n series over each other, at least one, which need not live on. @fit: what a probability plot holds each
 * against; CULPRIT_FITS: what is likeliest for it. */
Chart *chart_new (ChartKind kind, const ChartSeries *series, guint n, CulpritFitKind fit, ChartScale scale);

/* Whether its latencies are on a logarithmic axis. */
gboolean chart_is_logarithmic (const Chart *chart);

/* Whether latencies are across; else they are upwards. */
gboolean chart_has_latencies_across (const Chart *chart);

/* Where the axes meet the values. */
typedef struct
{
  double left;
  double top;
  double right;
  double bottom;
} ChartFrame;

/* Draws @chart from 0, 0 to @width, @height. Gives its frame. */
ChartFrame chart_draw (const Chart *chart, ChartPalette palette, cairo_t *cr, double width, double height);

/* Shows only what lies across from @low to @high; all of it where @low is not below @high, or nothing lies there. */
void chart_zoom (Chart *chart, double low, double high);

/* Shows @factor times as much around @centre, and moves on by @part of what is shown. */
void chart_zoom_around (Chart *chart, double factor, double centre);
void chart_pan (Chart *chart, double part);

/* Whether less than all of it is shown. */
gboolean chart_is_zoomed (const Chart *chart);

/* What is shown across: latencies in ns, but for CHART_QUANTILES and CHART_PROBABILITY. */
void chart_range (const Chart *chart, double *low, double *high);

/* The value across that is @part of what is shown away from @value, but not outside. */
double chart_step (const Chart *chart, double value, double part);

/* The value across that stands at @x of a picture with @frame, and where @value stands. */
double chart_value_at (const Chart *chart, const ChartFrame *frame, double x);
double chart_place_of (const Chart *chart, const ChartFrame *frame, double value);

/* Where @latency_ns stands on the axis of latencies: across or, from the top, upwards. */
double chart_place_of_latency (const Chart *chart, const ChartFrame *frame, double latency_ns);

/* What the series have at the value @x: a line for the value, and one for each. The caller owns it. */
char *chart_tell (const Chart *chart, double x);

/* The chart as an element <svg class="chart"> for a web page, without title and legend, which belong to the page as
 * text. Its paths bear the classes grid, axis, steps, area, line, points, peaks, guide, and series-0 to series-6; its
 * texts up and across. The caller owns it. */
char *chart_svg (const Chart *chart);

const char *chart_title (const Chart *chart);

/* What the legend says of the series at @index. */
const char *chart_legend (const Chart *chart, guint index);

/* What the chart shows, in sentences, for who cannot see it: its axes, and of each series how many latencies there are,
 * median, maximum and peaks. The caller owns it. */
char *chart_describe (const Chart *chart);

void chart_free (Chart *chart);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Chart, chart_free)
