/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a chart of latency profiles: a crosshair with values, zooming and panning by wheel, drag and
 * keys, and a selected range. It emits "range-selected" when a range of the horizontal axis is selected, or cleared:
 * then low is not below high; and "view-changed" when another chart, or another part of it, is shown. */
#pragma once

#include "chart/chart.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_CHART_VIEW (culprit_chart_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritChartView, culprit_chart_view, CULPRIT, CHART_VIEW, GtkWidget)

/* Shows @chart, which it takes; NULL for none. Where the chart before was of the same kind, what is selected stays so,
 * and what is zoomed. */
void culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart);

/* The chart; NULL: there is none. Belongs to the view. */
const Chart *culprit_chart_view_chart (CulpritChartView *view);

/* Shows the selected range alone, where there is one; and all again. */
void culprit_chart_view_zoom_to_selection (CulpritChartView *view);

/* The selected range. FALSE where there is none. */
gboolean culprit_chart_view_selection (CulpritChartView *view, double *low, double *high);
void culprit_chart_view_select (CulpritChartView *view, double low, double high);

/* Says above the selected range what is in it, also to who cannot see it; NULL for nothing. */
void culprit_chart_view_tell_selection (CulpritChartView *view, const char *text);

/* Marks a latency with a line and @label, which says what it is; NaN for none. */
void culprit_chart_view_mark (CulpritChartView *view, double latency_ns, const char *label);

/* Likewise more of them, which are less important: those of the triggers of runs. */
void culprit_chart_view_clear_triggers (CulpritChartView *view);
void culprit_chart_view_add_trigger (CulpritChartView *view, double latency_ns, const char *label);

/* Writes what is seen to @path (.svg or .png), below @heading; NULL: there is none. */
gboolean culprit_chart_view_export (CulpritChartView *view, const char *heading, const char *path, GError **error);

/* The buttons of a chart: the scale of its latencies, zooming to what is selected, and showing all again. It emits
 * "scale-chosen" when the chart is to be made with another scale. */

#define CULPRIT_TYPE_CHART_TOOLS (culprit_chart_tools_get_type ())

G_DECLARE_FINAL_TYPE (CulpritChartTools, culprit_chart_tools, CULPRIT, CHART_TOOLS, GtkWidget)

/* The scale that the user has chosen; until then it follows from the latencies. The chart is the property "view", a
 * CulpritChartView. */
ChartScale culprit_chart_tools_scale (CulpritChartTools *tools);
