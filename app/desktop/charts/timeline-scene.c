/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times to pixels, rows of lanes, hits. */
#include "timeline-scene.h"

double
scene_bottom (const Scene *scene)
{
  return MAX (scene->height - SCENE_FOOT, SCENE_AXIS);
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

double
scene_lane_y (const Scene *scene, guint lane)
{
  guint cpu = culprit_timeline_lane_cpu (scene->timeline, lane);

  return SCENE_AXIS - scene->scroll + (double) lane * SCENE_ROW + cpu * SCENE_CPU_GAP;
}

gboolean
scene_find_lane (const Scene *scene, double y, guint *lane)
{
  double row = y - SCENE_AXIS + scene->scroll;

  if (!scene->timeline || y < SCENE_AXIS || y >= scene_bottom (scene))
    return FALSE;
  for (guint i = 0; i < scene->timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (scene->timeline->cpus, CulpritTimelineCpu, i);

      if (row < 0)
        return FALSE;
      if (row < cpu->n_lanes * SCENE_ROW)
        {
          *lane = cpu->first_lane + (guint) (row / SCENE_ROW);
          return TRUE;
        }
      row -= cpu->n_lanes * SCENE_ROW + SCENE_CPU_GAP;
    }
  return FALSE;
}

double
scene_rows_height (const Scene *scene)
{
  if (!scene->timeline)
    return 0;
  return (double) scene->timeline->lanes->len * SCENE_ROW + (scene->timeline->cpus->len - 1.0) * SCENE_CPU_GAP;
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
  double most = scene_rows_height (scene) + SCENE_AXIS + SCENE_CPU_GAP - scene_bottom (scene);

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
