/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of boxes as pixels: one node, where thousands of boxes as nodes of their own would take far longer to draw.
 *
 * All of a band looks alike from top to bottom, so that one line of pixels is kept for each: four bytes for each column
 * of the screen's pixels. With three bands to a row this is 18 kB for a row of 1500 pixels, 600 kB for 35 of them. */
#pragma once

#include <gtk/gtk.h>

typedef struct _Canvas Canvas;

/* An empty one, which lets through what is below it, from @x on and from @y to @bottom; @scale of the screen's pixels
 * are one of these. */
Canvas *canvas_new (int x, int y, int width, int bottom, int scale);

/* Adds a band below the others. What of it lies outside of the canvas is not shown. */
void canvas_add_band (Canvas *canvas, double y, double height);

/* Fills the bands that begin from @y on and before @y and @height, from and to the nearest of the screen's pixels. */
void canvas_fill (Canvas *canvas, double x, double y, double width, double height, const GdkRGBA *colour);

/* Adds what was filled to @snapshot, and frees the canvas. */
void canvas_show (Canvas *canvas, GtkSnapshot *snapshot);
