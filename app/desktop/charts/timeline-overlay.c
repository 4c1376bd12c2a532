/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows the pointer and the keyboard: crosshair, the call under it, the focused call, the selection. */
#include "timeline-frame.h"

#include "units.h"

#define PAD 4

static void
draw_note (const Drawing *drawing, const Brush *brush, const char *text, double x, double y)
{
  PangoLayout *layout = labels_get (drawing->labels, text, 0);
  int width;
  int height;

  labels_size (layout, &width, &height);
  x = CLAMP (x, SCENE_GUTTER, MAX (drawing->scene->width - width - 2 * PAD, SCENE_GUTTER));
  brush_fill (brush, x, y, width + 2 * PAD, height + 2, &drawing->palette->ink);
  brush_text (brush, x + PAD, y + 1, layout, &drawing->palette->paper);
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
  brush_fill (brush, x, SCENE_AXIS, right - x, scene_bottom (scene) - SCENE_AXIS, &drawing->palette->select);
  draw_note (drawing, brush, length, x, SCENE_AXIS + PAD);
}

static void
draw_crosshair (const Drawing *drawing, const Overlay *overlay, const Brush *brush)
{
  const Scene *scene = drawing->scene;
  g_autofree char *time = NULL;

  if (overlay->pointer_x < SCENE_GUTTER || overlay->pointer_x >= scene->width)
    return;
  time = frame_tell_time (scene, scene_time (scene, overlay->pointer_x));
  brush_fill (brush, (int) overlay->pointer_x, SCENE_AXIS, 1, scene_bottom (scene) - SCENE_AXIS,
              &drawing->palette->faint);
  draw_note (drawing, brush, time, overlay->pointer_x + PAD, 0);
}

void
draw_overlay (const Drawing *drawing, const Overlay *overlay, const Brush *brush)
{
  const Scene *scene = drawing->scene;

  if (!scene->timeline)
    return;
  brush_clip (brush, SCENE_GUTTER, SCENE_AXIS, scene->width - SCENE_GUTTER, scene_bottom (scene) - SCENE_AXIS);
  draw_selection (drawing, overlay, brush);
  frame_place (drawing, brush, &overlay->hovered, 1, &drawing->palette->ink);
  frame_place (drawing, brush, &overlay->focused, 2, &drawing->palette->ink);
  brush_unclip (brush);
  draw_crosshair (drawing, overlay, brush);
  if (overlay->is_focus_shown)
    brush_frame (brush, 0, 0, scene->width, scene->height, 1, &drawing->palette->faint);
}
