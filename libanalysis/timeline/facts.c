/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up what a call called, by function, from the lane below it. */
#include "facts.h"

#include "lane-private.h"
#include "seeded-hash.h"

static const CulpritTimelinePlace nowhere = { 0, CULPRIT_TIMELINE_NONE, 0 };

static CulpritTimelinePlace
place_of (const CulpritTimeline *timeline, guint lane, guint32 span)
{
  if (span == CULPRIT_TIMELINE_NONE)
    return nowhere;
  return (CulpritTimelinePlace) { lane, span, lane_span (g_ptr_array_index (timeline->lanes, lane), span)->start_ns };
}

/* The sum for the function of @span. */
static CulpritTimelineCallee *
find_callee (const CulpritTimeline *timeline, GHashTable *places, GArray *callees, const Span *span)
{
  gpointer function = GUINT_TO_POINTER (span_what (span));
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, function));

  if (place == 0)
    {
      CulpritTimelineCallee callee = {
        .function = &g_array_index (timeline->capture->functions, CulpritFunction, span_what (span)), .longest = nowhere
      };

      g_array_append_val (callees, callee);
      place = callees->len;
      g_hash_table_insert (places, function, GUINT_TO_POINTER (place));
    }
  return &g_array_index (callees, CulpritTimelineCallee, place - 1);
}

static int
compare_callees (gconstpointer a, gconstpointer b)
{
  const CulpritTimelineCallee *left = a;
  const CulpritTimelineCallee *right = b;

  return (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
}

/* Everything called between @place and the end of its span. */
static GArray *
find_callees (const CulpritTimeline *timeline, const CulpritTimelinePlace *place, guint64 end_ns)
{
  GArray *callees = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineCallee));
  g_autoptr (GHashTable) places = g_hash_table_new (culprit_hash_direct, NULL);
  guint32 first = culprit_timeline_callee (timeline, place->lane, place->span);
  const Lane *below = first != CULPRIT_TIMELINE_NONE ? g_ptr_array_index (timeline->lanes, place->lane + 1) : NULL;
  guint64 longest_ns;

  for (guint32 i = first; below && i < below->spans->len && lane_end_ns (below, i) <= end_ns; i++)
    {
      const Span *span = lane_span (below, i);
      CulpritTimelineCallee *callee = find_callee (timeline, places, callees, span);

      longest_ns = callee->longest.span != CULPRIT_TIMELINE_NONE ? lane_length_ns (below, callee->longest.span) : 0;
      callee->calls += span_begins (span);
      callee->total_ns += lane_length_ns (below, i);
      if (callee->longest.span == CULPRIT_TIMELINE_NONE || lane_length_ns (below, i) > longest_ns)
        callee->longest = place_of (timeline, place->lane + 1, i);
    }
  g_array_sort (callees, compare_callees);
  return callees;
}

CulpritTimelineFacts *
culprit_timeline_facts (const CulpritTimeline *timeline, const CulpritTimelinePlace *place, guint most)
{
  CulpritTimelineFacts *facts = g_new0 (CulpritTimelineFacts, 1);
  const CulpritWindow *outlier = culprit_capture_outlier (timeline->capture);
  CulpritTimelineCall *call = &facts->call;

  culprit_timeline_describe (timeline, place->lane, place->span, call);
  facts->length_ns = call->end_ns - call->start_ns;
  facts->untraced_ns = call->self_ns - MIN (call->tracing_ns, call->self_ns);
  facts->has_expected = outlier != NULL;
  facts->from_expected_ns = outlier ? (gint64) (call->start_ns - outlier->start_ns) : 0;
  facts->caller = call->depth < 0 ? nowhere
                                  : place_of (timeline, place->lane - 1,
                                              culprit_timeline_caller (timeline, place->lane, place->span));
  facts->callees = find_callees (timeline, place, call->span_end_ns);
  for (guint i = most; i < facts->callees->len; i++)
    facts->other_ns += g_array_index (facts->callees, CulpritTimelineCallee, i).total_ns;
  g_array_set_size (facts->callees, MIN (most, facts->callees->len));
  return facts;
}

void
culprit_timeline_facts_free (CulpritTimelineFacts *facts)
{
  g_array_unref (facts->callees);
  g_free (facts);
}
