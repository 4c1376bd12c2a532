/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was read of a capture, from whatever format: the stream of events of each CPU, and facts. builder-private.h is
 * how a source makes them.
 *
 * The windows are known only after the marker at the very end was read, and the tracer's floor only after every stretch
 * was seen; so events are decoded once, with CPUs in parallel, and then walked over in packed form.
 *
 * Events are packed into four bytes each: twelve million take 50 MB, and touching fresh memory costs more than packing.
 * This is enough because a call usually begins one level below the previous one, and the call that returns is usually
 * the one on top. If not, or if a number does not fit, prefixes before the event contain the rest. */
#pragma once

#include "capture/capture.h"

typedef guint32 PackedWord; /* an event, or a prefix of one */

/* The upper two bits of a word. */
typedef enum
{
  PACKED_ENTRY, /* function (14 bits), ns since the previous event in the same visit (16) */
  PACKED_EXIT,  /* ns since the previous event (30) */
  PACKED_OTHER, /* Any other event; ns since the previous event (30). */
  PACKED_PREFIX /* Not an event, but information about the next one: its type (3 bits) and a value (27). */
} PackedKind;

typedef enum
{
  PREFIX_CONTEXT, /* This and all following events have these INTERRUPT_ bits. */
  PREFIX_SKIP,    /* More ns since the previous event; 27 bits at a time, highest bits first. */
  PREFIX_LASTED,  /* How long the call that ends took by its own account, in ns; as above. */
  PREFIX_PLACE    /* The call's function (18 bits) and depth (9). */
} PrefixKind;

#define PACKED_KIND_SHIFT 30
#define PACKED_DELTA_BITS 30
#define PACKED_ENTRY_DELTA_BITS 16
#define PACKED_ENTRY_FUNCTION_BITS 14
#define PREFIX_KIND_SHIFT 27
#define PREFIX_VALUE_BITS 27
#define PREFIX_DEPTH_BITS 9
#define MAX_DEPTH ((1u << PREFIX_DEPTH_BITS) - 1)
#define MAX_FUNCTIONS (1u << (PREFIX_VALUE_BITS - PREFIX_DEPTH_BITS))
/* Unpacks the events of a visit. */
typedef struct
{
  const PackedWord *next;
  const PackedWord *end;
  guint64 now_ns;    /* of the event */
  guint64 lasted_ns; /* for an exit: by its own account; 0: not known */
  PackedKind kind;   /* never PACKED_PREFIX */
  guint64 skip_ns;   /* from prefixes */
  guint32 function;  /* of an entry, or an exit with a place; numbered as in the stream */
  guint depth;       /* if placed */
  gboolean placed;   /* FALSE: an entry is one level below the top, and an exit is that of the call on top. */
  guint8 interrupts;
} EventReader;

static inline void
event_reader_prefix (EventReader *reader, PackedWord word)
{
  guint32 value = word & ((1u << PREFIX_VALUE_BITS) - 1);

  switch ((PrefixKind) (word >> PREFIX_KIND_SHIFT & 7))
    {
    case PREFIX_CONTEXT:
      reader->interrupts = value;
      break;
    case PREFIX_SKIP:
      reader->skip_ns = reader->skip_ns << PREFIX_VALUE_BITS | value;
      break;
    case PREFIX_LASTED:
      reader->lasted_ns = reader->lasted_ns << PREFIX_VALUE_BITS | value;
      break;
    case PREFIX_PLACE:
      reader->placed = TRUE;
      reader->function = value >> PREFIX_DEPTH_BITS;
      reader->depth = value & MAX_DEPTH;
      break;
    }
}

/* Advances to the next event; FALSE at the end of the visit. */
static inline __attribute__ ((always_inline)) gboolean
event_reader_next (EventReader *reader)
{
  reader->placed = FALSE;
  reader->lasted_ns = 0;
  reader->skip_ns = 0;
  while (reader->next < reader->end)
    {
      PackedWord word = *reader->next++;
      guint32 delta_ns = word & ((1u << PACKED_DELTA_BITS) - 1);

      reader->kind = word >> PACKED_KIND_SHIFT;
      if (G_UNLIKELY (reader->kind == PACKED_PREFIX))
        {
          event_reader_prefix (reader, word);
          continue;
        }
      if (reader->kind == PACKED_ENTRY)
        {
          if (G_LIKELY (!reader->placed))
            reader->function = delta_ns >> PACKED_ENTRY_DELTA_BITS;
          delta_ns &= (1u << PACKED_ENTRY_DELTA_BITS) - 1;
        }
      reader->now_ns += delta_ns + reader->skip_ns;
      return TRUE;
    }
  return FALSE;
}

/* The next function event of the reader's visit, and its @depth. @open: how many calls are open, as far as the visit
 * shows, which is 0 at its beginning. */
static inline gboolean
event_reader_next_call (EventReader *reader, guint *open, guint *depth)
{
  while (event_reader_next (reader))
    if (reader->kind <= PACKED_EXIT)
      {
        *depth = reader->placed ? reader->depth : *open - (reader->kind == PACKED_EXIT);
        *open = *depth + (reader->kind == PACKED_ENTRY);
        return TRUE;
      }
  return FALSE;
}

/* The events of a CPU. */
typedef struct
{
  PackedWord *data;
  gsize n;
  gsize capacity;
} PackedEvents;

/* The interrupt part of an event's common_flags. */
enum
{
  INTERRUPT_HARD = 0x08,
  INTERRUPT_SOFT = 0x10,
  INTERRUPT_NMI = 0x40,
  INTERRUPT_BITS = INTERRUPT_HARD | INTERRUPT_SOFT | INTERRUPT_NMI,
};

