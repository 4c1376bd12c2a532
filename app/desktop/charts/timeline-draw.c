/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paper, windows, gaps, boxes and their names, axis and labels, in this order. */
#include "timeline-draw.h"

#include "chart/axis.h"
#include "units.h"

#define TICK_EVERY 130 /* pixels, about */
#define LABEL_PAD 4
#define BAR 3     /* height of the strips at the foot of a box */
#define THUMB 4   /* width of the sign of how far rows are scrolled */
#define FLAG_Y 17 /* where the flags are in the axis */
#define FLAG_HEIGHT 16

char *
draw_name (const CulpritTimeline *timeline, guint lane, guint32 what)
{
  const CulpritTimelineCpu *cpu =
      &g_array_index (timeline->cpus, CulpritTimelineCpu, culprit_timeline_lane_cpu (timeline, lane));
  const CulpritTimelineTask *task;

  if (lane != cpu->first_lane)
    return g_strdup (g_array_index (timeline->capture->functions, CulpritFunction, what).name);
  task = &g_array_index (timeline->tasks, CulpritTimelineTask, what);
  if (task->pid == 0)
    return g_strdup (task->comm);
  return g_strdup_printf ("%s-%d", *task->comm ? task->comm : "task", task->pid);
}

/* Text in the middle of a row, cut to @width. */
static void
draw_text (const Drawing *drawing,
           const Brush *brush,
           const char *text,
           double x,
           double y,
           double height,
           double width,
           const GdkRGBA *colour)
{
  PangoLayout *layout = labels_get (drawing->labels, text, width);
  int text_width;
  int text_height;

  labels_size (layout, &text_width, &text_height);
  brush_text (brush, x, y + (int) (height - text_height) / 2, layout, colour);
}

/* The rows of the CPU @cpu: of the timeline's, by place. */
static void
cpu_rows (const Scene *scene, guint cpu, double *y, double *height)
{
  const CulpritTimelineCpu *found = &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, cpu);

  *y = scene_lane_y (scene, found->first_lane);
  *height = found->n_lanes * SCENE_ROW;
}

/* A stretch of time as pixels of the plot; FALSE where it is not seen. */
static gboolean
find_pixels (const Scene *scene, guint64 start_ns, guint64 end_ns, double *x, double *width)
{
  double from = MAX (scene_x (scene, start_ns), SCENE_GUTTER);
  double to = MIN (scene_x (scene, end_ns), scene->width);

  *x = from;
  *width = to - from;
  return to > from;
}

static void
draw_windows (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const GArray *windows = scene->timeline->capture->windows;

  for (guint i = 0; i < windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (windows, CulpritWindow, i);
      double x, width, y, height;

      if (!find_pixels (scene, window->start_ns, window->end_ns, &x, &width))
        continue;
      if (window->outlier)
        brush_fill (brush, x, SCENE_AXIS, width, scene->height - SCENE_AXIS, &drawing->palette->window);
      for (guint cpu = 0; cpu < scene->timeline->cpus->len && !window->outlier; cpu++)
        {
          cpu_rows (scene, cpu, &y, &height);
          if (g_array_index (scene->timeline->cpus, CulpritTimelineCpu, cpu).cpu == window->cpu)
            brush_fill (brush, x, y - SCENE_CPU_GAP / 2.0, MAX (width, 1), height + SCENE_CPU_GAP,
                        &drawing->palette->ordinary);
        }
    }
}

static void
draw_gaps (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  double right = 0;

  for (guint i = 0; i < scene->timeline->gaps->len; i++)
    {
      const CulpritTimelineGap *gap = &g_array_index (scene->timeline->gaps, CulpritTimelineGap, i);
      double x, width, y, height;

      if (!find_pixels (scene, gap->start_ns, gap->end_ns, &x, &width))
        continue;
      cpu_rows (scene, gap->cpu, &y, &height);
      if (x + width <= right && i > 0 && gap[-1].cpu == gap->cpu)
        continue;
      right = x + MAX (width, 1);
      brush_hatch (brush, x, y, MAX (width, 1), height, &drawing->palette->hatch);
      if (width > 2 * SCENE_LABEL_FROM)
        draw_text (drawing, brush, gap->lost ? "events lost" : "not captured", x + LABEL_PAD, y + SCENE_ROW, SCENE_ROW,
                   width - 2 * LABEL_PAD, &drawing->palette->faint);
    }
}

