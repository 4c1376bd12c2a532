/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drawing a chart and handling its input share. */
#pragma once

#include "charts/chart-view.h"

/* A latency that is marked. */
typedef struct
{
  double latency_ns; /* NaN: none */
  char *label;
} ChartLine;

struct _CulpritChartView
{
  GtkWidget parent;
  Chart *chart;
  ChartFrame frame; /* as it was drawn last */
  GskRenderNode *drawn;
  int drawn_width;
  int drawn_height;
  gboolean drawn_dark;
  double pointer; /* where it is, in pixels; NaN: not here */
  double cursor;  /* the value where keys are; NaN: not yet */
  double anchor;  /* the value where a selection began */
  double low;     /* the selection; none where it is not below high */
  double high;
  char *told; /* what is in it; NULL: nothing is said */
  ChartLine mark;
  GArray *triggers; /* of ChartLine */
  gboolean panning;
  double pan_low; /* what was shown when panning began */
  double pan_high;
};

/* Listens to the pointer and to keys. */
void chart_view_add_input (CulpritChartView *view);

/* Another part of the chart is shown. */
void chart_view_zoomed (CulpritChartView *view);

/* Draws what is above the chart: lines, the selection, and the values at the pointer or the cursor. */
void chart_view_draw_overlay (CulpritChartView *view, GtkSnapshot *snapshot);

/* @x, but not outside of the frame. */
double chart_view_clip (CulpritChartView *view, double x);
