/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what the timeline view shows to a file, with cairo. */
#include "charts/timeline/view-private.h"

#include "write-file.h"

#include <cairo-svg.h>

static cairo_status_t
append (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

/* As on the screen, and what is highlighted in the legend. */
static void
draw_on (Drawing *drawing, cairo_surface_t *surface)
{
  cairo_t *cr = cairo_create (surface);
  Brush brush = { .cr = cr };

  draw_timeline (drawing, &brush);
  cairo_destroy (cr);
}

gboolean
culprit_timeline_view_export (CulpritTimelineView *view, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Drawing drawing = view_drawing (view);
  Scene scene = view->scene;
  cairo_surface_t *surface;
  cairo_status_t status;
  gboolean vector = g_str_has_suffix (path, ".svg");

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  if (!vector && !g_str_has_suffix (path, ".png"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: the file name must end in .svg or .png", path);
      return FALSE;
    }
  drawing.scene = &scene;
  drawing.names_highlights = TRUE;
  scene.foot = frame_legend_height (&drawing);
  scene.height += scene.foot - view->scene.foot;
  surface = vector ? cairo_svg_surface_create_for_stream (append, bytes, scene.width, scene.height)
                   : cairo_image_surface_create (CAIRO_FORMAT_RGB24, scene.width, scene.height);
  draw_on (&drawing, surface);
  if (vector)
    cairo_surface_finish (surface);
  else
    cairo_surface_write_to_png_stream (surface, append, bytes);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: cannot be drawn: %s", path,
                   cairo_status_to_string (status));
      return FALSE;
    }
  return culprit_write_file (path, (const char *) bytes->data, bytes->len, error);
}
