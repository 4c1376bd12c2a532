/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times to pixels, rows of lanes, hits; and marks to boxes on whole pixels.
 *
 * Marks narrower than a few pixels become columns, shaded by how full they are. Columns that look alike are merged into
 * one box, and different ones in between are drawn over it: that halves the number of boxes in a crowded row. */
#include "charts/timeline/scene.h"

#include <string.h>

#define COLUMN_BELOW 3  /* Narrower marks become columns. */
#define GAP_FROM 4      /* Wider boxes leave a gap of one pixel. */
#define TRACING_FROM 8  /* Wider boxes show the tracer's share. */
#define MARK_PIXELS 1.4 /* pixels per mark; with one, marks would often be half a pixel wide */
#define DIMMED_LEVEL 2
#define MAX_OPEN 8 /* columns that can still be extended */

double
scene_top (const Scene *scene)
{
  return scene->timeline && scene->timeline->stays->len > 0 ? SCENE_AXIS + SCENE_ROW + SCENE_CPU_GAP / 2.0 : SCENE_AXIS;
}

double
scene_bottom (const Scene *scene)
{
  return MAX (scene->height - scene->foot, scene_top (scene));
}

const CulpritTimelineStay *
scene_find_stay (const Scene *scene, double x, double y)
{
  guint64 at_ns;

  if (!scene->timeline || x < SCENE_GUTTER || y < SCENE_AXIS || y >= scene_top (scene))
    return NULL;
  at_ns = scene_time (scene, x);
  for (guint i = 0; i < scene->timeline->stays->len; i++)
    {
      const CulpritTimelineStay *stay = &g_array_index (scene->timeline->stays, CulpritTimelineStay, i);

      if (stay->start_ns <= at_ns && at_ns < stay->end_ns)
        return stay;
    }
  return NULL;
}

double
scene_plot_width (const Scene *scene)
{
  return MAX (scene->width - SCENE_GUTTER, 1);
}

double
scene_x (const Scene *scene, guint64 at_ns)
{
  double from_first_ns = (double) (gint64) (at_ns - scene->timeline->first_ns);

  return SCENE_GUTTER + (from_first_ns - scene->start_ns) * scene_plot_width (scene) / scene->length_ns;
}

guint64
scene_time (const Scene *scene, double x)
{
  const CulpritTimeline *timeline = scene->timeline;
  double from_first_ns = scene->start_ns + (x - SCENE_GUTTER) * scene->length_ns / scene_plot_width (scene);

  return timeline->first_ns + (guint64) CLAMP (from_first_ns, 0, (double) (timeline->last_ns - timeline->first_ns));
}

static const CulpritTimelineCpu *
cpu_at (const Scene *scene, guint cpu)
{
  return &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, cpu);
}

gboolean
scene_is_folded (const Scene *scene, guint cpu)
{
  return scene->folded && scene->folded[cpu_at (scene, cpu)->cpu];
}

gboolean
scene_is_hidden (const Scene *scene, guint lane)
{
  guint cpu = culprit_timeline_lane_cpu (scene->timeline, lane);

  return scene_is_folded (scene, cpu) && lane != cpu_at (scene, cpu)->first_lane;
}

static guint
count_rows (const Scene *scene, guint cpu)
{
  return scene_is_folded (scene, cpu) ? 1 : cpu_at (scene, cpu)->n_lanes;
}

void
scene_count_above (const Scene *scene, GArray *above)
{
  guint rows = 0;

  g_array_set_size (above, 0);
  for (guint i = 0; scene->timeline && i < scene->timeline->cpus->len; i++)
    {
      g_array_append_val (above, rows);
      rows += count_rows (scene, i);
    }
  g_array_append_val (above, rows);
}

/* The rows of the CPUs before @cpu, which may be the number of CPUs. */
static guint
rows_above (const Scene *scene, guint cpu)
{
  if (scene->above)
    return scene->above[cpu];
  return cpu < scene->timeline->cpus->len ? cpu_at (scene, cpu)->first_lane : scene->timeline->lanes->len;
}

static double
cpu_y (const Scene *scene, guint cpu)
{
  return scene_top (scene) - scene->scroll + (double) rows_above (scene, cpu) * SCENE_ROW + cpu * SCENE_CPU_GAP;
}

