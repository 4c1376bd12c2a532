/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells of the call that is chosen in a timeline: its times, who called it, what it called, where its function stands
 * among ordinary wake-ups; with buttons that go to other calls. It tells as long as it is seen. */
#pragma once

#include "charts/timeline/view.h"
#include "page.h"

#define CULPRIT_TYPE_CALL_PANE (culprit_call_pane_get_type ())
G_DECLARE_FINAL_TYPE (CulpritCallPane, culprit_call_pane, CULPRIT, CALL_PANE, CulpritDocumentView)

/* Follows @view from now on. */
void culprit_call_pane_set_view (CulpritCallPane *pane, CulpritTimelineView *view);
