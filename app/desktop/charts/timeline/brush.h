/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline is drawn with: render nodes for the screen or cairo for a file, with the same result; colours; and
 * the names of boxes. */
#pragma once

#include "chart/colours.h"
#include "charts/timeline/highlights.h"
#include "charts/timeline/scene.h"

#include <gtk/gtk.h>

typedef struct _Canvas Canvas;

/* A transparent canvas from @x, @y to @bottom. @scale: device pixels per pixel. */
Canvas *canvas_new (int x, int y, int width, int bottom, int scale);

/* Adds a band below the others, clipped to the canvas. */
void canvas_add_band (Canvas *canvas, double y, double height);

/* Adds the canvas to @snapshot and frees it. */
void canvas_show (Canvas *canvas, GtkSnapshot *snapshot);

typedef struct
{
  GtkSnapshot *snapshot; /* Either this... */
  cairo_t *cr;           /* ...or this... */
  Canvas *canvas;        /* ...or this, which can only be filled. */
} Brush;

void brush_fill (const Brush *brush, double x, double y, double width, double height, const GdkRGBA *colour);

/* Lines, transparent in between; none if @hatch is plain. */
void brush_hatch (
    const Brush *brush, double x, double y, double width, double height, ChartHatch hatch, const GdkRGBA *colour);

/* A frame of @thickness inside the rectangle. */
void brush_frame (
    const Brush *brush, double x, double y, double width, double height, double thickness, const GdkRGBA *colour);

/* Draws @layout with its top left corner at @x, @y. */
void brush_text (const Brush *brush, double x, double y, PangoLayout *layout, const GdkRGBA *colour);

/* Draws nothing outside the rectangle until brush_unclip(). */
void brush_clip (const Brush *brush, double x, double y, double width, double height);
void brush_unclip (const Brush *brush);

/* A cache of text layouts, since shaping text costs more than drawing it. */
typedef struct _Labels Labels;

/* Labels in the font of @widget, a little smaller than its text. */
Labels *labels_new (GtkWidget *widget);
void labels_free (Labels *labels);

/* The layout of @text, cut to @width pixels unless that is 0; NULL: next to nothing fits. Valid until the next call. */
PangoLayout *labels_get (Labels *labels, const char *text, double width);

void labels_size (PangoLayout *layout, int *width, int *height);

/* Colours that colour-blind people can tell apart, for light and dark. */
typedef struct
{
  GdkRGBA paper;
  GdkRGBA ink;
  GdkRGBA faint; /* less important text */
  GdkRGBA grid;
  GdkRGBA band;     /* behind axis and labels */
  GdkRGBA window;   /* the outlier's, over the paper */
  GdkRGBA ordinary; /* the other windows' */
  GdkRGBA late;     /* the late wake-up */
  GdkRGBA on_late;  /* text on it and on highlights */
  GdkRGBA highlights[HIGHLIGHTS_COLOURS];
  GdkRGBA hatch;
  GdkRGBA silence; /* hatching over a colour, as of a stretch without any event */
  GdkRGBA tracing;
  GdkRGBA cut; /* the edge of a call that was not captured completely */
  GdkRGBA select;
  GdkRGBA calls[CULPRIT_CONTEXTS][SCENE_SHADES][SCENE_LEVELS];
  GdkRGBA dimmed[CULPRIT_CONTEXTS][SCENE_SHADES][SCENE_LEVELS]; /* beside highlights */
} TimelinePalette;

const TimelinePalette *timeline_palette_get (gboolean dark);
