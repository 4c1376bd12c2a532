/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content of a chart: axes, a legend, and marks in the axes' units. Each kind of chart fills it; drawing reads
 * it. */
#pragma once

#include "axis.h"
#include "chart.h"

typedef enum
{
  MARK_STEPS,  /* a histogram's outline: each point's value applies until the next point */
  MARK_AREA,   /* a line with the area below it tinted */
  MARK_LINE,   /* a line */
  MARK_POINTS, /* dots */
  MARK_PEAKS,  /* triangles above points */
  MARK_GUIDE,  /* a dashed line that belongs to no series */
} MarkKind;

typedef struct
{
  double x;
  double y;
} ChartPoint;

typedef struct
{
  MarkKind kind;
  guint series;
  GArray *points; /* of ChartPoint */
} ChartMark;

struct _Chart
{
  char *title;
  Axis x;
  Axis y;
  GPtrArray *legend; /* of char *, one per series */
  GPtrArray *marks;  /* of ChartMark, in the order of drawing */
  double whole_low;  /* the ends of the horizontal axis before zooming */
  double whole_high;
};

/* Adds a mark to @chart. */
ChartMark *chart_add_mark (Chart *chart, MarkKind kind, guint series);

/* Adds a point; points that are not finite are left out. */
void chart_mark_add (ChartMark *mark, double x, double y);

/* Adds an entry to the legend: the name of @series, and what to say about it. */
void chart_add_legend (Chart *chart, const ChartSeries *series, const char *text, ...) G_GNUC_PRINTF (3, 4);

/* A time as written in legends. The caller owns it. */
char *chart_time (double time_ns);

/* These fill an empty chart, except for its title. */
void histogram_fill (Chart *chart, const ChartSeries *series, guint n);
void density_fill (Chart *chart, const ChartSeries *series, guint n);
void quantiles_fill (Chart *chart, const ChartSeries *series, guint n);
void probability_fill (Chart *chart, const ChartSeries *series, guint n, CulpritFitKind fit);
