/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows that are not cycles. Scheduling events tell for a thread at any time on which CPU it runs or waits to run, or
 * that it is asleep: its places. Windows are ranges of time, and lie where their thread is.
 *
 * - A wake-up lasts from sched_waking, or before that from the expiry of the timer that the thread started last, until
 *   it runs. A thread that is woken from its sleep before its timer expires has no window of the latter kind. Another
 *   CPU may wake it when it is about to fall asleep, and then waits until it is; it is doubtful whether that is so.
 * - A response begins likewise, after a sleep in the state S if that is known, and lasts until the thread is asleep
 *   again, as the kernel measures it (triggers.c of the recorder): in the state S and, from the timer, after it has
 *   started one again. If it sleeps in between, it is blocked.
 * - Between events or marks, a window lasts from the last beginning with a key to the next end with it. If the key is a
 *   pid, it lies where that thread is; if both are of one thread, where this is; else on the CPU of its end.
 *
 * Where an end and a beginning in it may have been lost, on a CPU where it does not lie or while its thread slept, or
 * its timer may have been another one, there is no window: it is doubtful. What is lost where it lies is told as not
 * captured. */
#include "windows-private.h"

#include "budgets.h"
#include "seeded-hash.h"

#include <string.h>

#define MOST_LAYERS 64          /* of windows at the same time, each of which the calls are gone through for again: */
#define MOST_LAYERED_EVENTS 5e7 /* of all layers; an event takes 60 ns in each */
#define OFF_NS 50000            /* and a tenth, at most a quarter: what the kernel's measurement may be off */
#define ROUNDED_NS 1000         /* of the time that the log has of it */
#define MOST_PIECES 2000000     /* of all windows: those between events may overlap */
#define RACE_NS 100000          /* A waking before this did not wait for the task to fall asleep. */
#define MANY_CPUS 64            /* A thread that was seen on more may be anywhere. */

typedef enum
{
  HAPPENED_WOKEN,
  HAPPENED_MOVED,
  HAPPENED_CAME,
  HAPPENED_LEFT,
  HAPPENED_TIMER_START,
  HAPPENED_TIMER_CANCEL,
} What;

/* What an event tells of a thread. */
typedef struct
{
  guint64 at_ns;
  guint thread;
  guint cpu; /* of the event; for a move, where to */
  What what;
  gint32 by;         /* who wakes it */
  guint8 interrupts; /* likewise */
  guint16 ran_on;    /* where it ran last, or UNKNOWN_CPU */
  HowLeft left;
  guint64 expires_ns; /* of the timer */
  guint64 timer;
} Happening;

typedef enum
{
  UNKNOWN,
  RUNNING,
  WAITING, /* to run */
  ASLEEP,
} State;

/* Where a thread is. */
typedef struct
{
  CulpritPiece piece;
  guint bound; /* the CPU where it waits; ANY_CPU: it came to another one */
} Place;

#define ANY_CPU G_MAXUINT

/* It was woken. */
typedef struct
{
  guint64 expired_ns; /* its timer; 0: none had */
  guint64 started_ns; /* that timer */
  gboolean slept;     /* in the state S, or what came before is not known */
  guint64 woken_ns;
  guint timer_cpu; /* where it was woken */
  guint64 runs_ns; /* 0: not before the capture's end */
  gboolean raced;  /* It was about to fall asleep. */
  gint32 waker;
  CulpritContext waker_context;
} Wake;

/* Of gaps, that which ends last, and the last end of those of other CPUs. */
typedef struct
{
  guint64 end_ns;
  guint64 other_ns;
  guint cpu; /* of the former */
} Reach;

/* A time of which a CPU has no events although there were some: until its first one that was not overwritten, from a
 * loss to the event after it, or from its last one if there was no room for more. */
typedef struct
{
  guint64 from_ns;
  guint64 to_ns;
  guint cpu;
  Reach reach; /* of all that begin before or with it */
} Gap;

typedef struct
{
  gint32 pid;
  State state;
  GArray *places;   /* of Place, one after the other */
  GArray *wakes;    /* of Wake */
  GArray *ends;     /* of guint64: when it was asleep, so that a response ends */
  GArray *breaks;   /* of guint64: when events must have been lost */
  GHashTable *cpus; /* on which it was ever seen: numbers */
  GArray *doubtful; /* of guint: see count_doubtful(); NULL: not counted yet */
  guint cpu;        /* where it was last seen */
  HowLeft left;     /* last */
  guint64 expires_ns;
  guint64 started_ns;
  guint64 timer;  /* 0: none was started, or the thread has been woken from its sleep since */
  gboolean timed; /* It has started one since it was asleep. */
  gboolean woken; /* It has not run since. */
  Wake raced;     /* while it ran, last; of woken_ns 0: none since it came */
} Thread;

typedef struct
{
  const Finding *finding;
  GArray *threads; /* of Thread */
  GHashTable *of;  /* pid -> its index, plus one */
  guint64 switches;
  guint64 wakings;
  guint64 timers;      /* of these threads */
  GHashTable *streams; /* CPU -> its Stream, of those that have events */
  GArray *gaps;        /* of Gap, in order of time, */
  GArray *by_cpu;      /* and of CPUs */
  GHashTable *ends_on; /* CPUs with a beginning or an end of windows between events, unless a pid is the key */
  gint64 room;         /* bytes, for what happened to them */
} Following;

/* A window, and what it is made of. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;
  guint64 woken_ns; /* From here on it lies where the thread is: before, it waits for its timer, on @cpu. */
  const Wake *wake; /* with which it begins; NULL: with none */
  gint thread;      /* its index; -1: it lies on @cpu */
  gint32 pid;
  guint begun_on;        /* the CPU of the beginning, between events, */
  gboolean of_interrupt; /* whether that is in an interrupt, */
  gboolean of_others;    /* or beginning and end may be of other threads than that where it lies; */
  gboolean by_pid;       /* its pid is their key */
  guint cpu;
  guint layer;
} Found;

/* Windows of one task that do not overlap. */
typedef struct
{
  gint32 pid;
  guint64 end_ns; /* of the last */
} Layer;

