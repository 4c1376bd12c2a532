/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a capture is made from a file: the manual for adding a format.
 *
 * A source is a function that reads one format. So far there is one, trace_dat_read() for the files of trace-cmd, which
 * read_input(), in session.c, calls whatever a file begins with. It is to call that of another format before it, if the
 * first bytes say so, by which is_capture(), in study/import/import-files.c, also has to find such files in a folder.
 * trace_dat_read() stays last: its error NOT_A_TRACE lets the import try the file as another tool's result. A source
 *
 * 1. fills in what the file knows of the facts in Session (session-private.h), which it owns from then on;
 * 2. makes a Builder for each CPU, calls one of the functions below for each of its events, in order of time, and ends
 *    with builder_finish(): see trace-dat/source.c, which does so for several CPUs at once;
 * 3. gives the streams to the session with session_take_buffer(), once for each ring buffer.
 *
 * For a text of one event a line, the second step is about
 *
 *   if (!builder_entry (builders[cpu], (Event) { at_ns, pid, interrupts, ENTRY_ID }, number_of (function), depth))
 *     return capture_damaged (session->path, error, "line %u: %s", line, builders[cpu]->problem);
 *
 * Ids of events are the source's own, which it names in event_names; a line that stands for a whole call, as leaves do
 * in the text of function_graph, is two events.
 *
 * Everything else, from the choice of the buffer to the windows and costs, is the same for all formats. Files are
 * hostile: a source checks what it reads, a builder that time does not run backwards and that there is room.
 *
 * Times are in ns of the trace clock. A function may have any number but 0 as its address, if symbols_new() is told its
 * name by the same number: a format with names, but without addresses, numbers them and writes such symbols itself.
 *
 * The functions are inlined into a source's loop over its events: 12 million take 0.1 s. */
#pragma once

#include "addresses-private.h"
#include "budgets.h"
#include "capture/input-private.h"
#include "capture/session-private.h"

/* What all events have. With more than 16 bytes, it would not be kept in registers. */
typedef struct
{
  guint64 at_ns;
  gint32 pid;        /* of the task that the CPU was running */
  guint8 interrupts; /* INTERRUPT_ bits */
  guint8 disabled;   /* of a function event: see event_disabled(); if it is not known, 0 in all of them */
  guint16 id;        /* its kind, a key of event_names: events are counted by it */
} Event;

/* What was disabled at an event: interrupts (0 or 1), and how often preemption, up to MAX_PREEMPT_DEPTH, with what the
 * tracer itself adds; and whether another task was to run. */
static inline guint8
event_disabled (guint8 interrupts, guint8 preempt_depth, gboolean wanted)
{
  return interrupts | preempt_depth << 1 | (wanted ? HELD_WANTED : 0);
}

typedef struct
{
  Stream *stream;
  const char *problem; /* why the last event was refused */
  Visit *visit;        /* the current one; NULL before the first event */
  Addresses addresses;
  guint64 now_ns; /* of the most recent event */
  guint64 missed; /* events lost before the next one */
  PackedKind last_kind;
  guint8 interrupts;
  gint32 next_pid;         /* to whom the current visit's task left the CPU, by its last sched_switch; -1: none said */
  gboolean known;          /* The top is known from a function event of this visit: */
  int top;                 /* depth of the current task's stack, as far as this visit shows */
  guint8 held;             /* what was at the last function event: bits, and HELD_LOST */
  guint8 tracers_depth[2]; /* what entries, and exits, add to the depth: the lowest that any has read so far */
  guint64 function_ns;     /* of the last function event */
  Hold hold[HELD_KINDS];   /* those that last */
  gboolean named_by_next;  /* if HELD_UNNAMED: whether the next call is the handler; */
  int named_depth;         /* else the depth of the interrupt's first call */
  guint32 open[MAX_DEPTH + 1];       /* function plus one of the open call at a depth; 0: unknown */
  guint64 *counts;                   /* of events, by id; NULL before the first */
  guint n_counts;                    /* of ids; all counted ids are below it */
  guint32 *stretches[STRETCH_KINDS]; /* the number of each length below the limit */
  guint64 n_stretches[STRETCH_KINDS];
  guint64 n_changes[STRETCH_KINDS]; /* of stretches at whose end the task or the context is another one */
} Builder;

