/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Background, windows, gaps, boxes and their names, in this order; then axis, labels of the CPUs and legend. The
 * overlay follows pointer and keyboard: crosshair, hovered call, focused call, selection. */
#include "charts/timeline/draw.h"

#include "capture/capture.h"
#include "chart/axis.h"
#include "names.h"
#include "units.h"

#include <math.h>

/* Axis, edges of the outlier window, labels of the CPUs, legend. */

#define TICK_EVERY 130 /* pixels, about */
#define THUMB 4        /* width of the scroll thumb */
#define FLAG_Y 17      /* of the flags in the axis */
#define FLAG_HEIGHT 16
#define CHIP 12 /* size of a colour in the legend */
#define CHIP_GAP 18
#define CALLS_X 19              /* below a CPU's name */
#define UNFOLDED "\xe2\x96\xbe" /* a triangle that points down */
#define FOLDED "\xe2\x96\xb8"   /* a triangle that points to the right */

/* Draws text in the middle of a row of @height, cut to @width unless that is 0. */
static void
frame_text (const Drawing *drawing,
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

  if (!layout)
    return;
  labels_size (layout, &text_width, &text_height);
  brush_text (brush, x, y + floor ((height - text_height) / 2), layout, colour);
}

/* The start of the visible range, relative to the zero of the axis. */
static double
low_ns_of (const Scene *scene)
{
  return scene->start_ns - (double) (scene_zero_ns (scene->timeline) - scene->timeline->first_ns);
}

/* The unit of the axis, chosen by the time farthest from its zero. */
static const CulpritUnit *
find_unit (const Scene *scene)
{
  double low_ns = low_ns_of (scene);

  return culprit_unit_of_all (fmax (fabs (low_ns), fabs (low_ns + scene->length_ns)));
}

/* A time in the unit of the axis, as precise as a pixel. The caller owns it. */
static char *
frame_format_time (const Scene *scene, guint64 at_ns)
{
  const CulpritUnit *unit = find_unit (scene);
  double time_ns = (gint64) (at_ns - scene_zero_ns (scene->timeline));
  double pixel = scene->length_ns / scene_plot_width (scene) / unit->ns;

  return g_strdup_printf ("%.*f %s", (int) CLAMP (ceil (-log10 (pixel)), 0, unit->all_decimals), time_ns / unit->ns,
                          unit->name);
}

/* Ticks, like their labels, are relative to the zero of the axis. */
static GArray *
find_ticks (const Scene *scene)
{
  double low_ns = low_ns_of (scene);
  Axis axis = axis_make (AXIS_LINEAR, low_ns, low_ns + scene->length_ns, find_unit (scene)->ns, NULL);

  return axis_ticks (&axis, MAX (scene_plot_width (scene) / TICK_EVERY, 1));
}

static double
tick_x (const Scene *scene, const AxisTick *tick)
{
  double zero_ns = scene_zero_ns (scene->timeline) - scene->timeline->first_ns;

  return SCENE_GUTTER + (zero_ns + tick->value - scene->start_ns) * scene_plot_width (scene) / scene->length_ns;
}

static int
flag_width (const Drawing *drawing, const char *text)
{
  int width;

  labels_size (labels_get (drawing->labels, text, 0), &width, NULL);
  return width + 2 * FRAME_PAD;
}

/* The left edge of a flag at @x: to the left of it if there is no room up to @right. */
static double
place_flag (const Drawing *drawing, const char *text, double x, double right)
{
  int width = flag_width (drawing, text);

  return x + width > right ? MIN (x, right) - width : x;
}

static void
draw_flag (
    const Drawing *drawing, const Brush *brush, const char *text, double x, const GdkRGBA *back, const GdkRGBA *ink)
{
  brush_fill (brush, x, FLAG_Y, flag_width (drawing, text), FLAG_HEIGHT, back);
  frame_text (drawing, brush, text, x + FRAME_PAD, FLAG_Y, FLAG_HEIGHT, 0, ink);
}