static void
thread_clear (Thread *thread)
{
  g_array_unref (thread->places);
  g_array_unref (thread->wakes);
  g_array_unref (thread->ends);
  g_array_unref (thread->breaks);
  g_hash_table_unref (thread->cpus);
  g_clear_pointer (&thread->doubtful, g_array_unref);
}

static void
add_thread (Following *following, gint32 pid)
{
  Thread thread = { .pid = pid };

  if (g_hash_table_contains (following->of, GINT_TO_POINTER (pid)))
    return;
  thread.places = g_array_new (FALSE, FALSE, sizeof (Place));
  thread.wakes = g_array_new (FALSE, FALSE, sizeof (Wake));
  thread.ends = g_array_new (FALSE, FALSE, sizeof (guint64));
  thread.breaks = g_array_new (FALSE, FALSE, sizeof (guint64));
  thread.cpus = g_hash_table_new (culprit_hash_direct, NULL);
  g_array_append_val (following->threads, thread);
  g_hash_table_insert (following->of, GINT_TO_POINTER (pid), GUINT_TO_POINTER (following->threads->len));
}

static Thread *
thread_at (const Following *following, guint index)
{
  return &g_array_index (following->threads, Thread, index);
}

/* The index of the thread with @pid; -1: it is not followed. */
static gint
thread_of (const Following *following, gint32 pid)
{
  return (gint) GPOINTER_TO_UINT (g_hash_table_lookup (following->of, GINT_TO_POINTER (pid))) - 1;
}

/* What happened to the threads. Each takes its memory again while they are sorted, and becomes a place, with as much
 * room for another one. */
#define TAKEN_BY_EACH (2 * sizeof (Happening) + 2 * sizeof (Place))

static void
add (GArray *happenings, Following *following, gint32 pid, Happening happening)
{
  gint thread = thread_of (following, pid);

  if (thread < 0)
    return;
  happening.thread = thread;
  following->room -= TAKEN_BY_EACH;
  if (following->room >= 0)
    g_array_append_val (happenings, happening);
}

static void
add_scheduling (Following *following, const Stream *stream, GArray *happenings)
{
  for (guint i = 0; i < stream->scheduling->len; i++)
    {
      const Scheduling *event = &g_array_index (stream->scheduling, Scheduling, i);
      Happening happening = { .at_ns = event->at_ns,
                              .cpu = stream->cpu,
                              .ran_on = event->ran_on,
                              .what = event->waking ? HAPPENED_WOKEN : HAPPENED_CAME,
                              .by = event->left_pid,
                              .interrupts = event->interrupts,
                              .left = event->left };

      following->wakings += event->waking;
      following->switches += !event->waking;
      add (happenings, following, event->pid, happening);
      happening.what = HAPPENED_LEFT;
      if (!event->waking)
        add (happenings, following, event->left_pid, happening);
    }
}

/* Whether it is a timer that a task starts for itself to be woken by. */
static gboolean
is_own_timer (const Following *following, const Noted *noted)
{
  const Symbol *symbol =
      noted->interrupts ? NULL : symbols_find (following->finding->session->symbols, noted->function);

  return symbol && windows_is_wake_up (symbol->name);
}

static void
add_noted (Following *following, const Stream *stream, GArray *happenings)
{
  for (guint i = 0; stream->noted && i < stream->noted->len; i++)
    {
      const Noted *noted = &g_array_index (stream->noted, Noted, i);
      Happening happening = {
        .at_ns = noted->at_ns, .cpu = stream->cpu, .timer = noted->object, .expires_ns = noted->value
      };

      if (noted->kind == NOTED_MIGRATION && noted->value <= G_MAXUINT16)
        {
          happening.what = HAPPENED_MOVED;
          happening.cpu = noted->value;
          add (happenings, following, noted->object, happening);
        }
      if (noted->kind == NOTED_TIMER_START && thread_of (following, noted->pid) >= 0 && is_own_timer (following, noted))
        {
          happening.what = HAPPENED_TIMER_START;
          following->timers++;
          add (happenings, following, noted->pid, happening);
        }
      if (noted->kind == NOTED_TIMER_CANCEL && !noted->interrupts)
        {
          happening.what = HAPPENED_TIMER_CANCEL;
          add (happenings, following, noted->pid, happening);
        }
    }
}

static int
compare_happenings (gconstpointer a, gconstpointer b)
{
  const Happening *left = a;
  const Happening *right = b;

  if (left->at_ns != right->at_ns)
    return left->at_ns < right->at_ns ? -1 : 1;
  return 0;
}

static Place *
last_place (const Thread *thread)
{
  return thread->places->len > 0 ? &g_array_index (thread->places, Place, thread->places->len - 1) : NULL;
}

static guint64
first_event (const Stream *stream)
{
  guint64 first_ns = stream->visits->len > 0 ? stream_first_ns (stream) : G_MAXUINT64;

  if (stream->scheduling->len > 0)
    first_ns = MIN (first_ns, g_array_index (stream->scheduling, Scheduling, 0).at_ns);
  if (stream->noted && stream->noted->len > 0)
    first_ns = MIN (first_ns, g_array_index (stream->noted, Noted, 0).at_ns);
  return first_ns;
}

static gboolean
has_events_before (const Following *following, guint cpu, guint64 at_ns)
{
  const Stream *stream = g_hash_table_lookup (following->streams, GUINT_TO_POINTER (cpu));

  return stream && first_event (stream) < at_ns;
}

/* The thread, or a beginning or an end of its windows, was on @cpu. */
static void
note_cpu (Thread *thread, guint cpu)
{
  g_hash_table_add (thread->cpus, GUINT_TO_POINTER (cpu));
}

/* The thread is elsewhere from @at_ns on. */
static void
enter (Thread *thread, guint64 at_ns, guint cpu, State state)
{
  Place place = { { .blocked = state == ASLEEP,
                    .running = state == RUNNING,
                    .cpu = cpu,
                    .start_ns = at_ns,
                    .end_ns = G_MAXUINT64,
                    .waker = -1,
                    .waker_context = CULPRIT_CONTEXT_TASK },
                  .bound = cpu };

  if (last_place (thread))
    last_place (thread)->piece.end_ns = at_ns;
  g_array_append_val (thread->places, place);
  if (thread->state != UNKNOWN || state != WAITING) /* Else it is only known who woke it. */
    note_cpu (thread, cpu);
  thread->state = state;
  thread->cpu = cpu;
}

