/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Density plots of several runs: the bulk of the latencies, without the ends. */
#include "latency/density.h"

#include "chart-private.h"

#include <math.h>

#define POINTS 800
#define ROOM 1.05

void
density_fill (Chart *chart, const ChartSeries *series, guint n)
{
  double low_ns = INFINITY;
  double high_ns = -INFINITY;
  double highest = 0;
  const char *unit;
  double unit_ns;

  for (guint i = 0; i < n; i++)
    {
      double from_ns;
      double to_ns;

      culprit_density_range (series[i].profile, &from_ns, &to_ns);
      low_ns = fmin (low_ns, from_ns);
      high_ns = fmax (high_ns, to_ns);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CulpritDensity) density = culprit_density_new (series[i].profile, low_ns, high_ns, POINTS);
      g_autofree char *bandwidth = chart_time (density->bandwidth_ns);
      ChartMark *mark = chart_add_mark (chart, MARK_AREA, i);

      for (guint k = 0; k < density->values->len; k++)
        {
          double value = g_array_index (density->values, double, k);

          chart_mark_add (mark, low_ns + density->step_ns * k, value);
          highest = fmax (highest, value);
        }
      chart_add_legend (chart, &series[i], "n = %" G_GUINT64_FORMAT ", bandwidth %s", series[i].profile->n, bandwidth);
    }
  unit_ns = axis_time_unit (fmax (fabs (low_ns), fabs (high_ns)), &unit);
  chart->x = axis_make_times (AXIS_LINEAR, low_ns, high_ns, "latency, from the 1 % to the 99 % quantile");
  chart->y = axis_make (AXIS_LINEAR, 0, highest * ROOM, 1 / unit_ns, g_strdup_printf ("density (per %s)", unit));
}
