/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a chart of latency profiles: a crosshair with values, zooming and panning by wheel, drag and
 * keys, and a selected range. It emits "range-selected" when a range of the horizontal axis is selected, or cleared:
 * then low is not below high. */
#pragma once

#include "chart/chart.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_CHART_VIEW (culprit_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (CulpritChartView, culprit_chart_view, CULPRIT, CHART_VIEW, GtkWidget)

/* Shows @chart, which it takes; NULL for none. What is selected stays so where the chart before was of the same kind.
 */
void culprit_chart_view_set_chart (CulpritChartView *view, Chart *chart);

/* The selected range. FALSE where there is none. */
gboolean culprit_chart_view_selection (CulpritChartView *view, double *low, double *high);
void culprit_chart_view_select (CulpritChartView *view, double low, double high);

/* Marks a value across with a line; NaN for none. */
void culprit_chart_view_mark (CulpritChartView *view, double value);

/* Writes what is seen to @path (.svg or .png). */
gboolean culprit_chart_view_export (CulpritChartView *view, const char *path, GError **error);
