/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chart as an element of a web page: text remains text, and colours come from the page's style, so that they can
 * differ between light and dark. */
#include "chart-private.h"

#include <math.h>

#define WIDTH 760.0
#define HEIGHT 300.0
#define LEFT 64.0
#define RIGHT 748.0
#define TOP 10.0
#define BOTTOM 250.0
#define TICKS_X 8
#define TICKS_Y 6
#define END_LABEL 18.0 /* how far the first and the last label may extend beyond the frame */

static const char *const mark_names[] = { [MARK_STEPS] = "steps",   [MARK_AREA] = "area",   [MARK_LINE] = "line",
                                          [MARK_POINTS] = "points", [MARK_PEAKS] = "peaks", [MARK_GUIDE] = "guide" };

static double
position_x (const Chart *chart, double value)
{
  return LEFT + (RIGHT - LEFT) * axis_position (&chart->x, value);
}

static double
position_y (const Chart *chart, double value)
{
  return BOTTOM - (BOTTOM - TOP) * axis_position (&chart->y, value);
}

/* A number as SVG requires it, in every locale. */
static void
add_number (GString *svg, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (svg, g_ascii_formatd (text, sizeof text, "%.1f", number));
}

static void
add_point (GString *svg, char command, double x, double y)
{
  g_string_append_c (svg, command);
  add_number (svg, x);
  g_string_append_c (svg, ' ');
  add_number (svg, y);
}

static void
add_line (GString *svg, const char *class, double x1, double y1, double x2, double y2)
{
  g_string_append_printf (svg, "<path class=\"%s\" d=\"", class);
  add_point (svg, 'M', x1, y1);
  add_point (svg, 'L', x2, y2);
  g_string_append (svg, "\"/>\n");
}

static void
add_text (GString *svg, const char *class, double x, double y, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (svg, "<text class=\"%s\" x=\"", class);
  add_number (svg, x);
  g_string_append (svg, "\" y=\"");
  add_number (svg, y);
  g_string_append_printf (svg, "\">%s</text>\n", escaped);
}

static void
add_axes (GString *svg, const Chart *chart)
{
  g_autoptr (GArray) across = axis_ticks (&chart->x, TICKS_X);
  g_autoptr (GArray) up = axis_ticks (&chart->y, TICKS_Y);

  for (guint i = 0; i < up->len; i++)
    {
      const AxisTick *tick = &g_array_index (up, AxisTick, i);
      double y = position_y (chart, tick->value);

      add_line (svg, "grid", LEFT, y, *tick->label ? RIGHT : LEFT + 4, y);
      if (*tick->label)
        add_text (svg, "up", LEFT - 8, y + 4, tick->label);
    }
  for (guint i = 0; i < across->len; i++)
    {
      const AxisTick *tick = &g_array_index (across, AxisTick, i);
      double x = position_x (chart, tick->value);

      add_line (svg, "grid", x, *tick->label ? TOP : BOTTOM - 4, x, BOTTOM);
      if (*tick->label)
        add_text (svg, "across", fmin (x, WIDTH - END_LABEL), BOTTOM + 18, tick->label);
    }
  add_line (svg, "axis", LEFT, TOP, LEFT, BOTTOM);
  add_line (svg, "axis", LEFT, BOTTOM, RIGHT, BOTTOM);
  add_text (svg, "across", (LEFT + RIGHT) / 2, HEIGHT - 10, chart->x.title);
  g_string_append_printf (svg, "<g transform=\"translate(14 %d) rotate(-90)\">", (int) ((TOP + BOTTOM) / 2));
  add_text (svg, "across", 0, 0, chart->y.title);
  g_string_append (svg, "</g>\n");
}

/* Follows the points of @mark; in steps, each value applies until the next point. */
static void
add_curve (GString *svg, const Chart *chart, const ChartMark *mark)
{
  double last_y = BOTTOM;

  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);
      double x = position_x (chart, point->x);
      double y = position_y (chart, point->y);

      if (mark->kind == MARK_STEPS && i > 0)
        add_point (svg, 'L', x, last_y);
      add_point (svg, i == 0 ? 'M' : 'L', x, y);
      last_y = y;
    }
}

/* A triangle or a dot at each point. */
static void
add_signs (GString *svg, const Chart *chart, const ChartMark *mark)
{
  const char *shape = mark->kind == MARK_PEAKS ? "m0 -4l-4 -7h8z" : "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z";

  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);

      add_point (svg, 'M', position_x (chart, point->x), position_y (chart, point->y));
      g_string_append (svg, shape);
    }
}

static void
add_mark (GString *svg, const Chart *chart, const ChartMark *mark)
{
  if (mark->points->len == 0)
    return;
  g_string_append_printf (svg, "<path class=\"%s series-%u\" d=\"", mark_names[mark->kind],
                          g_array_index (chart->looks, ChartLook, mark->series).number % CHART_COLOURS);
  if (mark->kind == MARK_PEAKS || mark->kind == MARK_POINTS)
    add_signs (svg, chart, mark);
  else
    add_curve (svg, chart, mark);
  g_string_append (svg, "\"/>\n");
}

char *
chart_svg (const Chart *chart)
{
  GString *svg = g_string_new (NULL);
  g_autofree char *description = chart_describe (chart);
  g_autofree char *heading =
      g_markup_printf_escaped ("<title>%s</title>\n<desc>%s</desc>\n", chart_title (chart), description);

  g_string_append_printf (svg, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\">\n%s", (int) WIDTH,
                          (int) HEIGHT, heading);
  add_axes (svg, chart);
  for (guint i = 0; i < chart->marks->len; i++)
    add_mark (svg, chart, g_ptr_array_index (chart->marks, i));
  g_string_append (svg, "</svg>\n");
  return g_string_free (svg, FALSE);
}