/* The edges of the outlier window: the expected and the actual wake-up. */
static void
draw_outlier (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;
  const CulpritWindow *outlier = culprit_capture_outlier (scene->timeline->capture);
  g_autofree char *latency = outlier ? culprit_time_format (culprit_window_latency_ns (outlier)) : NULL;
  gboolean awake = culprit_windows_end_awake (scene->timeline->capture->measured);
  const char *begin = awake ? "expected" : "begins";
  g_autofree char *late =
      g_strdup_printf (awake ? "woke %s late, CPU %u" : "took %s, CPU %u", latency, outlier ? outlier->cpu : 0);
  double right = scene->width;
  double start;
  double end;

  if (!outlier)
    return;
  start = (int) scene_x (scene, outlier->start_ns);
  end = (int) scene_x (scene, outlier->end_ns);
  if (end >= SCENE_GUTTER && end < scene->width)
    {
      right = place_flag (drawing, late, end, scene->width);
      brush_fill (brush, end - 1, FLAG_Y, 2, scene_bottom (scene) - FLAG_Y, &palette->late);
      draw_flag (drawing, brush, late, right, &palette->late, &palette->on_late);
    }
  if (start >= SCENE_GUTTER && start < scene->width)
    {
      brush_fill (brush, start, FLAG_Y, 1, scene_bottom (scene) - FLAG_Y, &palette->late);
      draw_flag (drawing, brush, begin, place_flag (drawing, begin, start, right), &palette->band, &palette->late);
    }
}

static void
draw_axis (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autoptr (GArray) ticks = find_ticks (scene);
  const char *unit = find_unit (scene)->name;
  const TimelinePalette *palette = drawing->palette;

  brush_clip (brush, SCENE_GUTTER, 0, scene->width - SCENE_GUTTER, scene->height);
  brush_fill (brush, SCENE_GUTTER, 0, scene->width - SCENE_GUTTER, SCENE_AXIS, &palette->band);
  for (guint i = 0; i < ticks->len; i++)
    {
      const AxisTick *tick = &g_array_index (ticks, AxisTick, i);
      g_autofree char *label = g_strdup_printf ("%s %s", tick->label, unit);
      double x = (int) tick_x (scene, tick);

      brush_fill (brush, x, 0, 1, SCENE_AXIS, &palette->grid);
      frame_text (drawing, brush, label, x + FRAME_PAD, 0, FLAG_Y, 0, &palette->faint);
    }
  draw_outlier (drawing, brush);
  brush_unclip (brush);
}

/* Whose the row below the axis is. */
static void
draw_task_name (const Drawing *drawing, const Brush *brush)
{
  const CulpritTimeline *timeline = drawing->scene->timeline;

  if (timeline->stays->len > 0)
    frame_text (drawing, brush, timeline->measured, FRAME_PAD, SCENE_AXIS, SCENE_ROW, SCENE_GUTTER - 2 * FRAME_PAD,
                &drawing->palette->ink);
}

static void
draw_gutter (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;

  brush_clip (brush, 0, scene_top (scene), SCENE_GUTTER, scene_bottom (scene) - scene_top (scene));
  brush_fill (brush, 0, scene_top (scene), SCENE_GUTTER - 1, scene_bottom (scene) - scene_top (scene), &palette->band);
  for (guint i = 0; i < scene->timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, i);
      gboolean is_folded = scene_is_folded (scene, i);
      g_autofree char *label = NULL;
      double y, height;

      if (!scene_cpu_rows (scene, i, &y, &height))
        continue;
      label = g_strdup_printf ("%s CPU %u", is_folded ? FOLDED : UNFOLDED, cpu->cpu);
      brush_fill (brush, SCENE_GUTTER - 4, y, 3, height - 1, &palette->grid);
      frame_text (drawing, brush, label, FRAME_PAD, y, SCENE_ROW, 0, &palette->ink);
      if (!is_folded)
        frame_text (drawing, brush, "calls", CALLS_X, y + SCENE_ROW, SCENE_ROW, 0, &palette->faint);
    }
  brush_unclip (brush);
  brush_fill (brush, 0, 0, SCENE_GUTTER - 1, scene_top (scene), &palette->band);
  draw_task_name (drawing, brush);
}

