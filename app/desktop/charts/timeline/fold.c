/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folding the rows of a CPU to the one of its tasks. Which are folded is kept by the CPUs' numbers, for all captures.
 */
#include "charts/timeline/view-private.h"

static const CulpritTimelineCpu *
cpu_at (CulpritTimelineView *view, guint cpu)
{
  return &g_array_index (view->timeline->cpus, CulpritTimelineCpu, cpu);
}

/* Of CPUs that were not shown before nothing is folded. */
void
view_know_cpus (CulpritTimelineView *view)
{
  guint known = view->folded->len;

  for (guint i = 0; view->timeline && i < view->timeline->cpus->len; i++)
    if (cpu_at (view, i)->cpu >= view->folded->len)
      g_byte_array_set_size (view->folded, cpu_at (view, i)->cpu + 1);
  for (guint i = known; i < view->folded->len; i++)
    view->folded->data[i] = FALSE;
  view->scene.folded = view->folded->data;
}

void
view_fold (CulpritTimelineView *view, guint cpu)
{
  guint8 *folded = &view->folded->data[cpu_at (view, cpu)->cpu];

  *folded = !*folded;
  view_set_scroll (view, view->scene.scroll);
}

guint
view_find_cpu (CulpritTimelineView *view)
{
  guint lane = 0;

  if (view->overlay.focused.span != CULPRIT_TIMELINE_NONE)
    lane = view->overlay.focused.lane;
  else if (!scene_find_lane (&view->scene, view->pointer_y, &lane))
    scene_find_lane (&view->scene, SCENE_AXIS, &lane);
  return culprit_timeline_lane_cpu (view->timeline, lane);
}
