/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a chart: title and legend above, axes with their labels, the grid, and the marks in this frame. */
#include "chart-private.h"

#include <math.h>
#include <pango/pangocairo.h>

#define SMALL_FONT "Sans 9"

/* Where a chart is drawn. */
typedef struct
{
  const Chart *chart;
  ChartPalette palette;
  cairo_t *cr;
  double width;
  double height;
  double left; /* the frame */
  double top;
  double right;
  double bottom;
} Canvas;

/* Title, legend, axes and grid. */

#define MARGIN 14.0
#define GAP_BETWEEN 6.0
#define TICK_ROOM_X 80.0 /* pixels for each label */
#define TICK_ROOM_Y 44.0
#define SWATCH 16.0
#define LEGEND_ROW 17.0
#define LEGEND_SHARE 0.3 /* of the height, at most */
#define TITLE "Sans Bold 12"
#define AXIS_TITLE "Sans 10"

/* Draws in @colour from now on; 1 is opaque. */
static void
canvas_use (const Canvas *canvas, const ChartColour *colour, double alpha)
{
  cairo_set_source_rgba (canvas->cr, colour->red, colour->green, colour->blue, alpha);
}

/* The colour of the series with index @series. */
static const ChartColour *
canvas_colour (const Canvas *canvas, guint series)
{
  const ChartLook *look = &g_array_index (canvas->chart->looks, ChartLook, series);

  return look->grey ? chart_faint (canvas->palette) : chart_run_colour (canvas->palette, look->number);
}

/* Draws in the colour of the series with index @series and, if others have the same colour, with its dashes. */
static void
canvas_use_series (const Canvas *canvas, guint series)
{
  static const double patterns[][2] = { { 8, 3 }, { 2, 2 } };
  guint round = g_array_index (canvas->chart->looks, ChartLook, series).round;

  canvas_use (canvas, canvas_colour (canvas, series), 1);
  if (round > 0)
    cairo_set_dash (canvas->cr, patterns[(round - 1) % 2], 2, 0);
}

/* Draws without dashes again. */
static void
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

/* The position of a value in the frame. */
static double
canvas_x (const Canvas *canvas, double value)
{
  return canvas->left + (canvas->right - canvas->left) * axis_position (&canvas->chart->x, value);
}

static double
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

/* An entry of the legend, in two lines where one is too narrow. */
static PangoLayout *
make_entry (const Canvas *canvas, const char *text)
{
  PangoLayout *layout = make_text (canvas, text, SMALL_FONT);

  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_height (layout, -2); /* lines */
  return layout;
}

