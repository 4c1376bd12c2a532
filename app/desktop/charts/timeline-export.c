/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline view as a file: drawn once more, with cairo, from the same scene. */
#include "timeline-view-private.h"

#include <cairo-svg.h>

static cairo_status_t
append (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
draw_on (CulpritTimelineView *view, cairo_surface_t *surface)
{
  Drawing drawing = view_drawing (view);
  cairo_t *cr = cairo_create (surface);
  Brush brush = { NULL, cr };

  draw_timeline (&drawing, &brush);
  cairo_destroy (cr);
}

gboolean
culprit_timeline_view_export (CulpritTimelineView *view, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;
  gboolean vector = g_str_has_suffix (path, ".svg");

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  if (!vector && !g_str_has_suffix (path, ".png"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: neither .png nor .svg", path);
      return FALSE;
    }
  surface = vector ? cairo_svg_surface_create_for_stream (append, bytes, view->scene.width, view->scene.height)
                   : cairo_image_surface_create (CAIRO_FORMAT_RGB24, view->scene.width, view->scene.height);
  draw_on (view, surface);
  if (vector)
    cairo_surface_finish (surface);
  else
    cairo_surface_write_to_png_stream (surface, append, bytes);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: cannot draw: %s", path, cairo_status_to_string (status));
      return FALSE;
    }
  return g_file_set_contents (path, (const char *) bytes->data, bytes->len, error);
}
