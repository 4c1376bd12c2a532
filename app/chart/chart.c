/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all charts have: series, marks, a legend, and their content in words. */
#include "chart-private.h"

#include "clean.h"
#include "latency/description.h"
#include "latency/histogram.h"
#include "units.h"

#include <math.h>

#define LONGEST_NAME 1000 /* characters, more than any chart has room for */

static void
mark_free (gpointer data)
{
  ChartMark *mark = data;

  g_array_unref (mark->points);
  g_ptr_array_unref (mark->labels);
  g_array_unref (mark->named);
  g_free (mark);
}

/* Those with the same colour differ in their dashes. */
void
chart_add_look (Chart *chart, guint number)
{
  ChartLook look = { number, 0 };

  for (guint i = 0; i < chart->looks->len; i++)
    look.round += g_array_index (chart->looks, ChartLook, i).number % CHART_COLOURS == number % CHART_COLOURS;
  g_array_append_val (chart->looks, look);
}

Axis
chart_latency_axis (const Chart *chart, double low_ns, double high_ns, double room, const char *what)
{
  g_autofree char *title = g_strdup_printf ("%s%s", what, chart->logarithmic ? ", logarithmic" : "");
  AxisScale scale = chart->logarithmic ? AXIS_SCALED : AXIS_LINEAR;
  Axis tight = axis_make (scale, low_ns, high_ns, 1, NULL);
  double low;

  tight.knee = chart->knee_ns;
  low = axis_value (&tight, -room);
  if (low_ns >= 0)
    low = fmax (low, 0);
  if (chart->logarithmic)
    return axis_make_scaled (chart->knee_ns, low, axis_value (&tight, 1 + room), title);
  return axis_make_times (AXIS_LINEAR, low, axis_value (&tight, 1 + room), title);
}

Chart *
chart_begin (const char *title, const char *series)
{
  Chart *chart = g_new0 (Chart, 1);

  chart->title = g_strdup (title);
  chart->series = series;
  chart->looks = g_array_new (FALSE, FALSE, sizeof (ChartLook));
  chart->peaks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  chart->late = g_array_new (FALSE, FALSE, sizeof (CulpritLate));
  chart->legend = g_ptr_array_new_with_free_func (g_free);
  chart->spoken = g_ptr_array_new_with_free_func (g_free);
  chart->marks = g_ptr_array_new_with_free_func (mark_free);
  return chart;
}

ChartMark *
chart_add_mark (Chart *chart, MarkKind kind, guint series)
{
  ChartMark *mark = g_new0 (ChartMark, 1);

  mark->kind = kind;
  mark->series = series;
  mark->points = g_array_new (FALSE, FALSE, sizeof (ChartPoint));
  mark->labels = g_ptr_array_new_with_free_func (g_free);
  mark->named = g_array_new (FALSE, FALSE, sizeof (gboolean));
  g_ptr_array_add (chart->marks, mark);
  return mark;
}

void
chart_mark_add (ChartMark *mark, double x, double y)
{
  ChartPoint point = { x, y };

  if (isfinite (x) && isfinite (y))
    g_array_append_val (mark->points, point);
}

char *
chart_clean_name (const char *name)
{
  return culprit_clean_start (name, LONGEST_NAME, ' ');
}

char *
chart_peaks_in_words (const Chart *chart, guint place, guint most)
{
  const GArray *peaks = g_ptr_array_index (chart->peaks, place);
  GString *text = g_string_new (peaks->len == 0 ? "" : peaks->len == 1 ? "peak" : "peaks");

  for (guint i = 0; i < peaks->len && i < most; i++)
    {
      g_autofree char *latency = chart_time (g_array_index (peaks, CulpritPeak, i).at_ns);

      g_string_append_printf (text, "%s %s", i > 0 ? "," : "", latency);
    }
  g_string_append (text, peaks->len > most ? ", ..." : "");
  return g_string_free (text, FALSE);
}

/* What follows a comma, where there is anything. */
static const char *
comma_before (const char *text)
{
  return text && *text ? ", " : "";
}

void
chart_add_legend (Chart *chart, guint place, const ChartSeries *series, const char *own, const char *spoken)
{
  CulpritMoments moments = culprit_moments (series->profile);
  g_autofree char *name = chart_clean_name (series->name);
  g_autofree char *n = culprit_count_format (moments.n);
  g_autofree char *count = culprit_count_format (series->profile->beyond);
  g_autofree char *beyond = series->profile->beyond > 0 ? g_strdup_printf (", %s above its end", count) : g_strdup ("");
  g_autofree char *median = chart_time (moments.median_ns);
  g_autofree char *highest = chart_time (moments.max_ns);
  g_autofree char *peaks = chart_peaks_in_words (chart, place, G_MAXUINT);

  g_ptr_array_add (chart->legend, g_strdup_printf ("%s (n = %s, max %s%s%s%s)", name, n, highest, beyond,
                                                   comma_before (own), own ? own : ""));
  g_ptr_array_add (chart->spoken,
                   g_strdup_printf ("%s (n = %s, median %s, max %s%s%s%s%s%s)", name, n, median, highest, beyond,
                                    comma_before (peaks), peaks, comma_before (spoken), spoken ? spoken : ""));
}

char *
chart_time (double time_ns)
{
  return isnan (time_ns) ? g_strdup ("unknown") : culprit_time_format (llround (time_ns));
}

const char *
chart_title (const Chart *chart)
{
  return chart->title;
}

const char *
chart_legend (const Chart *chart, guint index)
{
  return g_ptr_array_index (chart->legend, index);
}

gboolean
chart_is_logarithmic (const Chart *chart)
{
  return chart->logarithmic;
}

gboolean
chart_has_latencies_across (const Chart *chart)
{
  return chart->across;
}

char *
chart_describe (const Chart *chart)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "Horizontal axis: %s. Vertical axis: %s. %u %s%s:", chart->x.title, chart->y.title,
                   chart->spoken->len, chart->series, culprit_plural (chart->spoken->len));
  for (guint i = 0; i < chart->spoken->len; i++)
    g_string_append_printf (text, "%s %s", i > 0 ? ";" : "", (char *) g_ptr_array_index (chart->spoken, i));
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

void
chart_free (Chart *chart)
{
  g_free (chart->title);
  axis_clear (&chart->x);
  axis_clear (&chart->y);
  g_array_unref (chart->looks);
  g_ptr_array_unref (chart->peaks);
  g_array_unref (chart->late);
  g_ptr_array_unref (chart->legend);
  g_ptr_array_unref (chart->spoken);
  g_ptr_array_unref (chart->marks);
  g_free (chart);
}
