/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the call that is chosen in a timeline, while it is visible: its times, caller and callees, and how its
 * function compares with ordinary wake-ups; with buttons that choose other calls. */
#pragma once

#include "charts/timeline/view.h"
#include "page.h"

#define CULPRIT_TYPE_CALL_PANE (culprit_call_pane_get_type ())
G_DECLARE_FINAL_TYPE (CulpritCallPane, culprit_call_pane, CULPRIT, CALL_PANE, CulpritDocumentView)

/* Describes the calls that are chosen in @view. */
void culprit_call_pane_set_view (CulpritCallPane *pane, CulpritTimelineView *view);
