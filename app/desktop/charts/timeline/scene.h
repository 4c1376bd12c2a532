/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline view shows and where: times to pixels and back, rows, and the boxes that its calls come to.
 * Pure geometry, no GTK; the view, its export and its tests share it. */
#pragma once

#include "timeline/timeline.h"

#define SCENE_GUTTER 84           /* for the CPUs' labels */
#define SCENE_AXIS 34             /* above the rows, for times */
#define SCENE_FOOT 24             /* below them, for what the colours mean; more where that takes several rows */
#define SCENE_ROW 18              /* from row to row */
#define SCENE_BOX (SCENE_ROW - 1) /* height of a box */
#define SCENE_CPU_GAP 14          /* between CPUs */
#define SCENE_LEVELS 4            /* How full a few pixels may look. */
#define SCENE_SHADES 3            /* of one context, so that neighbours differ */
#define SCENE_LABEL_FROM 40       /* Narrower boxes bear no name. */
#define SCENE_MIN_LENGTH_NS 40

typedef struct
{
  const CulpritTimeline *timeline; /* NULL: there is nothing to show */
  double start_ns;                 /* of what is shown, from the timeline's first */
  double length_ns;
  int width;
  int height;
  int foot;             /* of it for what the colours mean */
  double scroll;        /* How many pixels of rows are above the first that is shown. */
  const guint8 *folded; /* by a CPU's number: whether only the row of its tasks is shown; NULL: none is */
} Scene;

/* How a box is to look. */
typedef enum
{
  BOX_PLAIN,
  BOX_DIMMED, /* Others are marked: it matters less, and how full columns are not at all. */
  BOX_MARKED, /* It is highlighted. */
} BoxKind;

typedef struct
{
  float x;
  float y;
  float width;
  float height;
  float tracing; /* How much of the width is the tracer's share. */
  guint32 span;
  guint32 what;
  guint32 lane;
  guint8 context;
  guint8 shade;
  guint8 level; /* from 1; SCENE_LEVELS: a full one */
  guint8 kind;
  guint8 highlight; /* of a marked one: which */
  guint8 marks;
  guint8 alone; /* one call or task, and nothing else */
} Box;

/* Where the rows end. */
double scene_bottom (const Scene *scene);

/* The pixels that times are drawn on. */
double scene_plot_width (const Scene *scene);

/* Where @at_ns of the capture's clock stands. */
double scene_x (const Scene *scene, guint64 at_ns);

/* Which time stands at @x: of the capture's clock, inside the timeline. */
guint64 scene_time (const Scene *scene, double x);

/* Whether only the row of tasks is shown of @cpu, by its place among the timeline's. */
gboolean scene_is_folded (const Scene *scene, guint cpu);

/* Whether @lane is of such a CPU, and not that row. */
gboolean scene_is_hidden (const Scene *scene, guint lane);

/* Where the row of @lane begins; of a hidden one, that of its tasks. */
double scene_lane_y (const Scene *scene, guint lane);

/* Whether the row of @lane is seen, if only in part. */
gboolean scene_is_seen (const Scene *scene, guint lane);

/* Where the rows of @cpu begin, and how high they are. */
void scene_cpu_rows (const Scene *scene, guint cpu, double *y, double *height);

/* The CPU whose name stands at a point; FALSE where none does. */
gboolean scene_find_name (const Scene *scene, double x, double y, guint *cpu);

/* The lane at @y; FALSE between and outside of them. */
gboolean scene_find_lane (const Scene *scene, double y, guint *lane);

/* How high all rows are. */
double scene_rows_height (const Scene *scene);

/* Shows from @start_ns on, from the timeline's first, for @length_ns; as much of that as lies inside of it. */
void scene_set_range (Scene *scene, double start_ns, double length_ns);

/* Scrolls to @scroll, as far as there are rows. */
void scene_set_scroll (Scene *scene, double scroll);

/* Adds the boxes (of Box) of all rows that are seen, plain or dimmed. */
void scene_add_boxes (const Scene *scene, BoxKind kind, GArray *boxes);

/* Adds the boxes of @matches as marked ones of @highlight. */
void scene_add_matches (const Scene *scene, const CulpritTimelineMatches *matches, guint highlight, GArray *boxes);

/* The span under a point. FALSE where there is none. */
gboolean scene_hit (const Scene *scene, double x, double y, CulpritTimelinePlace *place);

/* The times at which the capture counts from: where the outlier window begins, or the first event. */
guint64 scene_zero_ns (const CulpritTimeline *timeline);
