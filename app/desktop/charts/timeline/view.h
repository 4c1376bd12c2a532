/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A widget that shows a timeline: the CPUs one above the other, calls by depth below the task that made them, contexts
 * by colour, the window of the hit shaded and its late end marked.
 *
 * The wheel zooms at the pointer (with Shift it scrolls the rows), dragging pans, Shift+drag selects a range. Arrows, A
 * and D pan; with Shift, arrows move from call to call: along a row, up to the caller, down to the callee. + and -, W
 * and S zoom, 0 shows everything, Home and End jump to the ends, L shows the late wake-up, G the longest stretch
 * without an event, 1 and 2 set markers, N and Shift+N move to the next and the previous match, Enter and a double
 * click zoom to a call, F and a click on its name fold a CPU to its row of tasks, Escape clears focus, markers and
 * selection.
 *
 * Signals:
 *   call-activated (const char *key): Enter or a double click on a call; @key is its function's culprit_function_key()
 *   range-changed (guint64 start_ns, guint64 end_ns): what is shown, in the capture's clock
 *   range-selected (guint64 start_ns, guint64 end_ns): the selection; both 0 when it is cleared
 *   call-chosen (): the chosen call has changed, or is cleared
 *   highlights-changed (): the highlights or their colours have changed
 *   wrapped (gboolean forward): the search went past the last match (or the first) and started over */
#pragma once

#include "charts/timeline/draw.h"
#include "timeline/timeline.h"

#include <gtk/gtk.h>

#define CULPRIT_TYPE_TIMELINE_VIEW (culprit_timeline_view_get_type ())

G_DECLARE_FINAL_TYPE (CulpritTimelineView, culprit_timeline_view, CULPRIT, TIMELINE_VIEW, GtkWidget)

GtkWidget *culprit_timeline_view_new (void);

/* Shows @timeline and takes a reference to it: at first the outlier window with as much time on either side, or the
 * whole capture if it has none. NULL: nothing. */
void culprit_timeline_view_set_timeline (CulpritTimelineView *view, CulpritTimeline *timeline);

/* The timeline that is shown, or NULL. Belongs to the view. */
CulpritTimeline *culprit_timeline_view_get_timeline (CulpritTimelineView *view);

/* Highlights the calls of the function of culprit_function_key() @key and dims all others; NULL or empty: no function.
 */
void culprit_timeline_view_set_function (CulpritTimelineView *view, const char *key);

/* Highlights the calls of functions whose names contain @text, ignoring case, and dims all others; NULL or
 * empty: ends the search. Returns the number of matching calls. */
guint64 culprit_timeline_view_set_search (CulpritTimelineView *view, const char *text);

/* Keeps the current search highlighted beside the next one. Only a few can be kept. */
gboolean culprit_timeline_view_can_keep_search (CulpritTimelineView *view);
void culprit_timeline_view_keep_search (CulpritTimelineView *view);

/* A highlight in a colour of its own: the function, the search, or a search that was kept. */
typedef struct
{
  const char *text;
  gboolean is_function;
  gboolean is_search;  /* the one that culprit_timeline_view_set_search() sets */
  gboolean is_current; /* the one that next and previous follow */
  GdkRGBA colour;
} CulpritTimelineHighlight;

/* The number of highlights, and one of them, valid until they change. */
guint culprit_timeline_view_count_highlights (CulpritTimelineView *view);
CulpritTimelineHighlight culprit_timeline_view_get_highlight (CulpritTimelineView *view, guint index);
void culprit_timeline_view_remove_highlight (CulpritTimelineView *view, guint index);

/* Makes next and previous follow this highlight; at first that is the latest search, or else the function. */
void culprit_timeline_view_set_current_highlight (CulpritTimelineView *view, guint index);

/* The number of calls of the current highlight, and the rank of the chosen call among them, from 1; 0: it is not one of
 * them. FALSE: there is no current highlight. */
gboolean culprit_timeline_view_get_match (CulpritTimelineView *view, guint64 *rank, guint64 *calls);

/* Moves to the next or previous call of the current highlight, starting from the chosen call or else from the middle of
 * the view; starts over at the ends. FALSE: there is none. */
gboolean culprit_timeline_view_next_match (CulpritTimelineView *view);
gboolean culprit_timeline_view_previous_match (CulpritTimelineView *view);

/* The chosen call or task; FALSE: none is chosen. */
gboolean culprit_timeline_view_get_chosen (CulpritTimelineView *view, CulpritTimelinePlace *place);

/* The same as a line of text with its times, or NULL. The caller owns it. */
char *culprit_timeline_view_describe_chosen (CulpritTimelineView *view);

/* Chooses the call or task at @place and brings it into view. */
void culprit_timeline_view_choose (CulpritTimelineView *view, CulpritTimelinePlace place);

/* Shows the part from @start_ns to @end_ns of the capture's clock, as far as the capture reaches. */
void culprit_timeline_view_zoom_to (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns);

/* Shows the longest stretch without an event, and chooses the call it belongs to; without one, it emits
 * "silence-missed". */
void culprit_timeline_view_zoom_to_silence (CulpritTimelineView *view);

/* The markers' distance, or where the only one is; NULL: there is none. The caller owns it. */
char *culprit_timeline_view_describe_markers (CulpritTimelineView *view);

/* Shows the outlier window with as much time on either side; FALSE: there is none. */
gboolean culprit_timeline_view_zoom_to_window (CulpritTimelineView *view);

/* Scrolls to a row with a call of the highlighted function in the outlier window, or else before it; as soon as the
 * view has a size. */
void culprit_timeline_view_show_function (CulpritTimelineView *view);

/* Shows the whole capture. */
void culprit_timeline_view_zoom_to_all (CulpritTimelineView *view);

/* The range that is shown; FALSE: there is no timeline. */
gboolean culprit_timeline_view_get_range (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns);

/* The selected range; FALSE: there is none. */
gboolean culprit_timeline_view_get_selection (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns);

/* The selection in words, such as "Measured 1.470 ms from 20.0 us after the expected wake-up, 512 calls"; NULL: nothing
 * is selected. The caller owns it. */
char *culprit_timeline_view_describe_selection (CulpritTimelineView *view);

/* Whether a strip along the bottom of each call shows the tracer's share of its time. TRUE by default. */
void culprit_timeline_view_set_tracing (CulpritTimelineView *view, gboolean shown);

/* The view in sentences; also its accessible description. The caller owns it. */
char *culprit_timeline_view_describe (CulpritTimelineView *view);

/* Writes the visible range, with all rows, to @path, a .png or an .svg file, which is either written completely or left
 * as it was. @heading: printed above, or NULL. @scale: pixels of the PNG per pixel of the view. */
gboolean culprit_timeline_view_export (
    CulpritTimelineView *view, const char *heading, guint scale, const char *path, GError **error);

/* For tests: the geometry of rows and times, and everything the view is currently drawn with. */
const Scene *view_scene (const CulpritTimelineView *view);
Drawing view_drawing (CulpritTimelineView *view);

/* Selects a range; equal times clear the selection. */
void view_select (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns);

/* The tooltip of @stay. The caller owns it. */
char *view_describe_stay (CulpritTimelineView *view, const CulpritTimelineStay *stay);

/* The tooltip of the span at @place, as markup. The caller owns it. */
char *view_describe_place (CulpritTimelineView *view, const CulpritTimelinePlace *place);
