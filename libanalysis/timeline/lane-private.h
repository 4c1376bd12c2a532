/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lane of a timeline: spans of 24 bytes in order of time, and what lets few pixels show many of them. */
#pragma once

#include "timeline.h"

#define WHAT_BITS 22
#define WHAT_MASK ((1u << WHAT_BITS) - 1)
#define CONTEXT_SHIFT WHAT_BITS
#define MARKS_SHIFT (WHAT_BITS + 3)
#define LONG_NS G_MAXUINT32 /* A number of a span that does not fit: see the lane's long spans. */
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

/* A span that is longer than 32 bits tell. */
typedef struct
{
  guint32 span;
  guint64 length_ns;
  guint64 self_ns;
  guint64 tracing_ns;
} LongSpan;

/* A call that is more than its span: it has several, or began before the capture. */
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

/* A span of such a call, by its place among the timeline's. */
typedef struct
{
  guint32 span;
  guint32 call;
} SplitRef;

/* What a piece of a lane comes to, be it a stretch of time or a number of spans. */
typedef struct
{
  guint32 dominant; /* The span with the longest part in it, the first of equals; CULPRIT_TIMELINE_NONE: it is empty. */
  float covered_ns;
  guint32 what;      /* That span's: it lies far off in memory. */
  guint32 length_ns; /* likewise */
} Piece;

struct _CulpritTimelineLane
{
  guint cpu;
  int depth;
  GArray *spans;       /* of Span */
  GArray *long_spans;  /* of LongSpan, in their order */
  GArray *splits;      /* of SplitRef, in their order */
  guint64 last_end_ns; /* while it is being filled */

  Piece *blocks;     /* of BLOCK_SPANS spans each, by whole lengths */
  guint levels;      /* of buckets; 0: there are too few spans to need any */
  Piece **buckets;   /* by level, the finest first, each having half as many */
  guint64 origin_ns; /* where bucket 0 begins */
  guint64 bucket_ns; /* how long those of level 0 are */
  guint n_buckets;   /* of level 0 */
};

typedef struct _CulpritTimelineLane Lane;

/* An empty timeline, which takes @capture over. */
CulpritTimeline *timeline_new (CulpritCapture *capture);

Lane *lane_new (guint cpu, int depth);

void lane_free (Lane *lane);

/* Adds a span behind the others. What would overlap the previous one is left out of it. Returns its number. */
guint32 lane_add (Lane *lane, guint64 start_ns, guint64 end_ns, guint32 what, guint64 self_ns, guint64 tracing_ns);

/* Builds what queries need, once all spans are there. The timeline is from @first_ns to @last_ns. */
void lane_index (Lane *lane, guint64 first_ns, guint64 last_ns);

const LongSpan *lane_find_long (const Lane *lane, guint32 span);

/* The first span from @from on that ends behind @at_ns; the number of spans if there is none. */
guint32 lane_first_ending_after (const Lane *lane, guint32 from, guint64 at_ns);

/* The first span from @from on that starts at @at_ns or later, likewise. Fast where it is near. */
guint32 lane_first_from (const Lane *lane, guint32 from, guint64 at_ns);

/* What the spans from @first to before @end come to, by their whole lengths. */
Piece lane_sum (const Lane *lane, guint32 first, guint32 end);

/* Notes in @piece what is asked for most of its dominant. */
void lane_note_dominant (const Lane *lane, Piece *piece);

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

/* Whether it counts as a call: the first span of one. */
static inline gboolean
span_begins (const Span *span)
{
  return !(span_marks (span) & CULPRIT_SPAN_CONTINUED);
}