/* Shows how far the rows are scrolled, if they do not fit. */
static void
draw_thumb (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  double room = scene_bottom (scene) - scene_top (scene);
  double rows = scene_rows_height (scene) + SCENE_CPU_GAP;

  if (rows <= room)
    return;
  brush_fill (brush, scene->width - THUMB, scene_top (scene) + scene->scroll * room / rows, THUMB, room * room / rows,
              &drawing->palette->faint);
}

static const GdkRGBA *
context_colour (const TimelinePalette *palette, CulpritContext context)
{
  return &palette->calls[context][0][SCENE_LEVELS - 1];
}

/* The legend: entries side by side, in as many rows as they take. */
typedef struct
{
  const Drawing *drawing;
  const Brush *brush; /* NULL: only measures */
  double x;
  double y;
} Legend;

/* Places the next entry, in the next row if this one is full, and draws its text. Returns the x of its colour. */
static double
add_entry (Legend *legend, const char *text)
{
  const Scene *scene = legend->drawing->scene;
  int width;
  double x;

  labels_size (labels_get (legend->drawing->labels, text, 0), &width, NULL);
  width += CHIP + FRAME_PAD;
  if (legend->x + width > scene->width && legend->x > SCENE_GUTTER)
    {
      legend->x = SCENE_GUTTER;
      legend->y += SCENE_ROW;
    }
  x = legend->x;
  legend->x += width + CHIP_GAP;
  if (legend->brush)
    frame_text (legend->drawing, legend->brush, text, x + CHIP + FRAME_PAD, legend->y, SCENE_FOOT, 0,
                &legend->drawing->palette->faint);
  return x;
}

/* The same with a hatched one. */
static void
add_hatched (Legend *legend, const char *text, const GdkRGBA *colour, ChartHatch hatch, const GdkRGBA *lines)
{
  double x = add_entry (legend, text);
  double y = legend->y + (SCENE_FOOT - CHIP) / 2.0;

  if (!legend->brush)
    return;
  if (colour)
    brush_fill (legend->brush, x, y, CHIP, CHIP, colour);
  brush_hatch (legend->brush, x, y, CHIP, CHIP, hatch, lines);
}

/* Adds an entry with its colour; @foot: another colour along its bottom, or NULL. */
static void
add_colour (Legend *legend, const char *text, const GdkRGBA *colour, const GdkRGBA *foot)
{
  double x = add_entry (legend, text);
  double y = legend->y + (SCENE_FOOT - CHIP) / 2.0;

  if (!legend->brush)
    return;
  brush_fill (legend->brush, x, y, CHIP, CHIP, colour);
  if (foot)
    brush_fill (legend->brush, x, y + CHIP - 3, CHIP, 3, foot);
}

static void
add_entries (Legend *legend)
{
  static const CulpritContext entries[] = { CULPRIT_CONTEXT_MEASURED, CULPRIT_CONTEXT_TASK, CULPRIT_CONTEXT_HARDIRQ,
                                            CULPRIT_CONTEXT_SOFTIRQ,  CULPRIT_CONTEXT_NMI,  CULPRIT_CONTEXT_IDLE };
  const TimelinePalette *palette = legend->drawing->palette;
  const Highlights *highlights = legend->drawing->highlights;
  const GdkRGBA *idle = context_colour (palette, CULPRIT_CONTEXT_IDLE);

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    add_colour (legend, culprit_context_words[entries[i]].title, context_colour (palette, entries[i]), NULL);
  add_colour (legend, "tracer\xe2\x80\x99s share", idle, &palette->tracing);
  add_hatched (legend, "not captured", NULL, CHART_HATCH_RIGHT, &palette->hatch);
  add_hatched (legend, "nothing traced", idle, CHART_HATCH_RIGHT, &palette->silence);
  if (legend->drawing->scene->timeline && legend->drawing->scene->timeline->stays->len > 0)
    {
      add_hatched (legend, "preempted", context_colour (palette, CULPRIT_CONTEXT_TASK),
                   chart_hatch (CULPRIT_CONTEXT_TASK), &palette->silence);
      add_hatched (legend, "blocked", context_colour (palette, CULPRIT_CONTEXT_BLOCKED),
                   chart_hatch (CULPRIT_CONTEXT_BLOCKED), &palette->silence);
    }
  for (guint i = 0; i < highlights->all->len && legend->drawing->names_highlights; i++)
    add_colour (legend, highlights_at (highlights, i)->text,
                &palette->highlights[highlights_at (highlights, i)->colour], NULL);
}

