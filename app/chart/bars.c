/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of counts: stacked bars by name. */
#include "chart-private.h"

#include "latency/peaks.h"

#define ROOM 1.05 /* of the highest bar */

double
chart_bar_base (const Chart *chart, guint mark, guint point)
{
  double base = 0;

  for (guint i = 0; i < mark; i++)
    base += g_array_index (((ChartMark *) g_ptr_array_index (chart->marks, i))->points, ChartPoint, point).y;
  return base;
}

static void
add_bars (Chart *chart, guint place, const ChartBars *bars, guint n_labels)
{
  ChartMark *mark = chart_add_mark (chart, MARK_BARS, place);
  g_autofree char *name = chart_clean_name (bars->name);
  double sum = 0;

  for (guint i = 0; i < n_labels; i++)
    {
      chart_mark_add (mark, i, bars->counts[i]);
      sum += bars->counts[i];
    }
  chart_add_look (chart, place);
  g_array_index (chart->looks, ChartLook, place).grey = bars->rest;
  g_ptr_array_add (chart->peaks, g_array_new (FALSE, FALSE, sizeof (CulpritPeak)));
  g_ptr_array_add (chart->legend, g_strdup_printf ("%s (%.0f)", name, sum));
  g_ptr_array_add (chart->told, g_strdup_printf ("%s %.0f", name, sum));
}

Chart *
chart_new_bars (const char *title,
                const char *across,
                const char *up,
                const char *part,
                const char *const *labels,
                guint n_labels,
                const ChartBars *bars,
                guint n_bars)
{
  Chart *chart = chart_begin (title, part);
  double highest = 0;

  for (guint i = 0; i < n_bars; i++)
    add_bars (chart, i, &bars[i], n_labels);
  for (guint i = 0; i < n_labels; i++)
    highest = MAX (highest, chart_bar_base (chart, n_bars, i));
  chart->x = axis_make_names (labels, n_labels, g_strdup (across));
  chart->y = axis_make (AXIS_LINEAR, 0, MAX (highest, 1) * ROOM, 1, g_strdup (up));
  chart->whole_low = chart->x.low;
  chart->whole_high = chart->x.high;
  return chart;
}
