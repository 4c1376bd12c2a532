/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws into memory, then writes. cairo turns the text of an SVG into outlines, so title and description are added as
 * text, for searching and for screen readers. */
#include "picture.h"

#include "chart-private.h"
#include "clean.h"
#include "files.h"

#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

/* A chart as an element of a web page: text remains text, and colours come from the page's style, so that they can
 * differ between light and dark. */

#define WIDTH 760.0
#define HEIGHT 300.0
#define LEFT 64.0
#define RIGHT 748.0
#define TOP 10.0
#define BOTTOM 250.0
#define TICKS_X 8
#define TICKS_Y 6
#define SVG_BRACKET 16.0 /* pixels above the highest of the late wake-ups */
#define END_LABEL 18.0   /* how far the first and the last label may extend beyond the frame */

static const char *const mark_names[] = {
  [MARK_STEPS] = "steps", [MARK_AREA] = "area",   [MARK_LINE] = "line", [MARK_POINTS] = "points",
  [MARK_PEAKS] = "peaks", [MARK_GUIDE] = "guide", [MARK_BAND] = "band"
};

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

static guint
run_class (const Chart *chart, const ChartMark *mark)
{
  return g_array_index (chart->looks, ChartLook, mark->series).number % CHART_COLOURS;
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

/* A bracket, with its label above. */
static void
add_late (GString *svg, const Chart *chart, const ChartMark *mark)
{
  const ChartPoint *from = &g_array_index (mark->points, ChartPoint, 0);
  double left = position_x (chart, from->x);
  double right = position_x (chart, from[1].x);
  double y = fmax (position_y (chart, from->y) - SVG_BRACKET, TOP);
  const char *label = g_ptr_array_index (mark->labels, 0);

  g_string_append_printf (svg, "<g class=\"series-%u\">", run_class (chart, mark));
  add_line (svg, "late", left, y, right, y);
  add_text (svg, "up", fmin (right, RIGHT), y - 4, label);
  g_string_append (svg, "</g>\n");
}

static void
add_mark (GString *svg, const Chart *chart, const ChartMark *mark)
{
  if (mark->points->len == 0)
    return;
  if (mark->kind == MARK_LATE)
    {
      add_late (svg, chart, mark);
      return;
    }
  g_string_append_printf (svg, "<path class=\"%s series-%u\" d=\"", mark_names[mark->kind], run_class (chart, mark));
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

#define LONGEST_HEADING 1000 /* characters */
#define LONGEST_DESCRIPTION 10000
#define HEADING_FONT "Sans Bold 10"
#define HEADING_LEFT 14.0
#define HEADING_TOP 10.0
#define HEADING_BELOW 4.0

gboolean
picture_knows (const char *path)
{
  return g_str_has_suffix (path, ".svg") || g_str_has_suffix (path, ".png");
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_string_append_len (closure, (const char *) data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
use (cairo_t *cr, const ChartColour *colour)
{
  cairo_set_source_rgb (cr, colour->red, colour->green, colour->blue);
}

/* The heading as wide as the picture, in as many lines as it takes; NULL: there is none. */
static PangoLayout *
make_heading (const Picture *picture, cairo_t *cr)
{
  PangoLayout *layout = picture->heading ? pango_cairo_create_layout (cr) : NULL;
  PangoFontDescription *font = pango_font_description_from_string (HEADING_FONT);

  if (layout)
    {
      g_autofree char *heading = culprit_clean_start (picture->heading, LONGEST_HEADING, ' ');

      pango_layout_set_font_description (layout, font);
      pango_layout_set_width (layout, (int) (picture->width - 2 * HEADING_LEFT) * PANGO_SCALE);
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
      pango_layout_set_text (layout, heading, -1);
    }
  pango_font_description_free (font);
  return layout;
}

/* How high the heading is, in whole units. */
static double
measure_heading (const Picture *picture)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (PangoLayout) layout = make_heading (picture, cr);
  PangoRectangle extents = { 0 };

  if (layout)
    pango_layout_get_pixel_extents (layout, NULL, &extents);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return layout ? HEADING_TOP + extents.height + HEADING_BELOW : 0;
}

static cairo_status_t
draw (const Picture *picture, cairo_surface_t *surface, double above)
{
  cairo_t *cr = cairo_create (surface);
  g_autoptr (PangoLayout) heading = make_heading (picture, cr);
  cairo_status_t status;

  use (cr, chart_paper (picture->palette));
  cairo_paint (cr);
  if (heading)
    {
      use (cr, chart_ink (picture->palette));
      cairo_move_to (cr, HEADING_LEFT, HEADING_TOP);
      pango_cairo_show_layout (cr, heading);
    }
  cairo_translate (cr, 0, above);
  cairo_rectangle (cr, 0, 0, picture->width, picture->height);
  cairo_clip (cr);
  picture->draw (cr, picture->width, picture->height, picture->data);
  status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

static cairo_status_t
make_png (const Picture *picture, double above, GString *data)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) lround (picture->width * picture->scale),
                                  (int) lround ((picture->height + above) * picture->scale));
  cairo_status_t status;

  cairo_surface_set_device_scale (surface, picture->scale, picture->scale);
  status = draw (picture, surface, above);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append, data);
  cairo_surface_destroy (surface);
  return status;
}