static void
on_woken (Thread *thread, const Happening *happening)
{
  /* If it was not seen to sleep after it started its timer, events are missing. */
  gboolean expired = thread->timer && thread->state != UNKNOWN && thread->expires_ns <= happening->at_ns;
  Wake wake = { .expired_ns = expired ? thread->expires_ns : 0,
                .started_ns = thread->started_ns,
                .slept = thread->state == UNKNOWN || thread->left == LEFT_ASLEEP,
                .woken_ns = happening->at_ns,
                .timer_cpu = happening->cpu,
                .waker = happening->by,
                .waker_context = happening->interrupts & INTERRUPT_HARD   ? CULPRIT_CONTEXT_HARDIRQ
                                 : happening->interrupts & INTERRUPT_SOFT ? CULPRIT_CONTEXT_SOFTIRQ
                                 : happening->interrupts                  ? CULPRIT_CONTEXT_NMI
                                                                          : CULPRIT_CONTEXT_TASK };

  if (expired || thread->state == ASLEEP)
    thread->timer = 0;
  /* A thread is woken where it ran last, and once before it runs again; else events are missing. */
  if (thread->state == ASLEEP && happening->ran_on != UNKNOWN_CPU && happening->ran_on != thread->cpu)
    {
      g_array_append_val (thread->breaks, happening->at_ns);
      note_cpu (thread, happening->ran_on);
    }
  if (thread->state == WAITING && thread->woken)
    g_array_append_val (thread->breaks, happening->at_ns);
  thread->raced = thread->state == RUNNING ? wake : (Wake) { 0 };
  if (thread->state == RUNNING || thread->state == WAITING) /* It goes on instead of falling asleep, or comes again. */
    return;
  if (thread->state == ASLEEP)
    {
      last_place (thread)->piece.waker = wake.waker;
      last_place (thread)->piece.waker_context = wake.waker_context;
    }
  thread->woken = TRUE;
  enter (thread, happening->at_ns, thread->state == ASLEEP ? thread->cpu : happening->cpu, WAITING);
  g_array_append_val (thread->wakes, wake);
}

/* A thread that goes on from its sleep although it was woken only just before that: by another CPU, which then waited
 * until it was asleep. It waits since then. */
static void
wake_raced (Thread *thread)
{
  Wake wake = thread->raced;

  wake.raced = TRUE;
  wake.slept = thread->left == LEFT_ASLEEP;
  g_array_append_val (thread->wakes, wake);
  last_place (thread)->piece.blocked = FALSE;
  thread->state = WAITING;
  thread->timer = 0;
  thread->raced = (Wake) { 0 };
}

static void
on_moved (Thread *thread, const Happening *happening)
{
  if (thread->state == ASLEEP && thread->raced.woken_ns > 0)
    wake_raced (thread);
  if (thread->state == WAITING)
    enter (thread, happening->at_ns, happening->cpu, WAITING);
  else if (thread->state == ASLEEP)
    thread->cpu = happening->cpu;
}

static void
on_came (const Following *following, Thread *thread, const Happening *happening)
{
  Wake *wake;

  if (thread->state == ASLEEP && thread->raced.woken_ns > 0)
    wake_raced (thread);
  else if (thread->state == RUNNING || thread->state == ASLEEP)
    g_array_append_val (thread->breaks, happening->at_ns);
  if (thread->state == RUNNING && thread->raced.woken_ns > 0) /* Where it left is missing. */
    {
      thread->raced.runs_ns = happening->at_ns;
      g_array_append_val (thread->wakes, thread->raced);
    }
  wake = thread->wakes->len > 0 ? &g_array_index (thread->wakes, Wake, thread->wakes->len - 1) : NULL;
  if (thread->state == WAITING)
    {
      Place *place = last_place (thread);

      if (place->piece.cpu != happening->cpu)
        {
          place->bound = ANY_CPU;
          if (!has_events_before (following, place->piece.cpu, happening->at_ns)) /* although it went there */
            g_array_append_val (thread->breaks, happening->at_ns);
        }
      place->piece.cpu = happening->cpu;
    }
  if (thread->state == WAITING && wake && wake->runs_ns == 0)
    wake->runs_ns = happening->at_ns;
  thread->woken = FALSE;
  thread->raced = (Wake) { 0 };
  enter (thread, happening->at_ns, happening->cpu, RUNNING);
}

static void
on_left (Thread *thread, const Happening *happening, gboolean from_waking)
{
  if (thread->state == UNKNOWN)
    enter (thread, 0, happening->cpu, RUNNING);
  else if (thread->state != RUNNING || thread->cpu != happening->cpu)
    g_array_append_val (thread->breaks, happening->at_ns);
  if (happening->left == LEFT_ASLEEP && (from_waking || thread->timed))
    g_array_append_val (thread->ends, happening->at_ns);
  if (happening->left == LEFT_ASLEEP)
    thread->timed = FALSE;
  thread->left = happening->left;
  thread->woken = FALSE;
  if (happening->left == LEFT_RUNNABLE || thread->raced.timer_cpu == happening->cpu ||
      happening->at_ns - thread->raced.woken_ns > RACE_NS)
    thread->raced = (Wake) { 0 };
  enter (thread, happening->at_ns, happening->cpu, happening->left == LEFT_RUNNABLE ? WAITING : ASLEEP);
}

static void
take (const Following *following, Thread *thread, const Happening *happening)
{
  switch (happening->what)
    {
    case HAPPENED_WOKEN:
      on_woken (thread, happening);
      break;
    case HAPPENED_MOVED:
      on_moved (thread, happening);
      break;
    case HAPPENED_CAME:
      on_came (following, thread, happening);
      break;
    case HAPPENED_LEFT:
      on_left (thread, happening, following->finding->session->measured->from_waking);
      break;
    case HAPPENED_TIMER_START: /* It was not falling asleep. */
      thread->raced = (Wake) { 0 };
      thread->timer = happening->timer;
      thread->timed = TRUE;
      thread->started_ns = happening->at_ns;
      thread->expires_ns = happening->expires_ns;
      break;
    case HAPPENED_TIMER_CANCEL:
      thread->raced = (Wake) { 0 };
      if (thread->timer == happening->timer && happening->at_ns < thread->expires_ns)
        thread->timer = 0;
      break;
    }
}

