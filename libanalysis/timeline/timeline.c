/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes spans of a timeline: where they are, what they show, who called them. */
#include "timeline.h"

#include "lane-private.h"
#include "seeded-hash.h"

/* Adds up what a call called, by function, from the lane below it. */

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

CulpritTimeline *
timeline_new (CulpritCapture *capture)
{
  CulpritTimeline *timeline = g_new0 (CulpritTimeline, 1);

  timeline->ref_count = 1;
  timeline->capture = capture;
  timeline->cpus = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineCpu));
  timeline->gaps = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineGap));
  timeline->silences = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineSilence));
  timeline->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) lane_free);
  timeline->tasks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineTask));
  timeline->stays = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineStay));
  g_array_set_clear_func (timeline->stays, stay_clear);
  timeline->split = g_array_new (FALSE, FALSE, sizeof (SplitCall));
  return timeline;
}

CulpritTimeline *
culprit_timeline_ref (CulpritTimeline *timeline)
{
  g_atomic_int_inc (&timeline->ref_count);
  return timeline;
}

void
culprit_timeline_unref (CulpritTimeline *timeline)
{
  if (!g_atomic_int_dec_and_test (&timeline->ref_count))
    return;
  culprit_capture_free (timeline->capture);
  g_array_unref (timeline->cpus);
  g_array_unref (timeline->gaps);
  g_array_unref (timeline->silences);
  g_ptr_array_unref (timeline->lanes);
  g_array_unref (timeline->tasks);
  g_array_unref (timeline->stays);
  g_array_unref (timeline->split);
  g_free (timeline->measured);
  g_free (timeline->waker);
  g_free (timeline);
}

static const Lane *
lane_at (const CulpritTimeline *timeline, guint lane)
{
  return g_ptr_array_index (timeline->lanes, lane);
}

guint32
culprit_timeline_lane_spans (const CulpritTimeline *timeline, guint lane)
{
  return lane_at (timeline, lane)->spans->len;
}

guint64
culprit_timeline_span_tracing_ns (const CulpritTimeline *timeline, guint lane_index, guint32 index)
{
  return lane_numbers (lane_at (timeline, lane_index), index).tracing_ns;
}

gboolean
culprit_timeline_lane_has_calls (const CulpritTimeline *timeline, guint lane)
{
  return lane_at (timeline, lane)->depth >= 0;
}

guint
culprit_timeline_lane_cpu (const CulpritTimeline *timeline, guint lane)
{
  return lane_at (timeline, lane)->cpu;
}

/* The whole of a call that is more than @span. */
static void
describe_whole (const CulpritTimeline *timeline, const Lane *lane, guint32 span, CulpritTimelineCall *call)
{
  const SplitRef *ref = lane_find_split (lane, span);
  const SplitCall *split;

  if (!ref)
    return;
  split = &g_array_index (timeline->split, SplitCall, ref->call);
  call->start_ns = split->start_ns;
  call->end_ns = split->end_ns;
  call->self_ns = split->self_ns;
  call->tracing_ns = split->tracing_ns;
  call->off_cpu_ns = split->off_cpu_ns;
  call->spans = split->spans;
}

/* The task that held the CPU of @lane at @at_ns. */
static const CulpritTimelineTask *
find_task (const CulpritTimeline *timeline, const Lane *lane, guint64 at_ns)
{
  const CulpritTimelineCpu *cpu = &g_array_index (timeline->cpus, CulpritTimelineCpu, lane->cpu);
  guint32 span = culprit_timeline_hit (timeline, cpu->first_lane, at_ns, 1);

  if (span == CULPRIT_TIMELINE_NONE)
    return NULL;
  return &g_array_index (timeline->tasks, CulpritTimelineTask,
                         span_what (lane_span (lane_at (timeline, cpu->first_lane), span)));
}

void
culprit_timeline_describe (const CulpritTimeline *timeline, guint lane_index, guint32 index, CulpritTimelineCall *call)
{
  const Lane *lane = lane_at (timeline, lane_index);
  const Span *span = lane_span (lane, index);
  const LongSpan numbers = lane_numbers (lane, index);
  const CulpritTimelineTask *task = find_task (timeline, lane, span->start_ns);

  *call = (CulpritTimelineCall) { .module = "",
                                  .context = span_context (span),
                                  .cpu = g_array_index (timeline->cpus, CulpritTimelineCpu, lane->cpu).cpu,
                                  .depth = lane->depth,
                                  .pid = task ? task->pid : 0,
                                  .comm = task ? task->comm : "",
                                  .marks = span_marks (span),
                                  .span_start_ns = span->start_ns,
                                  .span_end_ns = span->start_ns + numbers.length_ns,
                                  .start_ns = span->start_ns,
                                  .end_ns = span->start_ns + numbers.length_ns,
                                  .self_ns = numbers.self_ns,
                                  .tracing_ns = numbers.tracing_ns,
                                  .spans = 1,
                                  .span_self_ns = numbers.self_ns,
                                  .span_tracing_ns = numbers.tracing_ns };
  if (lane->depth < 0)
    call->name = call->comm;
  else
    {
      const CulpritFunction *function =
          &g_array_index (timeline->capture->functions, CulpritFunction, span_what (span));

      call->name = function->name;
      call->module = function->module;
      call->ordinal = function->ordinal;
      describe_whole (timeline, lane, index, call);
    }
}