int
frame_legend_height (const Drawing *drawing)
{
  Legend legend = { .drawing = drawing, .x = SCENE_GUTTER };

  add_entries (&legend);
  return (int) legend.y + SCENE_FOOT;
}

static void
draw_legend (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  double top = scene_bottom (scene);
  Legend legend = { drawing, brush, SCENE_GUTTER, top };

  brush_clip (brush, 0, top, scene->width, scene->foot);
  brush_fill (brush, 0, top, scene->width, scene->foot, &drawing->palette->band);
  add_entries (&legend);
  brush_unclip (brush);
}

static void
frame_draw_grid (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autoptr (GArray) ticks = find_ticks (scene);

  for (guint i = 0; i < ticks->len; i++)
    brush_fill (brush, (int) tick_x (scene, &g_array_index (ticks, AxisTick, i)), scene_top (scene), 1,
                scene_bottom (scene) - scene_top (scene), &drawing->palette->grid);
}

static void
frame_draw (const Drawing *drawing, const Brush *brush)
{
  draw_axis (drawing, brush);
  draw_gutter (drawing, brush);
  draw_thumb (drawing, brush);
  draw_legend (drawing, brush);
}

#define TIMES "\xc3\x97\xe2\x80\x89" /* a cross and a thin space */
#define GROUP_LABEL_SHARE 0.8        /* of a group's width; the rest shows its calls */
#define BAR 3                        /* height of the strip along the bottom of a box */

/* The name of a box: a function, or a task with its pid. The caller owns it. */
static char *
name_of (const CulpritTimeline *timeline, guint lane, guint32 what)
{
  if (culprit_timeline_lane_has_calls (timeline, lane))
    {
      const CulpritFunction *function = &g_array_index (timeline->capture->functions, CulpritFunction, what);

      return culprit_function_label (function->name, function->ordinal);
    }
  return culprit_timeline_task_label (&g_array_index (timeline->tasks, CulpritTimelineTask, what));
}

/* A range of time as pixels of the plot; FALSE: it is not visible. */
static gboolean
find_pixels (const Scene *scene, guint64 start_ns, guint64 end_ns, double *x, double *width)
{
  double from = MAX (scene_x (scene, start_ns), SCENE_GUTTER);
  double to = MIN (scene_x (scene, end_ns), scene->width);

  *x = from;
  *width = to - from;
  return to > from;
}

/* Adjacent columns of pixels that are covered by ordinary windows. */
typedef struct
{
  double x;
  double right;
} Columns;

static void
draw_columns (const Drawing *drawing, const Brush *brush, guint cpu, const Columns *columns)
{
  double y;
  double height;

  scene_cpu_rows (drawing->scene, cpu, &y, &height);
  brush_fill (brush, columns->x, y - SCENE_CPU_GAP / 2.0, columns->right - columns->x, height + SCENE_CPU_GAP,
              &drawing->palette->ordinary);
}

/* Shades each column of pixels only once: thousands of windows may share a few hundred. */
static void
draw_ordinary (const Drawing *drawing, const Brush *brush, guint cpu)
{
  const Scene *scene = drawing->scene;
  const GArray *windows = scene->timeline->capture->windows;
  Columns columns = { 0, 0 };
  double y;
  double height;

  if (!scene_cpu_rows (scene, cpu, &y, &height))
    return;
  for (guint i = 0; i < windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (windows, CulpritWindow, i);
      double x;
      double width;

      if (window->outlier || window->cpu != g_array_index (scene->timeline->cpus, CulpritTimelineCpu, cpu).cpu ||
          !find_pixels (scene, window->start_ns, window->end_ns, &x, &width))
        continue;
      if ((int) x > columns.right)
        {
          draw_columns (drawing, brush, cpu, &columns);
          columns.x = (int) x;
        }
      columns.right = MAX (columns.right, ceil (x + width));
    }
  draw_columns (drawing, brush, cpu, &columns);
}