/* Inserts title and description after the first tag of the SVG in @data. */
static void
add_words (GString *data, const Picture *picture)
{
  const char *tag = strstr (data->str, "<svg");
  const char *end = tag ? strchr (tag, '>') : NULL;
  g_autofree char *heading = picture->heading ? g_strconcat (picture->heading, ": ", NULL) : g_strdup ("");
  g_autofree char *title = g_strconcat (heading, picture->title, NULL);
  g_autofree char *clean_title = culprit_clean_start (title, LONGEST_HEADING, ' ');
  g_autofree char *description = culprit_clean_start (picture->description, LONGEST_DESCRIPTION, ' ');
  g_autofree char *text = g_markup_printf_escaped ("\n<title>%s</title>\n<desc>%s</desc>", clean_title, description);

  if (end)
    g_string_insert (data, end + 1 - data->str, text);
}

static cairo_status_t
make_svg (const Picture *picture, double above, GString *data)
{
  cairo_surface_t *surface =
      cairo_svg_surface_create_for_stream (append, data, picture->width, picture->height + above);
  cairo_status_t status;

  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  status = draw (picture, surface, above);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  add_words (data, picture);
  return status;
}

gboolean
picture_save (const Picture *picture, const char *path, GError **error)
{
  g_autoptr (GString) data = g_string_new (NULL);
  g_autofree char *shown = g_filename_display_name (path);
  cairo_status_t status;

  status = (g_str_has_suffix (path, ".svg") ? make_svg : make_png) (picture, measure_heading (picture), data);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: the picture cannot be drawn: %s", shown,
                   cairo_status_to_string (status));
      return FALSE;
    }
  return culprit_write_file (path, data->str, data->len, error);
}

/* Charts. */

typedef struct
{
  const Chart *chart;
  ChartPalette palette;
} DrawnChart;

static void
draw_chart (cairo_t *cr, double width, double height, gconstpointer data)
{
  const DrawnChart *drawn = data;

  chart_draw (drawn->chart, drawn->palette, cr, width, height, NULL);
}

gboolean
picture_write (const Chart *chart,
               ChartPalette palette,
               const char *heading,
               const char *path,
               guint width,
               guint height,
               guint scale,
               GError **error)
{
  const DrawnChart drawn = { chart, palette };
  g_autofree char *description = chart_describe (chart);
  const Picture picture = {
    draw_chart, &drawn, width, height, scale, heading, chart_title (chart), description, palette
  };

  return picture_save (&picture, path, error);
}
