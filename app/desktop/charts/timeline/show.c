/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline view's interface for other widgets: what to show; and its texts. */
#include "charts/timeline/view-private.h"

#include "show.h"
#include "units.h"

void
culprit_timeline_view_set_timeline (CulpritTimelineView *view, CulpritTimeline *timeline)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  if (timeline)
    culprit_timeline_ref (timeline);
  highlights_match (view->highlights, timeline);
  g_clear_pointer (&view->timeline, culprit_timeline_unref);
  view->timeline = timeline;
  view->scene.timeline = timeline;
  view_know_cpus (view);
  view->scene.start_ns = view->scene.length_ns = view->scene.scroll = 0;
  view->overlay.focused.span = view->overlay.hovered.span = CULPRIT_TIMELINE_NONE;
  view_select (view, 0, 0);
  view_choose (view, view->overlay.focused);
  view_highlights_changed (view);
  if (timeline && !culprit_timeline_view_zoom_to_window (view))
    culprit_timeline_view_zoom_to_all (view);
}

CulpritTimeline *
culprit_timeline_view_get_timeline (CulpritTimelineView *view)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), NULL);
  return view->timeline;
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

gboolean
culprit_timeline_view_get_chosen (CulpritTimelineView *view, CulpritTimelinePlace *place)
{
  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), FALSE);
  *place = view->overlay.focused;
  return view->timeline && place->span != CULPRIT_TIMELINE_NONE;
}

void
culprit_timeline_view_choose (CulpritTimelineView *view, CulpritTimelinePlace place)
{
  g_return_if_fail (CULPRIT_IS_TIMELINE_VIEW (view));
  view_focus (view, place);
}

/* In words. */

static const char *const contexts[CULPRIT_CONTEXTS] = { "measured task",      "other task",     "idle task",
                                                        "hardware interrupt", "soft interrupt", "NMI" };

const char *
culprit_timeline_context_text (CulpritContext context)
{
  return contexts[context];
}

static void
add_time (GString *text, const char *before, gint64 time_ns, const char *after)
{
  g_autofree char *time = culprit_time_format (time_ns);

  g_string_append_printf (text, "%s%s%s", before, time, after);
}

/* When @at_ns is, from what the axis counts from. */
static void
add_instant (GString *text, const CulpritTimeline *timeline, guint64 at_ns)
{
  gint64 from_zero_ns = at_ns - scene_zero_ns (timeline);

  add_time (text, "", ABS (from_zero_ns), from_zero_ns < 0 ? " before" : " after");
  g_string_append (text, culprit_capture_outlier (timeline->capture) ? " the expected wake-up" : " the first event");
}

char *
culprit_timeline_view_describe_selection (CulpritTimelineView *view)
{
  GString *text;
  guint64 start_ns;
  guint64 end_ns;
  guint64 calls;

  if (!culprit_timeline_view_get_selection (view, &start_ns, &end_ns))
    return NULL;
  text = g_string_new ("Measured ");
  calls = culprit_timeline_count (view->timeline, start_ns, end_ns);
  add_time (text, "", end_ns - start_ns, " from ");
  add_instant (text, view->timeline, start_ns);
  g_string_append_printf (text, ", %" G_GUINT64_FORMAT " call%s", calls, culprit_plural (calls));
  return g_string_free (text, FALSE);
}

static void
add_durations (GString *text, const CulpritTimelineCall *call)
{
  add_time (text, "\n", call->end_ns - call->start_ns, "");
  add_time (text, call->depth < 0 ? " on the CPU, " : ", own time ", call->self_ns,
            call->depth < 0 ? " outside any call" : "");
  if (call->tracing_ns > 0)
    add_time (text, ", of which ", call->tracing_ns, " is the tracer\xe2\x80\x99s");
  if (call->off_cpu_ns > 0)
    add_time (text, "\noff the CPU for ", call->off_cpu_ns, "");
  if (call->spans > 1)
    g_string_append_printf (text, "\nin %u parts, this one", call->spans);
  if (call->spans > 1)
    add_time (text, " ", call->span_end_ns - call->span_start_ns, "");
}

static void
add_marks (GString *text, guint marks)
{
  if (marks & CULPRIT_SPAN_HEAD)
    g_string_append (text, "\nentry not captured");
  if (marks & CULPRIT_SPAN_CUT)
    g_string_append (text, "\nexit not captured");
}

static void
add_caller (GString *text, const CulpritTimeline *timeline, const CulpritTimelinePlace *place)
{
  guint32 caller = culprit_timeline_caller (timeline, place->lane, place->span);
  CulpritTimelineCall call;
  g_autofree char *name = NULL;

  if (caller == CULPRIT_TIMELINE_NONE)
    return;
  culprit_timeline_describe (timeline, place->lane - 1, caller, &call);
  if (call.depth < 0)
    return;
  name = shown_escaped (call.name);
  g_string_append_printf (text, "\ncalled from %s", name);
}