/* Follows the threads through the whole capture. FALSE: more happened to them than a file of its size can have. */
static gboolean
follow (Following *following)
{
  g_autoptr (GArray) happenings = g_array_new (FALSE, FALSE, sizeof (Happening));
  const GPtrArray *streams = following->finding->session->streams;

  for (guint i = 0; i < streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (streams, i);

      add_scheduling (following, stream, happenings);
      add_noted (following, stream, happenings);
      if (first_event (stream) < G_MAXUINT64)
        g_hash_table_insert (following->streams, GUINT_TO_POINTER (stream->cpu), stream);
    }
  if (following->room < 0)
    return FALSE;
  g_array_sort (happenings, compare_happenings);
  for (guint i = 0; i < happenings->len; i++)
    {
      const Happening *happening = &g_array_index (happenings, Happening, i);

      take (following, thread_at (following, happening->thread), happening);
    }
  return TRUE;
}

/* Whether nothing of @thread was lost from @start_ns to @end_ns. */
static gboolean
is_whole (const Thread *thread, guint64 start_ns, guint64 end_ns)
{
  guint from = 0; /* the first break after @start_ns */
  guint to = thread->breaks->len;

  while (from < to)
    {
      guint middle = (from + to) / 2;

      if (g_array_index (thread->breaks, guint64, middle) <= start_ns)
        from = middle + 1;
      else
        to = middle;
    }
  return from == thread->breaks->len || g_array_index (thread->breaks, guint64, from) > end_ns;
}

static void
reach_add (Reach *reach, guint cpu, guint64 end_ns)
{
  if (cpu == reach->cpu)
    reach->end_ns = MAX (reach->end_ns, end_ns);
  else if (end_ns > reach->end_ns)
    *reach = (Reach) { end_ns, reach->end_ns, cpu };
  else
    reach->other_ns = MAX (reach->other_ns, end_ns);
}

/* The last end of those of other CPUs than @cpu. */
static guint64
reach_elsewhere (const Reach *reach, guint cpu)
{
  return reach->cpu == cpu ? reach->other_ns : reach->end_ns;
}

static guint64
last_event (const Stream *stream)
{
  guint64 last_ns = stream_last_ns (stream);

  if (stream->scheduling->len > 0)
    last_ns = MAX (last_ns, g_array_index (stream->scheduling, Scheduling, stream->scheduling->len - 1).at_ns);
  if (stream->noted && stream->noted->len > 0)
    last_ns = MAX (last_ns, g_array_index (stream->noted, Noted, stream->noted->len - 1).at_ns);
  return last_ns;
}

static void
add_gaps (const Stream *stream, GArray *gaps)
{
  Gap gap = { 0, first_event (stream), stream->cpu };

  if (stream->overwritten > 0 || stream->begins_lost)
    g_array_append_val (gaps, gap);
  for (guint i = 1; stream->losses > 0 && i < stream->visits->len; i++)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);

      gap.from_ns = (visit - 1)->end_ns;
      gap.to_ns = visit->start_ns;
      if (visit->after_loss)
        g_array_append_val (gaps, gap);
    }
  gap = (Gap) { last_event (stream), G_MAXUINT64, stream->cpu };
  if (stream->dropped > 0)
    g_array_append_val (gaps, gap);
}

static int
compare_by_time (gconstpointer a, gconstpointer b)
{
  const Gap *left = a;
  const Gap *right = b;

  return (left->from_ns > right->from_ns) - (left->from_ns < right->from_ns);
}

static int
compare_by_cpu (gconstpointer a, gconstpointer b)
{
  const Gap *left = a;
  const Gap *right = b;

  return left->cpu != right->cpu ? (left->cpu < right->cpu ? -1 : 1) : compare_by_time (a, b);
}

static void
find_gaps (Following *following)
{
  const GPtrArray *streams = following->finding->session->streams;
  Reach reach = { .cpu = ANY_CPU };

  for (guint i = 0; i < streams->len; i++)
    add_gaps (g_ptr_array_index (streams, i), following->gaps);
  g_array_append_vals (following->by_cpu, following->gaps->data, following->gaps->len);
  g_array_sort (following->by_cpu, compare_by_cpu);
  g_array_sort (following->gaps, compare_by_time);
  for (guint i = 0; i < following->gaps->len; i++)
    {
      Gap *gap = &g_array_index (following->gaps, Gap, i);

      reach_add (&reach, gap->cpu, gap->to_ns);
      gap->reach = reach;
    }
}

/* The last of @gaps, which are in the order of @compare, that is not after @gap; NULL: all are. */
static const Gap *
last_gap (const GArray *gaps, const Gap *gap, GCompareFunc compare)
{
  guint from = 0;
  guint to = gaps->len;

  while (from < to)
    {
      guint middle = (from + to) / 2;

      if (compare (&g_array_index (gaps, Gap, middle), gap) <= 0)
        from = middle + 1;
      else
        to = middle;
    }
  return from > 0 ? &g_array_index (gaps, Gap, from - 1) : NULL;
}

/* Whether @cpu has a gap from @start_ns to @end_ns. */
static gboolean
is_missing_on (const Following *following, guint cpu, guint64 start_ns, guint64 end_ns)
{
  const Gap *last = last_gap (following->by_cpu, &(Gap) { .from_ns = end_ns - 1, .cpu = cpu }, compare_by_cpu);

  return last && last->cpu == cpu && last->to_ns > start_ns;
}

/* Whether another one of @cpus than @cpu has a gap from @start_ns to @end_ns: rings begin at different times, and CPUs
 * where nothing of a window is lose events as well. NULL: any. */
