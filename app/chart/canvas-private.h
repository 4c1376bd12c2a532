/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing area of a chart: shared by drawing the frame and drawing the marks. */
#pragma once

#include "chart-private.h"

#define COLOURS 7

typedef struct
{
  double red;
  double green;
  double blue;
} Colour;

typedef struct
{
  Colour paper;
  Colour ink;
  Colour faint;
  Colour series[COLOURS];
} Palette;

typedef struct
{
  const Chart *chart;
  const Palette *palette;
  cairo_t *cr;
  double width;
  double height;
  double left; /* the frame */
  double top;
  double right;
  double bottom;
} Canvas;

/* Draws in @colour from now on; 1 is opaque. */
void canvas_use (const Canvas *canvas, const Colour *colour, double alpha);

/* Draws in the colour of @series and, if colours repeat, with its dashes. */
void canvas_use_series (const Canvas *canvas, guint series);

/* Draws without dashes again. */
void canvas_use_solid (const Canvas *canvas);

/* A thin line, aligned to pixels. */
void canvas_line (const Canvas *canvas, double x1, double y1, double x2, double y2);

/* The position of a value in the frame. */
double canvas_x (const Canvas *canvas, double value);
double canvas_y (const Canvas *canvas, double value);

/* Draws background, title, legend, axes and grid, and determines the frame. */
void canvas_draw_frame (Canvas *canvas);
