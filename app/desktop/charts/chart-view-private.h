/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drawing a chart and handling its input share. */
#pragma once

#include "charts/chart-view.h"

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
  double mark;
  gboolean panning;
  double pan_low; /* what was shown when panning began */
  double pan_high;
};

/* Listens to the pointer and to keys. */
void chart_view_add_input (CulpritChartView *view);

/* The chart has changed. */
void chart_view_redraw (CulpritChartView *view);

/* @x, but not outside of the frame. */
double chart_view_clip (CulpritChartView *view, double x);
