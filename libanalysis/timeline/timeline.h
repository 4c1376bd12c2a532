/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of a capture: every call on every CPU, in lanes by depth, ready to be drawn at any scale.
 *
 * A lane contains spans that never overlap, in order of time. The first lane of a CPU shows which task held it; the
 * others contain the calls at depth 0, 1... A call whose task was switched out and came back is shown where it was on a
 * CPU, as one span per visit. Times are nanoseconds on the capture's clock.
 *
 * A timeline does not change after it was read, and may be used by several threads. */
#pragma once

#include "capture/capture.h"

/* No span. */
#define CULPRIT_TIMELINE_NONE G_MAXUINT32

/* How a span relates to its call. */
typedef enum
{
  CULPRIT_SPAN_HEAD = 1, /* The call began before the first event of its task: its start is inferred, or unknown. */
  CULPRIT_SPAN_CUT = 2,  /* The call's exit is missing. */
  CULPRIT_SPAN_CONTINUED = 4, /* Its task came back: an earlier span belongs to the same call. */
  CULPRIT_SPAN_CONTINUES = 8, /* Its task was switched out: the call continues. */
} CulpritSpanMarks;

typedef struct
{
  guint cpu;
  guint64 first_ns; /* its first event */
  guint64 last_ns;
  guint first_lane; /* for its tasks; those for calls follow */
  guint n_lanes;    /* one more than the maximum depth of calls */
} CulpritTimelineCpu;

/* A time range of a CPU that the capture does not cover. */
typedef struct
{
  guint cpu; /* its index in the timeline */
  guint64 start_ns;
  guint64 end_ns;
  gboolean lost; /* Events were lost; else the gap is before or after the CPU's events. */
} CulpritTimelineGap;

/* A stretch without any event on a CPU: at least a tenth of the late wake-up's latency, and 10 us; without a late
 * wake-up, 100 us. Nothing that ran in it was traced. An idle CPU and user mode are silent by nature, so that they
 * count only in the late wake-up, on its CPU. */
typedef struct
{
  guint cpu;  /* its index in the timeline */
  guint lane; /* of the call it belongs to, or of the task */
  guint64 start_ns;
  guint64 end_ns;
} CulpritTimelineSilence;

typedef struct _CulpritTimelineLane CulpritTimelineLane;

typedef struct
{
  gint ref_count;
  CulpritCapture *capture; /* Its functions by name, windows, clock and host; no costs. */
  guint64 first_ns;        /* of what it shows: all events and windows */
  guint64 last_ns;
  guint64 calls;
  guint64 spans;     /* of calls, excluding the tasks' */
  guint64 marker_ns; /* 0: there is no marker */
  GArray *cpus;      /* of CulpritTimelineCpu */
  GArray *gaps;      /* of CulpritTimelineGap, by CPU and time */
  GArray *silences;  /* of CulpritTimelineSilence, likewise */
  GPtrArray *lanes;  /* of CulpritTimelineLane, by CPU and depth */
  GArray *tasks;     /* of CulpritTimelineTask */
  GArray *stays;  /* of CulpritTimelineStay: those of the task in the late window, in order of time; none of cycles */
  char *measured; /* the name of the task whose late window it is, "myloop-107"; NULL if there is none, and of cycles */
  char *waker;    /* what woke it for that, "an interrupt"; NULL if that is not known */
  GArray *split;  /* calls with more than one span; private */
} CulpritTimeline;

typedef struct
{
  gint32 pid;
  const char *comm; /* "idle" for pid 0; empty if it is not known */
} CulpritTimelineTask;

/* A part of the late window of a program: what its task does, or who keeps it from that. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;
  CulpritContext context; /* measured: it runs; another task or idle, which has its CPU; or it is blocked */
  gboolean due;           /* It is asleep, but it is time to wake it. */
  guint cpu;              /* not of blocked time */
  char *who; /* the task that has its CPU, "holder-108", or ends its blocked time; "" if that is not known */
  char *in;  /* the call in which it is blocked, or "" */
} CulpritTimelineStay;

