/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws everything around the marks: title and legend above, axes with their labels, the grid. */
#include "chart-private.h"

#include <math.h>
#include <pango/pangocairo.h>

static void canvas_measure (const Canvas *canvas, const char *text, const char *font, double *width, double *height);
static double canvas_text (
    const Canvas *canvas, const char *text, const char *font, double x, double y, double across, double down);

/* Labels of peaks. A label that would touch another one or its mark, or leave the frame, is left out; the text for
 * people who cannot see the chart has all of them. */

#define ABOVE 12.0 /* pixels from a peak to its label */
#define GAP 3.0
#define SIGN 4.0 /* half the width of a peak's mark */

typedef struct
{
  const char *text;
  double x; /* the middle of its foot */
  double y;
} Label;

typedef struct
{
  double left;
  double top;
  double right;
  double bottom;
} Box;

static int
compare_heights (gconstpointer a, gconstpointer b)
{
  const Label *left = a;
  const Label *right = b;

  return (left->y > right->y) - (left->y < right->y);
}

static GArray *
find_labels (const Canvas *canvas)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (Label));

  for (guint i = 0; i < canvas->chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (canvas->chart->marks, i);

      for (guint k = 0; k < mark->labels->len && k < mark->points->len; k++)
        {
          const ChartPoint *point = &g_array_index (mark->points, ChartPoint, k);
          const Label label = { g_ptr_array_index (mark->labels, k), canvas_x (canvas, point->x),
                                canvas_y (canvas, point->y) - ABOVE };

          g_array_append_val (labels, label);
        }
    }
  g_array_sort (labels, compare_heights);
  return labels;
}

/* The positions of the marks. */
static GArray *
find_signs (const GArray *labels)
{
  GArray *signs = g_array_new (FALSE, FALSE, sizeof (Box));

  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      const Box box = { label->x - SIGN, label->y, label->x + SIGN, label->y + ABOVE };

      g_array_append_val (signs, box);
    }
  return signs;
}

static gboolean
has_room (const Canvas *canvas, const GArray *taken, const Box *box)
{
  if (box->left < canvas->left || box->right > canvas->right || box->top < canvas->top)
    return FALSE;
  for (guint i = 0; i < taken->len; i++)
    {
      const Box *other = &g_array_index (taken, Box, i);

      if (box->left < other->right && box->right > other->left && box->top < other->bottom && box->bottom > other->top)
        return FALSE;
    }
  return TRUE;
}

void
canvas_label_peaks (const Canvas *canvas)
{
  g_autoptr (GArray) labels = find_labels (canvas);
  g_autoptr (GArray) taken = find_signs (labels);

  canvas_use (canvas, chart_ink (canvas->palette), 1);
  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      double width;
      double height;
      Box box;

      canvas_measure (canvas, label->text, SMALL_FONT, &width, &height);
      box = (Box) { label->x - width / 2 - GAP, label->y - height, label->x + width / 2 + GAP, label->y };
      if (!has_room (canvas, taken, &box))
        continue;
      canvas_text (canvas, label->text, SMALL_FONT, label->x, label->y, 0.5, 1);
      g_array_append_val (taken, box);
    }
}

#define MARGIN 14.0
#define GAP_BETWEEN 6.0
#define TICK_ROOM_X 80.0 /* pixels for each label */
#define TICK_ROOM_Y 44.0
#define SWATCH 16.0
#define LEGEND_ROW 17.0
#define LEGEND_SHARE 0.3 /* of the height, at most */
#define TITLE "Sans Bold 12"
#define AXIS_TITLE "Sans 10"

void
canvas_use (const Canvas *canvas, const ChartColour *colour, double alpha)
{
  cairo_set_source_rgba (canvas->cr, colour->red, colour->green, colour->blue, alpha);
}

const ChartColour *
canvas_colour (const Canvas *canvas, guint series)
{
  const ChartLook *look = &g_array_index (canvas->chart->looks, ChartLook, series);

  return look->grey ? chart_faint (canvas->palette) : chart_run_colour (canvas->palette, look->number);
}

void
canvas_use_series (const Canvas *canvas, guint series)
{
  static const double patterns[][2] = { { 8, 3 }, { 2, 2 } };
  guint round = g_array_index (canvas->chart->looks, ChartLook, series).round;

  canvas_use (canvas, canvas_colour (canvas, series), 1);
  if (round > 0)
    cairo_set_dash (canvas->cr, patterns[(round - 1) % 2], 2, 0);
}