static const GdkRGBA *
box_colour (const Drawing *drawing, const Box *box)
{
  gboolean dimmed = box->kind == BOX_PLAIN && (drawing->found || drawing->lit);

  if (box->kind == BOX_LIT || (box->kind == BOX_FOUND && !box->alone))
    return &drawing->palette->late;
  return dimmed ? &drawing->palette->dimmed[box->context][box->shade][box->level - 1]
                : &drawing->palette->calls[box->context][box->shade][box->level - 1];
}

static void
draw_box (const Drawing *drawing, const Brush *brush, const Box *box)
{
  const TimelinePalette *palette = drawing->palette;

  brush_fill (brush, box->x, box->y, box->width, box->height, box_colour (drawing, box));
  if (!box->alone)
    return;
  if (drawing->tracing && box->tracing >= 1)
    brush_fill (brush, box->x, box->y + box->height - BAR, (int) (box->tracing + 0.5), BAR, &palette->tracing);
  if (box->kind == BOX_FOUND)
    brush_fill (brush, box->x, box->y, box->width, BAR, &palette->late);
  if (box->marks & CULPRIT_SPAN_CUT)
    brush_fill (brush, box->x + box->width - 2, box->y, 2, box->height, &palette->cut);
  if (box->marks & CULPRIT_SPAN_HEAD && !(box->marks & CULPRIT_SPAN_CONTINUED))
    brush_fill (brush, box->x, box->y, 2, box->height, &palette->cut);
}

static void
draw_box_name (const Drawing *drawing, const Brush *brush, const Box *box)
{
  const GdkRGBA *ink = &drawing->palette->ink;
  g_autofree char *name = NULL;

  if (!box->alone || box->width < SCENE_LABEL_FROM)
    return;
  if (box->kind == BOX_LIT)
    ink = &drawing->palette->on_late;
  else if (box->kind == BOX_PLAIN && (drawing->found || drawing->lit))
    ink = &drawing->palette->faint;
  name = draw_name (drawing->scene->timeline, box->lane, box->what);
  draw_text (drawing, brush, name, box->x + LABEL_PAD, box->y, box->height, box->width - 2 * LABEL_PAD, ink);
}

static void
draw_boxes (const Drawing *drawing, const Brush *brush)
{
  g_autoptr (GArray) boxes = g_array_sized_new (FALSE, FALSE, sizeof (Box), 4096);
  const CulpritTimelineMatches *matches[] = { NULL, drawing->found, drawing->lit };

  for (guint kind = BOX_PLAIN; kind <= BOX_LIT; kind++)
    {
      g_array_set_size (boxes, 0);
      if (kind == BOX_PLAIN)
        scene_add_boxes (drawing->scene, boxes);
      else if (matches[kind])
        scene_add_matches (drawing->scene, matches[kind], kind, boxes);
      for (guint i = 0; i < boxes->len; i++)
        draw_box (drawing, brush, &g_array_index (boxes, Box, i));
      for (guint i = 0; i < boxes->len; i++)
        draw_box_name (drawing, brush, &g_array_index (boxes, Box, i));
    }
}

/* Ticks count from the scene's zero; so do their labels. */
static GArray *
find_ticks (const Scene *scene, const char **unit)
{
  double zero_ns = scene_zero_ns (scene->timeline) - scene->timeline->first_ns;
  double low_ns = scene->start_ns - zero_ns;
  double unit_ns = axis_time_unit (scene->length_ns, unit);
  Axis axis = axis_make (AXIS_LINEAR, low_ns, low_ns + scene->length_ns, unit_ns, NULL);

  if (unit_ns < 1e3)
    axis.unit = axis_time_unit (1e3, unit);
  return axis_ticks (&axis, MAX (scene_plot_width (scene) / TICK_EVERY, 1));
}

static double
tick_x (const Scene *scene, const AxisTick *tick)
{
  double zero_ns = scene_zero_ns (scene->timeline) - scene->timeline->first_ns;

  return SCENE_GUTTER + (zero_ns + tick->value - scene->start_ns) * scene_plot_width (scene) / scene->length_ns;
}

static void
draw_grid (const Drawing *drawing, const Brush *brush, const GArray *ticks)
{
  const Scene *scene = drawing->scene;

  for (guint i = 0; i < ticks->len; i++)
    brush_fill (brush, (int) tick_x (scene, &g_array_index (ticks, AxisTick, i)), SCENE_AXIS, 1,
                scene->height - SCENE_AXIS, &drawing->palette->grid);
}

/* A flag in the axis at @x; to its left where there is no room at its right. */
static void
draw_flag (
    const Drawing *drawing, const Brush *brush, const char *text, double x, const GdkRGBA *back, const GdkRGBA *ink)
{
  int width;

  labels_size (labels_get (drawing->labels, text, 0), &width, NULL);
  width += 2 * LABEL_PAD;
  if (x + width > drawing->scene->width)
    x -= width;
  brush_fill (brush, x, FLAG_Y, width, FLAG_HEIGHT, back);
  draw_text (drawing, brush, text, x + LABEL_PAD, FLAG_Y, FLAG_HEIGHT, 0, ink);
}

