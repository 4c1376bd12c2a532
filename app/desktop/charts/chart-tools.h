/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buttons of a chart: the scale of its latencies, zooming to what is selected, and showing all again. It emits
 * "scale-chosen" when the chart is to be made with another scale. */
#pragma once

#include "charts/chart-view.h"

#define CULPRIT_TYPE_CHART_TOOLS (culprit_chart_tools_get_type ())
G_DECLARE_FINAL_TYPE (CulpritChartTools, culprit_chart_tools, CULPRIT, CHART_TOOLS, GtkWidget)

/* The scale that the user has chosen; until then it follows from the latencies. The chart is the property "view", a
 * CulpritChartView. */
ChartScale culprit_chart_tools_scale (CulpritChartTools *tools);