double
scene_lane_y (const Scene *scene, guint lane)
{
  guint cpu = culprit_timeline_lane_cpu (scene->timeline, lane);
  guint row = scene_is_hidden (scene, lane) ? 0 : lane - cpu_at (scene, cpu)->first_lane;

  return cpu_y (scene, cpu) + row * SCENE_ROW;
}

gboolean
scene_is_seen (const Scene *scene, guint lane)
{
  double y = scene_lane_y (scene, lane);

  return y + SCENE_ROW > scene_top (scene) && y < scene_bottom (scene) && !scene_is_hidden (scene, lane);
}

gboolean
scene_cpu_rows (const Scene *scene, guint cpu, double *y, double *height)
{
  *y = cpu_y (scene, cpu);
  *height = count_rows (scene, cpu) * SCENE_ROW;
  return *y + *height > scene_top (scene) && *y < scene_bottom (scene);
}

/* The last CPU whose rows do not begin below @y, or the first one. */
static guint
find_cpu (const Scene *scene, double y)
{
  guint low = 0;
  guint high = scene->timeline->cpus->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (cpu_y (scene, middle) <= y)
        low = middle;
      else
        high = middle;
    }
  return low;
}

guint
scene_first_lane (const Scene *scene)
{
  guint cpu = scene->timeline && scene->timeline->cpus->len > 0 ? find_cpu (scene, scene_top (scene)) : 0;

  return cpu > 0 ? cpu_at (scene, cpu)->first_lane : 0;
}

gboolean
scene_find_name (const Scene *scene, double x, double y, guint *cpu)
{
  guint lane;

  if (x >= SCENE_GUTTER || !scene_find_lane (scene, y, &lane))
    return FALSE;
  *cpu = culprit_timeline_lane_cpu (scene->timeline, lane);
  return lane == cpu_at (scene, *cpu)->first_lane;
}

gboolean
scene_find_lane (const Scene *scene, double y, guint *lane)
{
  guint cpu;
  double row;

  if (!scene->timeline || scene->timeline->cpus->len == 0 || y < scene_top (scene) || y >= scene_bottom (scene))
    return FALSE;
  cpu = find_cpu (scene, y);
  row = y - cpu_y (scene, cpu);
  if (row < 0 || row >= count_rows (scene, cpu) * SCENE_ROW)
    return FALSE;
  *lane = cpu_at (scene, cpu)->first_lane + (guint) (row / SCENE_ROW);
  return TRUE;
}

double
scene_rows_height (const Scene *scene)
{
  guint cpus = scene->timeline ? scene->timeline->cpus->len : 0;

  return cpus > 0 ? (double) rows_above (scene, cpus) * SCENE_ROW + (cpus - 1.0) * SCENE_CPU_GAP : 0;
}

void
scene_set_range (Scene *scene, double start_ns, double length_ns)
{
  double all_ns = MAX (scene->timeline->last_ns - scene->timeline->first_ns, SCENE_MIN_LENGTH_NS);

  scene->length_ns = CLAMP (length_ns, SCENE_MIN_LENGTH_NS, all_ns);
  scene->start_ns = CLAMP (start_ns, 0, all_ns - scene->length_ns);
}

void
scene_set_scroll (Scene *scene, double scroll)
{
  double most = scene_rows_height (scene) + scene_top (scene) + SCENE_CPU_GAP - scene_bottom (scene);

  scene->scroll = CLAMP (scroll, 0, MAX (most, 0));
}

gboolean
scene_hit (const Scene *scene, double x, double y, CulpritTimelinePlace *place)
{
  guint64 at_ns;
  guint64 pixel_ns;
  CulpritTimelineCall call;

  if (x < SCENE_GUTTER || !scene_find_lane (scene, y, &place->lane))
    return FALSE;
  at_ns = scene_time (scene, x);
  pixel_ns = MAX (scene->length_ns / scene_plot_width (scene), 1);
  place->span = culprit_timeline_hit (scene->timeline, place->lane, at_ns, pixel_ns);
  if (place->span == CULPRIT_TIMELINE_NONE)
    return FALSE;
  culprit_timeline_describe (scene->timeline, place->lane, place->span, &call);
  place->start_ns = call.span_start_ns;
  return TRUE;
}

