/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the timeline view highlights, and going through it. */
#include "charts/timeline/view-private.h"

#include "charts/dark.h"

void
culprit_timeline_view_set_function (CulpritTimelineView *view, const char *key)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  highlights_set (view->highlights, HIGHLIGHT_FUNCTION, key, view->timeline);
  view_highlights_changed (view);
}

guint64
culprit_timeline_view_set_search (CulpritTimelineView *view, const char *text)
{
  int place;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), 0);
  highlights_set (view->highlights, HIGHLIGHT_SEARCH, text, view->timeline);
  view_highlights_changed (view);
  place = highlights_find (view->highlights, HIGHLIGHT_SEARCH);
  if (place < 0 || !view->timeline)
    return 0;
  return culprit_timeline_matches_calls (highlights_at (view->highlights, place)->matches);
}

gboolean
culprit_timeline_view_can_keep_search (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  return highlights_can_keep (view->highlights);
}

void
culprit_timeline_view_keep_search (CulpritTimelineView *view)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (!highlights_can_keep (view->highlights))
    return;
  highlights_at (view->highlights, highlights_find (view->highlights, HIGHLIGHT_SEARCH))->role = HIGHLIGHT_KEPT;
  view_highlights_changed (view);
}

guint
culprit_timeline_view_highlights (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), 0);
  return view->highlights->all->len;
}

CulpritTimelineHighlight
culprit_timeline_view_get_highlight (CulpritTimelineView *view, guint index)
{
  const Highlight *highlight = highlights_at (view->highlights, index);
  const TimelinePalette *palette = timeline_palette_get (is_dark (GTK_WIDGET (view)));

  return (CulpritTimelineHighlight) { .text = highlight->text,
                                      .is_function = highlight->role == HIGHLIGHT_FUNCTION,
                                      .is_search = highlight->role == HIGHLIGHT_SEARCH,
                                      .is_current = index == view->highlights->current,
                                      .colour = palette->highlights[highlight->colour] };
}

void
culprit_timeline_view_remove_highlight (CulpritTimelineView *view, guint index)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view) && index < view->highlights->all->len);
  highlights_remove (view->highlights, index);
  view_highlights_changed (view);
}

void
culprit_timeline_view_go_through (CulpritTimelineView *view, guint index)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view) && index < view->highlights->all->len);
  view->highlights->current = index;
  view_highlights_changed (view);
}

gboolean
culprit_timeline_view_get_match (CulpritTimelineView *view, guint64 *rank, guint64 *calls)
{
  const Highlight *current;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  current = highlights_current (view->highlights);
  if (!current || !current->matches)
    return FALSE;
  *rank = culprit_timeline_matches_rank (current->matches, view->overlay.focused);
  *calls = culprit_timeline_matches_calls (current->matches);
  return TRUE;
}

typedef CulpritTimelinePlace (*Step) (const CulpritTimelineMatches *, CulpritTimelinePlace);

/* Goes one @step from the focused call, or from the middle of what is shown, and from @far where that ends. */
static gboolean
go (CulpritTimelineView *view, Step step, CulpritTimelinePlace far)
{
  const Highlight *current = highlights_current (view->highlights);
  CulpritTimelinePlace place = view->overlay.focused;
  gboolean wraps;

  if (!current || !current->matches)
    return FALSE;
  if (place.span == CULPRIT_TIMELINE_NONE)
    place.start_ns = view->timeline->first_ns + view->scene.start_ns + view->scene.length_ns / 2;
  place = step (current->matches, place);
  wraps = place.span == CULPRIT_TIMELINE_NONE;
  if (wraps)
    place = step (current->matches, far);
  if (place.span == CULPRIT_TIMELINE_NONE)
    return FALSE;
  view_focus (view, place);
  if (wraps)
    view_tell_wrapped (view, far.start_ns == 0);
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