static gboolean
is_missing_elsewhere (const Following *following, GHashTable *cpus, guint cpu, guint64 start_ns, guint64 end_ns)
{
  const Gap *last = last_gap (following->gaps, &(Gap) { .from_ns = end_ns - 1 }, compare_by_time);
  GHashTableIter iter;
  gpointer one;

  if (!last || reach_elsewhere (&last->reach, cpu) <= start_ns)
    return FALSE;
  if (!cpus || g_hash_table_size (cpus) > MANY_CPUS)
    return TRUE;
  g_hash_table_iter_init (&iter, cpus);
  while (g_hash_table_iter_next (&iter, &one, NULL))
    if (GPOINTER_TO_UINT (one) != cpu && is_missing_on (following, GPOINTER_TO_UINT (one), start_ns, end_ns))
      return TRUE;
  return FALSE;
}

/* The index of the place of @thread at @at_ns. */
static guint
place_at (const Thread *thread, guint64 at_ns)
{
  guint from = 0;
  guint to = thread->places->len;

  while (to - from > 1)
    {
      guint middle = (from + to) / 2;

      if (g_array_index (thread->places, Place, middle).piece.start_ns <= at_ns)
        from = middle;
      else
        to = middle;
    }
  return from;
}

/* The CPU of @thread before @at_ns. */
static guint
cpu_at (const Thread *thread, guint64 at_ns)
{
  return g_array_index (thread->places, Place, place_at (thread, at_ns - 1)).piece.cpu;
}

/* Whether @thread may have run between @start_ns and @end_ns although it is in the place @index: asleep, on any CPU, or
 * waiting, on another one. */
static gboolean
is_place_doubtful (const Following *following, const Thread *thread, guint index, guint64 start_ns, guint64 end_ns)
{
  const Place *place = &g_array_index (thread->places, Place, index);

  start_ns = MAX (place->piece.start_ns, start_ns);
  end_ns = MIN (place->piece.end_ns, end_ns);
  return !place->piece.running && start_ns < end_ns &&
         is_missing_elsewhere (following, thread->cpus, place->piece.blocked ? ANY_CPU : place->bound, start_ns,
                               end_ns);
}

/* Counts the doubtful ones among the places of @thread, once: windows may be in many of them, and many in each. */
static void
count_doubtful (const Following *following, Thread *thread)
{
  guint n = 0;

  if (thread->doubtful)
    return;
  thread->doubtful = g_array_sized_new (FALSE, FALSE, sizeof n, thread->places->len + 1);
  g_array_append_val (thread->doubtful, n);
  for (guint i = 0; i < thread->places->len; i++)
    {
      n += is_place_doubtful (following, thread, i, 0, G_MAXUINT64);
      g_array_append_val (thread->doubtful, n);
    }
}

/* Whether @thread, which is known from @start_ns on, may have run before @end_ns where it was not seen to. */
static gboolean
is_astray (const Following *following, Thread *thread, guint64 start_ns, guint64 end_ns)
{
  guint first = place_at (thread, start_ns);
  guint last = place_at (thread, MAX (end_ns, start_ns + 1) - 1);

  count_doubtful (following, thread);
  return is_place_doubtful (following, thread, first, start_ns, end_ns) ||
         is_place_doubtful (following, thread, last, start_ns, end_ns) ||
         (last > first &&
          g_array_index (thread->doubtful, guint, last) > g_array_index (thread->doubtful, guint, first + 1));
}

/* Whether something is missing where @thread runs between @start_ns and @end_ns. */
static gboolean
is_missing_there (const Following *following, const Thread *thread, guint64 start_ns, guint64 end_ns)
{
  for (guint i = place_at (thread, start_ns); i < thread->places->len; i++)
    {
      const CulpritPiece *piece = &g_array_index (thread->places, Place, i).piece;
      guint64 from_ns = MAX (piece->start_ns, start_ns);
      guint64 to_ns = MIN (piece->end_ns, end_ns);

      if (piece->start_ns >= end_ns)
        break;
      if (piece->running && from_ns < to_ns && is_missing_on (following, piece->cpu, from_ns, to_ns))
        return TRUE;
    }
  return FALSE;
}

/* Whether @thread may have started or cancelled another timer since that which expired as @wake tells. From then on,
 * what is lost where the window lies is told. */
static gboolean
is_timer_doubtful (const Following *following, Thread *thread, const Wake *wake)
{
  return !is_whole (thread, wake->started_ns, wake->woken_ns) ||
         is_astray (following, thread, wake->started_ns, wake->expired_ns) ||
         is_missing_there (following, thread, wake->started_ns, wake->expired_ns) ||
         (wake->expired_ns < wake->woken_ns &&
          is_missing_elsewhere (following, thread->cpus, wake->timer_cpu, wake->expired_ns, wake->woken_ns));
}

/* Whether events of the thread are missing in a window of a task: it is not known where it was. */
static gboolean
is_broken (const Following *following, const Found *window)
{
  return window->wake && !is_whole (thread_at (following, window->thread), window->woken_ns, window->end_ns);
}

/* Whether an end and a beginning may have been lost in @window where nothing tells of it. An interrupt stays on its
 * CPU. */
static gboolean
is_doubtful (const Following *following, const Found *window)
{
  Thread *thread = window->thread >= 0 ? thread_at (following, window->thread) : NULL;

  if (window->wake && !following->finding->session->measured->from_waking &&
      is_timer_doubtful (following, thread, window->wake))
    return TRUE;
  if (window->wake && window->wake->raced) /* or that is seen as another waking was not recorded */
    return TRUE;
  if (thread && thread->places->len > 0 &&
      g_array_index (thread->places, Place, 0).piece.start_ns <= window->woken_ns &&
      is_whole (thread, window->woken_ns, window->end_ns))
    return is_astray (following, thread, window->woken_ns, window->end_ns) ||
           (window->of_others &&
            is_missing_elsewhere (following, window->by_pid ? thread->cpus : following->ends_on,
                                  cpu_at (thread, window->end_ns), window->start_ns, window->end_ns));
  if (!thread && window->of_interrupt && window->begun_on == window->cpu)
    return FALSE;
  return is_missing_elsewhere (following, NULL, window->cpu, window->start_ns, window->end_ns);
}

