/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A quantile plot, which shows the whole tail. If latencies cover a wide range, their axis is logarithmic. */
#include "chart-private.h"
#include "latency/rank-points.h"
#include "latency/statistics.h"

#include <math.h>

#define MOST_POINTS 1000
#define FAR 50  /* times the lowest latency: beyond, the axis is logarithmic */
#define ROOM 20 /* This fraction of the axis (one part in ROOM) is left free above. */

typedef double (*Edge) (const CulpritProfile *profile, double latency_ns);

static Axis
make_latency_axis (double low_ns, double high_ns)
{
  double room_ns = (high_ns - low_ns) / ROOM;

  if (low_ns > 0 && high_ns / low_ns >= FAR)
    return axis_make_times (AXIS_LOG, low_ns / pow (high_ns / low_ns, 1.0 / ROOM),
                            high_ns * pow (high_ns / low_ns, 1.0 / ROOM), "latency");
  return axis_make_times (AXIS_LINEAR, low_ns >= 0 ? fmax (low_ns - room_ns, 0) : low_ns - room_ns, high_ns + room_ns,
                          "latency");
}

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
      g_autofree char *highest = chart_time (moments.max_ns);
      g_autofree char *width = chart_time (series[i].profile->width_ns);
      gboolean coarse = series[i].profile->middle_ns > 0;

      add_edge (chart, i, points, series[i].profile, culprit_profile_from);
      if (coarse)
        add_edge (chart, i, points, series[i].profile, culprit_profile_to);
      nines = fmax (nines, -log10 (g_array_index (points, CulpritRankPoint, points->len - 1).above));
      low_ns = fmin (low_ns, moments.min_ns);
      high_ns = fmax (high_ns, moments.max_ns);
      chart_add_legend (chart, &series[i], "n = %" G_GUINT64_FORMAT ", max %s%s%s", moments.n, highest,
                        coarse ? ", in bins of " : "", coarse ? width : "");
    }
  chart->x =
      axis_make (AXIS_NINES, 0, nines * (1 + 1.0 / ROOM), 1, g_strdup ("share of latencies that are shorter (%)"));
  chart->y = make_latency_axis (low_ns, high_ns);
}