static void
draw_windows (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const CulpritWindow *outlier = culprit_capture_outlier (scene->timeline->capture);
  double x;
  double width;

  for (guint cpu = 0; cpu < scene->timeline->cpus->len; cpu++)
    draw_ordinary (drawing, brush, cpu);
  if (outlier && find_pixels (scene, outlier->start_ns, outlier->end_ns, &x, &width))
    brush_fill (brush, x, scene_top (scene), width, scene_bottom (scene) - scene_top (scene),
                &drawing->palette->window);
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
      if (!scene_cpu_rows (scene, gap->cpu, &y, &height) || (x + width <= right && i > 0 && gap[-1].cpu == gap->cpu))
        continue;
      right = x + MAX (width, 1);
      brush_hatch (brush, x, y, MAX (width, 1), height, CHART_HATCH_RIGHT, &drawing->palette->hatch);
      if (width > 2 * SCENE_LABEL_FROM && height > SCENE_ROW)
        frame_text (drawing, brush, gap->lost ? "events lost" : "not captured", x + FRAME_PAD, y + SCENE_ROW, SCENE_ROW,
                    width - 2 * FRAME_PAD, &drawing->palette->faint);
    }
}

static const GdkRGBA *
box_colour (const Drawing *drawing, const Box *box)
{
  if (box->kind == BOX_MARKED)
    return &drawing->palette->highlights[highlights_at (drawing->highlights, box->highlight)->colour];
  return box->kind == BOX_DIMMED ? &drawing->palette->dimmed[box->context][box->shade][box->level - 1]
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
  if (box->marks & CULPRIT_SPAN_CUT)
    brush_fill (brush, box->x + box->width - 2, box->y, 2, box->height, &palette->cut);
  if (box->marks & CULPRIT_SPAN_HEAD && !(box->marks & CULPRIT_SPAN_CONTINUED))
    brush_fill (brush, box->x, box->y, 2, box->height, &palette->cut);
}

/* Whether a highlight drawn later names @box as well; highlights are drawn from the last to the first. */
static gboolean
is_named_over (const Drawing *drawing, const Box *box)
{
  guint later = box->kind == BOX_MARKED ? box->highlight : drawing->highlights->all->len;

  if (!culprit_timeline_lane_has_calls (drawing->scene->timeline, box->lane))
    return FALSE;
  for (guint i = 0; i < later; i++)
    if (culprit_timeline_matches_has (highlights_at (drawing->highlights, i)->matches, box->what))
      return TRUE;
  return FALSE;
}

static void
draw_box_name (const Drawing *drawing, const Brush *brush, const Box *box)
{
  const GdkRGBA *ink = &drawing->palette->ink;
  g_autofree char *name = NULL;

  if (!box->alone || box->width < SCENE_LABEL_FROM || is_named_over (drawing, box))
    return;
  if (box->kind == BOX_MARKED)
    ink = &drawing->palette->on_late;
  else if (box->kind == BOX_DIMMED)
    ink = &drawing->palette->faint;
  name = name_of (drawing->scene->timeline, box->lane, box->what);
  frame_text (drawing, brush, name, box->x + FRAME_PAD, box->y, box->height, box->width - 2 * FRAME_PAD, ink);
}

/* A canvas for the visible rows. A box has two bands: its body and the strip along its bottom. */
static Canvas *
make_canvas (const Drawing *drawing)
{
  const Scene *scene = drawing->scene;
  Canvas *canvas =
      canvas_new (SCENE_GUTTER, scene_top (scene), scene->width - SCENE_GUTTER, scene_bottom (scene), drawing->scale);

  for (guint lane = scene_first_lane (scene); lane < scene->timeline->lanes->len; lane++)
    {
      double y = scene_lane_y (scene, lane);

      if (y >= scene_bottom (scene))
        break;
      if (!scene_is_seen (scene, lane))
        continue;
      canvas_add_band (canvas, y, BAR);
      canvas_add_band (canvas, y + BAR, SCENE_BOX - 2 * BAR);
      canvas_add_band (canvas, y + SCENE_BOX - BAR, BAR);
    }
  return canvas;
}

