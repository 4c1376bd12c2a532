/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axis, edges of the outlier window, labels of the CPUs, legend. */
#include "charts/timeline/draw.h"

#include "chart/axis.h"
#include "units.h"

#include <math.h>

#define TICK_EVERY 130 /* pixels, about */
#define THUMB 4        /* width of the sign of how far rows are scrolled */
#define FLAG_Y 17      /* where the flags are in the axis */
#define FLAG_HEIGHT 16
#define CHIP 12 /* a legend's colour */
#define CHIP_GAP 18

void
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

void
frame_cpu_rows (const Scene *scene, guint cpu, double *y, double *height)
{
  const CulpritTimelineCpu *found = &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, cpu);

  *y = scene_lane_y (scene, found->first_lane);
  *height = found->n_lanes * SCENE_ROW;
}

/* The time at which the scene begins, from its zero. */
static double
low_ns_of (const Scene *scene)
{
  return scene->start_ns - (double) (scene_zero_ns (scene->timeline) - scene->timeline->first_ns);
}

/* The unit that the times of @scene are told in, in ns: by the one that is farthest from its zero. */
static double
find_unit (const Scene *scene, const char **name)
{
  double low_ns = low_ns_of (scene);
  double farthest_ns = fmax (fabs (low_ns), fabs (low_ns + scene->length_ns));
  gboolean seconds = farthest_ns >= 2e9;
  gboolean milliseconds = farthest_ns >= 2e6;

  *name = seconds ? "s" : milliseconds ? "ms" : "us";
  return seconds ? 1e9 : milliseconds ? 1e6 : 1e3;
}

char *
frame_tell_time (const Scene *scene, guint64 at_ns)
{
  const char *name;
  double unit_ns = find_unit (scene, &name);
  double time_ns = (gint64) (at_ns - scene_zero_ns (scene->timeline));
  double pixel = scene->length_ns / scene_plot_width (scene) / unit_ns;

  return g_strdup_printf ("%.*f %s", (int) CLAMP (ceil (-log10 (pixel)), 0, 9), time_ns / unit_ns, name);
}

/* Ticks count from the scene's zero; so do their labels. */
static GArray *
find_ticks (const Scene *scene, const char **unit)
{
  double low_ns = low_ns_of (scene);
  Axis axis = axis_make (AXIS_LINEAR, low_ns, low_ns + scene->length_ns, find_unit (scene, unit), NULL);

  return axis_ticks (&axis, MAX (scene_plot_width (scene) / TICK_EVERY, 1));
}

static double
tick_x (const Scene *scene, const AxisTick *tick)
{
  double zero_ns = scene_zero_ns (scene->timeline) - scene->timeline->first_ns;

  return SCENE_GUTTER + (zero_ns + tick->value - scene->start_ns) * scene_plot_width (scene) / scene->length_ns;
}

/* A flag in the axis at @x; to its left where there is no room at its right. */
static void
draw_flag (
    const Drawing *drawing, const Brush *brush, const char *text, double x, const GdkRGBA *back, const GdkRGBA *ink)
{
  int width;

  labels_size (labels_get (drawing->labels, text, 0), &width, NULL);
  width += 2 * FRAME_PAD;
  if (x + width > drawing->scene->width)
    x -= width;
  brush_fill (brush, x, FLAG_Y, width, FLAG_HEIGHT, back);
  frame_text (drawing, brush, text, x + FRAME_PAD, FLAG_Y, FLAG_HEIGHT, 0, ink);
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
      brush_fill (brush, start, FLAG_Y, 1, scene_bottom (scene) - FLAG_Y, &palette->late);
      draw_flag (drawing, brush, "expected", start, &palette->band, &palette->late);
    }
  if (end >= SCENE_GUTTER && end < scene->width)
    {
      brush_fill (brush, end - 1, FLAG_Y, 2, scene_bottom (scene) - FLAG_Y, &palette->late);
      draw_flag (drawing, brush, late, end, &palette->late, &palette->on_late);
    }
}

