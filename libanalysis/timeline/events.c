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

/* The first edge of @lane at or after @at_ns. */
static Cursor
cursor_at (const Lane *lane, guint64 at_ns)
{
  guint32 first = at_ns > 0 ? lane_first_ending_after (lane, 0, at_ns - 1) : 0;

  return (Cursor) { lane, first, first < lane->spans->len && lane_span (lane, first)->start_ns < at_ns };
}

guint64
culprit_timeline_events_before (const CulpritTimelineEvents *events, guint64 at_ns)
{
  guint64 count = 0;

  for (guint i = 0; i < events->timeline->lanes->len; i++)
    {
      Cursor cursor = cursor_at (g_ptr_array_index (events->timeline->lanes, i), at_ns);
      guint32 started = cursor.span + cursor.at_end;

      count += started - count_below (events->missing[i].starts, started);
      if (cursor.lane->depth >= 0)
        count += cursor.span - count_below (events->missing[i].ends, cursor.span);
    }
  return count;
}

/* The last time before which there are no more than @number events. */
static guint64
find_time (const CulpritTimelineEvents *events, guint64 number)
{
  guint64 low = 0;
  guint64 high = G_MAXUINT64;

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

void
culprit_timeline_events_read (const CulpritTimelineEvents *events, guint64 first, guint count, GArray *read)
{
  guint n = events->timeline->lanes->len;
  g_autofree Cursor *cursors = g_new (Cursor, n);
  guint64 at_ns = find_time (events, first);
  guint64 number = culprit_timeline_events_before (events, at_ns);

  for (guint i = 0; i < n; i++)
    cursors[i] = cursor_at (g_ptr_array_index (events->timeline->lanes, i), at_ns);
  for (guint64 end = first + count; number < end && number < events->count;)
    {
      guint next = n;
      const Span *span;
      CulpritTimelineEvent event;
      gboolean is_event;

      for (guint i = 0; i < n; i++)
        if (cursors[i].span < cursors[i].lane->spans->len && (next == n || is_before (&cursors[i], &cursors[next])))
          next = i;
      if (next == n)
        return;
      span = lane_span (cursors[next].lane, cursors[next].span);
      event = (CulpritTimelineEvent) { cursor_time (&cursors[next]), next, cursors[next].span,
                                       cursors[next].at_end            ? CULPRIT_EVENT_EXIT
                                       : cursors[next].lane->depth < 0 ? CULPRIT_EVENT_SWITCH
                                                                       : CULPRIT_EVENT_ENTRY };
      is_event = cursors[next].at_end ? ends_with_event (cursors[next].lane, span)
                                      : starts_with_event (cursors[next].lane, span);
      cursors[next].span += cursors[next].at_end;
      cursors[next].at_end = !cursors[next].at_end;
      if (!is_event)
        continue;
      if (number >= first)
        g_array_append_val (read, event);
      number++;
    }
}
