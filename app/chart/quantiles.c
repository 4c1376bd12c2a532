/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantile plot, which shows the whole tail. */
#include "chart-private.h"
#include "latency/rank-points.h"
#include "latency/statistics.h"

#include <math.h>

#define MOST_POINTS 1000
#define ROOM 0.05 /* of the axes */

typedef double (*Edge) (const CulpritProfile *profile, double latency_ns);

/* One edge of the latencies: in a coarse histogram only their bins are known. */
static void
add_edge (Chart *chart, guint series, const GArray *points, const CulpritProfile *profile, Edge edge)
{
  ChartMark *mark = chart_add_mark (chart, MARK_LINE, series);
  CulpritMoments moments = culprit_moments (profile);

  for (guint k = 0; k < points->len; k++)
    {
      const CulpritRankPoint *point = &g_array_index (points, CulpritRankPoint, k);
      double ns = edge (profile, point->ns);

      chart_mark_add (mark, -log10 (point->above), fmax (fmin (ns, moments.max_ns), moments.min_ns));
    }
}

void
quantiles_fill (Chart *chart, const ChartSeries *series, guint n)
{
  double low_ns = INFINITY;
  double high_ns = -INFINITY;
  double nines = 1;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) points = culprit_rank_points (series[i].profile, MOST_POINTS);
      CulpritMoments moments = culprit_moments (series[i].profile);
      g_autofree char *width = chart_time (series[i].profile->width_ns);
      g_autofree char *bins = g_strdup_printf ("in bins of %s", width);
      gboolean coarse = series[i].profile->middle_ns > 0;

      add_edge (chart, i, points, series[i].profile, culprit_profile_from);
      if (coarse)
        add_edge (chart, i, points, series[i].profile, culprit_profile_to);
      nines = fmax (nines, -log10 (g_array_index (points, CulpritRankPoint, points->len - 1).above));
      low_ns = fmin (low_ns, moments.min_ns);
      high_ns = fmax (high_ns, moments.max_ns);
      chart_add_legend (chart, i, &series[i], coarse ? bins : NULL, coarse ? bins : NULL);
    }
  chart->x = axis_make (AXIS_NINES, 0, nines * (1 + ROOM), 1, g_strdup ("share of latencies that are shorter (%)"));
  chart->y = chart_latency_axis (chart, low_ns, high_ns, ROOM, "latency");
}