guint32
culprit_timeline_hit (const CulpritTimeline *timeline, guint lane_index, guint64 at_ns, guint64 within_ns)
{
  const Lane *lane = lane_at (timeline, lane_index);
  guint64 from_ns = at_ns > within_ns ? at_ns - within_ns : 0;
  guint32 first = lane_first_ending_after (lane, 0, at_ns);
  guint32 end;

  if (first < lane->spans->len && lane_span (lane, first)->start_ns <= at_ns)
    return first;
  if (within_ns == 0)
    return CULPRIT_TIMELINE_NONE;
  first = lane_first_ending_after (lane, 0, from_ns);
  end = lane_first_from (lane, first, at_ns + within_ns);
  return first < end ? lane_sum (lane, first, end).dominant : CULPRIT_TIMELINE_NONE;
}

guint32
culprit_timeline_caller (const CulpritTimeline *timeline, guint lane_index, guint32 span)
{
  const Lane *lane = lane_at (timeline, lane_index);
  const Lane *above;
  guint32 found;

  if (lane->depth < 0)
    return CULPRIT_TIMELINE_NONE;
  above = lane_at (timeline, lane_index - 1);
  found = lane_first_ending_after (above, 0, lane_span (lane, span)->start_ns);
  if (found == above->spans->len || lane_span (above, found)->start_ns > lane_span (lane, span)->start_ns ||
      lane_end_ns (above, found) < lane_end_ns (lane, span))
    return CULPRIT_TIMELINE_NONE;
  return found;
}

guint32
culprit_timeline_callee (const CulpritTimeline *timeline, guint lane_index, guint32 span)
{
  const Lane *lane = lane_at (timeline, lane_index);
  const CulpritTimelineCpu *cpu = &g_array_index (timeline->cpus, CulpritTimelineCpu, lane->cpu);
  const Lane *below;
  guint32 found;

  if (lane_index + 1 == cpu->first_lane + cpu->n_lanes)
    return CULPRIT_TIMELINE_NONE;
  below = lane_at (timeline, lane_index + 1);
  found = lane_first_from (below, lane_first_ending_after (below, 0, lane_span (lane, span)->start_ns),
                           lane_span (lane, span)->start_ns);
  return found < below->spans->len && lane_end_ns (below, found) <= lane_end_ns (lane, span) ? found
                                                                                             : CULPRIT_TIMELINE_NONE;
}

/* The part of a silence in the late wake-up. */
static guint64
part_in_window_ns (const CulpritTimeline *timeline, const CulpritTimelineSilence *silence)
{
  const CulpritWindow *window = culprit_capture_outlier (timeline->capture);
  guint64 start_ns = window ? MAX (silence->start_ns, window->start_ns) : 0;
  guint64 end_ns = window ? MIN (silence->end_ns, window->end_ns) : 0;
  gboolean is_its_cpu = window && g_array_index (timeline->cpus, CulpritTimelineCpu, silence->cpu).cpu == window->cpu;

  return is_its_cpu && end_ns > start_ns ? end_ns - start_ns : 0;
}

const CulpritTimelineSilence *
culprit_timeline_longest_silence (const CulpritTimeline *timeline)
{
  const CulpritTimelineSilence *longest = NULL;
  guint64 longest_part_ns = 0;

  for (guint i = 0; i < timeline->silences->len; i++)
    {
      const CulpritTimelineSilence *silence = &g_array_index (timeline->silences, CulpritTimelineSilence, i);
      guint64 part_ns = part_in_window_ns (timeline, silence);

      if (longest &&
          (part_ns < longest_part_ns ||
           (part_ns == longest_part_ns && silence->end_ns - silence->start_ns <= longest->end_ns - longest->start_ns)))
        continue;
      longest = silence;
      longest_part_ns = part_ns;
    }
  return longest;
}

guint64
culprit_timeline_count (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns)
{
  guint64 count = 0;

  for (guint i = 0; i < timeline->lanes->len; i++)
    {
      const Lane *lane = lane_at (timeline, i);
      guint32 first = lane_first_ending_after (lane, 0, start_ns);

      if (lane->depth >= 0)
        count += lane_first_from (lane, first, end_ns) - first;
    }
  return count;
}