static void
fill_boxes (const Drawing *drawing, const Brush *brush, const GArray *boxes)
{
  Brush fill = *brush;

  if (brush->snapshot)
    fill = (Brush) { .canvas = make_canvas (drawing) };
  for (guint i = 0; i < boxes->len; i++)
    draw_box (drawing, &fill, &g_array_index (boxes, Box, i));
  if (fill.canvas)
    canvas_show (fill.canvas, brush->snapshot);
}

/* Text on a patch of @back, in the row at @y. */
static void
draw_patch (const Drawing *drawing,
            const Brush *brush,
            const char *text,
            double x,
            double y,
            const GdkRGBA *back,
            const GdkRGBA *ink)
{
  brush_fill (brush, x, y, flag_width (drawing, text), SCENE_BOX, back);
  frame_text (drawing, brush, text, x + FRAME_PAD, y, SCENE_BOX, 0, ink);
}

/* How many calls a group is, and how long they took: "qh_completions x 484, 1.475 ms", without the name if there is
 * little room. Beside highlighted calls the others have no labels. */
static void
draw_group (const Drawing *drawing, const Brush *brush, const BoxGroup *group)
{
  const TimelinePalette *palette = drawing->palette;
  gboolean is_mixed = group->sum.what == CULPRIT_TIMELINE_NONE;
  g_autofree char *name = is_mixed ? NULL : name_of (drawing->scene->timeline, group->lane, group->sum.what);
  g_autofree char *time = culprit_time_format (group->sum.total_ns);
  g_autofree char *number = is_mixed ? g_strdup_printf ("%" G_GUINT64_FORMAT " calls, %s", group->sum.calls, time)
                                     : g_strdup_printf (TIMES "%" G_GUINT64_FORMAT ", %s", group->sum.calls, time);
  g_autofree char *named = g_strdup_printf ("%s %s", name ? name : "", number);
  double room = (group->right - group->x) * GROUP_LABEL_SHARE;
  const char *text = !is_mixed && flag_width (drawing, named) <= room ? named : number;
  const GdkRGBA *back = &palette->paper;
  const GdkRGBA *ink = is_mixed ? &palette->faint : &palette->ink;

  if (group->kind == BOX_DIMMED || flag_width (drawing, text) > room)
    return;
  if (group->kind == BOX_MARKED)
    {
      back = &palette->highlights[highlights_at (drawing->highlights, group->highlight)->colour];
      ink = &palette->on_late;
    }
  draw_patch (drawing, brush, text, group->x + 1, group->y, back, ink);
}

/* Hatches stretches without any event, in the row of the call they belong to; in the row below stands their length. */
static void
draw_silences (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;

  for (guint i = 0; i < scene->timeline->silences->len; i++)
    {
      const CulpritTimelineSilence *silence = &g_array_index (scene->timeline->silences, CulpritTimelineSilence, i);
      g_autofree char *text = NULL;
      double y = scene_lane_y (scene, silence->lane);
      double x;
      double width;

      if (!find_pixels (scene, silence->start_ns, silence->end_ns, &x, &width) || width < 2 ||
          !scene_is_seen (scene, silence->lane))
        continue;
      text = culprit_silence_format (silence->end_ns - silence->start_ns);
      brush_hatch (brush, x, y, width, SCENE_BOX, CHART_HATCH_RIGHT, &drawing->palette->silence);
      if (flag_width (drawing, text) <= width)
        draw_patch (drawing, brush, text, x + floor ((width - flag_width (drawing, text)) / 2), y + SCENE_ROW,
                    &drawing->palette->paper, &drawing->palette->ink);
    }
}

#define HATCHED 16 /* pixels */

/* The row of the measured task: what it does in the late window, and who keeps it from that; a line where it was woken.
 */
