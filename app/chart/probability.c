/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A probability plot: the latencies against those of the fitted distribution at the same ranks. Where they depart from
 * the dashed line, the distribution does not fit. */
#include "chart-private.h"
#include "latency/rank-points.h"

#include <math.h>

#define MOST_POINTS 400
#define ROOM 0.05
#define NOTHING_NS 1e4 /* the length of empty axes */

typedef struct
{
  double low_ns;
  double high_ns;
} Span;

static void
span_add (Span *span, double ns)
{
  if (isfinite (ns))
    *span = (Span) { fmin (span->low_ns, ns), fmax (span->high_ns, ns) };
}

static void
add_series (Chart *chart,
            guint i,
            const ChartSeries *series,
            CulpritFitKind kind,
            const CulpritFit *fit,
            Span *across,
            Span *up)
{
  g_autoptr (GArray) points = culprit_rank_points (series->profile, MOST_POINTS);
  g_autofree char *told = g_strdup_printf ("%s, r = %.4f", culprit_fit_name (kind), fit->correlation);
  ChartMark *mark = chart_add_mark (chart, MARK_POINTS, i);

  for (guint k = 0; k < points->len; k++)
    {
      const CulpritRankPoint *point = &g_array_index (points, CulpritRankPoint, k);
      double expected_ns = culprit_fit_quantile (kind, fit, point->below);

      chart_mark_add (mark, expected_ns, point->ns);
      span_add (across, expected_ns);
      span_add (up, point->ns);
    }
  chart_add_legend (chart, i, series, told, told);
}

static Axis
make_axis (const Chart *chart, Span span, const char *what)
{
  if (span.low_ns > span.high_ns)
    return axis_make_times (AXIS_LINEAR, 0, NOTHING_NS, what);
  return chart_latency_axis (chart, span.low_ns, span.high_ns, ROOM, what);
}

/* The line on which both latencies are equal, as far as both axes extend. */
static void
add_guide (Chart *chart)
{
  double low_ns = fmax (chart->x.low, chart->y.low);
  double high_ns = fmin (chart->x.high, chart->y.high);
  ChartMark *guide = chart_add_mark (chart, MARK_GUIDE, 0);

  if (low_ns < high_ns)
    {
      chart_mark_add (guide, low_ns, low_ns);
      chart_mark_add (guide, high_ns, high_ns);
    }
}

void
probability_fill (Chart *chart, const ChartSeries *series, guint n, CulpritFitKind wanted)
{
  Span across = { INFINITY, -INFINITY };
  Span up = across;

  for (guint i = 0; i < n; i++)
    {
      CulpritFit fits[CULPRIT_FITS];
      CulpritFitKind kind = wanted;

      culprit_fits_find (series[i].profile, fits);
      if (kind == CULPRIT_FITS)
        kind = culprit_fits_best (fits);
      if (kind != CULPRIT_FITS && fits[kind].possible)
        add_series (chart, i, &series[i], kind, &fits[kind], &across, &up);
      else
        chart_add_legend (chart, i, &series[i], "nothing to fit", "nothing to fit");
    }
  chart->x = make_axis (chart, across, "latency of the fitted distribution");
  chart->y = make_axis (chart, up, "latency");
  add_guide (chart);
}
