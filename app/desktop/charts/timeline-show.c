/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others ask of the timeline view: what to show, to light and to search. */
#include "timeline-view-private.h"

static void
find_lit (CulpritTimelineView *view)
{
  g_clear_pointer (&view->lit, culprit_timeline_matches_free);
  if (view->timeline && view->function)
    view->lit = culprit_timeline_match (view->timeline, view->function);
  view_invalidate (view);
}

static void
find_found (CulpritTimelineView *view)
{
  g_clear_pointer (&view->found, culprit_timeline_matches_free);
  if (view->timeline && view->search)
    view->found = culprit_timeline_search (view->timeline, view->search);
  view_invalidate (view);
}

void
culprit_timeline_view_set_timeline (CulpritTimelineView *view, CulpritTimeline *timeline)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (timeline)
    culprit_timeline_ref (timeline);
  g_clear_pointer (&view->found, culprit_timeline_matches_free);
  g_clear_pointer (&view->lit, culprit_timeline_matches_free);
  g_clear_pointer (&view->timeline, culprit_timeline_unref);
  view->timeline = timeline;
  view->scene.timeline = timeline;
  view->scene.start_ns = view->scene.length_ns = view->scene.scroll = 0;
  view->overlay.focused.span = view->overlay.hovered.span = CULPRIT_TIMELINE_NONE;
  view->overlay.select_start_ns = view->overlay.select_end_ns = 0;
  find_lit (view);
  find_found (view);
  if (timeline && !culprit_timeline_view_zoom_to_window (view))
    culprit_timeline_view_zoom_to_all (view);
}

void
culprit_timeline_view_set_function (CulpritTimelineView *view, const char *key)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  g_free (view->function);
  view->function = g_strdup (key);
  find_lit (view);
}

guint64
culprit_timeline_view_set_search (CulpritTimelineView *view, const char *text)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), 0);
  g_free (view->search);
  view->search = text && *text ? g_strdup (text) : NULL;
  find_found (view);
  return view->found ? culprit_timeline_matches_calls (view->found) : 0;
}

typedef CulpritTimelinePlace (*Step) (const CulpritTimelineMatches *, CulpritTimelinePlace);

/* Goes one @step from the focused call, or from the middle of what is shown, and from @far where that ends. */
static gboolean
go (CulpritTimelineView *view, Step step, CulpritTimelinePlace far)
{
  const CulpritTimelineMatches *matches = view->found ? view->found : view->lit;
  CulpritTimelinePlace place = view->overlay.focused;

  if (!matches)
    return FALSE;
  if (place.span == CULPRIT_TIMELINE_NONE)
    place.start_ns = view->timeline->first_ns + view->scene.start_ns + view->scene.length_ns / 2;
  place = step (matches, place);
  if (place.span == CULPRIT_TIMELINE_NONE)
    place = step (matches, far);
  if (place.span == CULPRIT_TIMELINE_NONE)
    return FALSE;
  view_focus (view, place);
  return TRUE;
}

gboolean
culprit_timeline_view_next_match (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  return go (view, culprit_timeline_matches_next, (CulpritTimelinePlace) { 0, CULPRIT_TIMELINE_NONE, 0 });
}

gboolean
culprit_timeline_view_previous_match (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  return go (view, culprit_timeline_matches_previous,
             (CulpritTimelinePlace) { G_MAXUINT, CULPRIT_TIMELINE_NONE, G_MAXUINT64 });
}

void
culprit_timeline_view_zoom_to (CulpritTimelineView *view, guint64 start_ns, guint64 end_ns)
{
  double from_first_ns;

  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (!view->timeline || end_ns <= start_ns)
    return;
  from_first_ns = (double) (gint64) (start_ns - view->timeline->first_ns);
  view_set_range (view, from_first_ns, end_ns - start_ns);
}

gboolean
culprit_timeline_view_zoom_to_window (CulpritTimelineView *view)
{
  const CulpritWindow *outlier;
  double length_ns;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  outlier = view->timeline ? culprit_capture_outlier (view->timeline->capture) : NULL;
  if (!outlier)
    return FALSE;
  length_ns = culprit_window_latency_ns (outlier);
  view_set_range (view, (double) (outlier->start_ns - view->timeline->first_ns) - length_ns, 3 * length_ns);
  return TRUE;
}

void
culprit_timeline_view_zoom_to_all (CulpritTimelineView *view)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  view_set_range (view, 0, (double) G_MAXINT64);
}

gboolean
culprit_timeline_view_get_range (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  if (!view->timeline)
    return FALSE;
  *start_ns = view->timeline->first_ns + (guint64) view->scene.start_ns;
  *end_ns = view->timeline->first_ns + (guint64) (view->scene.start_ns + view->scene.length_ns);
  return TRUE;
}

gboolean
culprit_timeline_view_get_selection (CulpritTimelineView *view, guint64 *start_ns, guint64 *end_ns)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  *start_ns = view->overlay.select_start_ns;
  *end_ns = view->overlay.select_end_ns;
  return *start_ns < *end_ns;
}

void
culprit_timeline_view_set_tracing (CulpritTimelineView *view, gboolean shown)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  view->tracing = shown;
  view_invalidate (view);
}
