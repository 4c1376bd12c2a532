/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a timeline: the CPUs one above the other, calls by depth below the task that made them, contexts
 * by colour, the window of the hit shaded and its late end marked.
 *
 * The wheel zooms at the pointer (with Shift it scrolls the rows), dragging pans, Shift and dragging selects a stretch.
 * Arrows pan, with Shift they go from call to call: along a row, up to the caller, down to the called. + and - zoom, 0
 * shows all, Home and End go to the ends, W shows the outlier window, N and Shift+N go to the next and the previous
 * match, Enter and a double click zoom to a call, F and a click on its name fold a CPU to the row of its tasks, Escape
 * clears focus and selection.
 *
 * Signals:
 *   call-activated (const char *key): Enter or a double click on a call of a function, as of culprit_function_key()
 *   range-changed (guint64 start_ns, guint64 end_ns): what is shown, in the capture's clock
 *   range-selected (guint64 start_ns, guint64 end_ns): what was selected; both 0 where nothing is any more
 *   call-chosen (): a call was chosen, or none is any more
 *   highlights-changed (): what is highlighted, or its colours
 *   wrapped (gboolean forward): the search has started over, at the first match or at the last */
#pragma once

#include "charts/timeline/draw.h"
#include "timeline/timeline.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_TIMELINE_VIEW (culprit_timeline_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritTimelineView, culprit_timeline_view, CULPRIT, TIMELINE_VIEW, GtkWidget)

GtkWidget *culprit_timeline_view_new (void);

/* Shows @timeline, of which it takes a reference: the outlier window with as much on either side, or all where there is
 * none. NULL: nothing. */
void culprit_timeline_view_set_timeline (CulpritTimelineView *view, CulpritTimeline *timeline);

/* What is shown; NULL: nothing. Belongs to the view. */
CulpritTimeline *culprit_timeline_view_get_timeline (CulpritTimelineView *view);

/* Highlights the calls of the function of culprit_function_key() @key and dims all others; NULL or empty: none. */
void culprit_timeline_view_set_function (CulpritTimelineView *view, const char *key);

/* Highlights the calls of functions whose names contain @text, in upper or lower case, and dims all others; NULL or
 * empty: none. Returns how many calls there are. */
guint64 culprit_timeline_view_set_search (CulpritTimelineView *view, const char *text);

/* Leaves what is searched for highlighted when another text is; only so many can be. */
gboolean culprit_timeline_view_can_keep_search (CulpritTimelineView *view);
void culprit_timeline_view_keep_search (CulpritTimelineView *view);

/* One of the things that are highlighted, each in its colour: the function, the search, and searches that are kept. */
typedef struct
{
  const char *text;
  gboolean is_function;
  gboolean is_search;  /* the one that culprit_timeline_view_set_search() sets */
  gboolean is_current; /* the one that is gone through */
  GdkRGBA colour;
} CulpritTimelineHighlight;

/* How many there are, and one of them, valid until they change. */
guint culprit_timeline_view_highlights (CulpritTimelineView *view);
CulpritTimelineHighlight culprit_timeline_view_get_highlight (CulpritTimelineView *view, guint index);
void culprit_timeline_view_remove_highlight (CulpritTimelineView *view, guint index);

/* Makes one of them the one that is gone through; at first the latest search is, or else the function. */
void culprit_timeline_view_go_through (CulpritTimelineView *view, guint index);

/* How many calls it has and which of them, from 1, is the chosen call, 0: none is. FALSE where there is none. */
gboolean culprit_timeline_view_get_match (CulpritTimelineView *view, guint64 *rank, guint64 *calls);

/* Goes to its next or previous call, from the chosen one on, or from what is shown; starts over at the ends. FALSE
 * where there is none. */
gboolean culprit_timeline_view_next_match (CulpritTimelineView *view);
gboolean culprit_timeline_view_previous_match (CulpritTimelineView *view);

/* The chosen call or task; FALSE where there is none. */
gboolean culprit_timeline_view_get_chosen (CulpritTimelineView *view, CulpritTimelinePlace *place);

/* The same in a line, with its times; NULL where there is none. The caller owns it. */
char *culprit_timeline_view_describe_chosen (CulpritTimelineView *view);

/* Chooses the one at @place and brings it into view. */
void culprit_timeline_view_choose (CulpritTimelineView *view, CulpritTimelinePlace place);

/* What ran, in words: "hardware interrupt". */
const char *culprit_timeline_context_text (CulpritContext context);

/* Shows the part from @start_ns to @end_ns of the capture's clock, as far as the capture has it. */
void culprit_timeline_view_zoom_to (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns);

/* Shows the outlier window with as much on either side; FALSE where there is none. */
gboolean culprit_timeline_view_zoom_to_window (CulpritTimelineView *view);

/* Shows all of the capture. */
void culprit_timeline_view_zoom_to_all (CulpritTimelineView *view);

/* What is shown; FALSE where there is no timeline. */
gboolean culprit_timeline_view_get_range (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns);

/* What is selected in words, as "1.470 ms from 20.0 us after the expected wake-up, 512 calls"; NULL where nothing is.
 * The caller owns it. */
char *culprit_timeline_view_describe_selection (CulpritTimelineView *view);

/* Whether each call shows at its foot which share of its time is the tracer's. TRUE at first. */
void culprit_timeline_view_set_tracing (CulpritTimelineView *view, gboolean shown);

/* What is seen, in sentences. The view's accessible description follows it. The caller owns it. */
char *culprit_timeline_view_describe (CulpritTimelineView *view);

/* Writes what is seen, and all other rows, to @path, a .png or an .svg, which is afterwards wholly there or as it was
 * before. @heading stands above it; NULL: nothing does. @scale: pixels of a PNG for each of the view's. */
gboolean culprit_timeline_view_export (
    CulpritTimelineView *view, const char *heading, guint scale, const char *path, GError **error);

/* What tests look at: the places of rows and times, and what the view is drawn with now. */
const Scene *view_scene (const CulpritTimelineView *view);
Drawing view_drawing (CulpritTimelineView *view);

/* Selects a stretch; equal times: nothing. */
void view_select (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns);

/* What is told of the span at @place, as markup. The caller owns it. */
char *view_tell_place (CulpritTimelineView *view, const CulpritTimelinePlace *place);