/* The edges of the outlier window: when the task was to wake up, and when it did. */
static void
draw_outlier (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;
  const CulpritWindow *outlier = culprit_capture_outlier (scene->timeline->capture);
  g_autofree char *latency = outlier ? culprit_time_format (culprit_window_latency_ns (outlier)) : NULL;
  g_autofree char *late = g_strdup_printf ("woke %s late, CPU %u", latency, outlier ? outlier->cpu : 0);
  double start;
  double end;

  if (!outlier)
    return;
  start = (int) scene_x (scene, outlier->start_ns);
  end = (int) scene_x (scene, outlier->end_ns);
  if (start >= SCENE_GUTTER && start < scene->width)
    {
      brush_fill (brush, start, FLAG_Y, 1, scene->height - FLAG_Y, &palette->late);
      draw_flag (drawing, brush, "expected", start, &palette->band, &palette->late);
    }
  if (end >= SCENE_GUTTER && end < scene->width)
    {
      brush_fill (brush, end - 1, FLAG_Y, 2, scene->height - FLAG_Y, &palette->late);
      draw_flag (drawing, brush, late, end, &palette->late, &palette->on_late);
    }
}

static void
draw_axis (const Drawing *drawing, const Brush *brush, const GArray *ticks, const char *unit)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;

  brush_clip (brush, SCENE_GUTTER, 0, scene->width - SCENE_GUTTER, scene->height);
  brush_fill (brush, SCENE_GUTTER, 0, scene->width - SCENE_GUTTER, SCENE_AXIS, &palette->band);
  for (guint i = 0; i < ticks->len; i++)
    {
      const AxisTick *tick = &g_array_index (ticks, AxisTick, i);
      g_autofree char *label = g_strdup_printf ("%s %s", tick->label, unit);
      double x = (int) tick_x (scene, tick);

      brush_fill (brush, x, 0, 1, SCENE_AXIS, &palette->grid);
      draw_text (drawing, brush, label, x + LABEL_PAD, 0, FLAG_Y, 0, &palette->faint);
    }
  draw_outlier (drawing, brush);
  brush_unclip (brush);
}

static void
draw_gutter (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;

  brush_clip (brush, 0, SCENE_AXIS, SCENE_GUTTER, scene->height - SCENE_AXIS);
  brush_fill (brush, 0, SCENE_AXIS, SCENE_GUTTER - 1, scene->height - SCENE_AXIS, &palette->band);
  for (guint i = 0; i < scene->timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, i);
      g_autofree char *label = g_strdup_printf ("CPU %u", cpu->cpu);
      double y, height;

      cpu_rows (scene, i, &y, &height);
      brush_fill (brush, SCENE_GUTTER - 4, y, 3, height - 1, &palette->grid);
      draw_text (drawing, brush, label, 2 * LABEL_PAD, y, SCENE_ROW, 0, &palette->ink);
      draw_text (drawing, brush, "calls", 2 * LABEL_PAD, y + SCENE_ROW, SCENE_ROW, 0, &palette->faint);
    }
  brush_unclip (brush);
  brush_fill (brush, 0, 0, SCENE_GUTTER - 1, SCENE_AXIS, &palette->band);
}

/* How far the rows are scrolled, where they do not fit. */
static void
draw_thumb (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  double room = scene->height - SCENE_AXIS;
  double rows = scene_rows_height (scene) + SCENE_CPU_GAP;

  if (rows <= room)
    return;
  brush_fill (brush, scene->width - THUMB, SCENE_AXIS + scene->scroll * room / rows, THUMB, room * room / rows,
              &drawing->palette->faint);
}

void
draw_timeline (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autoptr (GArray) ticks = NULL;
  const char *unit;

  brush_fill (brush, 0, 0, scene->width, scene->height, &drawing->palette->paper);
  if (!scene->timeline)
    return;
  ticks = find_ticks (scene, &unit);
  brush_clip (brush, SCENE_GUTTER, SCENE_AXIS, scene->width - SCENE_GUTTER, scene->height - SCENE_AXIS);
  draw_grid (drawing, brush, ticks);
  draw_windows (drawing, brush);
  draw_gaps (drawing, brush);
  draw_boxes (drawing, brush);
  brush_unclip (brush);
  draw_axis (drawing, brush, ticks, unit);
  draw_gutter (drawing, brush);
  draw_thumb (drawing, brush);
}
