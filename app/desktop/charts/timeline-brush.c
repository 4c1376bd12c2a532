/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two ways to draw. The screen's are colour nodes, which cost least. */
#include "timeline-brush.h"

#include <math.h>

#define HATCH 8 /* from line to line, along either axis */

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

/* One tile of the hatching, repeated: it stays sharp, which a gradient does not. */
static void
hatch_with_tiles (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour)
{
  gtk_snapshot_push_repeat (brush->snapshot, &GRAPHENE_RECT_INIT (x, y, width, height),
                            &GRAPHENE_RECT_INIT (0, 0, HATCH, HATCH));
  for (guint i = 0; i < HATCH; i++)
    gtk_snapshot_append_color (brush->snapshot, colour, &GRAPHENE_RECT_INIT (i, HATCH - 1 - i, 1, 1));
  gtk_snapshot_pop (brush->snapshot);
}

void
brush_hatch (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour)
{
  if (width <= 0 || height <= 0)
    return;
  if (brush->snapshot)
    {
      hatch_with_tiles (brush, x, y, width, height, colour);
      return;
    }
  brush_clip (brush, x, y, width, height);
  gdk_cairo_set_source_rgba (brush->cr, colour);
  cairo_set_line_width (brush->cr, 1);
  for (double foot = ceil (x / HATCH) * HATCH; foot < x + width + height; foot += HATCH)
    {
      cairo_move_to (brush->cr, foot, y);
      cairo_line_to (brush->cr, foot - height, y + height);
    }
  cairo_stroke (brush->cr);
  brush_unclip (brush);
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