guint64
scene_zero_ns (const CulpritTimeline *timeline)
{
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);

  return outlier ? outlier->start_ns : timeline->first_ns;
}

/* Boxes. */

/* The row being filled. */
typedef struct
{
  const Scene *scene;
  guint lane;
  double y;
  double origin; /* x of the timeline's first event */
  double scale;  /* pixels per ns */
  double right;  /* end of the last box */
  BoxKind kind;
  guint highlight;
  GArray *boxes;
  guint open[MAX_OPEN]; /* columns that reach the end of the row so far, perhaps below later ones */
  guint n_open;
} Row;

/* Extends an open box that looks like @box up to @right, if there is one. */
static gboolean
extend_open (Row *row, const Box *box, double right)
{
  for (guint i = row->n_open; i > 0; i--)
    {
      Box *open = &g_array_index (row->boxes, Box, row->open[i - 1]);

      if (open->level != box->level || open->context != box->context)
        continue;
      open->width = right - open->x;
      row->n_open = i;
      return TRUE;
    }
  return FALSE;
}

static void
add_open (Row *row, const Box *box)
{
  if (row->n_open == MAX_OPEN)
    {
      row->n_open--;
      memmove (row->open, row->open + 1, row->n_open * sizeof *row->open);
    }
  row->open[row->n_open++] = row->boxes->len;
  g_array_append_val (row->boxes, *box);
}

static Box
make_box (const Row *row, const CulpritTimelineMark *mark, double x, double right)
{
  return (Box) { .x = x,
                 .y = row->y,
                 .width = right - x,
                 .height = SCENE_BOX,
                 .span = mark->span,
                 .what = mark->what,
                 .lane = row->lane,
                 .context = mark->context,
                 .kind = row->kind,
                 .highlight = row->highlight,
                 .marks = mark->marks };
}

/* ceil() of a number that is not negative, inlined. */
static inline double
round_up (double number)
{
  int below = number;

  return below < number ? below + 1 : below;
}

/* Adds whole columns of pixels. A column that is taken keeps what it has. */
static void
add_columns (Row *row, const CulpritTimelineMark *mark, double from, double to)
{
  double x = MAX ((int) from, row->right);
  double right = MAX (round_up (to), (int) from + 1);
  Box box;

  if (right <= x)
    return;
  box = make_box (row, mark, x, right);
  box.level = CLAMP (round_up (mark->fill * (to - from) / (right - x) * SCENE_LEVELS), 1, SCENE_LEVELS);
  if (row->kind == BOX_DIMMED)
    box.level = DIMMED_LEVEL;
  else if (row->kind != BOX_PLAIN)
    {
      box.level = SCENE_LEVELS; /* Marked boxes have one colour. */
      box.context = 0;
    }
  if (x > row->right)
    row->n_open = 0;
  row->right = right;
  if (!extend_open (row, &box, right))
    add_open (row, &box);
}

static void
add_wide (Row *row, const CulpritTimelineMark *mark, double from, double to)
{
  const CulpritTimeline *timeline = row->scene->timeline;
  double x = MAX ((int) (from + 0.5), row->right);
  double right = (int) (to + 0.5);
  Box box;

  if (right <= x)
    return;
  row->right = right;
  row->n_open = 0;
  box = make_box (row, mark, x, right);
  if (box.width > GAP_FROM && !(mark->marks & CULPRIT_SPAN_CONTINUES))
    box.width -= 1;
  box.level = mark->alone ? SCENE_LEVELS : CLAMP (round_up (mark->fill * SCENE_LEVELS), 1, SCENE_LEVELS);
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
  guint64 first_ns = row->scene->timeline->first_ns;
  double from = CLAMP (row->origin + (double) (gint64) (mark->start_ns - first_ns) * row->scale, left, end);
  double to = CLAMP (row->origin + (double) (gint64) (mark->end_ns - first_ns) * row->scale, left, end);

  if (from >= end || to < left || (to == left && from == left && mark->start_ns < mark->end_ns))
    return;
  if (to - from < COLUMN_BELOW)
    add_columns (row, mark, from, to);
  else
    add_wide (row, mark, from, to);
}

