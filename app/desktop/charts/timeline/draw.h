/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a timeline. The overlay, which follows the pointer, is drawn separately, so that the rest can be cached. */
#pragma once

#include "charts/timeline/brush.h"

#define MARKERS 2
#define FRAME_PAD 4 /* between a text and its frame */

typedef struct
{
  const Scene *scene;
  const TimelinePalette *palette;
  Labels *labels;
  const Highlights *highlights;
  gboolean tracing;          /* Show the tracer's share. */
  gboolean names_highlights; /* The legend lists the highlights, which on screen are chips. */
  int scale;                 /* device pixels per pixel */
} Drawing;

typedef struct
{
  double pointer_x; /* below 0: it is not over the view */
  CulpritTimelinePlace hovered;
  CulpritTimelinePlace focused;
  gboolean is_focus_shown; /* The view has the keyboard focus. */
  guint64 select_start_ns; /* equal to the end: nothing is selected */
  guint64 select_end_ns;
  guint64 markers_ns[MARKERS]; /* 0: not set */
} Overlay;

/* Everything but the overlay. */
void draw_timeline (const Drawing *drawing, const Brush *brush);
void draw_overlay (const Drawing *drawing, const Overlay *overlay, const Brush *brush);

/* The height of the legend, in as many rows as it takes. */
int frame_legend_height (const Drawing *drawing);
