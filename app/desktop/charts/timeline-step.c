/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going from call to call by keys: along a row, up to the caller, down to what was called. */
#include "timeline-view-private.h"

/* The span in the middle of what is shown, in the first row that has one. */
static CulpritTimelinePlace
find_middle (CulpritTimelineView *view)
{
  CulpritTimelinePlace place = { 0, CULPRIT_TIMELINE_NONE, 0 };
  double x = (SCENE_GUTTER + view->scene.width) / 2.0;

  for (double y = SCENE_AXIS + SCENE_ROW / 2.0; y < scene_bottom (&view->scene); y += SCENE_ROW)
    if (scene_hit (&view->scene, x, y, &place))
      return place;
  place.span = CULPRIT_TIMELINE_NONE;
  return place;
}

void
view_step (CulpritTimelineView *view, ViewStep step)
{
  CulpritTimelinePlace place = view->overlay.focused;
  CulpritTimelineCall call;

  if (place.span == CULPRIT_TIMELINE_NONE)
    {
      view_focus (view, find_middle (view));
      return;
    }
  switch (step)
    {
    case STEP_BEFORE:
      place.span = place.span > 0 ? place.span - 1 : CULPRIT_TIMELINE_NONE;
      break;
    case STEP_AFTER:
      place.span++;
      if (place.span == culprit_timeline_lane_spans (view->timeline, place.lane))
        place.span = CULPRIT_TIMELINE_NONE;
      break;
    case STEP_CALLER:
      place.span = culprit_timeline_caller (view->timeline, place.lane, place.span);
      place.lane--;
      break;
    case STEP_CALLEE:
      place.span = culprit_timeline_callee (view->timeline, place.lane, place.span);
      place.lane++;
      break;
    }
  if (place.span == CULPRIT_TIMELINE_NONE)
    return;
  culprit_timeline_describe (view->timeline, place.lane, place.span, &call);
  place.start_ns = call.span_start_ns;
  view_focus (view, place);
}
