/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two ways to draw. The screen's are colour nodes, which cost least. */
#include "timeline-brush.h"

#define HATCH 4 /* from line to line, along either axis */

void
brush_fill (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour)
{
  if (width <= 0 || height <= 0)
    return;
  if (brush->snapshot)
    {
      gtk_snapshot_append_color (brush->snapshot, colour, &GRAPHENE_RECT_INIT (x, y, width, height));
      return;
    }
  gdk_cairo_set_source_rgba (brush->cr, colour);
  cairo_rectangle (brush->cr, x, y, width, height);
  cairo_fill (brush->cr);
}

void
brush_hatch (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour)
{
  GdkRGBA clear = *colour;

  clear.alpha = 0;
  if (width <= 0 || height <= 0)
    return;
  if (brush->snapshot)
    {
      const GskColorStop stops[] = { { 0, *colour }, { 0.25, *colour }, { 0.25, clear }, { 1, clear } };

      gtk_snapshot_append_repeating_linear_gradient (brush->snapshot, &GRAPHENE_RECT_INIT (x, y, width, height),
                                                     &GRAPHENE_POINT_INIT (0, 0), &GRAPHENE_POINT_INIT (HATCH, HATCH),
                                                     stops, G_N_ELEMENTS (stops));
    }
  else
    {
      cairo_pattern_t *pattern = cairo_pattern_create_linear (0, 0, HATCH, HATCH);

      cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
      cairo_pattern_add_color_stop_rgba (pattern, 0, colour->red, colour->green, colour->blue, colour->alpha);
      cairo_pattern_add_color_stop_rgba (pattern, 0.25, colour->red, colour->green, colour->blue, colour->alpha);
      cairo_pattern_add_color_stop_rgba (pattern, 0.25, colour->red, colour->green, colour->blue, 0);
      cairo_pattern_add_color_stop_rgba (pattern, 1, colour->red, colour->green, colour->blue, 0);
      cairo_set_source (brush->cr, pattern);
      cairo_rectangle (brush->cr, x, y, width, height);
      cairo_fill (brush->cr);
      cairo_pattern_destroy (pattern);
    }
}

void
brush_frame (
    const Brush *brush, double x, double y, double width, double height, double thickness, const GdkRGBA *colour)
{
  brush_fill (brush, x, y, width, thickness, colour);
  brush_fill (brush, x, y + height - thickness, width, thickness, colour);
  brush_fill (brush, x, y + thickness, thickness, height - 2 * thickness, colour);
  brush_fill (brush, x + width - thickness, y + thickness, thickness, height - 2 * thickness, colour);
}

void
brush_text (const Brush *brush, double x, double y, PangoLayout *layout, const GdkRGBA *colour)
{
  if (brush->snapshot)
    {
      gtk_snapshot_save (brush->snapshot);
      gtk_snapshot_translate (brush->snapshot, &GRAPHENE_POINT_INIT (x, y));
      gtk_snapshot_append_layout (brush->snapshot, layout, colour);
      gtk_snapshot_restore (brush->snapshot);
      return;
    }
  gdk_cairo_set_source_rgba (brush->cr, colour);
  cairo_move_to (brush->cr, x, y);
  pango_cairo_show_layout (brush->cr, layout);
}

void
brush_clip (const Brush *brush, double x, double y, double width, double height)
{
  if (brush->snapshot)
    {
      gtk_snapshot_push_clip (brush->snapshot, &GRAPHENE_RECT_INIT (x, y, MAX (width, 0), MAX (height, 0)));
      return;
    }
  cairo_save (brush->cr);
  cairo_rectangle (brush->cr, x, y, width, height);
  cairo_clip (brush->cr);
}

void
brush_unclip (const Brush *brush)
{
  if (brush->snapshot)
    gtk_snapshot_pop (brush->snapshot);
  else
    cairo_restore (brush->cr);
}
