/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The content of a chart: axes, a legend, and marks in the axes' units. Each kind of chart fills it; drawing reads
 * it. */
#pragma once

#include "axis.h"
#include "chart.h"
#include "latency/comparison/mapping.h"
#include "latency/peaks.h"

typedef enum
{
  MARK_STEPS,  /* a histogram's outline: each point's value applies until the next point */
  MARK_AREA,   /* a line with the area below it tinted */
  MARK_LINE,   /* a line */
  MARK_POINTS, /* dots */
  MARK_PEAKS,  /* triangles above points */
  MARK_LATE,   /* a bracket above the late wake-ups, from its first point to its second */
  MARK_BARS,   /* bars as wide as the place of a name, each on top of those of the marks before */
  MARK_GUIDE,  /* a dashed line that belongs to no series */
  MARK_BAND,   /* a tinted interval: its lower ends from left to right, then the upper ends back again */
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
  GArray *points;    /* of ChartPoint */
  GPtrArray *labels; /* of char *, one per point; empty: none */
  GArray *named;     /* of gboolean, likewise: the label says more than where the point is */
  const char *what;  /* what its values are; NULL: those of its series */
} ChartMark;

/* What a series looks like. */
typedef struct
{
  guint number; /* of its run */
  guint round;  /* how many before it have the same colour: determines its dashes */
  gboolean grey;
} ChartLook;

struct _Chart
{
  char *title;
  const char *series;   /* what a series is: "run" */
  gboolean across;      /* Latencies are across. */
  gboolean logarithmic; /* Latencies are on a scale with this knee: */
  double knee_ns;
  Axis x;
  Axis y;
  GArray *looks;     /* of ChartLook, one per series, as are the next four */
  GPtrArray *peaks;  /* of arrays of CulpritPeak, the significant ones */
  GArray *late;      /* of CulpritLate; in histograms only */
  GPtrArray *legend; /* of char * */
  GPtrArray *spoken; /* of char *: the same for people who cannot see the chart */
  GPtrArray *marks;  /* of ChartMark, in the order of drawing */
  double whole_low;  /* the ends of the horizontal axis before zooming */
  double whole_high;
};

/* An empty chart. */
Chart *chart_begin (const char *title, const char *series);

/* Adds a series in the colour @number. */
void chart_add_look (Chart *chart, guint number);

/* @name without characters that Pango or XML reject. The caller owns it. */
char *chart_clean_name (const char *name);

/* Adds a mark to @chart. */
ChartMark *chart_add_mark (Chart *chart, MarkKind kind, guint series);

/* An axis of latencies, with a part @room free at both ends. */
Axis chart_latency_axis (const Chart *chart, double low_ns, double high_ns, double room, const char *what);

/* Adds a point; one that is not finite is left out. */
void chart_mark_add (ChartMark *mark, double x, double y);

/* Adds an entry of the legend for the series @place: its name, how many latencies there are, the maximum, and @own.
 * For people who cannot see the chart, it has the median, all peaks, and @spoken. Both may be NULL. */
void chart_add_legend (Chart *chart, guint place, const ChartSeries *series, const char *own, const char *spoken);

/* "peaks 7.0 us, 8.5 us, ...": the first @most of the series with index @place; "" if it has none. The caller owns
 * it. */
char *chart_peaks_in_words (const Chart *chart, guint place, guint most);

/* A time as written in legends. The caller owns it. */
char *chart_time (double time_ns);

/* How high the bars before the one with index @point of the mark with index @mark reach. */
static inline double
chart_bar_base (const Chart *chart, guint mark, guint point)
{
  double base = 0;

  for (guint i = 0; i < mark; i++)
    base += g_array_index (((ChartMark *) g_ptr_array_index (chart->marks, i))->points, ChartPoint, point).y;
  return base;
}