/* Reads the capture at @path, and the log beside it if there is one. @definition: what its windows are, and
 * @threshold_ns the late one's, as in CulpritCaptureOptions. Blocks; reads CPUs in parallel. NULL with a
 * CULPRIT_CAPTURE_ERROR, or G_IO_ERROR_CANCELLED. */
CulpritTimeline *culprit_timeline_read (
    const char *path, const char *definition, guint64 threshold_ns, GCancellable *cancellable, GError **error);
CulpritTimeline *culprit_timeline_ref (CulpritTimeline *timeline);
void culprit_timeline_unref (CulpritTimeline *timeline);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimeline, culprit_timeline_unref)

/* A span, and the call or the visit it belongs to. */
typedef struct
{
  const char *name;   /* of the function; for a task its command */
  const char *module; /* may be empty */
  guint ordinal;      /* as in CulpritFunction */
  CulpritContext context;
  guint cpu;
  int depth;  /* -1 for a task */
  gint32 pid; /* of the task that held the CPU */
  const char *comm;
  guint marks;           /* CulpritSpanMarks */
  guint64 span_start_ns; /* the part shown in the lane */
  guint64 span_end_ns;   /* likewise */
  guint64 start_ns;      /* of the whole call, wherever it ran; may be before the capture */
  guint64 end_ns;        /* likewise */
  guint64 self_ns;       /* of the whole call; for a task what belongs to none of its calls, in this visit */
  guint64 tracing_ns;    /* The part of self_ns that is the tracer's. */
  guint64 off_cpu_ns;    /* The part in which its task was off-CPU, as far as the capture shows. */
  guint32 spans;         /* The number of spans of the call. */
  guint64 span_self_ns;  /* like self_ns, for the span */
  guint64 span_tracing_ns;
} CulpritTimelineCall;

/* Describes @span of @lane. */
void culprit_timeline_describe (const CulpritTimeline *timeline, guint lane, guint32 span, CulpritTimelineCall *call);

/* Whether @lane shows calls rather than tasks. */
gboolean culprit_timeline_lane_has_calls (const CulpritTimeline *timeline, guint lane);

/* The number of spans in @lane. */
guint32 culprit_timeline_lane_spans (const CulpritTimeline *timeline, guint lane);

/* The tracer's part of the time of @span of @lane: of what belongs to that span itself, not to calls below. */
guint64 culprit_timeline_span_tracing_ns (const CulpritTimeline *timeline, guint lane, guint32 span);

/* The index among the timeline's CPUs of the one that @lane belongs to. */
guint culprit_timeline_lane_cpu (const CulpritTimeline *timeline, guint lane);

/* The span of @lane at @at_ns; if there is none, the longest of those less than @within_ns away, or
 * CULPRIT_TIMELINE_NONE. */
guint32 culprit_timeline_hit (const CulpritTimeline *timeline, guint lane, guint64 at_ns, guint64 within_ns);

/* The span in the lane above from which @span was called; for a call at depth 0, its task's. CULPRIT_TIMELINE_NONE if
 * it is not known. */
guint32 culprit_timeline_caller (const CulpritTimeline *timeline, guint lane, guint32 span);

/* The first span of the lane below that lies within @span. CULPRIT_TIMELINE_NONE if there is none. */
guint32 culprit_timeline_callee (const CulpritTimeline *timeline, guint lane, guint32 span);

/* What a few pixels of a lane show. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;
  guint32 span; /* the one with most of that time */
  guint32 what; /* its function or task */
  float fill;   /* 1 for a span drawn alone; else the share of that time covered by the lane's spans, above 0 */
  guint8 marks; /* CulpritSpanMarks for a span drawn alone */
  guint8 context;
  guint8 alone; /* It shows nothing but the part of @span that lies in the requested range. */
} CulpritTimelineMark;

