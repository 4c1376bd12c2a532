/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the functions did in the selected range of a timeline, or if nothing is selected, in the late wake-up. */
#pragma once

#include "charts/timeline/view.h"
#include "page.h"

#define CULPRIT_TYPE_RANGE_PANE (culprit_range_pane_get_type ())
G_DECLARE_FINAL_TYPE (CulpritRangePane, culprit_range_pane, CULPRIT, RANGE_PANE, CulpritDocumentView)

/* Follows @view, which must outlive the pane. */
void culprit_range_pane_set_view (CulpritRangePane *pane, CulpritTimelineView *view);
