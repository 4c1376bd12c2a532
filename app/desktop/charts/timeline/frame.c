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
#define EXPECTED "expected"
#define CHIP 12 /* a legend's colour */
#define CHIP_GAP 18
#define CALLS_X 19              /* below a CPU's name */
#define UNFOLDED "\xe2\x96\xbe" /* a triangle that points down */
#define FOLDED "\xe2\x96\xb8"   /* one that points to the right */

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

/* The time at which the scene begins, from its zero. */
static double
low_ns_of (const Scene *scene)
{
  return scene->start_ns - (double) (scene_zero_ns (scene->timeline) - scene->timeline->first_ns);
}

/* The unit that the times of @scene are told in: by the one that is farthest from its zero. */
static const CulpritUnit *
find_unit (const Scene *scene)
{
  double low_ns = low_ns_of (scene);

  return culprit_unit_of_all (fmax (fabs (low_ns), fabs (low_ns + scene->length_ns)));
}

char *
frame_tell_time (const Scene *scene, guint64 at_ns)
{
  const CulpritUnit *unit = find_unit (scene);
  double time_ns = (gint64) (at_ns - scene_zero_ns (scene->timeline));
  double pixel = scene->length_ns / scene_plot_width (scene) / unit->ns;

  return g_strdup_printf ("%.*f %s", (int) CLAMP (ceil (-log10 (pixel)), 0, unit->all_decimals), time_ns / unit->ns,
                          unit->name);
}

/* Ticks count from the scene's zero; so do their labels. */
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

/* Where a flag at @x begins: to the left of it where there is no room up to @right. */
static double
place_flag (const Drawing *drawing, const char *text, double x, double right)
{
  int width = flag_width (drawing, text);

  return x + width > right ? MIN (x, right) - width : x;
}

/* A flag in the axis. */
static void
draw_flag (
    const Drawing *drawing, const Brush *brush, const char *text, double x, const GdkRGBA *back, const GdkRGBA *ink)
{
  brush_fill (brush, x, FLAG_Y, flag_width (drawing, text), FLAG_HEIGHT, back);
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
      draw_flag (drawing, brush, EXPECTED, place_flag (drawing, EXPECTED, start, right), &palette->band,
                 &palette->late);
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
      gboolean is_folded = scene_is_folded (scene, i);
      g_autofree char *label = g_strdup_printf ("%s CPU %u", is_folded ? FOLDED : UNFOLDED, cpu->cpu);
      double y, height;

      scene_cpu_rows (scene, i, &y, &height);
      brush_fill (brush, SCENE_GUTTER - 4, y, 3, height - 1, &palette->grid);
      frame_text (drawing, brush, label, FRAME_PAD, y, SCENE_ROW, 0, &palette->ink);
      if (!is_folded)
        frame_text (drawing, brush, "calls", CALLS_X, y + SCENE_ROW, SCENE_ROW, 0, &palette->faint);
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

/* The legend: what follows each other in rows. */
typedef struct
{
  const Drawing *drawing;
  const Brush *brush; /* NULL: it is only measured */
  double x;
  double y;
} Legend;

/* Makes room for the next entry, in the row below where this one is full, and draws its text. Returns where its colour
 * goes. */
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

/* The next entry with its colour, and another at its foot; NULL: none. */
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
  const TimelinePalette *palette = legend->drawing->palette;
  const Highlights *highlights = legend->drawing->highlights;
  const GdkRGBA *idle = &palette->calls[CULPRIT_CONTEXT_IDLE][0][SCENE_LEVELS - 1];
  double x;

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    add_colour (legend, entries[i].name, &palette->calls[entries[i].context][0][SCENE_LEVELS - 1], NULL);
  add_colour (legend, "tracer\xe2\x80\x99s share", idle, &palette->tracing);
  x = add_entry (legend, "not captured");
  if (legend->brush)
    brush_hatch (legend->brush, x, legend->y + (SCENE_FOOT - CHIP) / 2.0, CHIP, CHIP, &palette->hatch);
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

void
frame_draw_grid (const Drawing *drawing, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autoptr (GArray) ticks = find_ticks (scene);

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