/* Adds to @marks (of CulpritTimelineMark) what @lane shows from @start_ns to @end_ns in @pixels: at most four marks per
 * pixel, in order of time, not overlapping. A span longer than a pixel has its own mark, which may extend beyond the
 * range; shorter ones share one, unless they stand alone. */
void culprit_timeline_query (
    const CulpritTimeline *timeline, guint lane, guint64 start_ns, guint64 end_ns, guint pixels, GArray *marks);

/* The silence with the longest part in the late wake-up; without one there, the longest of all. NULL if there is none.
 */
const CulpritTimelineSilence *culprit_timeline_longest_silence (const CulpritTimeline *timeline);

/* Several spans of a lane taken together. */
typedef struct
{
  guint64 spans;
  guint64 calls;    /* that begin with one of them */
  guint64 total_ns; /* their lengths */
  guint32 what;     /* the function or task of all of them; CULPRIT_TIMELINE_NONE: of several */
} CulpritTimelineSum;

/* Its name, such as "holder-108". The caller owns it. */
char *culprit_timeline_task_label (const CulpritTimelineTask *task);

/* "preempted by holder-108 on CPU 0", and the same of all of the late window: "myloop-107: runs on CPU 0 for 40.0 us;
 * ..."; NULL if there are no stays. The caller owns it. */
char *culprit_timeline_stay_in_words (const CulpritTimelineStay *stay);
char *culprit_timeline_stays_in_words (const CulpritTimeline *timeline);

/* Adds up the spans of @lane that lie wholly between @start_ns and @end_ns. */
CulpritTimelineSum culprit_timeline_sum (const CulpritTimeline *timeline, guint lane, guint64 start_ns, guint64 end_ns);

/* What a function did in a range of time. */
typedef struct
{
  guint32 function;   /* its number in the capture; CULPRIT_FUNCTION_USER and CULPRIT_FUNCTION_IDLE for tasks outside of
                         calls */
  guint64 calls;      /* that were on a CPU in the range, if only in part */
  guint64 self_ns;    /* the part of their own time in it */
  guint64 tracing_ns; /* the tracer's part of that; of a call at an edge of the range in proportion */
  guint64 total_ns; /* from entry to exit, while on a CPU in the range; of recursive calls only the outermost counts */
} CulpritTimelineTotal;

/* The functions of all CPUs from @start_ns to @end_ns (of CulpritTimelineTotal), most untraced own time first. Their
 * own times add up to the range on every CPU, less what was not captured. The caller owns the array. NULL if
 * @cancellable was cancelled. */
GArray *culprit_timeline_totals (const CulpritTimeline *timeline,
                                 guint64 start_ns,
                                 guint64 end_ns,
                                 GCancellable *cancellable);

/* The events of a timeline in order of time: entries and exits of functions, and changes of tasks. They are found from
 * the spans, so that twelve million of them take no more memory. */
typedef enum
{
  CULPRIT_EVENT_ENTRY,
  CULPRIT_EVENT_EXIT,
  CULPRIT_EVENT_SWITCH, /* A task got the CPU. */
} CulpritTimelineEventKind;

typedef struct
{
  guint64 at_ns;
  guint lane;
  guint32 span; /* of the call, or the task's visit */
  CulpritTimelineEventKind kind;
} CulpritTimelineEvent;

typedef struct _CulpritTimelineEvents CulpritTimelineEvents;

/* Takes a reference to @timeline. */
CulpritTimelineEvents *culprit_timeline_events_new (CulpritTimeline *timeline);
void culprit_timeline_events_free (CulpritTimelineEvents *events);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimelineEvents, culprit_timeline_events_free)

guint64 culprit_timeline_events_count (const CulpritTimelineEvents *events);

/* How many events are before @at_ns. */
guint64 culprit_timeline_events_before (const CulpritTimelineEvents *events, guint64 at_ns);