/* The log, if it states which window is late: another definition or threshold than its own may have been given. Its own
 * is given where a capture is read again. */
static const CulpritCycles *
log_of (const Finding *finding)
{
  const CulpritCycles *log = finding->capture->cycles;
  const char *given = finding->options->measured;
  guint64 threshold_ns = finding->options->threshold_ns;

  return log && log->measured && (threshold_ns == 0 || threshold_ns == log->trigger_ns) &&
                 (!given || g_str_equal (given, log->measured))
             ? log
             : NULL;
}

static guint64
distance (guint64 a, guint64 b)
{
  return a > b ? a - b : b - a;
}

/* Whether @window may be the late one: it is the one that the kernel measured, as the log states it; without that, it
 * is beyond the threshold or in the band. */
static gboolean
may_be_late (const Finding *finding, const CulpritCycles *log, const Found *window)
{
  guint64 latency_ns = window->end_ns - window->start_ns;
  guint64 low_ns = finding->capture->trigger_ns;
  guint64 off_ns = log ? MIN (log->late_ns / 10 + OFF_NS, log->late_ns / 4) : 0;

  if (log && log->pid >= 0 && window->pid != log->pid)
    return FALSE;
  if (log && log->late_ns > 0)
    return distance (latency_ns, log->late_ns) <= off_ns &&
           (log->late_end_ns == 0 || distance (window->end_ns, log->late_end_ns) <= off_ns + ROUNDED_NS);
  if (log && log->band_high_ns > 0)
    return latency_ns >= low_ns && latency_ns <= log->band_high_ns;
  return low_ns == 0 || latency_ns > low_ns;
}

/* Whether @window is to be left out, and counts it: it is doubtful, and not what the kernel itself measured, as the log
 * states. */
static gboolean
leave_out (const Following *following, const Found *window)
{
  const Finding *finding = following->finding;
  const CulpritCycles *log = log_of (finding);

  if (!is_broken (following, window) &&
      (!is_doubtful (following, window) || (log && log->late_ns > 0 && may_be_late (finding, log, window))))
    return FALSE;
  finding->capture->doubtful_windows++;
  return TRUE;
}

/* When the response to @wake ends; 0: not before the capture's end. @next_end: the first end that may be it. */
static guint64
response_end (const Thread *thread, const Wake *wake, guint *next_end)
{
  for (; *next_end < thread->ends->len; (*next_end)++)
    if (g_array_index (thread->ends, guint64, *next_end) > wake->runs_ns)
      return g_array_index (thread->ends, guint64, *next_end);
  return 0;
}

/* Adds the windows of a thread to @found. Returns how many are not whole. */
static guint
find_of_thread (const Following *following, guint index, GArray *found)
{
  const CulpritMeasured *measured = following->finding->session->measured;
  const Thread *thread = thread_at (following, index);
  guint64 free_from_ns = 0;
  guint next_end = 0;
  guint open = 0;

  for (guint i = 0; i < thread->wakes->len; i++)
    {
      const Wake *wake = &g_array_index (thread->wakes, Wake, i);
      Found window = { .start_ns = measured->from_waking ? wake->woken_ns : wake->expired_ns,
                       .end_ns = wake->runs_ns,
                       .woken_ns = wake->woken_ns,
                       .wake = wake,
                       .thread = index,
                       .pid = thread->pid,
                       .cpu = wake->timer_cpu };

      if ((wake->raced ? wake->runs_ns : wake->woken_ns) < free_from_ns || window.start_ns == 0)
        continue;
      if (measured->kind == CULPRIT_MEASURED_RESPONSE && !wake->slept)
        continue;
      if (wake->runs_ns == 0) /* It ran already, as when a timer expires before it is asleep. */
        {
          open++;
          continue;
        }
      if (measured->kind == CULPRIT_MEASURED_RESPONSE)
        window.end_ns = response_end (thread, wake, &next_end);
      if (window.end_ns == 0)
        return open + 1;
      free_from_ns = window.end_ns;
      if (leave_out (following, &window))
        open++;
      else
        g_array_append_val (found, window);
    }
  return open;
}

/* Begins and ends of windows, in order of time. */
typedef struct
{
  const Noted *noted;
  guint cpu;
} End;

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  guint64 left = ((const End *) a)->noted->at_ns;
  guint64 right = ((const End *) b)->noted->at_ns;

  return left < right ? -1 : left > right;
}

static GArray *
collect_ends (const Session *session)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (End));

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint k = 0; stream->noted && k < stream->noted->len; k++)
        {
          End end = { &g_array_index (stream->noted, Noted, k), stream->cpu };

          if (end.noted->kind >= NOTED_BEGIN)
            g_array_append_val (ends, end);
        }
    }
  g_array_sort (ends, compare_ends);
  return ends;
}

static gboolean
is_by_pid (const CulpritMeasured *measured)
{
  return measured->end.key && g_str_has_suffix (measured->end.key, "pid");
}

/* Adds the windows between @ends to @found. Returns how many have only a beginning. */
static guint
find_between (const CulpritMeasured *measured, const GArray *ends, GArray *found)
{
  const gboolean by_pid = is_by_pid (measured);
  g_autoptr (GHashTable) open = g_hash_table_new (culprit_hash_number, g_int64_equal);

  for (guint i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);
      const End *begun = g_hash_table_lookup (open, &end->noted->value);
      const Noted *begin = begun ? begun->noted : NULL;
      Found window = { .end_ns = end->noted->at_ns, .thread = -1, .pid = end->noted->pid, .cpu = end->cpu };

      if (end->noted->kind == NOTED_BEGIN)
        g_hash_table_replace (open, (gpointer) &end->noted->value, (gpointer) end);
      else if (begin)
        {
          g_hash_table_remove (open, &end->noted->value);
          window.start_ns = window.woken_ns = begin->at_ns;
          window.begun_on = begun->cpu;
          window.of_interrupt = begin->interrupts && end->noted->interrupts;
          if (begin->pid == end->noted->pid && begin->pid != 0 && !begin->interrupts && !end->noted->interrupts)
            window.thread = 0;
          window.of_others = window.thread < 0 || end->noted->value != (guint64) window.pid;
          if (by_pid && end->noted->value > 0 && end->noted->value <= G_MAXINT32)
            {
              window.by_pid = TRUE;
              window.thread = 0;
              window.pid = end->noted->value;
            }
          if (window.end_ns > window.start_ns)
            g_array_append_val (found, window);
        }
    }
  return g_hash_table_size (open);
}

