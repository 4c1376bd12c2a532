/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline is drawn with: nodes for the screen, or cairo for a file. Both draw the same. */
#pragma once

#include <gtk/gtk.h>

typedef struct
{
  GtkSnapshot *snapshot; /* Either this... */
  cairo_t *cr;           /* ...or this. */
} Brush;

void brush_fill (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour);

/* Diagonal lines, nothing between. */
void brush_hatch (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour);

/* A frame of @thickness inside the rectangle. */
void brush_frame (
    const Brush *brush, double x, double y, double width, double height, double thickness, const GdkRGBA *colour);

/* Draws @layout with its upper left corner at @x, @y. */
void brush_text (const Brush *brush, double x, double y, PangoLayout *layout, const GdkRGBA *colour);

/* Nothing is drawn outside of the rectangle until brush_unclip(). */
void brush_clip (const Brush *brush, double x, double y, double width, double height);
void brush_unclip (const Brush *brush);