char *
view_tell_place (CulpritTimelineView *view, const CulpritTimelinePlace *place)
{
  GString *text = g_string_new (NULL);
  CulpritTimelineCall call;
  g_autofree char *name = NULL;
  g_autofree char *module = NULL;
  g_autofree char *comm = NULL;

  culprit_timeline_describe (view->timeline, place->lane, place->span, &call);
  name = shown_escaped (call.depth < 0 && !*call.name ? "task" : call.name);
  module = shown_escaped (call.module);
  comm = shown_escaped (call.comm);
  g_string_append_printf (text, "<b>%s</b>", name);
  if (*module)
    g_string_append_printf (text, " [%s]", module);
  add_durations (text, &call);
  g_string_append_printf (text, "\n%s, CPU %u", contexts[call.context], call.cpu);
  if (call.pid != 0)
    g_string_append_printf (text, ", %s-%d", *comm ? comm : "task", call.pid);
  add_caller (text, view->timeline, place);
  add_marks (text, call.marks);
  g_string_append (text, "\nfrom ");
  add_instant (text, view->timeline, call.start_ns);
  return g_string_free (text, FALSE);
}

char *
culprit_timeline_view_describe_chosen (CulpritTimelineView *view)
{
  CulpritTimelinePlace place;
  CulpritTimelineCall call;
  GString *text;

  if (!culprit_timeline_view_get_chosen (view, &place))
    return NULL;
  text = g_string_new (NULL);
  culprit_timeline_describe (view->timeline, place.lane, place.span, &call);
  g_string_append_printf (text, "%s, %s, CPU %u", call.name, contexts[call.context], call.cpu);
  add_time (text, ", ", call.end_ns - call.start_ns, "");
  add_time (text, ", own time ", call.self_ns, "");
  return g_string_free (text, FALSE);
}

static void
add_folded (GString *text, CulpritTimelineView *view)
{
  for (guint i = 0; i < view->timeline->cpus->len; i++)
    if (scene_is_folded (&view->scene, i))
      g_string_append_printf (text, " CPU %u is folded.",
                              g_array_index (view->timeline->cpus, CulpritTimelineCpu, i).cpu);
}

/* What is highlighted, and which of it is chosen. */
static void
add_highlights (GString *text, CulpritTimelineView *view)
{
  guint64 rank;
  guint64 calls;

  for (guint i = 0; i < view->highlights->all->len; i++)
    {
      const Highlight *highlight = highlights_at (view->highlights, i);
      gboolean is_function = highlight->role == HIGHLIGHT_FUNCTION;

      calls = culprit_timeline_matches_calls (highlight->matches);
      if (is_function)
        g_string_append_printf (text, " Highlighted: %s, %" G_GUINT64_FORMAT " call%s.", highlight->text, calls,
                                culprit_plural (calls));
      else
        g_string_append_printf (text, " %" G_GUINT64_FORMAT " call%s \xe2\x80\x9c%s\xe2\x80\x9d.", calls,
                                calls == 1 ? " matches" : "s match", highlight->text);
    }
  if (culprit_timeline_view_get_match (view, &rank, &calls) && rank > 0)
    g_string_append_printf (text, " Match %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ".", rank, calls);
}

char *
culprit_timeline_view_describe (CulpritTimelineView *view)
{
  g_autofree char *selection = NULL;
  g_autofree char *chosen = NULL;
  const CulpritTimeline *timeline;
  const CulpritWindow *outlier;
  GString *text = g_string_new (NULL);
  guint64 start_ns;
  guint64 end_ns;
  guint64 count;

  g_return_val_if_fail (CULPRIT_IS_TIMELINE_VIEW (view), g_string_free (text, FALSE));
  timeline = view->timeline;
  if (!timeline || !culprit_timeline_view_get_range (view, &start_ns, &end_ns))
    return g_string_append (text, "No capture is open."), g_string_free (text, FALSE);
  outlier = culprit_capture_outlier (timeline->capture);
  selection = culprit_timeline_view_describe_selection (view);
  chosen = culprit_timeline_view_describe_chosen (view);
  count = culprit_timeline_count (timeline, start_ns, end_ns);
  g_string_append_printf (text, "%u CPU%s, ", timeline->cpus->len, culprit_plural (timeline->cpus->len));
  g_string_append (text, "from ");
  add_instant (text, timeline, start_ns);
  g_string_append (text, " to ");
  add_instant (text, timeline, end_ns);
  g_string_append_printf (text, ": %" G_GUINT64_FORMAT " call%s of %" G_GUINT64_FORMAT ".", count,
                          culprit_plural (count), timeline->calls);
  if (outlier)
    add_time (text, " The outlier: ", culprit_window_latency_ns (outlier), " late");
  if (outlier)
    g_string_append_printf (text, " on CPU %u.", outlier->cpu);
  if (selection)
    g_string_append_printf (text, " %s.", selection);
  add_highlights (text, view);
  add_folded (text, view);
  if (chosen)
    g_string_append_printf (text, " Chosen: %s.", chosen);
  return g_string_free (text, FALSE);
}
