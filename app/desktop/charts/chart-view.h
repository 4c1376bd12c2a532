/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a chart of latency profiles, with a crosshair and values; wheel, drag and keys zoom, pan and
 * select a range of the horizontal axis, and a click on a peak or on late wake-ups selects theirs. It emits
 * "range-selected" when the selection changes; then "picked" (uint), with the index of the series, if that was by such
 * a click; and "view-changed" when another chart or another part of it is shown. */
#pragma once

#include "chart/chart.h"

#include <adwaita.h>

#define CULPRIT_TYPE_CHART_VIEW (culprit_chart_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritChartView, culprit_chart_view, CULPRIT, CHART_VIEW, GtkWidget)

/* Shows @chart, which it takes; NULL: none. Zoom and selection stay if the previous one was of the same kind. */
void culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart);

/* Makes a chart of @series (of ChartSeries), like chart_new(), in a thread, and shows it unless another one is
 * requested meanwhile; none if there are no series. @owner, which owns the profiles and names, is released with
 * @release when they are no longer needed. */
void culprit_chart_view_make (CulpritChartView *view,
                              ChartKind kind,
                              const GArray *series,
                              ChartScale scale,
                              gpointer owner,
                              GDestroyNotify release);

/* The chart, or NULL. Belongs to the view. */
const Chart *culprit_chart_view_chart (CulpritChartView *view);

/* Shows only the selected range, if there is one. */
void culprit_chart_view_zoom_to_selection (CulpritChartView *view);

/* The selected range; FALSE: there is none. */
gboolean culprit_chart_view_selection (CulpritChartView *view, double *low, double *high);
void culprit_chart_view_select (CulpritChartView *view, double low, double high);

/* Labels the selected range, on screen and for screen readers; NULL: no label. */
void culprit_chart_view_label_selection (CulpritChartView *view, const char *text);

/* Marks a latency by a line with @label; NaN: none. */
void culprit_chart_view_mark (CulpritChartView *view, double latency_ns, const char *label);

/* Less important marks: the triggers of runs. */
void culprit_chart_view_clear_triggers (CulpritChartView *view);
void culprit_chart_view_add_trigger (CulpritChartView *view, double latency_ns, const char *label);

/* Writes the visible part to @path (.svg or .png), below @heading, which may be NULL. */
gboolean culprit_chart_view_export (CulpritChartView *view, const char *heading, const char *path, GError **error);

/* The buttons of a chart: scale of latencies, zoom to the selection, show everything. It emits "scale-chosen" when the
 * chart must be made again with another scale. */

#define CULPRIT_TYPE_CHART_TOOLS (culprit_chart_tools_get_type ())

G_DECLARE_FINAL_TYPE (CulpritChartTools, culprit_chart_tools, CULPRIT, CHART_TOOLS, AdwBin)

/* The scale that the user has chosen, at first the automatic one. The property "view" is the CulpritChartView. */
ChartScale culprit_chart_tools_scale (CulpritChartTools *tools);
