/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a timeline's scene. What changes with the pointer is apart, so that the rest can be kept. */
#pragma once

#include "charts/timeline/brush.h"

#define FRAME_PAD 4 /* between text and what it stands in */

typedef struct
{
  const Scene *scene;
  const TimelinePalette *palette;
  Labels *labels;
  const Highlights *highlights;
  gboolean tracing;          /* Whether to show the tracer's share. */
  gboolean names_highlights; /* Whether the legend tells what is highlighted; on the screen chips do. */
  int scale;                 /* How many of the screen's pixels are one. */
} Drawing;

/* What lies over it. */
typedef struct
{
  double pointer_x; /* below 0: it is elsewhere */
  CulpritTimelinePlace hovered;
  CulpritTimelinePlace focused;
  gboolean is_focus_shown; /* The keyboard is here. */
  guint64 select_start_ns; /* equal to the end: nothing is selected */
  guint64 select_end_ns;
} Overlay;

/* Everything but the overlay. */
void draw_timeline (const Drawing *drawing, const Brush *brush);
void draw_overlay (const Drawing *drawing, const Overlay *overlay, const Brush *brush);

/* The name on a box: a function's, or a task's with its pid. The caller owns it. */
char *draw_name (const CulpritTimeline *timeline, guint lane, guint32 what);

/* What stands round the rows: the axis of time, the CPUs' labels, the legend. */

/* How high the legend is, in as many rows as it takes. */
int frame_legend_height (const Drawing *drawing);
