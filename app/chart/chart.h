/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of latency profiles, drawn with cairo onto any surface. The content is computed once, when the chart is
 * created; drawing only maps it to pixels. */
#pragma once

#include "colours.h"
#include "latency/comparison/path-proof.h"
#include "latency/fits.h"
#include "latency/tail.h"

#include <cairo.h>

typedef enum
{
  CHART_HISTOGRAM,   /* the number of each latency, with counts on a logarithmic axis, and the peaks */
  CHART_DENSITY,     /* the same smoothed, without the ends */
  CHART_QUANTILES,   /* latency against probability, with as much space for 99 to 99.9 per cent as for 90 to 99 */
  CHART_PROBABILITY, /* latencies against those of a fitted distribution */
  CHART_TAIL,        /* the latency that one in so many wake-ups exceeds: observed, and predicted with its interval */
  CHART_KINDS,
} ChartKind;

/* The scale of latencies. */
typedef enum
{
  CHART_SCALE_AUTOMATIC, /* logarithmic if culprit_scale_is_due() */
  CHART_SCALE_LINEAR,
  CHART_SCALE_LOGARITHMIC, /* see latency/histogram.h */
} ChartScale;

/* What a peak is due to. */
typedef struct
{
  double at_ns;
  double low_ns; /* its band */
  double high_ns;
  const char *text;
} ChartLabel;

typedef struct
{
  const char *name;
  const CulpritProfile *profile; /* not empty */
  guint number;                  /* of the run, from culprit_study_run_number(), which determines its colour */
  const CulpritTail *tail;       /* for CHART_TAIL, with culprit_tail_levels_drawn; NULL: nothing is predicted */
  const GArray *labels;          /* of ChartLabel, for CHART_HISTOGRAM; NULL: none */
} ChartSeries;

typedef struct _Chart Chart;

/* "histogram", "density", "quantiles", "probability", "tail". */
const char *chart_kind_name (ChartKind kind);

/* A chart of @n series on top of each other, at least one; they may be freed afterwards. @fit: the distribution of a
 * probability plot; CULPRIT_FITS: the likeliest one for each series. */
Chart *chart_new (ChartKind kind, const ChartSeries *series, guint n, CulpritFitKind fit, ChartScale scale);

/* Counts that are stacked on top of each other. */
typedef struct
{
  const char *name;
  const double *counts; /* one for each label */
  gboolean rest;        /* what has no name of its own: in grey */
} ChartBars;

/* A chart with a bar for each of @labels, of which each of @bars is a part; all may be freed afterwards. @across and
 * @up: what the axes are of; @part: what each of @bars is, e.g. "cause". */
Chart *chart_new_bars (const char *title,
                       const char *across,
                       const char *up,
                       const char *part,
                       const char *const *labels,
                       guint n_labels,
                       const ChartBars *bars,
                       guint n_bars);

/* A chart of the peaks of @proof, which has some: how much later each is with each delay, and the line through that. It
 * may be freed afterwards. */
Chart *chart_new_proof (const CulpritPathProof *proof);

/* Whether its latencies are on a logarithmic axis. */
gboolean chart_is_logarithmic (const Chart *chart);

/* Whether latencies are on the horizontal axis; else on the vertical one. */
gboolean chart_has_latencies_across (const Chart *chart);

/* The rectangle between the axes. */
typedef struct
{
  double left;
  double top;
  double right;
  double bottom;
} ChartFrame;

/* Draws @chart from 0, 0 to @width, @height. Returns its frame. @labels, which may be NULL, becomes where labels of
 * peaks are, of ChartFrame. */
ChartFrame chart_draw (
    const Chart *chart, ChartPalette palette, cairo_t *cr, double width, double height, GArray *labels);

/* Shows only the part of the horizontal axis from @low to @high; all of it if @low is not below @high, or nothing is
 * there. */
void chart_zoom (Chart *chart, double low, double high);

/* Shows @factor times as much around @centre; moves on by the share @part of what is shown. */
void chart_zoom_around (Chart *chart, double factor, double centre);
void chart_pan (Chart *chart, double part);

/* Whether less than all of it is shown. */
gboolean chart_is_zoomed (const Chart *chart);

/* The visible part of the horizontal axis: latencies in ns, except for CHART_QUANTILES, CHART_PROBABILITY and
 * CHART_TAIL. */
void chart_range (const Chart *chart, double *low, double *high);

/* The horizontal value that is the share @part of what is shown away from @value, but not outside. */
double chart_step (const Chart *chart, double value, double part);

/* The horizontal value at @x of a picture with @frame, and the position of @value. */
double chart_value_at (const Chart *chart, const ChartFrame *frame, double x);
double chart_place_of (const Chart *chart, const ChartFrame *frame, double value);

/* The position of @latency_ns on the axis of latencies: horizontally, or vertically from the top. */
double chart_place_of_latency (const Chart *chart, const ChartFrame *frame, double latency_ns);

/* The band of a peak, or of the late wake-ups. */
typedef struct
{
  guint series; /* the index of the run */
  double low_ns;
  double high_ns;
} ChartBand;

/* What is at @x, @y of a picture with @frame: the peak whose mark is there, else the narrowest group of late wake-ups
 * above or below. FALSE: nothing. */
gboolean chart_pick (const Chart *chart, const ChartFrame *frame, double x, double y, ChartBand *band);

/* The values of the series at @x: a line for @x itself, and one for each series. The caller owns it. */
char *chart_values_in_words (const Chart *chart, double x);

/* The chart as an element <svg class="chart"> for a web page, without title and legend, which belong to the page as
 * text. Its paths have the classes grid, axis, steps, area, line, points, peaks, guide, band, and series-0 to series-6;
 * its texts up and across. The caller owns it. */
char *chart_svg (const Chart *chart);

const char *chart_title (const Chart *chart);

/* The legend's entry for the series @index. */
const char *chart_legend (const Chart *chart, guint index);

/* The content of the chart in sentences, for people who cannot see it: its axes, and for each series the number of
 * latencies, median, maximum and peaks. The caller owns it. */
char *chart_describe (const Chart *chart);

void chart_free (Chart *chart);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Chart, chart_free)