/* Groups. */

#define GROUP_GAP 6 /* Boxes that are farther apart belong to two groups. */

typedef struct
{
  BoxGroup group;
  guint64 start_ns;
  guint64 end_ns;
} OpenGroup;

static void
close_group (OpenGroup *open, const Scene *scene, const CulpritTimelineMatches *matches, GArray *groups)
{
  BoxGroup *group = &open->group;

  if (group->right - group->x >= SCENE_GROUP_FROM)
    {
      group->sum = matches ? culprit_timeline_matches_sum (matches, group->lane, open->start_ns, open->end_ns)
                           : culprit_timeline_sum (scene->timeline, group->lane, open->start_ns, open->end_ns);
      if (group->sum.calls > 1)
        g_array_append_val (groups, *group);
    }
  *open = (OpenGroup) { 0 };
}

/* Takes @mark to the open group, or ends that. */
static void
extend_group (OpenGroup *open,
              const Row *row,
              const CulpritTimelineMark *mark,
              const CulpritTimelineMatches *matches,
              GArray *groups)
{
  const Scene *scene = row->scene;
  double from = MAX (scene_x (scene, mark->start_ns), SCENE_GUTTER);
  double to = MIN (scene_x (scene, mark->end_ns), scene->width);
  gboolean is_narrow = !mark->alone || to - from < SCENE_LABEL_FROM;

  if (!is_narrow || from - open->group.right > GROUP_GAP)
    close_group (open, scene, matches, groups);
  if (!is_narrow || to < from)
    return;
  if (open->end_ns == 0)
    {
      open->start_ns = mark->start_ns;
      open->group =
          (BoxGroup) { .x = from, .y = row->y, .lane = row->lane, .kind = row->kind, .highlight = row->highlight };
    }
  open->group.right = MAX (to, open->group.right);
  open->end_ns = mark->end_ns;
}

/* Adds the boxes of all rows: those of @matches, or if that is NULL, of all calls. */
static void
add_rows (const Scene *scene,
          const CulpritTimelineMatches *matches,
          BoxKind kind,
          guint highlight,
          GArray *boxes,
          GArray *groups)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineMark));
  guint pixels = MAX (scene_plot_width (scene) / MARK_PIXELS, 1);
  guint64 start_ns = scene_time (scene, SCENE_GUTTER);
  guint64 end_ns = scene_time (scene, scene->width) + 1;

  for (guint lane = scene_first_lane (scene); scene->timeline && lane < scene->timeline->lanes->len; lane++)
    {
      Row row = { .scene = scene, .lane = lane, .right = SCENE_GUTTER, .kind = kind, .highlight = highlight };
      OpenGroup open = { 0 };

      row.boxes = boxes;
      row.y = scene_lane_y (scene, lane);
      row.scale = scene_plot_width (scene) / scene->length_ns;
      row.origin = SCENE_GUTTER - scene->start_ns * row.scale;
      if (row.y >= scene_bottom (scene))
        break;
      if (!scene_is_seen (scene, lane))
        continue;
      g_array_set_size (marks, 0);
      if (matches)
        culprit_timeline_matches_query (matches, lane, start_ns, end_ns, pixels, marks);
      else
        culprit_timeline_query (scene->timeline, lane, start_ns, end_ns, pixels, marks);
      for (guint i = 0; i < marks->len; i++)
        {
          const CulpritTimelineMark *mark = &g_array_index (marks, CulpritTimelineMark, i);

          add_mark (&row, mark);
          if (culprit_timeline_lane_has_calls (scene->timeline, lane))
            extend_group (&open, &row, mark, matches, groups);
        }
      close_group (&open, scene, matches, groups);
    }
}

void
scene_add_boxes (const Scene *scene, BoxKind kind, GArray *boxes, GArray *groups)
{
  add_rows (scene, NULL, kind, 0, boxes, groups);
}

void
scene_add_matches (
    const Scene *scene, const CulpritTimelineMatches *matches, guint highlight, GArray *boxes, GArray *groups)
{
  add_rows (scene, matches, BOX_MARKED, highlight, boxes, groups);
}
