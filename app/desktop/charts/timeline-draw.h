/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a timeline's scene. What changes with the pointer is apart, so that the rest can be kept. */
#pragma once

#include "timeline-brush.h"
#include "timeline-labels.h"
#include "timeline-palette.h"

typedef struct
{
  const Scene *scene;
  const TimelinePalette *palette;
  Labels *labels;
  const CulpritTimelineMatches *found; /* What was searched for; NULL: nothing was. */
  const CulpritTimelineMatches *lit;   /* likewise */
  gboolean tracing;                    /* Whether to show the tracer's share. */
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
