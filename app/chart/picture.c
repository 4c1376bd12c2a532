/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws into memory, then writes. cairo turns the text of an SVG into outlines, so title and description are added as
 * text, for searching and for screen readers. */
#include "picture.h"
#include "write-file.h"

#include <cairo-svg.h>
#include <string.h>

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

static cairo_status_t
draw (const Chart *chart, ChartPalette palette, cairo_surface_t *surface, guint width, guint height)
{
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  chart_draw (chart, palette, cr, width, height);
  status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

static cairo_status_t
make_png (const Chart *chart, ChartPalette palette, guint width, guint height, GString *data)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_status_t status = draw (chart, palette, surface, width, height);

  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append, data);
  cairo_surface_destroy (surface);
  return status;
}

/* Inserts title and description after the first tag of the SVG in @data. */
static void
add_text (GString *data, const Chart *chart)
{
  const char *tag = strstr (data->str, "<svg");
  const char *end = tag ? strchr (tag, '>') : NULL;
  g_autofree char *description = chart_describe (chart);
  g_autofree char *text =
      g_markup_printf_escaped ("\n<title>%s</title>\n<desc>%s</desc>", chart_title (chart), description);

  if (end)
    g_string_insert (data, end + 1 - data->str, text);
}

static cairo_status_t
make_svg (const Chart *chart, ChartPalette palette, guint width, guint height, GString *data)
{
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append, data, width, height);
  cairo_status_t status;

  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  status = draw (chart, palette, surface, width, height);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  add_text (data, chart);
  return status;
}

gboolean
picture_write (const Chart *chart, ChartPalette palette, const char *path, guint width, guint height, GError **error)
{
  g_autoptr (GString) data = g_string_new (NULL);
  g_autofree char *shown = g_filename_display_name (path);
  cairo_status_t status;

  status = (g_str_has_suffix (path, ".svg") ? make_svg : make_png) (chart, palette, width, height, data);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: the plot cannot be drawn: %s", shown,
                   cairo_status_to_string (status));
      return FALSE;
    }
  return culprit_write_file (path, data->str, data->len, error);
}
