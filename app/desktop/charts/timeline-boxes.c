/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From marks to boxes on whole pixels. What is narrower than a few pixels becomes columns, whose level tells how full
 * they are; equal neighbours become one box, so that a crowded row costs little to draw. */
#include "timeline-scene.h"

#include <math.h>

#define COLUMN_BELOW 3 /* Narrower marks are columns. */
#define GAP_FROM 4     /* Wider boxes leave a pixel to the next. */
#define TRACING_FROM 8 /* Wider boxes show the tracer's share. */
#define BOX_HEIGHT (SCENE_ROW - 1)

/* The row that is being filled. */
typedef struct
{
  const Scene *scene;
  guint lane;
  double y;
  double right; /* where the last box ends */
  BoxKind kind;
  guint first; /* its first box */
  GArray *boxes;
} Row;

static Box *
last_box (const Row *row)
{
  return row->boxes->len > row->first ? &g_array_index (row->boxes, Box, row->boxes->len - 1) : NULL;
}

static Box
make_box (const Row *row, const CulpritTimelineMark *mark, double x, double right)
{
  return (Box) { .x = x,
                 .y = row->y,
                 .width = right - x,
                 .height = BOX_HEIGHT,
                 .span = mark->span,
                 .what = mark->what,
                 .lane = row->lane,
                 .context = mark->context,
                 .kind = row->kind,
                 .marks = mark->marks };
}

/* Columns of pixels; what falls on one that is taken makes that one fuller. */
static void
add_columns (Row *row, const CulpritTimelineMark *mark, double from, double to)
{
  double x = MAX (floor (from), row->right);
  double right = MAX (ceil (to), floor (from) + 1);
  Box *before = last_box (row);
  Box box;

  if (right <= x)
    {
      if (before && !before->alone && before->width <= 1)
        before->level = MIN (before->level + 1, SCENE_LEVELS);
      return;
    }
  box = make_box (row, mark, x, right);
  box.level = CLAMP (ceil (mark->fill * (to - from) / (right - x) * SCENE_LEVELS), 1, SCENE_LEVELS);
  row->right = right;
  if (before && !before->alone && before->x + before->width == box.x && before->level == box.level &&
      before->context == box.context)
    before->width += box.width;
  else
    g_array_append_val (row->boxes, box);
}

static void
add_wide (Row *row, const CulpritTimelineMark *mark, double from, double to)
{
  const CulpritTimeline *timeline = row->scene->timeline;
  double x = MAX (round (from), row->right);
  double right = round (to);
  Box box;

  if (right <= x)
    return;
  row->right = right;
  box = make_box (row, mark, x, right);
  if (box.width > GAP_FROM && !(mark->marks & CULPRIT_SPAN_CONTINUES))
    box.width -= 1;
  box.level = mark->alone ? SCENE_LEVELS : CLAMP (ceil (mark->fill * SCENE_LEVELS), 1, SCENE_LEVELS);
  box.alone = mark->alone;
  box.shade = mark->alone ? mark->what % SCENE_SHADES : 0;
  if (mark->alone && to - from > TRACING_FROM && mark->end_ns > mark->start_ns)
    box.tracing = box.width * culprit_timeline_span_tracing_ns (timeline, row->lane, mark->span) /
                  (double) (mark->end_ns - mark->start_ns);
  g_array_append_val (row->boxes, box);
}

static void
add_mark (Row *row, const CulpritTimelineMark *mark)
{
  double left = SCENE_GUTTER;
  double end = row->scene->width;
  double from = CLAMP (scene_x (row->scene, mark->start_ns), left, end);
  double to = CLAMP (scene_x (row->scene, mark->end_ns), left, end);

  if (from >= end || to < left || (to == left && from == left && mark->start_ns < mark->end_ns))
    return;
  if (to - from < COLUMN_BELOW)
    add_columns (row, mark, from, to);
  else
    add_wide (row, mark, from, to);
}

static gboolean
is_seen (const Scene *scene, double y)
{
  return y + SCENE_ROW > SCENE_AXIS && y < scene->height;
}

/* The boxes of all rows; of @matches, or of all calls where that is NULL. */
static void
add_rows (const Scene *scene, const CulpritTimelineMatches *matches, BoxKind kind, GArray *boxes)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  guint pixels = scene_plot_width (scene);
  guint64 start_ns = scene_time (scene, SCENE_GUTTER);
  guint64 end_ns = scene_time (scene, scene->width) + 1;

  for (guint lane = 0; scene->timeline && lane < scene->timeline->lanes->len; lane++)
    {
      Row row = { scene, lane, scene_lane_y (scene, lane), SCENE_GUTTER, kind, boxes->len, boxes };

      if (!is_seen (scene, row.y))
        continue;
      g_array_set_size (marks, 0);
      if (matches)
        culprit_timeline_matches_query (matches, lane, start_ns, end_ns, pixels, marks);
      else
        culprit_timeline_query (scene->timeline, lane, start_ns, end_ns, pixels, marks);
      for (guint i = 0; i < marks->len; i++)
        add_mark (&row, &g_array_index (marks, CulpritTimelineMark, i));
    }
}

void
scene_add_boxes (const Scene *scene, GArray *boxes)
{
  add_rows (scene, NULL, BOX_PLAIN, boxes);
}

void
scene_add_matches (const Scene *scene, const CulpritTimelineMatches *matches, BoxKind kind, GArray *boxes)
{
  add_rows (scene, matches, kind, boxes);
}
