/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes spans of a timeline: where they are, what they show, who called them. */
#include "lane-private.h"

CulpritTimeline *
timeline_new (CulpritCapture *capture)
{
  CulpritTimeline *timeline = g_new0 (CulpritTimeline, 1);

  timeline->ref_count = 1;
  timeline->capture = capture;
  timeline->cpus = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineCpu));
  timeline->gaps = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineGap));
  timeline->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) lane_free);
  timeline->tasks = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineTask));
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
  g_ptr_array_unref (timeline->lanes);
  g_array_unref (timeline->tasks);
  g_array_unref (timeline->split);
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
  const Lane *lane = lane_at (timeline, lane_index);
  const Span *span = lane_span (lane, index);

  return span->length_ns != LONG_NS ? span->tracing_ns : lane_find_long (lane, index)->tracing_ns;
}

guint
culprit_timeline_lane_cpu (const CulpritTimeline *timeline, guint lane)
{
  return lane_at (timeline, lane)->cpu;
}

/* The record of the call that @span belongs to, if the call is more than that span. */
static const SplitCall *
find_split (const CulpritTimeline *timeline, const Lane *lane, guint32 span)
{
  guint low = 0;
  guint high = lane->splits->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const SplitRef *ref = &g_array_index (lane->splits, SplitRef, middle);

      if (ref->span == span)
        return &g_array_index (timeline->split, SplitCall, ref->call);
      if (ref->span < span)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static void
describe_whole (const CulpritTimeline *timeline, const Lane *lane, guint32 span, CulpritTimelineCall *call)
{
  const SplitCall *split = find_split (timeline, lane, span);

  if (!split)
    return;
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
  gboolean is_long = span->length_ns == LONG_NS;
  const LongSpan numbers =
      is_long ? *lane_find_long (lane, index) : (LongSpan) { index, span->length_ns, span->self_ns, span->tracing_ns };
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
