/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane of a timeline: spans of 24 bytes in order of time, and an index for drawing many of them in few pixels. */
#pragma once

#include "timeline.h"

#define WHAT_BITS 22
#define WHAT_MASK ((1u << WHAT_BITS) - 1)
#define CONTEXT_SHIFT WHAT_BITS
#define MARKS_SHIFT (WHAT_BITS + 3)
#define LONG_NS G_MAXUINT32 /* Marks a number that does not fit in a span: see the lane's long spans. */
#define BLOCK_SPANS 64
#define MAX_BUCKETS (1u << 16)

typedef struct
{
  guint64 start_ns;
  guint32 length_ns;
  guint32 what; /* function or task, context, marks */
  guint32 self_ns;
  guint32 tracing_ns;
} Span;

/* A span longer than 32 bits can hold. */
typedef struct
{
  guint32 span;
  guint64 length_ns;
  guint64 self_ns;
  guint64 tracing_ns;
} LongSpan;

/* A call that is more than one span: it has several, or began before the capture. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;
  guint64 self_ns;
  guint64 tracing_ns;
  guint64 off_cpu_ns;
  guint32 spans;
  guint32 last_span;
  CulpritTimelineLane *last_lane;
} SplitCall;

/* A span of such a call, with its index in the timeline's array of these. */
typedef struct
{
  guint32 span;
  guint32 call;
} SplitRef;

/* A summary of a piece of a lane, which is a time range or a number of spans. */
typedef struct
{
  guint32 dominant; /* The span with the longest part in it, the first if several are; CULPRIT_TIMELINE_NONE: it is
                       empty. */
  float covered_ns;
  guint32 what;      /* That span's: a copy, as the span is far away in memory. */
  guint32 length_ns; /* likewise */
} Piece;

/* BLOCK_SPANS spans, with sums from the lane's first span on, so that the sum of any of them takes two blocks. */
typedef struct
{
  Piece piece;       /* by their whole lengths */
  guint32 what;      /* the function of all of them; CULPRIT_TIMELINE_NONE: of several */
  guint32 same_from; /* the first block from which on all spans up to here are of that function */
  guint64 calls;     /* that begin with a span before this block */
  guint64 total_ns;  /* of the lengths of these */
} Block;

struct _CulpritTimelineLane
{
  guint cpu;
  int depth;
  GArray *spans;       /* of Span */
  GArray *long_spans;  /* of LongSpan, in order */
  GArray *splits;      /* of SplitRef, in order */
  guint64 last_end_ns; /* while it is being filled */

  Block *blocks;
  guint levels;      /* of buckets; 0: there are too few spans to need them */
  Piece **buckets;   /* by level, finest first, each with half as many */
  guint64 origin_ns; /* beginning of bucket 0 */
  guint64 bucket_ns; /* length of those of level 0 */
  guint n_buckets;   /* of level 0 */
};

typedef struct _CulpritTimelineLane Lane;

/* Fills the stays of @timeline, whose lanes are indexed. */
void timeline_find_stays (CulpritTimeline *timeline);

/* Frees what a stay holds. */
void stay_clear (gpointer stay);

/* An empty timeline, which takes ownership of @capture. */
CulpritTimeline *timeline_new (CulpritCapture *capture);
Lane *lane_new (guint cpu, int depth);
void lane_free (Lane *lane);

/* Appends a span. The part that would overlap the previous one is left out. Returns its number. */
guint32 lane_add (Lane *lane, guint64 start_ns, guint64 end_ns, guint32 what, guint64 self_ns, guint64 tracing_ns);

/* Builds the index for queries, once all spans are added. The timeline is from @first_ns to @last_ns. */
void lane_index (Lane *lane, guint64 first_ns, guint64 last_ns);
const LongSpan *lane_find_long (const Lane *lane, guint32 span);

/* Which call @span belongs to, if the call is more than that span; else NULL. */
const SplitRef *lane_find_split (const Lane *lane, guint32 span);

/* The first span from @from on that ends after @at_ns; the number of spans if there is none. */
guint32 lane_first_ending_after (const Lane *lane, guint32 from, guint64 at_ns);

/* The first span from @from on that starts at or after @at_ns, likewise. Fast if it is near. */
guint32 lane_first_from (const Lane *lane, guint32 from, guint64 at_ns);

/* Summarises the spans from @first to before @end, by their whole lengths. */
Piece lane_sum (const Lane *lane, guint32 first, guint32 end);

static inline const Span *
lane_span (const Lane *lane, guint32 span)
{
  return &g_array_index (lane->spans, Span, span);
}

static inline guint64
lane_length_ns (const Lane *lane, guint32 span)
{
  const Span *found = lane_span (lane, span);

  return G_LIKELY (found->length_ns != LONG_NS) ? found->length_ns : lane_find_long (lane, span)->length_ns;
}

static inline guint64
lane_end_ns (const Lane *lane, guint32 span)
{
  return lane_span (lane, span)->start_ns + lane_length_ns (lane, span);
}

/* All numbers of @span, however long it is. */
static inline LongSpan
lane_numbers (const Lane *lane, guint32 span)
{
  const Span *found = lane_span (lane, span);

  return found->length_ns == LONG_NS ? *lane_find_long (lane, span)
                                     : (LongSpan) { span, found->length_ns, found->self_ns, found->tracing_ns };
}

static inline guint32
span_what (const Span *span)
{
  return span->what & WHAT_MASK;
}

static inline CulpritContext
what_context (guint32 what)
{
  return what >> CONTEXT_SHIFT & 7;
}

static inline CulpritContext
span_context (const Span *span)
{
  return what_context (span->what);
}

static inline guint
span_marks (const Span *span)
{
  return span->what >> MARKS_SHIFT;
}

/* Whether the span counts as a call: it is the first one of it. */
static inline gboolean
span_begins (const Span *span)
{
  return !(span_marks (span) & CULPRIT_SPAN_CONTINUED);
}