/* Begins the stream of @cpu. Free with builder_free(), or end with builder_finish(). */
Builder *builder_new (guint cpu);
void builder_free (Builder *builder);

/* Says that about @n events will follow: those before the first one that does not fit need not be moved then. */
void builder_expect (Builder *builder, guint64 n);

/* The events. FALSE if one cannot be stored: builder->problem says why, and nothing may follow. */

/* A call of the function at @address begins, with @depth calls above it. */
static gboolean builder_entry (Builder *builder, Event event, guint64 address, guint64 depth);

/* A call ends. @lasted_ns is how long it took by its own account, which dates it if its beginning is missing; 0: not
 * known. */
static gboolean builder_exit (Builder *builder, Event event, guint64 address, guint64 depth, guint64 lasted_ns);

/* sched_switch, from a task with a priority to another one (priorities are the kernel's; -1: not known). */
gboolean builder_switch (
    Builder *builder, Event event, gint32 left_pid, gint left_priority, HowLeft left, gint32 pid, gint priority);

/* sched_waking of a task, which ran last on the CPU @ran_on, or UNKNOWN_CPU. */
gboolean builder_waking (Builder *builder, Event event, gint32 pid, gint priority, guint16 ran_on);

/* Notes what the next event tells of, which is then given to one of the other functions, such as builder_other(). Only
 * for events that session->measured needs. */
void builder_note (Builder *builder, Event event, NotedKind kind, guint64 object, guint64 value, guint64 function);

/* A text that was written to the trace, of at most @size bytes: it may be a latency marker. */
gboolean builder_print (Builder *builder, Event event, const char *text, gsize size);

/* Any other event. */
gboolean builder_other (Builder *builder, Event event);

/* Events were lost before the next one, @count of them, or 1 if it is not known. */
static inline void
builder_loss (Builder *builder, guint64 count)
{
  builder->missed = MIN (builder->missed + MIN (count, MAX_SUM), MAX_SUM);
  builder->held |= HELD_LOST;
}

/* Ends the stream and frees @builder. The caller owns the result. */
Stream *builder_finish (Builder *builder);

void stream_free (Stream *stream);

/* Gives @streams, of Stream, one for each CPU with events, to @session: those of a buffer with a name and a clock. Only
 * the buffer with the most function events is kept, but the markers of all of them. */
void session_take_buffer (Session *session, const char *name, const char *clock, GPtrArray *streams);

/* The source for files of trace-cmd, versions 6 and 7. */
gboolean trace_dat_read (Session *session, const Input *input, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stream, stream_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Builder, builder_free)

/* Only the inlined part follows. */

/* The maximum for one event: an arrival, context, place, skip and lasted with up to three words each, and itself. */
#define PACKED_WORDS_PER_EVENT 10

/* Refuses an event. Returns FALSE. */
static inline gboolean
builder_refuse (Builder *builder, const char *problem)
{
  builder->problem = problem;
  return FALSE;
}

/* Makes room for more events. FALSE if there is no more memory. */
gboolean builder_grow (Builder *builder);

/* The same for counting @id. */
void builder_grow_counts (Builder *builder, guint id);

/* Another visit begins, with @event of @kind or before it; @inside: it belongs to a call within another, or to the end
 * of one. Returns how much earlier it or the last event before it was, in ns. */
guint64 builder_begin_visit (Builder *builder, const Event *event, PackedKind kind, gboolean inside);

/* Notes what is held at a function event, of the function at @address: not the same as at the one before it. */
void builder_hold (Builder *builder, Event event, PackedKind kind, guint64 address, guint8 held);

