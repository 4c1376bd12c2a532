/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zooms into a part of a chart's axis, and reads the values at a position. */
#include "chart-private.h"

#include "units.h"

#include <math.h>
#include <string.h>

#define CLOSEST 1e-4 /* the smallest visible part of the whole */

/* The whole axis: parts of it are not proportional to numbers if it is logarithmic. */
static Axis
whole_axis (const Chart *chart)
{
  Axis whole = chart->x;

  whole.low = chart->whole_low;
  whole.high = chart->whole_high;
  return whole;
}

/* Shows the range between these parts of the whole. */
static void
show (Chart *chart, double low, double high)
{
  Axis whole = whole_axis (chart);

  if (high - low < CLOSEST)
    {
      low = (low + high - CLOSEST) / 2;
      high = low + CLOSEST;
    }
  low = CLAMP (low, 0, 1 - CLOSEST);
  high = CLAMP (high, low + CLOSEST, 1);
  chart->x.low = low > 0 ? axis_value (&whole, low) : whole.low;
  chart->x.high = high < 1 ? axis_value (&whole, high) : whole.high;
}

void
chart_zoom (Chart *chart, double low, double high)
{
  Axis whole = whole_axis (chart);

  if (low < high && low < whole.high && high > whole.low)
    show (chart, axis_position (&whole, low), axis_position (&whole, high));
  else
    show (chart, 0, 1);
}

void
chart_zoom_around (Chart *chart, double factor, double centre)
{
  Axis whole = whole_axis (chart);
  double low = axis_position (&whole, chart->x.low);
  double high = axis_position (&whole, chart->x.high);
  double at = axis_position (&whole, centre);

  show (chart, at - (at - low) * factor, at + (high - at) * factor);
}

/* Stops at the ends, with as much visible as before. */
void
chart_pan (Chart *chart, double part)
{
  Axis whole = whole_axis (chart);
  double low = axis_position (&whole, chart->x.low);
  double length = axis_position (&whole, chart->x.high) - low;

  low = CLAMP (low + part * length, 0, 1 - length);
  show (chart, low, low + length);
}

gboolean
chart_is_zoomed (const Chart *chart)
{
  return chart->x.low > chart->whole_low || chart->x.high < chart->whole_high;
}

void
chart_range (const Chart *chart, double *low, double *high)
{
  *low = chart->x.low;
  *high = chart->x.high;
}

double
chart_step (const Chart *chart, double value, double part)
{
  return axis_value (&chart->x, CLAMP (axis_position (&chart->x, value) + part, 0, 1));
}

double
chart_value_at (const Chart *chart, const ChartFrame *frame, double x)
{
  return axis_value (&chart->x, (x - frame->left) / fmax (frame->right - frame->left, 1));
}

double
chart_place_of (const Chart *chart, const ChartFrame *frame, double value)
{
  return frame->left + axis_position (&chart->x, value) * (frame->right - frame->left);
}

double
chart_place_of_latency (const Chart *chart, const ChartFrame *frame, double latency_ns)
{
  if (chart_has_latencies_across (chart))
    return chart_place_of (chart, frame, latency_ns);
  return frame->bottom - axis_position (&chart->y, latency_ns) * (frame->bottom - frame->top);
}

#define REACH 8       /* pixels: how far from a mark's middle still hits it */
#define NAME_REACH 40 /* the same of a mark whose label is a name */
#define MARK_HEIGHT 28

/* Whether the mark and the label above @point are at @x, @y. @reach: to both sides. */
static gboolean
is_hit (const Chart *chart, const ChartFrame *frame, const ChartPoint *point, double reach, double x, double y)
{
  double across = x - chart_place_of (chart, frame, point->x);
  double up = frame->bottom - axis_position (&chart->y, point->y) * (frame->bottom - frame->top) - y;

  return fabs (across) <= reach && up >= 0 && up <= MARK_HEIGHT;
}