static void
draw_axis (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const char *unit;
  g_autoptr (GArray) ticks = find_ticks (scene, &unit);
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

static void
draw_gutter (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;

  brush_clip (brush, 0, SCENE_AXIS, SCENE_GUTTER, scene_bottom (scene) - SCENE_AXIS);
  brush_fill (brush, 0, SCENE_AXIS, SCENE_GUTTER - 1, scene_bottom (scene) - SCENE_AXIS, &palette->band);
  for (guint i = 0; i < scene->timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, i);
      g_autofree char *label = g_strdup_printf ("CPU %u", cpu->cpu);
      double y, height;

      frame_cpu_rows (scene, i, &y, &height);
      brush_fill (brush, SCENE_GUTTER - 4, y, 3, height - 1, &palette->grid);
      frame_text (drawing, brush, label, 2 * FRAME_PAD, y, SCENE_ROW, 0, &palette->ink);
      frame_text (drawing, brush, "calls", 2 * FRAME_PAD, y + SCENE_ROW, SCENE_ROW, 0, &palette->faint);
    }
  brush_unclip (brush);
  brush_fill (brush, 0, 0, SCENE_GUTTER - 1, SCENE_AXIS, &palette->band);
}

/* How far the rows are scrolled, where they do not fit. */
static void
draw_thumb (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  double room = scene_bottom (scene) - SCENE_AXIS;
  double rows = scene_rows_height (scene) + SCENE_CPU_GAP;

  if (rows <= room)
    return;
  brush_fill (brush, scene->width - THUMB, SCENE_AXIS + scene->scroll * room / rows, THUMB, room * room / rows,
              &drawing->palette->faint);
}

/* The legend's next entry; returns where the one after it goes. */
static double
draw_entry (const Drawing *drawing, const Brush *brush, double x, const char *text)
{
  double y = scene_bottom (drawing->scene);
  int width;

  frame_text (drawing, brush, text, x + CHIP + FRAME_PAD, y, SCENE_FOOT, 0, &drawing->palette->faint);
  labels_size (labels_get (drawing->labels, text, 0), &width, NULL);
  return x + CHIP + FRAME_PAD + width + CHIP_GAP;
}

static void
draw_legend (const Drawing *drawing, const Brush *brush)
{
  static const struct
  {
    CulpritContext context;
    const char *name;
  } entries[] = { { CULPRIT_CONTEXT_MEASURED, "measured task" },
                  { CULPRIT_CONTEXT_TASK, "other task" },
                  { CULPRIT_CONTEXT_HARDIRQ, "hardware interrupt" },
                  { CULPRIT_CONTEXT_SOFTIRQ, "soft interrupt" },
                  { CULPRIT_CONTEXT_NMI, "NMI" },
                  { CULPRIT_CONTEXT_IDLE, "idle" } };
  const Scene *scene = drawing->scene;
  const TimelinePalette *palette = drawing->palette;
  double top = scene_bottom (scene);
  double y = top + (SCENE_FOOT - CHIP) / 2.0;
  double x = SCENE_GUTTER;

  brush_clip (brush, 0, top, scene->width, SCENE_FOOT);
  brush_fill (brush, 0, top, scene->width, SCENE_FOOT, &palette->band);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      brush_fill (brush, x, y, CHIP, CHIP, &palette->calls[entries[i].context][0][SCENE_LEVELS - 1]);
      x = draw_entry (drawing, brush, x, entries[i].name);
    }
  if (drawing->tracing)
    {
      brush_fill (brush, x, y, CHIP, CHIP, &palette->calls[CULPRIT_CONTEXT_IDLE][0][SCENE_LEVELS - 1]);
      brush_fill (brush, x, y + CHIP - 3, CHIP, 3, &palette->tracing);
      x = draw_entry (drawing, brush, x, "tracer\xe2\x80\x99s share");
    }
  brush_hatch (brush, x, y, CHIP, CHIP, &palette->hatch);
  x = draw_entry (drawing, brush, x, "not captured");
  /* A file has no chips that tell these. */
  for (guint i = 0; i < drawing->highlights->all->len && brush->cr; i++)
    {
      const Highlight *highlight = highlights_at (drawing->highlights, i);

      brush_fill (brush, x, y, CHIP, CHIP, &palette->highlights[highlight->colour]);
      x = draw_entry (drawing, brush, x, highlight->text);
    }
  brush_unclip (brush);
}

void
frame_draw_grid (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  const char *unit;
  g_autoptr (GArray) ticks = find_ticks (scene, &unit);

  for (guint i = 0; i < ticks->len; i++)
    brush_fill (brush, (int) tick_x (scene, &g_array_index (ticks, AxisTick, i)), SCENE_AXIS, 1,
                scene_bottom (scene) - SCENE_AXIS, &drawing->palette->grid);
}

void
frame_draw (const Drawing *drawing, const Brush *brush)
{
  draw_axis (drawing, brush);
  draw_gutter (drawing, brush);
  draw_thumb (drawing, brush);
  draw_legend (drawing, brush);
}
