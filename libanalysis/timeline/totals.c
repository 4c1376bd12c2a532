/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the functions did in a range of time, from the spans of the lanes. */
#include "lane-private.h"
#include "seeded-hash.h"

#define SPANS_BETWEEN 1024 /* looks at whether this is still wanted: each may cost a step for each lane above */

typedef struct
{
  const CulpritTimeline *timeline;
  guint64 start_ns;
  guint64 end_ns;
  CulpritTimelineTotal *totals; /* by function */
  GCancellable *cancellable;
  GHashTable *split; /* calls with several spans that were counted, by their records' numbers plus one */
} Totals;

static const Lane *
lane_at (const Totals *totals, guint lane)
{
  return g_ptr_array_index (totals->timeline->lanes, lane);
}

/* The part of @span in [@start_ns, @end_ns). */
static guint64
part_ns (const Lane *lane, guint32 span, guint64 start_ns, guint64 end_ns)
{
  guint64 from_ns = MAX (lane_span (lane, span)->start_ns, start_ns);
  guint64 to_ns = MIN (lane_end_ns (lane, span), end_ns);

  return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* How much of [@start_ns, @end_ns) the spans of @lane cover. */
static guint64
covered_ns (const Lane *lane, guint64 start_ns, guint64 end_ns)
{
  guint64 sum_ns = 0;

  for (guint32 i = lane_first_ending_after (lane, 0, start_ns);
       i < lane->spans->len && lane_span (lane, i)->start_ns < end_ns; i++)
    sum_ns += part_ns (lane, i, start_ns, end_ns);
  return sum_ns;
}

/* The span's own time, and the tracer's part of it. If it extends beyond the range, that is what the lane below does
 * not cover, and the tracer's part in proportion. */
static void
add_own (const Totals *totals, guint lane_index, guint32 span, CulpritTimelineTotal *total)
{
  const Lane *lane = lane_at (totals, lane_index);
  const CulpritTimelineCpu *cpu = &g_array_index (totals->timeline->cpus, CulpritTimelineCpu, lane->cpu);
  LongSpan whole = lane_numbers (lane, span);
  guint64 self_ns = part_ns (lane, span, totals->start_ns, totals->end_ns);

  if (self_ns == whole.length_ns)
    self_ns = whole.self_ns;
  else if (lane_index + 1 < cpu->first_lane + cpu->n_lanes)
    self_ns -= covered_ns (lane_at (totals, lane_index + 1), MAX (lane_span (lane, span)->start_ns, totals->start_ns),
                           MIN (lane_end_ns (lane, span), totals->end_ns));
  self_ns = MIN (self_ns, whole.self_ns);
  total->self_ns += self_ns;
  if (whole.self_ns > 0)
    total->tracing_ns += (guint64) ((double) whole.tracing_ns * self_ns / whole.self_ns + 0.5);
}

/* Whether a call of the same function surrounds a span of it that begins at @start_ns. @cursors: of the lanes above,
 * which only move on, as spans are in order. */
static gboolean
is_recursive (
    const Totals *totals, guint first_lane, guint lane_index, guint32 what, guint64 start_ns, guint32 *cursors)
{
  for (guint above = first_lane + 1; above < lane_index; above++)
    {
      const Lane *lane = lane_at (totals, above);
      guint32 *cursor = &cursors[above - first_lane];

      while (*cursor < lane->spans->len && lane_end_ns (lane, *cursor) <= start_ns)
        (*cursor)++;
      if (*cursor < lane->spans->len && lane_span (lane, *cursor)->start_ns <= start_ns &&
          span_what (lane_span (lane, *cursor)) == what)
        return TRUE;
    }
  return FALSE;
}

/* Whether @span is the first in the range of its call: a call counts once, however often its task came back. */
static gboolean
is_new_call (const Totals *totals, const Lane *lane, guint32 span)
{
  const SplitRef *ref;

  if (!(span_marks (lane_span (lane, span)) & (CULPRIT_SPAN_CONTINUED | CULPRIT_SPAN_CONTINUES)))
    return TRUE;
  ref = lane_find_split (lane, span);
  return !ref || g_hash_table_add (totals->split, GUINT_TO_POINTER (ref->call + 1));
}

static guint32
function_of (const Totals *totals, const Lane *lane, guint32 span)
{
  guint32 what = span_what (lane_span (lane, span));

  if (lane->depth >= 0)
    return what;
  return g_array_index (totals->timeline->tasks, CulpritTimelineTask, what).pid == 0 ? CULPRIT_FUNCTION_IDLE
                                                                                     : CULPRIT_FUNCTION_USER;
}

static void
add_lane (const Totals *totals, guint first_lane, guint lane_index)
{
  const Lane *lane = lane_at (totals, lane_index);
  g_autofree guint32 *cursors = g_new (guint32, lane_index - first_lane + 1);

  for (guint above = first_lane; above < lane_index; above++)
    cursors[above - first_lane] = lane_first_ending_after (lane_at (totals, above), 0, totals->start_ns);
  for (guint32 i = lane_first_ending_after (lane, 0, totals->start_ns);
       i < lane->spans->len && lane_span (lane, i)->start_ns < totals->end_ns; i++)
    {
      guint32 function = function_of (totals, lane, i);
      CulpritTimelineTotal *total = &totals->totals[function];
      guint64 start_ns = MAX (lane_span (lane, i)->start_ns, totals->start_ns);

      if (i % SPANS_BETWEEN == 0 && g_cancellable_is_cancelled (totals->cancellable))
        return;
      add_own (totals, lane_index, i, total);
      if (lane->depth < 0)
        total->total_ns = total->self_ns;
      else if (!is_recursive (totals, first_lane, lane_index, function, start_ns, cursors))
        total->total_ns += part_ns (lane, i, totals->start_ns, totals->end_ns);
      total->calls += lane->depth >= 0 && is_new_call (totals, lane, i);
    }
}

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  const CulpritTimelineTotal *left = a;
  const CulpritTimelineTotal *right = b;
  guint64 left_ns = left->self_ns - left->tracing_ns;
  guint64 right_ns = right->self_ns - right->tracing_ns;

  if (left_ns != right_ns)
    return left_ns < right_ns ? 1 : -1;
  return (left->function > right->function) - (left->function < right->function);
}

GArray *
culprit_timeline_totals (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns, GCancellable *cancellable)
{
  guint n = timeline->capture->functions->len;
  g_autofree CulpritTimelineTotal *totals = g_new0 (CulpritTimelineTotal, n);
  g_autoptr (GHashTable) split = g_hash_table_new (culprit_hash_direct, NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (CulpritTimelineTotal));
  Totals all = { timeline, start_ns, end_ns, totals, cancellable, split };

  for (guint i = 0; i < timeline->cpus->len; i++)
    {
      const CulpritTimelineCpu *cpu = &g_array_index (timeline->cpus, CulpritTimelineCpu, i);

      for (guint lane = cpu->first_lane; lane < cpu->first_lane + cpu->n_lanes; lane++)
        if (!g_cancellable_is_cancelled (cancellable))
          add_lane (&all, cpu->first_lane, lane);
    }
  for (guint i = 0; i < n; i++)
    {
      totals[i].function = i;
      if (totals[i].calls > 0 || totals[i].self_ns > 0)
        g_array_append_val (found, totals[i]);
    }
  g_array_sort (found, compare_totals);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&found);
}