#define NOBODY (-1) /* no task */

/* A task on a CPU, from its first event there to the last one before another task appears or events were lost. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns; /* of its last event */
  gsize first;    /* in the words of the stream */
  gsize n_words;
  gint32 pid;
  guint16 stream;     /* its index among the streams */
  guint8 interrupts;  /* INTERRUPT_ bits at its start */
  guint8 after_loss;  /* Events were lost just before it. */
  guint8 came_unseen; /* Its first event is none of the file's: its task came with the last one before. */
  guint16 deepest;    /* A minimum: calls may be seen without their callers. */
} Visit;

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

/* How a task leaves a CPU. */
typedef enum
{
  LEFT_RUNNABLE, /* It could go on: another one was preferred. */
  LEFT_ASLEEP,   /* in the state S, or its state is not known */
  LEFT_BLOCKED,  /* in another one, as D */
} HowLeft;

#define UNKNOWN_CPU G_MAXUINT16

/* A sched_switch or sched_waking event. */
typedef struct
{
  guint64 at_ns;
  gint32 pid;      /* of the task that gets the CPU, or that is woken */
  gint32 left_pid; /* of the task that leaves the CPU, or that wakes it */
  gint16 priority; /* of the former, as counted by the kernel; -1: not known */
  gint16 left_priority;
  guint16 ran_on;    /* where the task that is woken was last, or UNKNOWN_CPU */
  guint8 waking : 1; /* No task leaves. */
  guint8 left : 2;   /* HowLeft */
  guint8 interrupts; /* INTERRUPT_ bits: an interrupt wakes it. */
} Scheduling;

/* What an event that only some windows need tells of. */
typedef enum
{
  NOTED_TIMER_START, /* object: the timer; value: when it expires; function: the address of what it calls */
  NOTED_TIMER_CANCEL,
  NOTED_MIGRATION, /* object: the pid; value: the CPU to whose run queue it goes */
  NOTED_BEGIN,     /* of a window; value: its key */
  NOTED_END,
} NotedKind;

typedef struct
{
  guint64 at_ns;
  guint64 object;
  guint64 value;
  guint64 function;
  gint32 pid; /* of the task that the CPU was running */
  guint8 kind;
  guint8 interrupts; /* INTERRUPT_ bits */
} Noted;

/* The kinds of stretches between two function events, each with its own floor. */
enum
{
  STRETCH_ENTRY_ENTRY,
  STRETCH_ENTRY_EXIT,
  STRETCH_EXIT_ENTRY,
  STRETCH_EXIT_EXIT,
  STRETCH_KINDS,
};

#define MAX_PREEMPT_DEPTH 15 /* Deeper ones read as this. */

/* What may be held on a CPU. */
enum
{
  HELD_INTERRUPTS, /* They are disabled. */
  HELD_PREEMPTION, /* likewise */
  HELD_KINDS,
};

/* The bits of what is held: one for each of these, INTERRUPT_HARD, and these. */
#define HELD_LOST 0x80    /* Events were lost: nothing is known of the time until the next one. */
#define HELD_UNNAMED 0x40 /* The interrupt that disabled interrupts has not called its handler yet. */
#define HELD_WANTED 0x20  /* Another task is to run: need-resched is set. */

/* A function on top of a CPU between two function events, and its caller: numbers of the stream plus one, or one of
 * these. */
#define HELD_UNKNOWN 0
#define HELD_NOTHING G_MAXUINT32 /* The stack is empty. */
typedef struct
{
  guint32 function;
  guint32 caller;
} HeldBy;

/* A section: a time in which interrupts or preemption were disabled at every function event of a CPU. An interrupt
 * begins another one: they were enabled when it came. */
typedef struct
{
  guint64 start_ns; /* the first of these events */
  guint64 end_ns;   /* the last of them */
  guint64 gap_ns;   /* from the event before them to the first, and from the last to the one after them */
  guint64 first;    /* number of the first among the function events of the stream */
  guint64 stretches[STRETCH_KINDS]; /* how many of each kind are in it, */
  guint64 waiting[STRETCH_KINDS];   /* and from the time on when another task was to run: */
  guint64 wanted_ns;                /* of the first of these events that says so; 0: none */
  HeldBy opened;
  HeldBy closed;
  guint8 kind;
  guint8 interrupts; /* INTERRUPT_ bits of the first */
} Hold;

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
  Marker marker;           /* the CPU's first */
  GArray *scheduling;      /* of Scheduling, in order of time */
  GArray *noted;           /* of Noted, likewise; NULL: none */
  GArray *holds;           /* of Hold, by their ends: those of at least HOLD_LEAST_NS */
  guint8 tracers_depth[2]; /* what the tracer adds to the preempt depth that entries, and exits, read */
  guint64 overwritten;     /* events older than the first one kept, by the kernel's own count */
  guint64 dropped;         /* likewise, for which there was no room after the last one */
  gboolean idle_seen;      /* Its idle task came and showed itself; */
  gboolean idle_unseen;    /* did not: it ran without its functions being traced. */
  gboolean others_unseen;  /* The same of another task. */
  gboolean several_seen;   /* Several other tasks showed themselves; */
  gint32 seen;             /* the last that did; NOBODY: none */
  gboolean begins_lost;    /* Events before the first one are known to be lost. */
} Stream;

#define MARKER_TEXT "hit latency threshold ("

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