/* Draws the legend from @y down, in as many rows as it needs or may have. Returns its end. */
static double
draw_legend (const Canvas *canvas, double y)
{
  const GPtrArray *legend = canvas->chart->legend;
  double limit = y + canvas->height * LEGEND_SHARE;
  double x = MARGIN;
  double row = LEGEND_ROW;

  for (guint i = 0; i < legend->len; i++)
    {
      g_autoptr (PangoLayout) entry = make_entry (canvas, g_ptr_array_index (legend, i));
      double width;
      double height;

      measure (entry, &width, &height);
      width += SWATCH + GAP_BETWEEN;
      if (x > MARGIN && x + width > canvas->width - MARGIN)
        {
          x = MARGIN;
          y += row;
          row = LEGEND_ROW;
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
      row = MAX (row, pango_layout_get_line_count (entry) * LEGEND_ROW);
      cairo_move_to (canvas->cr, x + SWATCH + GAP_BETWEEN, y + (row - height) / 2);
      pango_cairo_show_layout (canvas->cr, entry);
      x += width + 3 * GAP_BETWEEN;
    }
  return y + row;
}

/* A thin line, aligned to pixels. */
static void
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

/* Draws background, title, legend, axes and grid, and determines the frame. */
static void
canvas_draw_frame (Canvas *canvas)
{
  double y = MARGIN;

  canvas_use (canvas, chart_paper (canvas->palette), 1);
  cairo_paint (canvas->cr);
  canvas_use (canvas, chart_ink (canvas->palette), 1);
  y += canvas_text (canvas, canvas->chart->title, TITLE, MARGIN, y, 0, 0) + GAP_BETWEEN;
  draw_axes (canvas, draw_legend (canvas, y));
}

/* Labels of peaks and of late wake-ups. A label that would touch another one or its mark is left out; the text for
 * people who cannot see the chart has all of them. */

#define ABOVE 12.0 /* pixels from a peak to its label */
#define GAP 3.0
#define SIGN 4.0 /* half the width of a peak's mark */
#define NAME_FONT "Sans Bold 9"

#define BRACKET 30.0 /* pixels from the late wake-ups to theirs: above the label of a peak among them */
#define MOST_STEPS 6 /* that it moves up to where there is room */

typedef struct
{
  const char *text;
  double x; /* the middle of its foot */
  double y;
  gboolean late;  /* It is a peak among late wake-ups. */
  gboolean named; /* It says what the peak is due to. */
} Label;

typedef ChartFrame Box;

static int
compare_heights (gconstpointer a, gconstpointer b)
{
  const Label *left = a;
  const Label *right = b;

  if (left->named != right->named)
    return right->named - left->named;
  if (left->late != right->late)
    return right->late - left->late;
  return (left->y > right->y) - (left->y < right->y);
}

static GArray *
find_labels (const Canvas *canvas)
{
  GArray *labels = g_array_new (FALSE, FALSE, sizeof (Label));

  for (guint i = 0; i < canvas->chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (canvas->chart->marks, i);
      const CulpritLate *late =
          mark->kind == MARK_PEAKS ? &g_array_index (canvas->chart->late, CulpritLate, mark->series) : NULL;

      for (guint k = 0; late && k < mark->labels->len && k < mark->points->len; k++)
        {
          const ChartPoint *point = &g_array_index (mark->points, ChartPoint, k);
          const Label label = { g_ptr_array_index (mark->labels, k), canvas_x (canvas, point->x),
                                canvas_y (canvas, point->y) - ABOVE, late->count > 0 && point->x >= late->from_ns,
                                k < mark->named->len && g_array_index (mark->named, gboolean, k) };

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

/* Where @text has its middle at @x and its foot at @y, but for the ends of the frame. */
static Box
box_of (const Canvas *canvas, const char *text, const char *font, double x, double y)
{
  double width;
  double height;

  canvas_measure (canvas, text, font, &width, &height);
  width = width / 2 + GAP;
  x = fmax (fmin (x, canvas->right - width), canvas->left + width);
  return (Box) { x - width, y - height, x + width, y };
}

/* A bracket and its label, moved up to where there is room. Brackets come before the labels of peaks. */
static void
draw_late (const Canvas *canvas, const ChartMark *mark, GArray *taken)
{
  const ChartPoint *from = &g_array_index (mark->points, ChartPoint, 0);
  const char *text = g_ptr_array_index (mark->labels, 0);
  double left = canvas_x (canvas, from->x) - SIGN;
  double right = canvas_x (canvas, from[1].x) + SIGN;
  double y = canvas_y (canvas, from->y) - BRACKET;
  gboolean fits;
  Box box = box_of (canvas, text, SMALL_FONT, (left + right) / 2, y);

  for (guint i = 0; i < MOST_STEPS && !has_room (canvas, taken, &box); i++)
    box = box_of (canvas, text, SMALL_FONT, (left + right) / 2, y -= box.bottom - box.top + GAP);
  fits = has_room (canvas, taken, &box);
  if (!fits)
    y = canvas_y (canvas, from->y) - BRACKET;
  if (right < canvas->left || left > canvas->right || y < canvas->top)
    return;
  canvas_use_series (canvas, mark->series);
  canvas_use_solid (canvas);
  cairo_set_line_width (canvas->cr, 2);
  cairo_move_to (canvas->cr, left, y + SIGN);
  cairo_line_to (canvas->cr, left, y);
  cairo_line_to (canvas->cr, right, y);
  cairo_line_to (canvas->cr, right, y + SIGN);
  cairo_stroke (canvas->cr);
  if (!fits)
    return;
  canvas_use (canvas, chart_ink (canvas->palette), 1);
  canvas_text (canvas, text, SMALL_FONT, (box.left + box.right) / 2, y - 1, 0.5, 1);
  box.left = fmin (box.left, left);
  box.right = fmax (box.right, right);
  box.bottom += SIGN;
  g_array_append_val (taken, box);
}

/* Moves @box, of the mark at @x, to the nearest place above, or on one side and below, where there is room. FALSE:
 * there is none. */
static gboolean
move (const Canvas *canvas, const GArray *taken, double x, Box *box)
{
  double width = box->right - box->left;
  double height = box->bottom - box->top;
  const double lefts[] = { box->left, x + SIGN, x - SIGN - width };

  for (guint side = 0; side < G_N_ELEMENTS (lefts); side++)
    for (guint step = 0; step <= MOST_STEPS; step++)
      {
        double bottom = side == 0 ? box->bottom - step * height : box->bottom + ABOVE + (step - 1.0) * height / 2;
        Box moved = { lefts[side], bottom - height, lefts[side] + width, bottom };

        if (!has_room (canvas, taken, &moved))
          continue;
        *box = moved;
        return TRUE;
      }
  return FALSE;
}

/* Draws those of @labels that are @named, as far as there is room; these are moved to where it is. */
static void
draw_labels (const Canvas *canvas, const GArray *labels, gboolean named, GArray *taken)
{
  const char *font = named ? NAME_FONT : SMALL_FONT;

  canvas_use (canvas, chart_ink (canvas->palette), 1);
  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      Box box = box_of (canvas, label->text, font, label->x, label->y);

      if (label->named != named || label->x < canvas->left || label->x > canvas->right ||
          (!has_room (canvas, taken, &box) && !(named && move (canvas, taken, label->x, &box))))
        continue;
      canvas_text (canvas, label->text, font, (box.left + box.right) / 2, box.bottom, 0.5, 1);
      g_array_append_val (taken, box);
    }
}

/* Labels peaks with what they are due to, late wake-ups, then peaks with their latencies, highest first. */
static void
canvas_label_peaks (const Canvas *canvas, GArray *drawn)
{
  g_autoptr (GArray) labels = find_labels (canvas);
  g_autoptr (GArray) taken = find_signs (labels);

  draw_labels (canvas, labels, TRUE, taken);
  for (guint i = 0; i < canvas->chart->marks->len; i++)
    {
      const ChartMark *mark = g_ptr_array_index (canvas->chart->marks, i);

      if (mark->kind == MARK_LATE && mark->labels->len > 0)
        draw_late (canvas, mark, taken);
    }
  draw_labels (canvas, labels, FALSE, taken);
  if (drawn)
    g_array_set_size (drawn, 0);
  if (drawn && taken->len > labels->len) /* Signs come first. */
    g_array_append_vals (drawn, &g_array_index (taken, Box, labels->len), taken->len - labels->len);
}

/* Marks. */

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
draw_band (const Canvas *canvas, const ChartMark *mark)
{
  follow (canvas, mark);
  canvas_use (canvas, canvas_colour (canvas, mark->series), TINT / (canvas->chart->legend->len + 0.5));
  cairo_fill (canvas->cr);
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
    case MARK_BAND:
      draw_band (canvas, mark);
      break;
    case MARK_POINTS:
      draw_points (canvas, mark);
      break;
    case MARK_PEAKS:
      draw_peaks (canvas, mark);
      break;
    case MARK_LATE: /* with its label, once all marks are there */
      break;
    default:
      draw_curve (canvas, mark);
    }
}

ChartFrame
chart_draw (const Chart *chart, ChartPalette palette, cairo_t *cr, double width, double height, GArray *labels)
{
  Canvas canvas = { chart, palette, cr, width, height };

  canvas_draw_frame (&canvas);
  cairo_save (cr);
  cairo_rectangle (cr, canvas.left, canvas.top, canvas.right - canvas.left, canvas.bottom - canvas.top);
  cairo_clip (cr);
  for (guint i = 0; i < chart->marks->len; i++)
    draw_mark (&canvas, i);
  canvas_label_peaks (&canvas, labels);
  cairo_restore (cr);
  canvas_use (&canvas, chart_ink (palette), 1);
  canvas_line (&canvas, canvas.left, canvas.top, canvas.left, canvas.bottom);
  canvas_line (&canvas, canvas.left, canvas.bottom, canvas.right, canvas.bottom);
  return (ChartFrame) { canvas.left, canvas.top, canvas.right, canvas.bottom };
}