/* The peak whose mark is at @x, @y. */
static gboolean
pick_peak (const Chart *chart, const ChartFrame *frame, double x, double y, ChartBand *band)
{
  for (guint i = 0; i < chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (chart->marks, i);
      const GArray *peaks = mark->kind == MARK_PEAKS ? g_ptr_array_index (chart->peaks, mark->series) : NULL;

      for (guint k = 0; peaks && k < peaks->len && k < mark->points->len; k++)
        {
          const CulpritPeak *peak = &g_array_index (peaks, CulpritPeak, k);
          gboolean named = k < mark->named->len && g_array_index (mark->named, gboolean, k);

          if (!is_hit (chart, frame, &g_array_index (mark->points, ChartPoint, k), named ? NAME_REACH : REACH, x, y))
            continue;
          *band = (ChartBand) { mark->series, peak->band_low_ns, peak->band_high_ns + 1 };
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
chart_pick (const Chart *chart, const ChartFrame *frame, double x, double y, ChartBand *band)
{
  double narrowest = INFINITY;

  if (y < frame->top || y > frame->bottom)
    return FALSE;
  if (pick_peak (chart, frame, x, y, band))
    return TRUE;
  for (guint i = 0; i < chart->late->len; i++)
    {
      const CulpritLate *late = &g_array_index (chart->late, CulpritLate, i);
      double left = chart_place_of (chart, frame, late->from_ns) - REACH;
      double right = chart_place_of (chart, frame, late->to_ns) + REACH;

      if (late->count == 0 || x < left || x > right || right - left >= narrowest)
        continue;
      narrowest = right - left;
      *band = (ChartBand) { i, late->from_ns, late->to_ns + 1 };
    }
  return narrowest < INFINITY;
}

#define MANY 1e4 /* from here on numbers are counts, which are written out */

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

/* The height at @x of the line through the points of @mark from the index @from on, @step apart; NaN: it is not there.
 */
static double
height_at (const Chart *chart, const ChartMark *mark, guint from, int step, double x)
{
  guint n = mark->kind == MARK_BAND ? mark->points->len / 2 : mark->points->len;
  Axis whole = whole_axis (chart);
  double at = axis_position (&whole, x);

  for (guint i = 0; i + 1 < n; i++)
    {
      const ChartPoint *left = &g_array_index (mark->points, ChartPoint, from + i * step);
      const ChartPoint *right = left + step;
      double begin = axis_position (&whole, left->x);
      double end = axis_position (&whole, right->x);

      if (x >= left->x && x <= right->x)
        return end > begin ? left->y + (right->y - left->y) * (at - begin) / (end - begin) : left->y;
    }
  return NAN;
}

static char *
value_in_words (const Axis *axis, double value)
{
  if (axis->scale == AXIS_NAMES)
    return g_strdup (axis_name (axis, value));
  if (axis->scale == AXIS_NINES)
    return g_strdup_printf ("%.6g %%", 100 * (1 - pow (10, -value)));
  if (axis->times)
    return chart_time (value);
  if (value / axis->unit >= MANY)
    return culprit_count_format (llround (value / axis->unit));
  return g_strdup_printf ("%.4g", value / axis->unit);
}

/* "predicted: 60.0 us", "95 % interval: 50.0 us to 70.0 us"; NULL: it has no value at @x. The caller owns it. */
static char *
own_value_in_words (const Chart *chart, const ChartMark *mark, double x)
{
  gboolean band = mark->kind == MARK_BAND;
  const ChartPoint *point = mark->kind == MARK_POINTS ? point_at (mark, x) : NULL;
  double low = point ? point->y : mark->kind == MARK_POINTS ? NAN : height_at (chart, mark, 0, 1, x);
  double high = band ? height_at (chart, mark, mark->points->len - 1, -1, x) : low;
  g_autofree char *from = isfinite (low) ? value_in_words (&chart->y, low) : NULL;
  g_autofree char *to = high < (double) G_MAXINT64 ? value_in_words (&chart->y, high) : g_strdup ("no limit");

  return from ? g_strdup_printf ("%s: %s%s%s", mark->what, from, band ? " to " : "", band ? to : "") : NULL;
}

char *
chart_values_in_words (const Chart *chart, double x)
{
  g_autofree char *across = value_in_words (&chart->x, x);
  GString *text = g_string_new (chart->x.scale == AXIS_LOG ? "one in " : NULL);
  guint last = G_MAXUINT; /* the series of the previous mark */

  g_string_append (text, across);
  for (guint i = 0; i < chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (chart->marks, i);
      g_autofree char *own = mark->what ? own_value_in_words (chart, mark, x) : NULL;
      const ChartPoint *point =
          mark->what || mark->kind == MARK_PEAKS || mark->kind == MARK_LATE || mark->kind == MARK_GUIDE
              ? NULL
              : point_at (mark, x);
      const char *legend = g_ptr_array_index (chart->legend, mark->series);
      const char *end = strstr (legend, " (");
      g_autofree char *up = point ? value_in_words (&chart->y, point->y) : NULL;

      if (own)
        g_string_append_printf (text, "\n%.*s, %s", (int) (end ? end - legend : (glong) strlen (legend)), legend, own);
      /* A second line of a run is the other edge of its bins. */
      if (point && mark->kind == MARK_LINE && mark->series == last)
        g_string_append_printf (text, " to %s", up);
      else if (point)
        g_string_append_printf (text, "\n%.*s: %s", (int) (end ? end - legend : (glong) strlen (legend)), legend, up);
      last = mark->series;
    }
  return g_string_free (text, FALSE);
}
