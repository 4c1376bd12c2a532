/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the timeline view have in common. */
#pragma once

#include "charts/timeline/draw.h"
#include "charts/timeline/view.h"

struct _CulpritTimelineView
{
  GtkWidget parent_instance;
  CulpritTimeline *timeline;
  Scene scene;
  Labels *labels;
  Highlights *highlights;
  GByteArray *folded; /* by a CPU's number, of all timelines that were shown */
  gboolean tracing;
  gboolean dark;       /* as the colours of highlights were told */
  GskRenderNode *node; /* all but the overlay, while nothing changes it */
  Overlay overlay;
  double pointer_y;
  Scene drag_start; /* The scene when dragging began. */
  gboolean drag_selects;
  gboolean dragged; /* It has moved since it was pressed. */
  double drag_x;
  guint describe_source;
};

/* Draws all anew. */
void view_invalidate (CulpritTimelineView *view);

/* Shows @length_ns from @start_ns on, from the timeline's first. */
void view_set_range (CulpritTimelineView *view, double start_ns, double length_ns);

/* Scrolls the rows. */
void view_set_scroll (CulpritTimelineView *view, double scroll);

/* Makes what is shown @factor times as long; the time at @x stays there. */
void view_zoom (CulpritTimelineView *view, double x, double factor);

/* Chooses the span at @place, or none, as it stands. */
void view_choose (CulpritTimelineView *view, CulpritTimelinePlace place);

/* The same, and brings it into view. */
void view_focus (CulpritTimelineView *view, CulpritTimelinePlace place);

/* Focuses the span before or after the focused one in its row, its caller, or the first that it called; where none is
 * focused, one in the middle. */
typedef enum
{
  STEP_BEFORE,
  STEP_AFTER,
  STEP_CALLER,
  STEP_CALLEE,
} ViewStep;

void view_step (CulpritTimelineView *view, ViewStep step);

/* Makes room for the CPUs of the timeline among those that may be folded. */
void view_know_cpus (CulpritTimelineView *view);

/* Folds the rows of @cpu, by its place among the timeline's, or unfolds them. */
void view_fold (CulpritTimelineView *view, guint cpu);

/* The CPU of the chosen call, else the one that the pointer is on, or the first that is seen. */
guint view_find_cpu (CulpritTimelineView *view);

/* Zooms to the span at @place and tells of its function. */
void view_activate (CulpritTimelineView *view, CulpritTimelinePlace place);

/* Selects a stretch; equal times: nothing. */
void view_select (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns);

/* Tells that the search has started over. */
void view_tell_wrapped (CulpritTimelineView *view, gboolean forward);

/* Draws and tells what is highlighted. */
void view_highlights_changed (CulpritTimelineView *view);

/* What the view is drawn with now. */
Drawing view_drawing (CulpritTimelineView *view);

/* Finds out anew what the pointer is on. */
void view_update_hover (CulpritTimelineView *view);

/* Adds the controllers of pointer and keyboard. */
void view_add_input (CulpritTimelineView *view);

/* What is told of the span at @place, as markup. The caller owns it. */
char *view_tell_place (CulpritTimelineView *view, const CulpritTimelinePlace *place);
