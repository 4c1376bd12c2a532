/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a timeline as a list, one row each: entries and exits of functions and changes of tasks, on all CPUs in
 * order of time. Its selection is the call that is chosen in the timeline, both ways. */
#pragma once

#include "charts/timeline/view.h"

#define CULPRIT_TYPE_EVENT_LIST (culprit_event_list_get_type ())
G_DECLARE_FINAL_TYPE (CulpritEventList, culprit_event_list, CULPRIT, EVENT_LIST, GtkWidget)

/* Follows @view, which must outlive the list. */
void culprit_event_list_set_view (CulpritEventList *list, CulpritTimelineView *view);
