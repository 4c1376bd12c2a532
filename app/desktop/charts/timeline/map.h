/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thin strip of the whole capture beside a timeline view: who had each CPU, the late wake-up, and a frame
 * around the visible range. Dragging or clicking moves the frame. The view's keys do all of this, too. */
#pragma once

#include "charts/timeline/view.h"

#define CULPRIT_TYPE_TIMELINE_MAP (culprit_timeline_map_get_type ())
G_DECLARE_FINAL_TYPE (CulpritTimelineMap, culprit_timeline_map, CULPRIT, TIMELINE_MAP, GtkWidget)

void culprit_timeline_map_set_view (CulpritTimelineMap *map, CulpritTimelineView *view);
