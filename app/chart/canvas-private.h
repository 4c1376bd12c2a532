/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing area of a chart: shared by drawing the frame and drawing the marks. */
#pragma once

#include "chart-private.h"

#define SMALL_FONT "Sans 9"

typedef struct
{
  const Chart *chart;
  ChartPalette palette;
  cairo_t *cr;
  double width;
  double height;
  double left; /* the frame */
  double top;
  double right;
  double bottom;
} Canvas;

/* Draws in @colour from now on; 1 is opaque. */
void canvas_use (const Canvas *canvas, const ChartColour *colour, double alpha);

/* The colour of the series with index @series. */
const ChartColour *canvas_colour (const Canvas *canvas, guint series);

/* Draws in the colour of the series with index @series and, if others have the same colour, with its dashes. */
void canvas_use_series (const Canvas *canvas, guint series);

/* Draws without dashes again. */
void canvas_use_solid (const Canvas *canvas);

/* A thin line, aligned to pixels. */
void canvas_line (const Canvas *canvas, double x1, double y1, double x2, double y2);

/* Labels peaks with their latencies, highest first, as far as there is room. */
void canvas_label_peaks (const Canvas *canvas);

/* The position of a value in the frame. */
double canvas_x (const Canvas *canvas, double value);
double canvas_y (const Canvas *canvas, double value);

/* Draws background, title, legend, axes and grid, and determines the frame. */
void canvas_draw_frame (Canvas *canvas);