static void
draw_stays (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;
  const CulpritWindow *outlier = culprit_capture_outlier (scene->timeline->capture);
  double right = 0;

  brush_clip (brush, SCENE_GUTTER, SCENE_AXIS, scene->width - SCENE_GUTTER, SCENE_ROW);
  for (guint i = 0; i < scene->timeline->stays->len; i++)
    {
      const CulpritTimelineStay *stay = &g_array_index (scene->timeline->stays, CulpritTimelineStay, i);
      g_autofree char *words = NULL;
      const char *text;
      double room; /* of the words */
      double free; /* of words, so that the hatching is seen */
      double x;
      double width;

      if (!find_pixels (scene, stay->start_ns, stay->end_ns, &x, &width) || x + width <= right)
        continue;
      right = x + MAX (width, 1);
      words = culprit_timeline_stay_in_words (stay);
      brush_fill (brush, x, SCENE_AXIS, right - x, SCENE_BOX, context_colour (palette, stay->context));
      brush_hatch (brush, x, SCENE_AXIS, right - x, SCENE_BOX, chart_hatch (stay->context), &palette->silence);
      if (width < SCENE_LABEL_FROM)
        continue;
      free = chart_hatch (stay->context) == CHART_PLAIN ? 0 : HATCHED;
      text = free > 0 && flag_width (drawing, words) > width - free ? stay->who : words;
      room = MIN (flag_width (drawing, text), width - free);
      brush_fill (brush, x, SCENE_AXIS, room, SCENE_BOX, context_colour (palette, stay->context));
      frame_text (drawing, brush, text, x + FRAME_PAD, SCENE_AXIS, SCENE_BOX, room - 2 * FRAME_PAD, &palette->ink);
    }
  if (outlier && outlier->woken_ns > outlier->start_ns && scene->timeline->stays->len > 0)
    brush_fill (brush, (int) scene_x (scene, outlier->woken_ns), SCENE_AXIS, 2, SCENE_BOX, &palette->ink);
  brush_unclip (brush);
}

/* All calls, then the highlighted ones over them. */
static void
draw_boxes (const Drawing *drawing, const Brush *brush)
{
  g_autoptr (GArray) boxes = g_array_sized_new (FALSE, FALSE, sizeof (Box), 4096);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (BoxGroup));

  scene_add_boxes (drawing->scene, drawing->highlights->all->len > 0 ? BOX_DIMMED : BOX_PLAIN, boxes, groups);
  for (guint i = drawing->highlights->all->len; i > 0; i--)
    scene_add_matches (drawing->scene, highlights_at (drawing->highlights, i - 1)->matches, i - 1, boxes, groups);
  fill_boxes (drawing, brush, boxes);
  for (guint i = 0; i < boxes->len; i++)
    draw_box_name (drawing, brush, &g_array_index (boxes, Box, i));
  draw_silences (drawing, brush);
  for (guint i = 0; i < groups->len; i++)
    draw_group (drawing, brush, &g_array_index (groups, BoxGroup, i));
}

void
draw_timeline (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;

  brush_fill (brush, 0, 0, scene->width, scene->height, &drawing->palette->paper);
  if (!scene->timeline)
    return;
  brush_clip (brush, SCENE_GUTTER, scene_top (scene), scene->width - SCENE_GUTTER,
              scene_bottom (scene) - scene_top (scene));
  frame_draw_grid (drawing, brush);
  draw_windows (drawing, brush);
  draw_gaps (drawing, brush);
  draw_boxes (drawing, brush);
  brush_unclip (brush);
  draw_stays (drawing, brush);
  frame_draw (drawing, brush);
}

/* The overlay. */

static void
draw_note (const Drawing *drawing, const Brush *brush, const char *text, double x, double y)
{
  PangoLayout *layout = labels_get (drawing->labels, text, 0);
  int width;
  int height;

  labels_size (layout, &width, &height);
  x = CLAMP (x, SCENE_GUTTER, MAX (drawing->scene->width - width - 2 * FRAME_PAD, SCENE_GUTTER));
  brush_fill (brush, x, y, width + 2 * FRAME_PAD, height + 2, &drawing->palette->ink);
  brush_text (brush, x + FRAME_PAD, y + 1, layout, &drawing->palette->paper);
}

