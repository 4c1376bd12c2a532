/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates charts and describes their content in words. */
#include "chart-private.h"

#include "units.h"

#include <math.h>

static const struct
{
  const char *name;
  const char *title;
} kinds[CHART_KINDS] = { { "histogram", "Histogram of latencies" },
                         { "density", "Density of latencies" },
                         { "quantiles", "Quantiles of latencies" },
                         { "probability", "Probability plot of latencies: a perfect fit lies on the dashed line" } };

static void
mark_free (gpointer data)
{
  ChartMark *mark = data;

  g_array_unref (mark->points);
  g_free (mark);
}

const char *
chart_kind_name (ChartKind kind)
{
  return kinds[kind].name;
}

Chart *
chart_new (ChartKind kind, const ChartSeries *series, guint n, CulpritFitKind fit)
{
  Chart *chart = g_new0 (Chart, 1);

  chart->title = g_strdup (kinds[kind].title);
  chart->legend = g_ptr_array_new_with_free_func (g_free);
  chart->marks = g_ptr_array_new_with_free_func (mark_free);
  switch (kind)
    {
    case CHART_HISTOGRAM:
      histogram_fill (chart, series, n);
      break;
    case CHART_DENSITY:
      density_fill (chart, series, n);
      break;
    case CHART_QUANTILES:
      quantiles_fill (chart, series, n);
      break;
    default:
      probability_fill (chart, series, n, fit);
    }
  chart->whole_low = chart->x.low;
  chart->whole_high = chart->x.high;
  return chart;
}

ChartMark *
chart_add_mark (Chart *chart, MarkKind kind, guint series)
{
  ChartMark *mark = g_new0 (ChartMark, 1);

  mark->kind = kind;
  mark->series = series;
  mark->points = g_array_new (FALSE, FALSE, sizeof (ChartPoint));
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

/* @name without characters that Pango or XML reject. */
static char *
clean_name (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  GString *clean = g_string_new (NULL);

  for (const char *c = valid; *c; c = g_utf8_next_char (c))
    g_string_append_unichar (clean, g_unichar_isprint (g_utf8_get_char (c)) ? g_utf8_get_char (c) : '?');
  return g_string_free (clean, FALSE);
}

void
chart_add_legend (Chart *chart, const ChartSeries *series, const char *text, ...)
{
  g_autofree char *name = clean_name (series->name);
  g_autofree char *told = NULL;
  va_list arguments;

  va_start (arguments, text);
  told = g_strdup_vprintf (text, arguments);
  va_end (arguments);
  g_ptr_array_add (chart->legend, g_strdup_printf ("%s (%s)", name, told));
}

char *
chart_time (double time_ns)
{
  return culprit_time_format (llround (time_ns));
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

char *
chart_describe (const Chart *chart)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "Across: %s. Upwards: %s. Shown:", chart->x.title, chart->y.title);
  for (guint i = 0; i < chart->legend->len; i++)
    g_string_append_printf (text, "%s %s", i > 0 ? ";" : "", (char *) g_ptr_array_index (chart->legend, i));
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

void
chart_free (Chart *chart)
{
  g_free (chart->title);
  axis_clear (&chart->x);
  axis_clear (&chart->y);
  g_ptr_array_unref (chart->legend);
  g_ptr_array_unref (chart->marks);
  g_free (chart);
}