/* The same for these windows, of which those whose threads are known too little lie on the CPU of their end. Leaves out
 * the doubtful ones, but not what the kernel itself measured, as the log states. */
static gboolean
follow_between (Following *following, const GArray *ends, GArray *found)
{
  const gboolean by_pid = is_by_pid (following->finding->session->measured);
  guint kept = 0;

  for (guint i = 0; i < found->len; i++)
    if (g_array_index (found, Found, i).thread >= 0)
      add_thread (following, g_array_index (found, Found, i).pid);
  for (guint i = 0; i < ends->len; i++)
    {
      const End *end = &g_array_index (ends, End, i);
      gint thread = by_pid && end->noted->value <= G_MAXINT32 ? thread_of (following, end->noted->value) : -1;

      if (thread >= 0)
        note_cpu (thread_at (following, thread), end->cpu);
      else if (!by_pid)
        g_hash_table_add (following->ends_on, GUINT_TO_POINTER (end->cpu));
    }
  if (!follow (following))
    return FALSE;
  for (guint i = 0; i < found->len; i++)
    {
      Found *window = &g_array_index (found, Found, i);
      const Thread *thread = window->thread >= 0 ? thread_at (following, thread_of (following, window->pid)) : NULL;

      if (thread)
        window->thread = thread_of (following, window->pid);
      if (leave_out (following, window))
        continue;
      if (thread &&
          (thread->places->len == 0 || g_array_index (thread->places, Place, 0).piece.start_ns > window->start_ns ||
           !is_whole (thread, window->start_ns, window->end_ns)))
        window->thread = -1;
      g_array_index (found, Found, kept++) = *window;
    }
  g_array_set_size (found, kept);
  return TRUE;
}

/* Which of the windows is the hit's, and where they lie. */

static int
compare_found (gconstpointer a, gconstpointer b)
{
  const Found *left = a;
  const Found *right = b;

  if (left->start_ns != right->start_ns)
    return left->start_ns < right->start_ns ? -1 : 1;
  if (left->end_ns != right->end_ns)
    return left->end_ns < right->end_ns ? -1 : 1;
  return left->pid < right->pid ? -1 : left->pid > right->pid;
}

static guint64
latency_of (const GArray *found, guint index)
{
  const Found *window = &g_array_index (found, Found, index);

  return window->end_ns - window->start_ns;
}

/* The index of the late window: that which ended closest to when the log says, or else last; without any threshold, the
 * longest. -1: there is none. */
static gint
choose_hit (const Finding *finding, const GArray *found)
{
  const CulpritCycles *log = log_of (finding);
  guint64 wanted_ns = log && log->late_end_ns > 0 ? log->late_end_ns : G_MAXUINT64;
  gint hit = -1;

  for (guint i = 0; i < found->len; i++)
    {
      const Found *window = &g_array_index (found, Found, i);

      if (!may_be_late (finding, log, window))
        continue;
      if (hit < 0 ||
          (finding->capture->trigger_ns > 0 || wanted_ns < G_MAXUINT64
               ? distance (window->end_ns, wanted_ns) < distance (g_array_index (found, Found, hit).end_ns, wanted_ns)
               : latency_of (found, i) > latency_of (found, hit)))
        hit = i;
    }
  return hit;
}

static void
add_piece (CulpritCapture *capture, CulpritPiece piece)
{
  CulpritPiece *last =
      capture->pieces->len > 0 ? &g_array_index (capture->pieces, CulpritPiece, capture->pieces->len - 1) : NULL;

  if (piece.end_ns <= piece.start_ns)
    return;
  if (last && last->window == piece.window && !last->blocked && !piece.blocked && last->cpu == piece.cpu)
    last->end_ns = piece.end_ns;
  else
    g_array_append_val (capture->pieces, piece);
}

/* Adds the window, and where it lies, unless there are too many pieces. */
static void
add_window (const Following *following, const Found *found, gboolean outlier)
{
  CulpritCapture *capture = following->finding->capture;
  const Thread *thread = found->thread >= 0 ? thread_at (following, found->thread) : NULL;
  guint index = capture->windows->len;
  CulpritPiece first = { .window = index, .cpu = found->cpu, .start_ns = found->start_ns, .end_ns = found->woken_ns };
  CulpritWindow window = { .outlier = outlier,
                           .pid = found->pid,
                           .start_ns = found->start_ns,
                           .end_ns = found->end_ns,
                           .cpu = found->cpu,
                           .layer = found->layer,
                           .woken_ns = found->wake ? found->woken_ns : 0,
                           .waker = found->wake ? found->wake->waker : -1,
                           .waker_context = found->wake ? found->wake->waker_context : CULPRIT_CONTEXT_TASK };
  guint place = thread ? place_at (thread, found->woken_ns) : 0;
  guint n_pieces = capture->pieces->len;

  if (!thread)
    first.end_ns = found->end_ns;
  add_piece (capture, first);
  for (; thread && place < thread->places->len; place++)
    {
      CulpritPiece piece = g_array_index (thread->places, Place, place).piece;

      if (piece.start_ns >= found->end_ns)
        break;
      piece.window = index;
      piece.start_ns = MAX (piece.start_ns, found->woken_ns);
      piece.end_ns = MIN (piece.end_ns, found->end_ns);
      add_piece (capture, piece);
      if (!piece.blocked)
        window.cpu = piece.cpu;
      if (capture->pieces->len > MOST_PIECES && !outlier)
        {
          g_array_set_size (capture->pieces, n_pieces);
          return;
        }
    }
  g_array_append_val (capture->windows, window);
}

/* Puts @window, which begins last so far, into the first layer where there is room. FALSE: there are too many, and it
 * is not the hit's. */