/* An event has read @depth, less than any of its kind before it: the tracer adds no more than that. What was taken for
 * disabled preemption before is forgotten. */
void builder_lower_depth (Builder *builder, PackedKind kind, guint8 depth);

/* What is held at a function event. The idle task holds nothing: it waits with interrupts disabled, and any of them
 * ends that; and its preemption is always disabled once, also while an interrupt strikes it. */
static inline __attribute__ ((always_inline)) void
builder_check_held (Builder *builder, const Event *event, PackedKind kind, guint64 address)
{
  gboolean idle = event->pid == 0;
  guint8 read = event->disabled >> 1 & MAX_PREEMPT_DEPTH;
  guint8 depth = read - (idle && read > 0);
  guint8 held;

  if (G_UNLIKELY (depth < builder->tracers_depth[kind]))
    builder_lower_depth (builder, kind, depth);
  held = (event->disabled & 1) << HELD_INTERRUPTS | (depth > builder->tracers_depth[kind]) << HELD_PREEMPTION |
         (event->interrupts & INTERRUPT_HARD) | (event->disabled & HELD_WANTED);
  if (idle && event->interrupts == 0)
    held = 0;
  if (G_UNLIKELY (held != builder->held))
    builder_hold (builder, *event, kind, address, held);
  builder->function_ns = event->at_ns;
}

static inline void
packed_put (PackedEvents *packed, PackedKind kind, guint32 rest)
{
  packed->data[packed->n++] = (guint32) kind << PACKED_KIND_SHIFT | rest;
}

static inline void
packed_prefix (PackedEvents *packed, PrefixKind kind, guint32 value)
{
  packed_put (packed, PACKED_PREFIX, (guint32) kind << PREFIX_KIND_SHIFT | value);
}

/* A value below 2^63, in as many prefixes as needed. */
static inline void
packed_prefix_long (PackedEvents *packed, PrefixKind kind, guint64 value)
{
  const guint64 mask = (1u << PREFIX_VALUE_BITS) - 1;

  if (value >> (2 * PREFIX_VALUE_BITS) != 0)
    packed_prefix (packed, kind, value >> (2 * PREFIX_VALUE_BITS));
  if (value >> PREFIX_VALUE_BITS != 0)
    packed_prefix (packed, kind, value >> PREFIX_VALUE_BITS & mask);
  packed_prefix (packed, kind, value & mask);
}

/* Appends an event whose delta has @bits. */
static inline void
packed_event (PackedEvents *packed, PackedKind kind, guint64 delta_ns, guint bits, guint32 above)
{
  if (G_UNLIKELY (delta_ns >> bits != 0))
    {
      packed_prefix_long (packed, PREFIX_SKIP, delta_ns);
      delta_ns = 0;
    }
  packed_put (packed, kind, above << bits | (guint32) delta_ns);
}

/* Begins an event; its time and context are written before the event itself. @inside as above. */
static inline __attribute__ ((always_inline)) gboolean
builder_begin (Builder *builder, const Event *event, PackedKind kind, gboolean inside, guint64 *delta_ns)
{
  PackedEvents *packed = &builder->stream->packed;

  if (G_UNLIKELY (packed->capacity - packed->n < PACKED_WORDS_PER_EVENT && !builder_grow (builder)))
    return builder_refuse (builder, "more events than can be stored");
  if (G_UNLIKELY (event->at_ns > G_MAXINT64 || event->at_ns < builder->now_ns))
    return builder_refuse (builder, "time runs backwards");
  if (G_UNLIKELY (event->id >= builder->n_counts))
    builder_grow_counts (builder, event->id);
  builder->counts[event->id]++;
  *delta_ns = event->at_ns - builder->now_ns;
  if (G_UNLIKELY (!builder->visit || builder->visit->pid != event->pid || builder->missed > 0))
    *delta_ns = builder_begin_visit (builder, event, kind, inside);
  else if (event->interrupts != builder->interrupts)
    {
      packed_prefix (packed, PREFIX_CONTEXT, event->interrupts);
      builder->interrupts = event->interrupts;
      if (kind <= PACKED_EXIT && builder->last_kind <= PACKED_EXIT)
        builder->n_changes[builder->last_kind * 2 + kind]++;
    }
  else if (kind <= PACKED_EXIT && builder->last_kind <= PACKED_EXIT)
    {
      guint stretch = builder->last_kind * 2 + kind;

      builder->n_stretches[stretch]++;
      if (*delta_ns < FLOOR_LIMIT_NS)
        builder->stretches[stretch][*delta_ns]++;
    }
  builder->now_ns = event->at_ns;
  builder->last_kind = kind;
  return TRUE;
}

