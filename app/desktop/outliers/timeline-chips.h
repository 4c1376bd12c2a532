/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a timeline highlights, as chips: the colour, the name, and a button that removes it. The one that is gone
 * through is bold; clicking on another makes it that. */
#pragma once

#include "charts/timeline/view.h"

/* Removes the highlight @index. */
typedef void (*TimelineChipsRemove) (guint index, gpointer data);

/* Fills @box with the chips of what @view highlights now, instead of what is in it. */
void timeline_chips_fill (GtkBox *box, CulpritTimelineView *view, TimelineChipsRemove remove, gpointer data);