void
canvas_use_solid (const Canvas *canvas)
{
  cairo_set_dash (canvas->cr, NULL, 0, 0);
}

static PangoLayout *
make_text (const Canvas *canvas, const char *text, const char *font)
{
  PangoLayout *layout = pango_cairo_create_layout (canvas->cr);
  PangoFontDescription *description = pango_font_description_from_string (font);

  pango_layout_set_font_description (layout, description);
  pango_font_description_free (description);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
  pango_layout_set_width (layout, (canvas->width - 2 * MARGIN - SWATCH - GAP_BETWEEN) * PANGO_SCALE);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

static void
measure (PangoLayout *layout, double *width, double *height)
{
  PangoRectangle extents;

  pango_layout_get_extents (layout, NULL, &extents);
  *width = (double) extents.width / PANGO_SCALE;
  *height = (double) extents.height / PANGO_SCALE;
}

/* The width and height of @text in @font. */
static void
canvas_measure (const Canvas *canvas, const char *text, const char *font, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = make_text (canvas, text, font);

  measure (layout, width, height);
}

static double
text_width (const Canvas *canvas, const char *text)
{
  double width;
  double height;

  canvas_measure (canvas, text, SMALL_FONT, &width, &height);
  return width;
}

/* Draws @text with its point (@across, @down), 0 to 1 of its extents, at @x, @y. Returns its height. */
static double
canvas_text (const Canvas *canvas, const char *text, const char *font, double x, double y, double across, double down)
{
  g_autoptr (PangoLayout) layout = make_text (canvas, text, font);
  double width;
  double height;

  measure (layout, &width, &height);
  cairo_move_to (canvas->cr, x - width * across, y - height * down);
  pango_cairo_show_layout (canvas->cr, layout);
  return height;
}

double
canvas_x (const Canvas *canvas, double value)
{
  return canvas->left + (canvas->right - canvas->left) * axis_position (&canvas->chart->x, value);
}

double
canvas_y (const Canvas *canvas, double value)
{
  return canvas->bottom - (canvas->bottom - canvas->top) * axis_position (&canvas->chart->y, value);
}

static void
draw_swatch (const Canvas *canvas, guint series, double x, double y)
{
  canvas_use_series (canvas, series);
  cairo_set_line_width (canvas->cr, 3);
  cairo_move_to (canvas->cr, x, y);
  cairo_line_to (canvas->cr, x + SWATCH, y);
  cairo_stroke (canvas->cr);
  canvas_use_solid (canvas);
}

/* Draws the legend from @y down, in as many rows as it needs or may have. Returns its end. */
static double
draw_legend (const Canvas *canvas, double y)
{
  const GPtrArray *legend = canvas->chart->legend;
  double limit = y + canvas->height * LEGEND_SHARE;
  double x = MARGIN;

  for (guint i = 0; i < legend->len; i++)
    {
      const char *text = g_ptr_array_index (legend, i);
      double width = SWATCH + GAP_BETWEEN + text_width (canvas, text);

      if (x > MARGIN && x + width > canvas->width - MARGIN)
        {
          x = MARGIN;
          y += LEGEND_ROW;
        }
      if (x == MARGIN && y + 2 * LEGEND_ROW > limit && i + 1 < legend->len)
        {
          g_autofree char *rest = g_strdup_printf ("and %u more", legend->len - i);

          canvas_use (canvas, chart_ink (canvas->palette), 1);
          canvas_text (canvas, rest, SMALL_FONT, x, y, 0, 0);
          break;
        }
      draw_swatch (canvas, i, x, y + LEGEND_ROW / 2);
      canvas_use (canvas, chart_ink (canvas->palette), 1);
      canvas_text (canvas, text, SMALL_FONT, x + SWATCH + GAP_BETWEEN, y + LEGEND_ROW / 2, 0, 0.5);
      x += width + 3 * GAP_BETWEEN;
    }
  return y + LEGEND_ROW;
}

void
canvas_line (const Canvas *canvas, double x1, double y1, double x2, double y2)
{
  cairo_set_line_width (canvas->cr, 1);
  cairo_move_to (canvas->cr, floor (x1) + 0.5, floor (y1) + 0.5);
  cairo_line_to (canvas->cr, floor (x2) + 0.5, floor (y2) + 0.5);
  cairo_stroke (canvas->cr);
}

/* A grid line at each label, a short tick elsewhere; labels that would touch the previous one are left out. */
static void
draw_ticks_x (const Canvas *canvas, const GArray *ticks)
{
  double end = -INFINITY;

  for (guint i = 0; i < ticks->len; i++)
    {
      const AxisTick *tick = &g_array_index (ticks, AxisTick, i);
      double x = canvas_x (canvas, tick->value);
      double width = text_width (canvas, tick->label);
      double centre = fmin (x, canvas->width - width / 2 - 2);

      canvas_use (canvas, chart_faint (canvas->palette), 1);
      canvas_line (canvas, x, *tick->label ? canvas->top : canvas->bottom - 4, x, canvas->bottom);
      if (!*tick->label || centre - width / 2 < end)
        continue;
      canvas_use (canvas, chart_ink (canvas->palette), 1);
      canvas_text (canvas, tick->label, SMALL_FONT, centre, canvas->bottom + GAP_BETWEEN, 0.5, 0);
      end = centre + width / 2 + GAP_BETWEEN;
    }
}

static void
draw_ticks_y (const Canvas *canvas, const GArray *ticks)
{
  for (guint i = 0; i < ticks->len; i++)
    {
      const AxisTick *tick = &g_array_index (ticks, AxisTick, i);
      double y = canvas_y (canvas, tick->value);

      canvas_use (canvas, chart_faint (canvas->palette), 1);
      canvas_line (canvas, canvas->left, y, *tick->label ? canvas->right : canvas->left + 4, y);
      canvas_use (canvas, chart_ink (canvas->palette), 1);
      canvas_text (canvas, tick->label, SMALL_FONT, canvas->left - GAP_BETWEEN, y, 1, 0.5);
    }
}

/* Draws the title of the vertical axis, turned, and no longer than the axis. */
static void
draw_title_up (const Canvas *canvas)
{
  g_autoptr (PangoLayout) layout = make_text (canvas, canvas->chart->y.title, AXIS_TITLE);
  double width;
  double height;

  pango_layout_set_width (layout, (canvas->bottom - canvas->top) * PANGO_SCALE);
  measure (layout, &width, &height);
  cairo_save (canvas->cr);
  cairo_translate (canvas->cr, MARGIN, (canvas->top + canvas->bottom) / 2);
  cairo_rotate (canvas->cr, -M_PI / 2);
  cairo_move_to (canvas->cr, -width / 2, 0);
  pango_cairo_show_layout (canvas->cr, layout);
  cairo_restore (canvas->cr);
}

/* Determines the frame, which begins below @top, and draws axes and grid. */
static void
draw_axes (Canvas *canvas, double top)
{
  const Chart *chart = canvas->chart;
  double height;
  double widest = 0;
  g_autoptr (GArray) across = NULL;
  g_autoptr (GArray) up = NULL;

  canvas_use (canvas, chart_ink (canvas->palette), 1);
  height = canvas_text (canvas, chart->x.title, AXIS_TITLE, canvas->width / 2, canvas->height - MARGIN, 0.5, 1);
  canvas->top = top + GAP_BETWEEN;
  canvas->bottom = fmax (canvas->height - MARGIN - 2 * height - 2 * GAP_BETWEEN, canvas->top + 1);
  up = axis_ticks (&chart->y, fmax ((canvas->bottom - canvas->top) / TICK_ROOM_Y, 2));
  for (guint i = 0; i < up->len; i++)
    widest = fmax (widest, text_width (canvas, g_array_index (up, AxisTick, i).label));
  canvas->left = MARGIN + height + GAP_BETWEEN + widest + GAP_BETWEEN;
  canvas->right = fmax (canvas->width - 2 * MARGIN, canvas->left + 1);
  draw_title_up (canvas);
  across = axis_ticks (&chart->x, fmax ((canvas->right - canvas->left) / TICK_ROOM_X, 2));
  draw_ticks_y (canvas, up);
  draw_ticks_x (canvas, across);
}

void
canvas_draw_frame (Canvas *canvas)
{
  double y = MARGIN;

  canvas_use (canvas, chart_paper (canvas->palette), 1);
  cairo_paint (canvas->cr);
  canvas_use (canvas, chart_ink (canvas->palette), 1);
  y += canvas_text (canvas, canvas->chart->title, TITLE, MARGIN, y, 0, 0) + GAP_BETWEEN;
  draw_axes (canvas, draw_legend (canvas, y));
}
