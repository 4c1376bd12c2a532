/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CPU's events, packed, and divided into visits of tasks.
 *
 * The windows are known only after the marker at the very end was read, and the tracer's floor only after every stretch
 * was seen; so events are decoded once, with CPUs in parallel, and then walked over in packed form. */
#pragma once

#include "formats-private.h"
#include "packed-events-private.h"

/* The interrupt part of an event's common_flags. */
enum
{
  INTERRUPT_HARD = 0x08,
  INTERRUPT_SOFT = 0x10,
  INTERRUPT_NMI = 0x40,
  INTERRUPT_BITS = INTERRUPT_HARD | INTERRUPT_SOFT | INTERRUPT_NMI,
};

/* A task on a CPU, from its first event there to the last one before another task appears or events were lost. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns; /* of its last event */
  gsize first;    /* in the words of the stream */
  gsize n_words;
  gint32 pid;
  guint16 stream;    /* its index among the streams */
  guint8 interrupts; /* INTERRUPT_ bits at its start */
  guint8 after_loss; /* Events were lost just before it. */
  guint16 deepest;   /* A minimum: calls may be seen without their callers. */
} Visit;

/* The kinds of stretches between two function events, each with its own floor. */
enum
{
  STRETCH_ENTRY_ENTRY,
  STRETCH_ENTRY_EXIT,
  STRETCH_EXIT_ENTRY,
  STRETCH_EXIT_EXIT,
  STRETCH_KINDS,
};

/* Longer stretches say nothing about the cost of tracing. Each CPU counts shorter ones by length; a fuzzer, whose
 * captures are tiny, would otherwise spend most of its time on these tables. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define FLOOR_LIMIT_NS 256
#else
#define FLOOR_LIMIT_NS 65536
#endif

#define FLOOR_MIN_STRETCHES 100

/* A latency marker. */
typedef struct
{
  char *text; /* NULL: there is none */
  guint64 at_ns;
  gint32 pid; /* of the thread that wrote it */
  guint cpu;
} Marker;

/* The number of events with an id. */
typedef struct
{
  guint16 id;
  guint64 count;
} EventTally;

typedef struct
{
  guint cpu;
  PackedEvents packed;
  GArray *visits;     /* of Visit */
  GArray *addresses;  /* of guint64, indexed by the function in packed events */
  guint32 *functions; /* from the function in packed events to the capture's; filled after all CPUs were read */
  guint64 events;
  guint64 function_events;
  guint64 losses;
  guint64 lost_events; /* a loss of unknown size counts as one */
  GArray *counts;      /* of EventTally, by ascending id, without zeros */
  guint64 floors_ns[STRETCH_KINDS];
  Marker marker;          /* the CPU's first */
  GHashTable *priorities; /* pid -> the kernel's priority plus one, from the last sched_switch; NULL: not recorded */
} Stream;

#define MARKER_TEXT "hit latency threshold ("

void stream_free (Stream *stream);

/* Unpacks the events of a visit, which must be one of @stream. */
static inline EventReader
stream_events (const Stream *stream, const Visit *visit)
{
  const PackedWord *first = stream->packed.data + visit->first;

  return (EventReader) {
    .next = first, .end = first + visit->n_words, .now_ns = visit->start_ns, .interrupts = visit->interrupts
  };
}

static inline guint64
stream_first_ns (const Stream *stream)
{
  return stream->visits->len > 0 ? g_array_index (stream->visits, Visit, 0).start_ns : 0;
}

static inline guint64
stream_last_ns (const Stream *stream)
{
  return stream->visits->len > 0 ? g_array_index (stream->visits, Visit, stream->visits->len - 1).end_ns : 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stream, stream_free)
