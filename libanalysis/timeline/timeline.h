/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of a capture: every call of every CPU, in lanes by depth, ready to be drawn at any scale.
 *
 * A lane holds spans that never overlap, in the order of time. The first lane of a CPU tells which task had it; the
 * others hold the calls at depth 0, 1... A call whose task was switched away and came back is shown where it had a CPU:
 * one span for each visit. Times are nanoseconds in the capture's clock.
 *
 * A timeline never changes once it was read, and may be used by several threads. */
#pragma once

#include "capture/capture.h"

/* No span. */
#define CULPRIT_TIMELINE_NONE G_MAXUINT32

/* How a span stands in its call. */
typedef enum
{
  CULPRIT_SPAN_HEAD = 1,      /* The call began before the first event of its task: its start is dated, or unknown. */
  CULPRIT_SPAN_CUT = 2,       /* The call's exit was not seen. */
  CULPRIT_SPAN_CONTINUED = 4, /* Its task came back: an earlier span is of the same call. */
  CULPRIT_SPAN_CONTINUES = 8, /* Its task was switched away: the call is not over. */
} CulpritSpanMarks;

typedef struct
{
  guint cpu;
  guint64 first_ns; /* its first event */
  guint64 last_ns;
  guint first_lane; /* of its tasks; the calls' follow */
  guint n_lanes;    /* one more than the calls are deep */
} CulpritTimelineCpu;

/* A stretch of a CPU of which the capture tells nothing. */
typedef struct
{
  guint cpu; /* its index among the timeline's */
  guint64 start_ns;
  guint64 end_ns;
  gboolean lost; /* Events were lost there; else it lies before or after the CPU's events. */
} CulpritTimelineGap;

typedef struct _CulpritTimelineLane CulpritTimelineLane;

typedef struct
{
  gint ref_count;
  CulpritCapture *capture; /* Its functions by name, windows, clock and host; no costs. */
  guint64 first_ns;        /* of what it shows: all events and windows */
  guint64 last_ns;
  guint64 calls;
  guint64 spans;     /* of calls, without the tasks' */
  guint64 marker_ns; /* 0: there is no marker */
  GArray *cpus;      /* of CulpritTimelineCpu */
  GArray *gaps;      /* of CulpritTimelineGap, by CPU and time */
  GPtrArray *lanes;  /* of CulpritTimelineLane, by CPU and depth */
  GArray *tasks;     /* of CulpritTimelineTask */
  GArray *split;     /* calls that are more than their span; private */
} CulpritTimeline;

typedef struct
{
  gint32 pid;
  const char *comm; /* "idle" of pid 0; empty where it is not known */
} CulpritTimelineTask;

/* Reads the capture at @path, and the cycle log beside it if there is one. Blocks; reads CPUs in parallel.
 * NULL with a CULPRIT_CAPTURE_ERROR, or G_IO_ERROR_CANCELLED. */
CulpritTimeline *culprit_timeline_read (const char *path, GCancellable *cancellable, GError **error);

CulpritTimeline *culprit_timeline_ref (CulpritTimeline *timeline);

void culprit_timeline_unref (CulpritTimeline *timeline);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimeline, culprit_timeline_unref)

/* A span, and the call or the visit it belongs to. */
typedef struct
{
  const char *name;   /* of the function; of a task its command */
  const char *module; /* may be empty */
  guint ordinal;      /* as of CulpritFunction */
  CulpritContext context;
  guint cpu;
  int depth;  /* -1: a task */
  gint32 pid; /* of the task that had the CPU */
  const char *comm;
  guint marks;           /* CulpritSpanMarks */
  guint64 span_start_ns; /* the part that the lane shows */
  guint64 span_end_ns;   /* likewise */
  guint64 start_ns;      /* of the whole call, wherever it ran; may lie before the capture */
  guint64 end_ns;        /* likewise */
  guint64 self_ns;       /* of the whole call; of a task what belongs to none of its calls, in this visit */
  guint64 tracing_ns;    /* The part of self_ns that is the tracer's. */
  guint64 off_cpu_ns;    /* The part of it in which its task had no CPU, as far as the capture tells. */
  guint32 spans;         /* How many spans the call has. */
  guint64 span_self_ns;  /* as self_ns, of the span */
  guint64 span_tracing_ns;
} CulpritTimelineCall;

/* Tells what is known of @span of @lane. */
void culprit_timeline_describe (const CulpritTimeline *timeline, guint lane, guint32 span, CulpritTimelineCall *call);