/* Writes the place of a call that is not where the next one is expected. Depths between the known stack and @depth are
 * unknown. */
static inline void
builder_place (Builder *builder, guint32 function, guint depth)
{
  packed_prefix (&builder->stream->packed, PREFIX_PLACE, function << PREFIX_DEPTH_BITS | depth);
  builder->visit->deepest = MAX (builder->visit->deepest, depth);
  for (int unknown = builder->top + 1; unknown < (int) depth; unknown++)
    builder->open[unknown] = 0;
}

static inline __attribute__ ((always_inline)) gboolean
builder_entry (Builder *builder, Event event, guint64 address, guint64 depth)
{
  guint32 function;
  gboolean fits;
  guint64 delta_ns;

  if (G_UNLIKELY (depth > MAX_DEPTH))
    return builder_other (builder, event);
  builder_check_held (builder, &event, PACKED_ENTRY, address);
  if (G_UNLIKELY (!builder_begin (builder, &event, PACKED_ENTRY, depth > 0, &delta_ns)))
    return FALSE;
  function = addresses_number (&builder->addresses, address);
  fits = function >> PACKED_ENTRY_FUNCTION_BITS == 0;
  if (G_UNLIKELY (!builder->known || (int) depth != builder->top + 1 || !fits))
    {
      if (function >= MAX_FUNCTIONS - 1)
        return builder_refuse (builder, "more functions than can be stored");
      builder_place (builder, function, depth);
    }
  packed_event (&builder->stream->packed, PACKED_ENTRY, delta_ns, PACKED_ENTRY_DELTA_BITS, fits ? function : 0);
  builder->stream->function_events++;
  builder->open[depth] = function + 1;
  builder->known = TRUE;
  builder->top = depth;
  return TRUE;
}

static inline __attribute__ ((always_inline)) gboolean
builder_exit (Builder *builder, Event event, guint64 address, guint64 depth, guint64 lasted_ns)
{
  PackedEvents *packed = &builder->stream->packed;
  guint64 delta_ns;

  if (G_UNLIKELY (depth > MAX_DEPTH))
    return builder_other (builder, event);
  builder_check_held (builder, &event, PACKED_EXIT, address);
  if (G_UNLIKELY (!builder_begin (builder, &event, PACKED_EXIT, TRUE, &delta_ns)))
    return FALSE;
  if (G_UNLIKELY ((int) depth != builder->top || builder->open[depth] == 0 ||
                  g_array_index (builder->addresses.addresses, guint64, builder->open[depth] - 1) != address))
    {
      guint32 function = addresses_number (&builder->addresses, address);
      gboolean open = (int) depth <= builder->top && builder->open[depth] == function + 1;

      if (function >= MAX_FUNCTIONS - 1)
        return builder_refuse (builder, "more functions than can be stored");
      if (!open && lasted_ns > 0 && lasted_ns <= G_MAXINT64)
        packed_prefix_long (packed, PREFIX_LASTED, lasted_ns);
      builder_place (builder, function, depth);
    }
  packed_event (packed, PACKED_EXIT, delta_ns, PACKED_DELTA_BITS, 0);
  builder->stream->function_events++;
  builder->known = TRUE;
  builder->top = (int) depth - 1;
  return TRUE;
}
