/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands round a timeline's rows: the axis of time, the CPUs' labels, the legend. */
#pragma once

#include "timeline-draw.h"

#define FRAME_PAD 4 /* between text and what it stands in */

/* Lines at the ticks, below everything else. */
void frame_draw_grid (const Drawing *drawing, const Brush *brush);

void frame_draw (const Drawing *drawing, const Brush *brush);

/* Text in the middle of a row of @height, cut to @width; 0: not cut. */
void frame_text (const Drawing *drawing,
                 const Brush *brush,
                 const char *text,
                 double x,
                 double y,
                 double height,
                 double width,
                 const GdkRGBA *colour);

/* The rows of @cpu: of the timeline's CPUs, by place. */
void frame_cpu_rows (const Scene *scene, guint cpu, double *y, double *height);

/* A time as the axis would tell it, to a pixel. The caller owns it. */
char *frame_tell_time (const Scene *scene, guint64 at_ns);