static void
frame_place (const Drawing *drawing,
             const Brush *brush,
             const CulpritTimelinePlace *place,
             double thickness,
             const GdkRGBA *colour)
{
  const Scene *scene = drawing->scene;
  CulpritTimelineCall call;
  double x;
  double right;

  if (place->span == CULPRIT_TIMELINE_NONE)
    return;
  culprit_timeline_describe (scene->timeline, place->lane, place->span, &call);
  x = MAX (scene_x (scene, call.span_start_ns), SCENE_GUTTER - thickness);
  right = MIN (scene_x (scene, call.span_end_ns), scene->width + thickness);
  if (right < x)
    return;
  x = (int) x;
  right = MAX ((int) right, x + 2 * thickness + 1);
  brush_frame (brush, x - thickness, scene_lane_y (scene, place->lane) - thickness, right - x + 2 * thickness - 1,
               SCENE_ROW - 1 + 2 * thickness, thickness, colour);
}

static void
draw_selection (const Drawing *drawing, const Overlay *overlay, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autofree char *length = culprit_time_format (overlay->select_end_ns - overlay->select_start_ns);
  double x = MAX (scene_x (scene, overlay->select_start_ns), SCENE_GUTTER);
  double right = MIN (scene_x (scene, overlay->select_end_ns), scene->width);

  if (overlay->select_end_ns <= overlay->select_start_ns || right <= x)
    return;
  brush_fill (brush, x, scene_top (scene), right - x, scene_bottom (scene) - scene_top (scene),
              &drawing->palette->select);
  draw_note (drawing, brush, length, x, scene_top (scene) + FRAME_PAD);
}

static void
draw_crosshair (const Drawing *drawing, const Overlay *overlay, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autofree char *time = NULL;

  if (overlay->pointer_x < SCENE_GUTTER || overlay->pointer_x >= scene->width)
    return;
  time = frame_format_time (scene, scene_time (scene, overlay->pointer_x));
  brush_fill (brush, (int) overlay->pointer_x, scene_top (scene), 1, scene_bottom (scene) - scene_top (scene),
              &drawing->palette->faint);
  draw_note (drawing, brush, time, overlay->pointer_x + FRAME_PAD, 0);
}

/* Lines with flags in the axis; the second one's says how far it is from the first. */
static void
draw_markers (const Drawing *drawing, const Overlay *overlay, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;
  gint64 apart_ns = overlay->markers_ns[1] - overlay->markers_ns[0];
  g_autofree char *apart = culprit_time_format (ABS (apart_ns));
  g_autofree char *second = overlay->markers_ns[0] && overlay->markers_ns[1]
                                ? g_strdup_printf ("2: %s%s", apart_ns < 0 ? "\xe2\x88\x92" : "+", apart)
                                : g_strdup ("2");

  for (guint i = 0; i < MARKERS; i++)
    {
      double x = floor (scene_x (scene, overlay->markers_ns[i]));
      const char *text = i == 0 ? "1" : second;

      if (overlay->markers_ns[i] == 0 || x < SCENE_GUTTER || x >= scene->width)
        continue;
      brush_fill (brush, x, 0, 1, scene_bottom (scene), &palette->ink);
      draw_note (drawing, brush, text, place_flag (drawing, text, x, scene->width), 0);
    }
}

void
draw_overlay (const Drawing *drawing, const Overlay *overlay, const Brush *brush)
{
  const Scene *scene = drawing->scene;

  if (!scene->timeline)
    return;
  brush_clip (brush, SCENE_GUTTER, scene_top (scene), scene->width - SCENE_GUTTER,
              scene_bottom (scene) - scene_top (scene));
  draw_selection (drawing, overlay, brush);
  frame_place (drawing, brush, &overlay->hovered, 1, &drawing->palette->ink);
  frame_place (drawing, brush, &overlay->focused, 2, &drawing->palette->ink);
  brush_unclip (brush);
  draw_markers (drawing, overlay, brush);
  draw_crosshair (drawing, overlay, brush);
  if (overlay->is_focus_shown)
    brush_frame (brush, 0, 0, scene->width, scene->height, 1, &drawing->palette->faint);
}
