/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a chart: its marks into its frame. */
#include "canvas-private.h"

#include <math.h>

#define BAR_GAP 0.1 /* on both sides, of the place of a name */
#define TINT 0.3    /* shared by the series, so that they do not hide each other */

/* Follows the points of @mark; in steps, each value applies until the next point. */
static void
follow (const Canvas *canvas, const ChartMark *mark)
{
  double last_y = canvas->bottom;

  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);
      double x = canvas_x (canvas, point->x);
      double y = canvas_y (canvas, point->y);

      if (mark->kind == MARK_STEPS && i > 0)
        cairo_line_to (canvas->cr, x, last_y);
      cairo_line_to (canvas->cr, x, y);
      last_y = y;
    }
}

/* Tints the area between @mark and the bottom. */
static void
fill_below (const Canvas *canvas, const ChartMark *mark)
{
  guint last = mark->points->len - 1;

  follow (canvas, mark);
  cairo_line_to (canvas->cr, canvas_x (canvas, g_array_index (mark->points, ChartPoint, last).x), canvas->bottom);
  cairo_line_to (canvas->cr, canvas_x (canvas, g_array_index (mark->points, ChartPoint, 0).x), canvas->bottom);
  canvas_use (canvas, canvas_colour (canvas, mark->series), TINT / (canvas->chart->legend->len + 1));
  cairo_fill (canvas->cr);
}

static void
draw_points (const Canvas *canvas, const ChartMark *mark)
{
  canvas_use (canvas, canvas_colour (canvas, mark->series), 0.8);
  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);

      cairo_arc (canvas->cr, canvas_x (canvas, point->x), canvas_y (canvas, point->y), 2.5, 0, 2 * M_PI);
      cairo_fill (canvas->cr);
    }
}

static void
draw_curve (const Canvas *canvas, const ChartMark *mark)
{
  if (mark->points->len == 1)
    draw_points (canvas, mark);
  if (mark->kind != MARK_LINE)
    fill_below (canvas, mark);
  follow (canvas, mark);
  canvas_use_series (canvas, mark->series);
  cairo_set_line_width (canvas->cr, mark->kind == MARK_STEPS ? 1.2 : 2);
  cairo_stroke (canvas->cr);
  canvas_use_solid (canvas);
}

static void
draw_guide (const Canvas *canvas, const ChartMark *mark)
{
  const double dashes[] = { 6, 4 };

  follow (canvas, mark);
  canvas_use (canvas, chart_ink (canvas->palette), 0.7);
  cairo_set_dash (canvas->cr, dashes, 2, 0);
  cairo_set_line_width (canvas->cr, 1.2);
  cairo_stroke (canvas->cr);
  canvas_use_solid (canvas);
}

static void
draw_peaks (const Canvas *canvas, const ChartMark *mark)
{
  canvas_use (canvas, canvas_colour (canvas, mark->series), 1);
  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);
      double x = canvas_x (canvas, point->x);
      double y = canvas_y (canvas, point->y) - 4;

      cairo_move_to (canvas->cr, x, y);
      cairo_rel_line_to (canvas->cr, -4, -7);
      cairo_rel_line_to (canvas->cr, 8, 0);
      cairo_close_path (canvas->cr);
      cairo_fill (canvas->cr);
    }
}

static void
draw_bars (const Canvas *canvas, guint index)
{
  const ChartMark *mark = g_ptr_array_index (canvas->chart->marks, index);

  canvas_use (canvas, canvas_colour (canvas, mark->series), 1);
  for (guint i = 0; i < mark->points->len; i++)
    {
      const ChartPoint *point = &g_array_index (mark->points, ChartPoint, i);
      double base = chart_bar_base (canvas->chart, index, i);
      double left = canvas_x (canvas, point->x + BAR_GAP);
      double top = canvas_y (canvas, base + point->y);

      cairo_rectangle (canvas->cr, left, top, canvas_x (canvas, point->x + 1 - BAR_GAP) - left,
                       canvas_y (canvas, base) - top);
    }
  cairo_fill (canvas->cr);
}

static void
draw_mark (const Canvas *canvas, guint index)
{
  const ChartMark *mark = g_ptr_array_index (canvas->chart->marks, index);

  if (mark->points->len == 0)
    return;
  switch (mark->kind)
    {
    case MARK_BARS:
      draw_bars (canvas, index);
      break;
    case MARK_GUIDE:
      draw_guide (canvas, mark);
      break;
    case MARK_POINTS:
      draw_points (canvas, mark);
      break;
    case MARK_PEAKS:
      draw_peaks (canvas, mark);
      break;
    default:
      draw_curve (canvas, mark);
    }
}

ChartFrame
chart_draw (const Chart *chart, ChartPalette palette, cairo_t *cr, double width, double height)
{
  Canvas canvas = { chart, palette, cr, width, height };

  canvas_draw_frame (&canvas);
  cairo_save (cr);
  cairo_rectangle (cr, canvas.left, canvas.top, canvas.right - canvas.left, canvas.bottom - canvas.top);
  cairo_clip (cr);
  for (guint i = 0; i < chart->marks->len; i++)
    draw_mark (&canvas, i);
  canvas_label_peaks (&canvas);
  cairo_restore (cr);
  canvas_use (&canvas, chart_ink (palette), 1);
  canvas_line (&canvas, canvas.left, canvas.top, canvas.left, canvas.bottom);
  canvas_line (&canvas, canvas.left, canvas.bottom, canvas.right, canvas.bottom);
  return (ChartFrame) { canvas.left, canvas.top, canvas.right, canvas.bottom };
}
