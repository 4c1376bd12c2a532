/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Density plots of several runs: the bulk of the latencies, without the ends. */
#include "latency/density.h"

#include "chart-private.h"
#include "latency/scale.h"
#include "units.h"

#include <math.h>

#define POINTS 800
#define HEADROOM 1.05
#define PER_CENT 100

/* The profiles to draw: on a logarithmic axis, of positions instead of latencies. */
static GPtrArray *
find_profiles (const Chart *chart, const ChartSeries *series, guint n)
{
  GPtrArray *profiles =
      g_ptr_array_new_with_free_func (chart->logarithmic ? (GDestroyNotify) culprit_profile_free : NULL);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (profiles, chart->logarithmic ? culprit_profile_scaled (series[i].profile, chart->knee_ns)
                                                  : (gpointer) series[i].profile);
  return profiles;
}

/* The latency of @value, which may be a position. */
static double
find_latency_ns (const Chart *chart, double value)
{
  return chart->logarithmic ? culprit_scale_latency (chart->knee_ns, value / CULPRIT_DECADE) : value;
}

/* On a logarithmic axis a bandwidth is a ratio. */
static char *
tell_bandwidth (const Chart *chart, double bandwidth)
{
  g_autofree char *time = NULL;

  if (chart->logarithmic)
    return g_strdup_printf ("bandwidth %.2g %%", PER_CENT * (pow (10, bandwidth / CULPRIT_DECADE) - 1));
  time = chart_time (bandwidth);
  return g_strdup_printf ("bandwidth %s", time);
}

/* Draws the density of @profile, derived from that of @series. Returns its height. */
static double
add_curve (Chart *chart, guint place, const ChartSeries *series, const CulpritProfile *profile, double low, double high)
{
  g_autoptr (CulpritDensity) density = culprit_density_new (profile, low, high, POINTS);
  g_autofree char *bandwidth = tell_bandwidth (chart, density->bandwidth_ns);
  ChartMark *mark = chart_add_mark (chart, MARK_AREA, place);
  double highest = 0;

  for (guint k = 0; k < density->values->len; k++)
    {
      double value = g_array_index (density->values, double, k);

      chart_mark_add (mark, find_latency_ns (chart, low + density->step_ns * k), value);
      highest = fmax (highest, value);
    }
  chart_add_legend (chart, place, series, bandwidth, bandwidth);
  return highest;
}

static Axis
make_axis_up (const Chart *chart, double highest, double low_ns, double high_ns)
{
  const CulpritUnit *unit = culprit_unit_of_all (fmax (fabs (low_ns), fabs (high_ns)));

  if (chart->logarithmic)
    return axis_make (AXIS_LINEAR, 0, highest * HEADROOM, 1.0 / CULPRIT_DECADE, g_strdup ("density (per decade)"));
  return axis_make (AXIS_LINEAR, 0, highest * HEADROOM, 1 / unit->ns, g_strdup_printf ("density (per %s)", unit->name));
}

void
density_fill (Chart *chart, const ChartSeries *series, guint n)
{
  g_autoptr (GPtrArray) profiles = find_profiles (chart, series, n);
  double low = INFINITY;
  double high = -INFINITY;
  double highest = 0;
  double low_ns;
  double high_ns;

  for (guint i = 0; i < n; i++)
    {
      double from;
      double to;

      culprit_density_range (g_ptr_array_index (profiles, i), &from, &to);
      low = fmin (low, from);
      high = fmax (high, to);
    }
  for (guint i = 0; i < n; i++)
    highest = fmax (highest, add_curve (chart, i, &series[i], g_ptr_array_index (profiles, i), low, high));
  low_ns = find_latency_ns (chart, low);
  high_ns = find_latency_ns (chart, high);
  chart->x = chart_latency_axis (chart, low_ns, high_ns, 0, "latency, from the 1 % to the 99 % quantile");
  chart->y = make_axis_up (chart, highest, low_ns, high_ns);
}