static gboolean
find_layer (const Following *following, GArray *layers, Found *window, gboolean hit)
{
  const Layer added = { window->pid, window->end_ns };
  const double events = following->finding->session->events;

  for (window->layer = 0; window->layer < layers->len; window->layer++)
    {
      Layer *layer = &g_array_index (layers, Layer, window->layer);

      if (layer->pid != window->pid || layer->end_ns > window->start_ns)
        continue;
      layer->end_ns = window->end_ns;
      return TRUE;
    }
  if (!hit && (layers->len >= MOST_LAYERS || layers->len * events > MOST_LAYERED_EVENTS))
    return FALSE;
  g_array_append_val (layers, added);
  return TRUE;
}

/* Adds the hit's window and those that are not late. */
static Reason
add_windows (const Following *following, GArray *found, guint open)
{
  const Finding *finding = following->finding;
  CulpritCapture *capture = finding->capture;
  const CulpritCycles *log = log_of (finding);
  g_autoptr (GArray) layers = g_array_new (FALSE, FALSE, sizeof (Layer));
  gint hit;

  g_array_sort (found, compare_found);
  capture->trigger_ns = log ? log->trigger_ns : finding->options->threshold_ns;
  hit = choose_hit (finding, found);
  capture->no_windows_number = hit < 0 ? (gint64) (found->len > 0 ? found->len : open) : -1;
  if (hit < 0)
    return found->len == 0 ? NO_WINDOW : log && log->late_ns > 0 ? OTHER_LATE : NONE_LATE;
  windows_measure (finding, g_array_index (found, Found, hit).pid);
  for (guint i = 0; i < found->len; i++)
    {
      Found *window = &g_array_index (found, Found, i);
      gboolean outlier = i == (guint) hit;

      if (outlier || ((capture->trigger_ns == 0 || latency_of (found, i) < capture->trigger_ns) &&
                      capture->windows->len < MAX_WINDOWS))
        if (find_layer (following, layers, window, outlier))
          add_window (following, window, outlier);
    }
  return 0;
}

/* Adds the thread with @pid if it has the name. */
static void
add_named (Following *following, gint32 pid)
{
  const Session *session = following->finding->session;
  const char *name = g_hash_table_lookup (session->comms, GINT_TO_POINTER (pid));
  gsize length = strlen (session->measured->task);

  if (name && strncmp (name, session->measured->task, length) == 0 && strchr ("\n", name[length]))
    add_thread (following, pid);
}

/* Adds the threads that the definition is about. The list of names may have millions without an event. */
static void
find_threads (Following *following)
{
  const GPtrArray *streams = following->finding->session->streams;
  const GArray *tasks = following->finding->walk->tasks;

  if (following->finding->session->measured->pid >= 0)
    {
      add_thread (following, following->finding->session->measured->pid);
      return;
    }
  for (guint i = 0; i < tasks->len; i++)
    add_named (following, g_array_index (tasks, Task, i).pid);
  for (guint i = 0; i < streams->len; i++)
    {
      const GArray *scheduling = ((const Stream *) g_ptr_array_index (streams, i))->scheduling;

      for (guint k = 0; k < scheduling->len; k++)
        add_named (following, g_array_index (scheduling, Scheduling, k).pid);
    }
}

static Reason
find_of_task (Following *following, GArray *found)
{
  const Finding *finding = following->finding;
  gboolean timer = !finding->session->measured->from_waking;
  gboolean seen = FALSE;
  guint open = 0;

  find_threads (following);
  if (!follow (following))
    return TOO_MANY_EVENTS;
  for (guint i = 0; i < following->threads->len; i++)
    seen |= thread_at (following, i)->places->len > 0;
  for (guint i = 0; i < finding->walk->tasks->len; i++)
    seen |= thread_of (following, g_array_index (finding->walk->tasks, Task, i).pid) >= 0;
  if (!seen)
    return NO_TASK;
  if (following->switches == 0)
    return NO_SWITCH_EVENTS;
  if (following->wakings == 0)
    return NO_WAKING_EVENTS;
  if (timer && following->timers == 0)
    return NO_TIMER_EVENTS;
  if (timer && !g_str_equal (finding->capture->clock, "mono"))
    return TIMER_NOT_MONO;
  for (guint i = 0; i < following->threads->len; i++)
    open += find_of_thread (following, i, found);
  return add_windows (following, found, open);
}

static Reason
find_of_ends (Following *following, GArray *found)
{
  g_autoptr (GArray) ends = collect_ends (following->finding->session);
  gboolean begins = FALSE;
  gboolean ended = FALSE;
  guint open;

  for (guint i = 0; i < ends->len; i++)
    {
      begins |= g_array_index (ends, End, i).noted->kind == NOTED_BEGIN;
      ended |= g_array_index (ends, End, i).noted->kind == NOTED_END;
    }
  if (!begins || !ended)
    return begins ? NO_END : NO_BEGIN;
  open = find_between (following->finding->session->measured, ends, found);
  if (!follow_between (following, ends, found))
    return TOO_MANY_EVENTS;
  return add_windows (following, found, open + following->finding->capture->doubtful_windows);
}

Reason
windows_by_following (const Finding *finding)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (Thread));
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_autoptr (GArray) by_cpu = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_autoptr (GHashTable) of = g_hash_table_new (culprit_hash_direct, NULL);
  g_autoptr (GHashTable) streams = g_hash_table_new (culprit_hash_direct, NULL);
  g_autoptr (GHashTable) ends_on = g_hash_table_new (culprit_hash_direct, NULL);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Found));
  const gint64 size_bytes = MIN (finding->session->size_bytes, G_MAXINT64 / (2 * FOLLOWED_PER_BYTE));
  Following following = { .finding = finding,
                          .threads = threads,
                          .of = of,
                          .gaps = gaps,
                          .by_cpu = by_cpu,
                          .streams = streams,
                          .ends_on = ends_on,
                          .room = FOLLOWED_ALLOWANCE + FOLLOWED_PER_BYTE * size_bytes };

  g_array_set_clear_func (threads, (GDestroyNotify) thread_clear);
  find_gaps (&following);
  return finding->session->measured->task ? find_of_task (&following, found) : find_of_ends (&following, found);
}
