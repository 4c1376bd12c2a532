/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills lines of pixels by writing these; cairo then draws each as high as its band. Colours come to what cairo makes
 * of them. */
#include "charts/timeline/canvas.h"

#include <math.h>

typedef struct
{
  double y;
  double bottom;
  cairo_surface_t *surface; /* one line of pixels */
  guint32 *pixels;          /* these */
} Band;

struct _Canvas
{
  int x;
  int y;
  int width;
  int bottom;
  int scale;
  guint columns; /* of the screen's pixels */
  GArray *bands; /* of Band */
  guint band;    /* the one filled last: boxes come row by row */
};

Canvas *
canvas_new (int x, int y, int width, int bottom, int scale)
{
  Canvas *canvas = g_new (Canvas, 1);

  *canvas = (Canvas) { .x = x,
                       .y = y,
                       .width = width,
                       .bottom = bottom,
                       .scale = scale,
                       .columns = MAX (width * scale, 1),
                       .bands = g_array_new (FALSE, FALSE, sizeof (Band)) };
  return canvas;
}

void
canvas_add_band (Canvas *canvas, double y, double height)
{
  cairo_surface_t *line = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, canvas->columns, 1);
  Band band = { y, y + height, line, (guint32 *) (gpointer) cairo_image_surface_get_data (line) };

  g_array_append_val (canvas->bands, band);
}

/* As cairo and pixman round it. */
static guint32
channel (double value)
{
  return (guint32) (value * 65535 + 0.5) >> 8;
}

static guint32
make_pixel (const GdkRGBA *colour)
{
  double alpha = colour->alpha;

  return channel (alpha) << 24 | channel (colour->red * alpha) << 16 | channel (colour->green * alpha) << 8 |
         channel (colour->blue * alpha);
}

/* @over laid on @under. */
static guint32
blend (guint32 over, guint32 under)
{
  guint32 rest = 255 - (over >> 24);
  guint32 sum = 0;

  for (guint shift = 0; shift < 32; shift += 8)
    {
      guint32 part = (under >> shift & 255) * rest + 128;

      sum |= MIN ((over >> shift & 255) + ((part + (part >> 8)) >> 8), 255) << shift;
    }
  return sum;
}

/* The column that begins next to @x. */
static inline guint
find_column (const Canvas *canvas, double x)
{
  return CLAMP ((x - canvas->x) * canvas->scale + 0.5, 0, canvas->columns);
}

/* The first band that begins at @y or below; a fraction of a pixel is no difference. */
static guint
find_band (const Canvas *canvas, double y)
{
  const Band *bands = (const Band *) (gpointer) canvas->bands->data;
  guint band = canvas->band;

  while (band > 0 && bands[band - 1].y > y - 0.5)
    band--;
  while (band < canvas->bands->len && bands[band].y < y - 0.5)
    band++;
  return band;
}

void
canvas_fill (Canvas *canvas, double x, double y, double width, double height, const GdkRGBA *colour)
{
  guint left = find_column (canvas, x);
  guint right = find_column (canvas, x + width);
  guint32 pixel = make_pixel (colour);

  canvas->band = find_band (canvas, y);
  for (guint band = canvas->band; band < canvas->bands->len; band++)
    {
      const Band *filled = &g_array_index (canvas->bands, Band, band);

      if (filled->y > y + height - 0.5)
        return;
      for (guint column = left; column < right; column++)
        filled->pixels[column] = colour->alpha < 1 ? blend (pixel, filled->pixels[column]) : pixel;
    }
}

static double
snap (const Canvas *canvas, double y)
{
  return round (CLAMP (y, canvas->y, canvas->bottom) * canvas->scale) / canvas->scale;
}

static void
show_band (const Canvas *canvas, const Band *band, GtkSnapshot *snapshot)
{
  double top = snap (canvas, band->y);
  double height = snap (canvas, band->bottom) - top;
  cairo_matrix_t matrix = { canvas->scale, 0, 0, 1 / height, -canvas->x * canvas->scale, -top / height };
  cairo_pattern_t *pattern;
  cairo_t *cr;

  if (height <= 0)
    return;
  cairo_surface_mark_dirty (band->surface);
  pattern = cairo_pattern_create_for_surface (band->surface);
  cairo_pattern_set_matrix (pattern, &matrix);
  cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (canvas->x, top, canvas->width, height));
  cairo_set_source (cr, pattern);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_pattern_destroy (pattern);
}

void
canvas_show (Canvas *canvas, GtkSnapshot *snapshot)
{
  for (guint i = 0; i < canvas->bands->len; i++)
    {
      const Band *band = &g_array_index (canvas->bands, Band, i);

      show_band (canvas, band, snapshot);
      cairo_surface_destroy (band->surface);
    }
  g_array_unref (canvas->bands);
  g_free (canvas);
}
