/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline is drawn with: nodes for the screen or cairo for a file, which draw the same; its colours; and the
 * names on its boxes. */
#pragma once

#include "charts/timeline/highlights.h"
#include "charts/timeline/scene.h"

#include <gtk/gtk.h>

typedef struct _Canvas Canvas;

/* An empty one, which lets through what is below it, from @x on and from @y to @bottom; @scale of the screen's pixels
 * are one of these. */
Canvas *canvas_new (int x, int y, int width, int bottom, int scale);

/* Adds a band below the others. What of it lies outside of the canvas is not shown. */
void canvas_add_band (Canvas *canvas, double y, double height);

/* Adds what was filled to @snapshot, and frees the canvas. */
void canvas_show (Canvas *canvas, GtkSnapshot *snapshot);

typedef struct
{
  GtkSnapshot *snapshot; /* Either this... */
  cairo_t *cr;           /* ...or this... */
  Canvas *canvas;        /* ...or this, which can only be filled. */
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

/* The names on boxes, laid out once: shaping text costs more than drawing it. */
typedef struct _Labels Labels;

/* Labels in the font of @widget, a little smaller than its text. */
Labels *labels_new (GtkWidget *widget);
void labels_free (Labels *labels);

/* The layout of @text for at most @width pixels (0: as many as it takes), cut where that is too little; NULL where next
 * to nothing fits. Valid until the next call. */
PangoLayout *labels_get (Labels *labels, const char *text, double width);

/* How wide and high it is. */
void labels_size (PangoLayout *layout, int *width, int *height);

/* Colours, told apart by those who see few colours as well; for light and for dark. */
typedef struct
{
  GdkRGBA paper;
  GdkRGBA ink;
  GdkRGBA faint; /* less important text */
  GdkRGBA grid;
  GdkRGBA band;     /* behind axis and labels */
  GdkRGBA window;   /* the outlier's, laid over paper */
  GdkRGBA ordinary; /* the other windows' */
  GdkRGBA late;     /* the late wake-up */
  GdkRGBA on_late;  /* text on it, and on what is highlighted */
  GdkRGBA highlights[HIGHLIGHTS_COLOURS];
  GdkRGBA hatch;
  GdkRGBA tracing;
  GdkRGBA cut; /* the torn edge of a call of which a part is missing */
  GdkRGBA select;
  GdkRGBA calls[CULPRIT_CONTEXTS][SCENE_SHADES][SCENE_LEVELS];
  GdkRGBA dimmed[CULPRIT_CONTEXTS][SCENE_SHADES][SCENE_LEVELS]; /* beside what was searched for */
} TimelinePalette;

/* Made once for each. */
const TimelinePalette *timeline_palette_get (gboolean dark);
