/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zooms into a part of a chart's axis, and reads the values at a position. */
#include "chart-private.h"

#include <math.h>
#include <string.h>

#define CLOSEST 1e-4 /* the smallest visible part of the whole */

void
chart_zoom (Chart *chart, double low, double high)
{
  double least = (chart->whole_high - chart->whole_low) * CLOSEST;

  if (!(low < high))
    {
      low = chart->whole_low;
      high = chart->whole_high;
    }
  if (high - low < least)
    {
      low = (low + high - least) / 2;
      high = low + least;
    }
  chart->x.low = CLAMP (low, chart->whole_low, chart->whole_high - least);
  chart->x.high = CLAMP (high, chart->x.low + least, chart->whole_high);
}

void
chart_range (const Chart *chart, double *low, double *high)
{
  *low = chart->x.low;
  *high = chart->x.high;
}

double
chart_value_at (const Chart *chart, const ChartFrame *frame, double x)
{
  double part = (x - frame->left) / fmax (frame->right - frame->left, 1);

  if (chart->x.scale == AXIS_LOG)
    return chart->x.low * pow (chart->x.high / chart->x.low, part);
  return chart->x.low + part * (chart->x.high - chart->x.low);
}

double
chart_place_of (const Chart *chart, const ChartFrame *frame, double value)
{
  return frame->left + axis_position (&chart->x, value) * (frame->right - frame->left);
}

/* The point of @mark that applies at @x: the last one not to the right of it. */
static const ChartPoint *
point_at (const ChartMark *mark, double x)
{
  const ChartPoint *found = NULL;

  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);

      if (point->x > x)
        break;
      found = point;
    }
  return found;
}

static char *
tell_value (const Axis *axis, double value)
{
  if (axis->scale == AXIS_NINES)
    return g_strdup_printf ("%.6g %%", 100 * (1 - pow (10, -value)));
  if (strstr (axis->title, "latency"))
    return chart_time (value);
  return g_strdup_printf ("%.4g", value / axis->unit);
}

char *
chart_tell (const Chart *chart, double x)
{
  g_autofree char *across = tell_value (&chart->x, x);
  GString *text = g_string_new (across);
  guint last = G_MAXUINT; /* the series of the previous mark */

  for (guint i = 0; i < chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (chart->marks, i);
      const ChartPoint *point = mark->kind == MARK_PEAKS || mark->kind == MARK_GUIDE ? NULL : point_at (mark, x);
      const char *legend = g_ptr_array_index (chart->legend, mark->series);
      const char *end = strstr (legend, " (");
      g_autofree char *up = point ? tell_value (&chart->y, point->y) : NULL;

      /* A second line of a run is the other edge of its bins. */
      if (point && mark->kind == MARK_LINE && mark->series == last)
        g_string_append_printf (text, " to %s", up);
      else if (point)
        g_string_append_printf (text, "\n%.*s: %s", (int) (end ? end - legend : (glong) strlen (legend)), legend, up);
      last = mark->series;
    }
  return g_string_free (text, FALSE);
}
