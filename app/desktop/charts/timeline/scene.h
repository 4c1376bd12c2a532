/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The geometry of a timeline view: times to pixels and back, rows, and the boxes that calls are drawn as. No GTK;
 * shared by the view, its export and its tests. */
#pragma once

#include "timeline/timeline.h"

#define SCENE_GUTTER 84           /* for the labels of CPUs */
#define SCENE_AXIS 34             /* above all rows */
#define SCENE_FOOT 24             /* below them, for the legend; higher if that takes several rows */
#define SCENE_ROW 18              /* from row to row */
#define SCENE_BOX (SCENE_ROW - 1) /* height of a box */
#define SCENE_CPU_GAP 14          /* between CPUs */
#define SCENE_LEVELS 4            /* of shading, for columns of pixels that are partly filled */
#define SCENE_SHADES 3            /* of one context, so that neighbours differ */
#define SCENE_LABEL_FROM 40       /* Narrower boxes have no name. */
#define SCENE_MIN_LENGTH_NS 40
#define SCENE_GROUP_FROM 64 /* Narrower groups have no label. */

typedef struct
{
  const CulpritTimeline *timeline; /* NULL: nothing to show */
  double start_ns;                 /* of the visible range, after the timeline's first event */
  double length_ns;
  int width;
  int height;
  int foot;             /* the part of the height that the legend takes */
  double scroll;        /* pixels of rows above the visible ones */
  const guint8 *folded; /* by CPU number: only its row of tasks is shown; NULL: no CPU is folded */
  const guint *above;   /* by index of CPU: the rows of those before it, see scene_count_above(); NULL likewise */
} Scene;

typedef enum
{
  BOX_PLAIN,
  BOX_DIMMED, /* Others are highlighted; how full its columns are does not matter. */
  BOX_MARKED, /* highlighted */
} BoxKind;

typedef struct
{
  float x;
  float y;
  float width;
  float height;
  float tracing; /* the part of the width that is the tracer's share */
  guint32 span;
  guint32 what;
  guint32 lane;
  guint8 context;
  guint8 shade;
  guint8 level; /* from 1 to SCENE_LEVELS, which is full */
  guint8 kind;
  guint8 highlight; /* of a marked box: index of its highlight */
  guint8 marks;
  guint8 alone; /* a single call or task */
} Box;

/* Neighbouring boxes of a row that are too narrow for names: together they may bear their number and the sum. */
typedef struct
{
  float x;
  float right;
  float y;
  guint32 lane;
  guint8 kind;
  guint8 highlight;
  CulpritTimelineSum sum;
} BoxGroup;

/* The y at which the rows of CPUs begin: below the axis, and below the row of the measured task if there is one. */
double scene_top (const Scene *scene);

/* The stay at a point of that row, or NULL. */
const CulpritTimelineStay *scene_find_stay (const Scene *scene, double x, double y);

/* The y at which the rows end. */
double scene_bottom (const Scene *scene);

/* The width that times are drawn on. */
double scene_plot_width (const Scene *scene);

/* The x of @at_ns, a time of the capture's clock. */
double scene_x (const Scene *scene, guint64 at_ns);

/* The time at @x, of the capture's clock, inside the timeline. */
guint64 scene_time (const Scene *scene, double x);

/* Whether only the row of tasks of @cpu is shown. @cpu is an index into the timeline's CPUs, here and below. */
gboolean scene_is_folded (const Scene *scene, guint cpu);

/* Counts the rows above each CPU, and last all rows: to be done again when @folded changes. */
void scene_count_above (const Scene *scene, GArray *above);

/* Whether folding hides @lane. */
gboolean scene_is_hidden (const Scene *scene, guint lane);

/* The y of the row of @lane; of a hidden one, that of its CPU's tasks. */
double scene_lane_y (const Scene *scene, guint lane);

/* Whether the row of @lane is at least partly visible. */
gboolean scene_is_seen (const Scene *scene, guint lane);

/* The first lane that may be visible; all are if there is no timeline. Lanes are in order of their y. */
guint scene_first_lane (const Scene *scene);

/* The y at which the rows of @cpu begin, and their height. FALSE: none of them is visible. */
gboolean scene_cpu_rows (const Scene *scene, guint cpu, double *y, double *height);

/* The CPU whose name is at a point; FALSE: none is. */
gboolean scene_find_name (const Scene *scene, double x, double y, guint *cpu);

/* The lane at @y; FALSE: there is none. */
gboolean scene_find_lane (const Scene *scene, double y, guint *lane);

/* The height of all rows. */
double scene_rows_height (const Scene *scene);

/* Makes @length_ns from @start_ns after the first event visible, moved and cut to fit inside the timeline. */
void scene_set_range (Scene *scene, double start_ns, double length_ns);

/* Scrolls to @scroll pixels, as far as there are rows. */
void scene_set_scroll (Scene *scene, double scroll);

/* Adds the boxes (Box) of all visible rows, plain or dimmed, and to @groups their groups (BoxGroup) of several calls.
 */
void scene_add_boxes (const Scene *scene, BoxKind kind, GArray *boxes, GArray *groups);

/* Adds the boxes of @matches, marked as those of @highlight, likewise. */
void scene_add_matches (
    const Scene *scene, const CulpritTimelineMatches *matches, guint highlight, GArray *boxes, GArray *groups);

/* The span at a point; FALSE: there is none. */
gboolean scene_hit (const Scene *scene, double x, double y, CulpritTimelinePlace *place);

/* The zero of the axis: the start of the outlier window, or else the first event. */
guint64 scene_zero_ns (const CulpritTimeline *timeline);
