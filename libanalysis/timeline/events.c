/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a timeline by their number. Each lane is a sequence of edges, a span's start and its end in turn; most
 * of them are events. The others (a call's task was switched out, an exit is missing) are counted apart, so that the
 * number of events before a time takes two binary searches a lane. */
#include "lane-private.h"

/* The edges of a lane that are no events: numbers of spans, in order. */
typedef struct
{
  GArray *starts;
  GArray *ends; /* A task's lane has no events at its ends: the next task's start says the same. */
} Missing;

struct _CulpritTimelineEvents
{
  CulpritTimeline *timeline;
  Missing *missing; /* by lane */
  guint64 count;
};

/* Where reading stands in a lane: the next edge is the start or the end of @span. */
typedef struct
{
  const Lane *lane;
  guint number; /* of the lane */
  guint32 span;
  gboolean at_end;
} Cursor;

static gboolean
starts_with_event (const Lane *lane, const Span *span)
{
  return lane->depth < 0 || !(span_marks (span) & (CULPRIT_SPAN_CONTINUED | CULPRIT_SPAN_HEAD));
}

static gboolean
ends_with_event (const Lane *lane, const Span *span)
{
  return lane->depth >= 0 && !(span_marks (span) & (CULPRIT_SPAN_CONTINUES | CULPRIT_SPAN_CUT));
}

CulpritTimelineEvents *
culprit_timeline_events_new (CulpritTimeline *timeline)
{
  CulpritTimelineEvents *events = g_new0 (CulpritTimelineEvents, 1);

  events->timeline = culprit_timeline_ref (timeline);
  events->missing = g_new0 (Missing, timeline->lanes->len);
  for (guint i = 0; i < timeline->lanes->len; i++)
    {
      const Lane *lane = g_ptr_array_index (timeline->lanes, i);
      Missing *missing = &events->missing[i];

      missing->starts = g_array_new (FALSE, FALSE, sizeof (guint32));
      missing->ends = g_array_new (FALSE, FALSE, sizeof (guint32));
      for (guint32 span = 0; span < lane->spans->len; span++)
        {
          if (!starts_with_event (lane, lane_span (lane, span)))
            g_array_append_val (missing->starts, span);
          if (lane->depth >= 0 && !ends_with_event (lane, lane_span (lane, span)))
            g_array_append_val (missing->ends, span);
        }
    }
  events->count = culprit_timeline_events_before (events, G_MAXUINT64);
  return events;
}

void
culprit_timeline_events_free (CulpritTimelineEvents *events)
{
  for (guint i = 0; i < events->timeline->lanes->len; i++)
    {
      g_array_unref (events->missing[i].starts);
      g_array_unref (events->missing[i].ends);
    }
  g_free (events->missing);
  culprit_timeline_unref (events->timeline);
  g_free (events);
}

guint64
culprit_timeline_events_count (const CulpritTimelineEvents *events)
{
  return events->count;
}

/* How many of @spans are below @span. */
static guint
count_below (const GArray *spans, guint32 span)
{
  guint low = 0;
  guint high = spans->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (spans, guint32, middle) < span)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The first edge at or after @at_ns of the lane @number. */
static Cursor
cursor_at (const CulpritTimelineEvents *events, guint number, guint64 at_ns)
{
  const Lane *lane = g_ptr_array_index (events->timeline->lanes, number);
  guint32 first = at_ns > 0 ? lane_first_ending_after (lane, 0, at_ns - 1) : 0;

  return (Cursor) { lane, number, first, first < lane->spans->len && lane_span (lane, first)->start_ns < at_ns };
}

/* How many events of its lane are before @cursor. */
static guint64
cursor_events (const CulpritTimelineEvents *events, const Cursor *cursor)
{
  const Missing *missing = &events->missing[cursor->number];
  guint32 started = cursor->span + cursor->at_end;
  guint64 count = started - count_below (missing->starts, started);

  return cursor->lane->depth < 0 ? count : count + cursor->span - count_below (missing->ends, cursor->span);
}

guint64
culprit_timeline_events_before (const CulpritTimelineEvents *events, guint64 at_ns)
{
  guint64 count = 0;

  for (guint i = 0; i < events->timeline->lanes->len; i++)
    {
      Cursor cursor = cursor_at (events, i, at_ns);

      count += cursor_events (events, &cursor);
    }
  return count;
}

/* The last time before which there are no more than @number events. */
static guint64
find_time (const CulpritTimelineEvents *events, guint64 number)
{
  guint64 low = events->timeline->first_ns;
  guint64 high = events->timeline->last_ns + 1;

  while (high - low > 1)
    {
      guint64 middle = low + (high - low) / 2;

      if (culprit_timeline_events_before (events, middle) <= number)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static guint64
cursor_time (const Cursor *cursor)
{
  return cursor->at_end ? lane_end_ns (cursor->lane, cursor->span) : lane_span (cursor->lane, cursor->span)->start_ns;
}

/* At one time a CPU first leaves calls, the deepest first, then changes its task, then enters calls. */
static gboolean
is_before (const Cursor *cursor, const Cursor *other)
{
  guint64 at_ns = cursor_time (cursor);
  guint64 other_ns = cursor_time (other);
  gboolean leaves = cursor->at_end && lane_span (cursor->lane, cursor->span)->start_ns < at_ns;
  gboolean other_leaves = other->at_end && lane_span (other->lane, other->span)->start_ns < other_ns;

  if (at_ns != other_ns)
    return at_ns < other_ns;
  if (cursor->lane->cpu != other->lane->cpu)
    return cursor->lane->cpu < other->lane->cpu;
  if (leaves != other_leaves)
    return leaves;
  if (cursor->at_end != other->at_end)
    return other->at_end;
  return cursor->at_end ? cursor->lane->depth > other->lane->depth : cursor->lane->depth < other->lane->depth;
}

/* Goes on with a call without length whose end is next: the calls in its lane at this time follow at once, as their
 * starts come before the ends elsewhere. Skips as many of them as have no more than @most events, and returns how many
 * these have. */
static guint64
skip_calls (const CulpritTimelineEvents *events, Cursor *cursor, guint64 most)
{
  guint64 before = cursor_events (events, cursor);
  Cursor low = *cursor;
  guint32 high = lane_first_from (cursor->lane, cursor->span, cursor_time (cursor) + 1);

  for (low.at_end = FALSE; high - low.span > 1;)
    {
      Cursor middle = low;

      middle.span += (high - low.span) / 2;
      if (cursor_events (events, &middle) - before <= most)
        low = middle;
      else
        high = middle.span;
    }
  if (low.span == cursor->span)
    return 0;
  *cursor = low;
  return cursor_events (events, cursor) - before;
}

/* Moves the cursor at @place down in a heap of @n until none below it is before it. */
static void
sink (Cursor *heap, guint n, guint place)
{
  for (guint below = 2 * place + 1; below < n; below = 2 * place + 1)
    {
      Cursor moved = heap[place];

      if (below + 1 < n && is_before (&heap[below + 1], &heap[below]))
        below++;
      if (!is_before (&heap[below], &moved))
        return;
      heap[place] = heap[below];
      heap[below] = moved;
      place = below;
    }
}

/* Moves @cursor on by an edge. Returns whether that is an event, which is set. */
static gboolean
take_edge (Cursor *cursor, CulpritTimelineEvent *event)
{
  const Span *span = lane_span (cursor->lane, cursor->span);
  gboolean is_event = cursor->at_end ? ends_with_event (cursor->lane, span) : starts_with_event (cursor->lane, span);

  *event = (CulpritTimelineEvent) { cursor_time (cursor), cursor->number, cursor->span,
                                    cursor->at_end            ? CULPRIT_EVENT_EXIT
                                    : cursor->lane->depth < 0 ? CULPRIT_EVENT_SWITCH
                                                              : CULPRIT_EVENT_ENTRY };
  cursor->span += cursor->at_end;
  cursor->at_end = !cursor->at_end;
  return is_event;
}

void
culprit_timeline_events_read (const CulpritTimelineEvents *events, guint64 first, guint count, GArray *read)
{
  g_autofree Cursor *heap = g_new (Cursor, events->timeline->lanes->len);
  guint64 at_ns = find_time (events, first);
  guint64 number = culprit_timeline_events_before (events, at_ns);
  guint n = 0;

  for (guint i = 0; i < events->timeline->lanes->len; i++)
    {
      heap[n] = cursor_at (events, i, at_ns);
      n += heap[n].span < heap[n].lane->spans->len;
    }
  for (guint i = n / 2; i > 0; i--)
    sink (heap, n, i - 1);
  for (guint64 end = first + count; number < end && n > 0;)
    {
      CulpritTimelineEvent event;
      guint64 skipped = 0;

      if (number < first && heap->at_end && lane_length_ns (heap->lane, heap->span) == 0)
        skipped = skip_calls (events, heap, first - number);
      number += skipped;
      if (skipped == 0 && take_edge (heap, &event))
        {
          if (number >= first)
            g_array_append_val (read, event);
          number++;
        }
      if (heap->span == heap->lane->spans->len)
        heap[0] = heap[--n];
      sink (heap, n, 0);
    }
}