/* How many spans @lane holds. */
guint32 culprit_timeline_lane_spans (const CulpritTimeline *timeline, guint lane);

/* How much of the time of @span of @lane is the tracer's: of what belongs to that span itself, not to calls below. */
guint64 culprit_timeline_span_tracing_ns (const CulpritTimeline *timeline, guint lane, guint32 span);

/* The place among the timeline's CPUs of the one that @lane belongs to. */
guint culprit_timeline_lane_cpu (const CulpritTimeline *timeline, guint lane);

/* The span of @lane at @at_ns; where there is none the longest of those less than @within_ns away, or
 * CULPRIT_TIMELINE_NONE. */
guint32 culprit_timeline_hit (const CulpritTimeline *timeline, guint lane, guint64 at_ns, guint64 within_ns);

/* The span of the lane above that @span was called from: of a call's first level its task's. CULPRIT_TIMELINE_NONE
 * where it is not known. */
guint32 culprit_timeline_caller (const CulpritTimeline *timeline, guint lane, guint32 span);

/* The first span of the lane below that lies within @span. CULPRIT_TIMELINE_NONE where there is none. */
guint32 culprit_timeline_callee (const CulpritTimeline *timeline, guint lane, guint32 span);

/* What a few pixels of a lane show. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;
  guint32 span; /* the one that has most of that time */
  guint32 what; /* its function or task */
  float fill;   /* 1 of a span drawn alone; else how much of that time the lane's spans have, above 0 */
  guint8 marks; /* CulpritSpanMarks of a span drawn alone */
  guint8 context;
  guint8 alone; /* It is all of @span that lies in the range asked for, and nothing else. */
} CulpritTimelineMark;

/* Adds to @marks (of CulpritTimelineMark) what @lane has from @start_ns to @end_ns, of which @pixels are drawn: not
 * more than four for each, in the order of time, not overlapping. A span that is longer than a pixel has a mark of its
 * own, which reaches out of the range where it does; shorter ones share one, unless they stand alone. */
void culprit_timeline_query (
    const CulpritTimeline *timeline, guint lane, guint64 start_ns, guint64 end_ns, guint pixels, GArray *marks);

/* How many calls have a span in the part from @start_ns to @end_ns. */
guint64 culprit_timeline_count (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns);

/* Calls that were searched for. */
typedef struct _CulpritTimelineMatches CulpritTimelineMatches;

/* A place among the spans. */
typedef struct
{
  guint lane;
  guint32 span; /* CULPRIT_TIMELINE_NONE: nowhere */
  guint64 start_ns;
} CulpritTimelinePlace;

/* The calls of functions whose names contain @text, in upper or lower case. */
CulpritTimelineMatches *culprit_timeline_search (const CulpritTimeline *timeline, const char *text);

/* The calls of the function of culprit_function_key() @key. */
CulpritTimelineMatches *culprit_timeline_match (const CulpritTimeline *timeline, const char *key);

void culprit_timeline_matches_free (CulpritTimelineMatches *matches);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimelineMatches, culprit_timeline_matches_free)

guint64 culprit_timeline_matches_calls (const CulpritTimelineMatches *matches);

guint culprit_timeline_matches_functions (const CulpritTimelineMatches *matches);

gboolean culprit_timeline_matches_has (const CulpritTimelineMatches *matches, guint function);

/* The first call that begins behind @place (at the same time: in a lane further down); the span is
 * CULPRIT_TIMELINE_NONE where there is none. */
CulpritTimelinePlace culprit_timeline_matches_next (const CulpritTimelineMatches *matches, CulpritTimelinePlace place);

/* The last one before it. */
CulpritTimelinePlace culprit_timeline_matches_previous (const CulpritTimelineMatches *matches,
                                                        CulpritTimelinePlace place);

/* Which of the calls begins at @place, counted from 1 in the order in which they are gone through; 0: none does. */
guint64 culprit_timeline_matches_rank (const CulpritTimelineMatches *matches, CulpritTimelinePlace place);

/* Adds to @marks, as culprit_timeline_query() does, where @lane has matching spans: at most one mark for each of
 * @pixels, and one for each that is longer. Of one that is shorter only its times and its span are told. */
void culprit_timeline_matches_query (
    const CulpritTimelineMatches *matches, guint lane, guint64 start_ns, guint64 end_ns, guint pixels, GArray *marks);