/* Adds to @read (of CulpritTimelineEvent) up to @count events from number @first on, counted from 0. */
void culprit_timeline_events_read (const CulpritTimelineEvents *events, guint64 first, guint count, GArray *read);

/* The number of calls that have a span between @start_ns and @end_ns. */
guint64 culprit_timeline_count (const CulpritTimeline *timeline, guint64 start_ns, guint64 end_ns);

/* The results of a search for calls. */
typedef struct _CulpritTimelineMatches CulpritTimelineMatches;

/* A position among the spans. */
typedef struct
{
  guint lane;
  guint32 span; /* CULPRIT_TIMELINE_NONE: not set */
  guint64 start_ns;
} CulpritTimelinePlace;

/* The calls of functions whose names contain @text, ignoring case. */
CulpritTimelineMatches *culprit_timeline_search (const CulpritTimeline *timeline, const char *text);

/* The calls of the function with the culprit_function_key() @key. */
CulpritTimelineMatches *culprit_timeline_match (const CulpritTimeline *timeline, const char *key);
void culprit_timeline_matches_free (CulpritTimelineMatches *matches);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimelineMatches, culprit_timeline_matches_free)

guint64 culprit_timeline_matches_calls (const CulpritTimelineMatches *matches);
guint culprit_timeline_matches_functions (const CulpritTimelineMatches *matches);
gboolean culprit_timeline_matches_has (const CulpritTimelineMatches *matches, guint function);

/* The first call that begins after @place (or at the same time, in a lane further down); its span is
 * CULPRIT_TIMELINE_NONE if there is none. */
CulpritTimelinePlace culprit_timeline_matches_next (const CulpritTimelineMatches *matches, CulpritTimelinePlace place);

/* The last one before it. */
CulpritTimelinePlace culprit_timeline_matches_previous (const CulpritTimelineMatches *matches,
                                                        CulpritTimelinePlace place);

/* Which of the calls begins at @place, counted from 1 in the order of the search; 0: none does. */
guint64 culprit_timeline_matches_rank (const CulpritTimelineMatches *matches, CulpritTimelinePlace place);

/* Adds up the matching spans of @lane that lie wholly between @start_ns and @end_ns. */
CulpritTimelineSum culprit_timeline_matches_sum (const CulpritTimelineMatches *matches,
                                                 guint lane,
                                                 guint64 start_ns,
                                                 guint64 end_ns);

/* Adds to @marks, like culprit_timeline_query(), the matching spans of @lane: at most one mark per pixel, and one for
 * each longer span. For shorter ones only times and span are set. */
void culprit_timeline_matches_query (
    const CulpritTimelineMatches *matches, guint lane, guint64 start_ns, guint64 end_ns, guint pixels, GArray *marks);

/* Facts about one call of a timeline besides its own times: when it was, who called it, and what it called. */

/* All calls of one function that a call made. */
typedef struct
{
  const CulpritFunction *function;
  guint64 calls;
  guint64 total_ns; /* from entry to exit, while the span was on the CPU */
  CulpritTimelinePlace longest;
} CulpritTimelineCallee;

typedef struct
{
  CulpritTimelineCall call;
  guint64 length_ns;           /* of the whole call */
  guint64 untraced_ns;         /* its untraced own time */
  gboolean has_expected;       /* There is a late wake-up, so that the next is known. */
  gint64 from_expected_ns;     /* from the expected time of that to the call's start */
  CulpritTimelinePlace caller; /* for a call at depth 0 the task */
  GArray *callees;             /* of CulpritTimelineCallee, most time first */
  guint64 other_ns;            /* the rest of the time of everything that it called */
} CulpritTimelineFacts;

/* For the call or the task at @place, with at most @most called functions. */
CulpritTimelineFacts *culprit_timeline_facts (const CulpritTimeline *timeline,
                                              const CulpritTimelinePlace *place,
                                              guint most);
void culprit_timeline_facts_free (CulpritTimelineFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CulpritTimelineFacts, culprit_timeline_facts_free)
