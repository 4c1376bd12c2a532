/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The windows of cycles: from the cycle log if there is one, else from the marker and the measured task's sleeps. */
#include "windows-private.h"

#include "compare.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PERIOD_MIN_TIMES 4

/* The maximum number of times that are used. */
#define PERIOD_MAX_TIMES 128

typedef struct
{
  guint64 period_ns; /* 0: cannot be inferred from the times */
  guint64 error_ns;  /* The period may be off by this much. */
} Period;

/* A call from user mode during which the task left the CPU and came back. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns;   /* The task is back in user mode. */
  guint64 timer_ns; /* When the interrupt began in which a timer last woke a task; 0: not seen. */
  guint64 wake_ns; /* When that timer did: not before it expired, while the interrupt may have begun earlier for another
                      timer. */
  guint cpu;
} Sleep;

/* Uninterrupted user mode: system calls are part of it, interrupts and other tasks are not. */
typedef struct
{
  guint64 start_ns; /* when the task came back to it */
  guint64 end_ns;
} UserTime;

typedef struct
{
  GArray *sleeps; /* of Sleep, ordered by their ends */
  GArray *users;  /* of UserTime, in order of time */
  GArray *reads;  /* of UserTime: the system calls by which it read a clock, if it needs them */
} Sleeps;

static void sleeps_free (Sleeps *sleeps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sleeps, sleeps_free)

/* Fits a line through times and their numbers by least median of squares: the slope for which the closest half of the
 * times is closest together. Then by least squares through those on that line. Late cycles, missing cycles and sleeps
 * for other reasons do not move the line. */

#define NEAR_FACTOR 2.0 /* times the spread of the closest half: still on the line, */
#define NEAR_SMALL 5.0  /* larger for few points, which may be close by chance, */
#define NEAR_NS 1000    /* and at least this. */
#define MIN_NEAR 4
#define MAX_ERROR 0.01 /* of the period; with a larger error it is not known */

typedef struct
{
  double *k; /* the times' numbers */
  double *t; /* the times, relative to the first one, minus the number times a first guess of the period */
  double *work;
  guint n;
} Points;

/* The index in @sorted from which more than half of the values are closest together. */
static guint
closest_half (const double *sorted, guint n)
{
  guint half = n / 2;
  guint best = 0;

  for (guint i = 1; i + half < n; i++)
    if (sorted[i + half] - sorted[i] < sorted[best + half] - sorted[best])
      best = i;
  return best;
}

/* The typical time between two times: the middle of the closest half of the gaps. */
static double
typical_gap (const guint64 *times_ns, guint n)
{
  g_autofree double *gaps = g_new (double, n - 1);

  for (guint i = 0; i + 1 < n; i++)
    gaps[i] = times_ns[i + 1] - times_ns[i];
  qsort (gaps, n - 1, sizeof *gaps, compare_double);
  return gaps[closest_half (gaps, n - 1) + (n - 1) / 4];
}

static void
points_init (Points *points, const guint64 *times_ns, guint n, double gap_ns)
{
  *points = (Points) { g_new (double, n), g_new (double, n), g_new (double, n), n };
  points->k[0] = points->t[0] = 0;
  for (guint i = 1; i < n; i++)
    {
      points->k[i] = points->k[i - 1] + round ((times_ns[i] - times_ns[i - 1]) / gap_ns);
      points->t[i] = (double) (times_ns[i] - times_ns[0]) - points->k[i] * gap_ns;
    }
}

static void
points_clear (Points *points)
{
  g_free (points->k);
  g_free (points->t);
  g_free (points->work);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

/* How close the closest half is to a line of @slope, and where that line is. */
static double
spread (const Points *points, double slope, double *middle)
{
  guint half = points->n / 2;
  guint first;

  for (guint i = 0; i < points->n; i++)
    points->work[i] = points->t[i] - slope * points->k[i];
  qsort (points->work, points->n, sizeof *points->work, compare_double);
  first = closest_half (points->work, points->n);
  *middle = (points->work[first] + points->work[first + half]) / 2;
  return points->work[first + half] - points->work[first];
}

/* The slope with the least spread, among those through two distant points. */
static double
best_slope (const Points *points, double *spread_ns, double *middle)
{
  guint far = MAX (points->n / 2, 1);
  double best = 0;

  *spread_ns = spread (points, 0, middle);
  for (guint i = 0; i + far < points->n; i++)
    for (guint j = i + far; j < points->n; j++)
      {
        double slope;
        double slope_middle;
        double slope_spread;

        if (points->k[j] <= points->k[i])
          continue;
        slope = (points->t[j] - points->t[i]) / (points->k[j] - points->k[i]);
        slope_spread = spread (points, slope, &slope_middle);
        if (slope_spread < *spread_ns)
          {
            *spread_ns = slope_spread;
            *middle = slope_middle;
            best = slope;
          }
      }
  return best;
}

/* How many standard errors a slope from @n points may be off: by Student's t and simulation, about one in a hundred is
 * off by more. */
static double
errors_allowed (guint n)
{
  static const double allowed[] = { 60, 60, 60, 60, 19, 9.2, 6.6, 5.5, 5 };

  return n < G_N_ELEMENTS (allowed) ? allowed[n] : 5;
}

/* The roundest period within @error_ns of @period_ns: people choose round ones, and with a period off by a microsecond,
 * a window a hundred cycles before the hit is off by a hundred. A round one that is this close merely by chance is not
 * taken. */
static guint64
round_period (double period_ns, double error_ns)
{
  static const struct
  {
    double unit_ns;
    double most_ns; /* the error up to which this is not chance */
  } steps[] = { { 1e6, 1e5 }, { 1e5, 1e4 }, { 1e4, 1e3 }, { 1e3, 5e2 } };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      double rounded_ns = round (period_ns / steps[i].unit_ns) * steps[i].unit_ns;

      if (rounded_ns > 0 && error_ns <= steps[i].most_ns && fabs (rounded_ns - period_ns) <= error_ns)
        return rounded_ns;
    }
  return MAX (round (period_ns), 0);
}

/* By least squares through the points near the line of @slope and @middle. */
static Period
refine (const Points *points, double gap_ns, double slope, double middle, double near_ns)
{
  double sum_k = 0, sum_t = 0, sum_kk = 0, sum_kt = 0, sum_tt = 0;
  guint n = 0;
  double var_k, period_ns, error_ns, residual;

  for (guint i = 0; i < points->n; i++)
    {
      double k = points->k[i];
      double t = points->t[i] - slope * k - middle;

      if (fabs (t) > near_ns)
        continue;
      n++;
      sum_k += k;
      sum_t += t;
      sum_kk += k * k;
      sum_kt += k * t;
      sum_tt += t * t;
    }
  if (n < MIN_NEAR || (var_k = sum_kk - sum_k * sum_k / n) <= 0)
    return (Period) { 0, 0 };
  slope += (sum_kt - sum_k * sum_t / n) / var_k;
  period_ns = gap_ns + slope;
  residual = sum_tt - sum_t * sum_t / n - pow (sum_kt - sum_k * sum_t / n, 2) / var_k;
  error_ns = errors_allowed (n) * sqrt (MAX (residual, 0) / (n - 2) / var_k) + 1;
  if (!(period_ns > 0) || error_ns > period_ns * MAX_ERROR)
    return (Period) { 0, 0 };
  return (Period) { round_period (period_ns, error_ns), ceil (error_ns) };
}

/* The period of @n @times_ns, in ascending order. Each is somewhat later than a multiple of the period; up to half of
 * them may be anywhere, and multiples may be missing. */
static Period
period_infer (const guint64 *times_ns, guint n)
{
  g_auto (Points) points = { 0 };
  double gap_ns, slope, spread_ns, middle;

  if (n > PERIOD_MAX_TIMES)
    {
      times_ns += n - PERIOD_MAX_TIMES;
      n = PERIOD_MAX_TIMES;
    }
  if (n < PERIOD_MIN_TIMES)
    return (Period) { 0, 0 };
  gap_ns = typical_gap (times_ns, n);
  if (gap_ns < 1)
    return (Period) { 0, 0 };
  points_init (&points, times_ns, n, gap_ns);
  slope = best_slope (&points, &spread_ns, &middle);
  return refine (&points, gap_ns, slope, middle, NEAR_FACTOR * spread_ns * (1 + NEAR_SMALL / (n - 2)) + NEAR_NS);
}

/* Finds the measured task's sleeps by a walk over its calls, and the timer interrupts that ended them by searching the
 * events before. */

#define MAX_VISITS_BACK 64 /* By other tasks, between the timer's interrupt and the task's return. */

typedef struct
{
  const Walk *walk;
  const CulpritCapture *capture;
  Sleeps *found;
  guint32 clock_read; /* The function that reads the clock for the task; NO_FUNCTION: there is none. */
  guint32 returning;  /* The epoch, if only the return to user mode followed the last sleep; else 0. */
  guint64 seen_ns;    /* The end of the task's last stretch. */
  gboolean in_user;   /* There was only user mode and system calls since the last of the user times began. */
  gboolean on_way;    /* In that time, the task was returning from a sleep or an interrupt, */
  gboolean arrived;   /* and called the kernel for something else: it had arrived. */
  gboolean returned;  /* The current user time began after the last call ended. */
} Search;

/* Parts of the names of functions on the way from a system call back to user mode. They are not inside the call, and
 * take 20 us when traced. The last four are called by one of the others, unless that is inlined as in Linux 6.12. */
static const char *const ways_back[] = {
  "exit_to_user",     "syscall_exit",           "return_slowpath", "notify_resume",
  "handle_over_high", "maybe_throttle_current", "fpregs_assert",   "switch_fpu_return",
};

/* The end of the name of the system call that reads a clock. */
static const char clock_read[] = "clock_gettime";

gboolean
windows_is_wake_up (const char *function)
{
  static const char *const wake_ups[] = { "hrtimer_wakeup", "posix_timer_fn", "it_real_fn", "timerfd_tmrproc", NULL };

  return g_strv_contains (wake_ups, function);
}

/* Parts of the names of functions that an interrupt may call before its own context begins. */
static const char *const beginnings[] = { "irq_enter", "irqentry_enter" };

static gboolean
is_way_back (const CulpritCapture *capture, guint function)
{
  const char *name = g_array_index (capture->functions, CulpritFunction, function).name;

  for (guint i = 0; i < G_N_ELEMENTS (ways_back); i++)
    if (strstr (name, ways_back[i]))
      return TRUE;
  return FALSE;
}

static inline void
on_stretch (gpointer data, const Stretch *stretch)
{
  Search *search = data;
  GArray *users = search->found->users;

  if (stretch->start_ns != search->seen_ns || stretch->lost || stretch->context >= CULPRIT_CONTEXT_HARDIRQ)
    search->in_user = search->on_way = search->arrived = FALSE;
  search->seen_ns = stretch->end_ns;
  if (stretch->function != CULPRIT_FUNCTION_USER)
    return;
  if (!search->in_user)
    g_array_append_val (users, ((UserTime) { stretch->start_ns, stretch->end_ns }));
  else if (search->returned)
    g_array_index (users, UserTime, users->len - 1).start_ns = stretch->start_ns;
  g_array_index (users, UserTime, users->len - 1).end_ns = stretch->end_ns;
  search->in_user = TRUE;
  search->returned = FALSE;
}

static inline void
on_enter (gpointer data, guint stream, Task *task, Frame *frame)
{
}

static inline void
on_leave (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns)
{
  Search *search = data;
  GArray *sleeps = search->found->sleeps;
  Sleep sleep = { .start_ns = frame->start_ns,
                  .end_ns = end_ns,
                  .cpu = ((const Stream *) g_ptr_array_index (search->walk->streams, stream))->cpu };
  gboolean way_back;
  gboolean slept;

  if (G_UNLIKELY (frame->function == search->clock_read))
    g_array_append_val (search->found->reads, ((UserTime) { frame->start_ns, end_ns }));
  if (frame != &task->frames[0])
    return;
  way_back = !(frame->marks & MARK_CUT) && is_way_back (search->capture, frame->function);
  if (search->returning == task->epoch && way_back)
    {
      g_array_index (sleeps, Sleep, sleeps->len - 1).end_ns = end_ns;
      g_array_index (sleeps, Sleep, sleeps->len - 1).cpu = sleep.cpu;
      search->on_way = search->returned = TRUE;
      return;
    }
  slept = !(frame->marks & MARK_CUT) && frame->arrivals != task->arrivals;
  search->returning = slept ? task->epoch : 0;
  search->arrived |= search->on_way && !way_back;
  search->on_way |= slept || way_back;
  search->returned = slept || (way_back && !search->arrived);
  if (slept)
    g_array_append_val (sleeps, sleep);
}

static int
compare_sleeps (gconstpointer a, gconstpointer b)
{
  const Sleep *left = a;
  const Sleep *right = b;

  if (left->end_ns != right->end_ns)
    return left->end_ns < right->end_ns ? -1 : 1;
  return left->start_ns < right->start_ns ? -1 : left->start_ns > right->start_ns;
}

static int
compare_users (gconstpointer a, gconstpointer b)
{
  guint64 left = ((const UserTime *) a)->start_ns;
  guint64 right = ((const UserTime *) b)->start_ns;

  return left < right ? -1 : left > right;
}

static guint32
find_clock_read (const CulpritCapture *capture)
{
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    {
      const char *name = g_array_index (capture->functions, CulpritFunction, i).name;

      if (strstr (name, "sys_") && g_str_has_suffix (name, clock_read))
        return i;
    }
  return NO_FUNCTION;
}

/* Finds the sleeps of task @pid, which must be the measured one. */
static Sleeps *
sleeps_find (Walk *walk, const CulpritCapture *capture, gint32 pid)
{
  static const WalkOps ops = { on_stretch, on_enter, on_leave };
  Sleeps *found = g_new0 (Sleeps, 1);
  Search search = { .walk = walk, .capture = capture, .found = found, .clock_read = find_clock_read (capture) };
  g_autofree guint8 *measured = g_new (guint8, walk->tasks->len + 1);

  found->sleeps = g_array_new (FALSE, FALSE, sizeof (Sleep));
  found->reads = g_array_new (FALSE, FALSE, sizeof (UserTime));
  found->users = g_array_new (FALSE, FALSE, sizeof (UserTime));
  for (guint i = 0; i < walk->tasks->len; i++)
    measured[i] = g_array_index (walk->tasks, Task, i).pid == pid;
  walk_run (walk, &ops, &search, measured);
  g_array_sort (found->sleeps, compare_sleeps);
  g_array_sort (found->users, compare_users);
  g_array_sort (found->reads, compare_users);
  return found;
}

/* What a function means for the search for interrupts. */
typedef enum
{
  MEANS_NOTHING,
  MEANS_WAKE_UP,
  MEANS_BEGINNING,
} Meaning;

/* The meaning of each function of @capture; NULL if none of them wakes a task. The caller owns it. */
static guint8 *
find_meanings (const CulpritCapture *capture)
{
  g_autofree guint8 *meanings = g_new0 (guint8, capture->functions->len);
  gboolean any = FALSE;

  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    {
      const char *name = g_array_index (capture->functions, CulpritFunction, i).name;

      if (windows_is_wake_up (name))
        {
          meanings[i] = MEANS_WAKE_UP;
          any = TRUE;
        }
      for (guint k = 0; k < G_N_ELEMENTS (beginnings); k++)
        if (strstr (name, beginnings[k]))
          meanings[i] = MEANS_BEGINNING;
    }
  return any ? g_steal_pointer (&meanings) : NULL;
}

/* Searches @visit for the last interrupt during @sleep in which a timer woke a task, and stores it in @sleep. */
static gboolean
find_wake_up (const Stream *stream, const Visit *visit, const guint8 *meanings, Sleep *sleep)
{
  EventReader reader = stream_events (stream, visit);
  guint64 interrupt_ns = 0; /* when the current interrupt began */
  guint64 beginning_ns = 0; /* when its first function was called, before the context changed to the interrupt's */
  gint level = 0;           /* the open calls in that function, including itself */
  gboolean found = FALSE;

  while (event_reader_next (&reader) && reader.now_ns <= sleep->end_ns)
    {
      Meaning meaning = reader.kind == PACKED_ENTRY ? meanings[stream->functions[reader.function]] : MEANS_NOTHING;

      if ((reader.interrupts & INTERRUPT_BITS) == 0)
        {
          interrupt_ns = 0;
          if (meaning == MEANS_BEGINNING && level <= 0)
            beginning_ns = reader.now_ns;
          else if (level <= 0)
            beginning_ns = 0;
          level = beginning_ns > 0 ? level + (reader.kind == PACKED_ENTRY) - (reader.kind == PACKED_EXIT) : 0;
        }
      else if (interrupt_ns == 0)
        {
          interrupt_ns = beginning_ns > 0 ? beginning_ns : reader.now_ns;
          beginning_ns = 0;
          level = 0;
        }
      if (meaning != MEANS_WAKE_UP || interrupt_ns < sleep->start_ns)
        continue;
      sleep->timer_ns = interrupt_ns;
      sleep->wake_ns = reader.now_ns;
      found = TRUE;
    }
  return found;
}

/* The index of the last visit of @stream that began at or before @at_ns; -1: there is none. */
static gint
find_visit (const Stream *stream, guint64 at_ns)
{
  guint low = 0;
  guint high = stream->visits->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (stream->visits, Visit, middle).start_ns <= at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return (gint) low - 1;
}

static const Stream *
find_stream (const Walk *walk, guint cpu)
{
  for (guint i = 0; i < walk->streams->len; i++)
    if (((const Stream *) g_ptr_array_index (walk->streams, i))->cpu == cpu)
      return g_ptr_array_index (walk->streams, i);
  return NULL;
}

static void
find_timer (const Walk *walk, const guint8 *meanings, Sleep *sleep)
{
  const Stream *stream = find_stream (walk, sleep->cpu);
  gint last = stream ? find_visit (stream, sleep->end_ns) : -1;

  for (gint i = last; i >= 0 && i > last - MAX_VISITS_BACK; i--)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);

      if (visit->end_ns < sleep->start_ns || find_wake_up (stream, visit, meanings, sleep) || visit->after_loss)
        return;
    }
}

/* Finds the interrupts that ended the @n sleeps up to and including number @last. */
static void
sleeps_find_timers (const Walk *walk, const CulpritCapture *capture, Sleeps *sleeps, guint last, guint n)
{
  g_autofree guint8 *meanings = find_meanings (capture);

  for (guint i = last + 1 - MIN (n, last + 1); meanings && i <= last; i++)
    find_timer (walk, meanings, &g_array_index (sleeps->sleeps, Sleep, i));
}

/* Finds the interrupt that ended one sleep. */
static void
sleeps_find_timer (const Walk *walk, const CulpritCapture *capture, Sleep *sleep)
{
  g_autofree guint8 *meanings = find_meanings (capture);

  if (meanings)
    find_timer (walk, meanings, sleep);
}

/* The time of the last event of @cpu before @at_ns; 0: there is none. */
static guint64
sleeps_last_event_ns (const Walk *walk, guint cpu, guint64 at_ns)
{
  const Stream *stream = find_stream (walk, cpu);
  gint last = stream && at_ns > 0 ? find_visit (stream, at_ns - 1) : -1;
  guint64 found_ns = 0;
  EventReader reader;

  if (last < 0)
    return 0;
  reader = stream_events (stream, &g_array_index (stream->visits, Visit, last));
  while (event_reader_next (&reader) && reader.now_ns < at_ns)
    found_ns = reader.now_ns;
  return found_ns;
}

static void
sleeps_free (Sleeps *sleeps)
{
  g_array_unref (sleeps->sleeps);
  g_array_unref (sleeps->users);
  g_array_unref (sleeps->reads);
  g_free (sleeps);
}

/* Places the late cycle's window. The task read its clock at some time in user mode, after its return and before it
 * wrote the marker. If interrupts occurred in between, each of the times between them is a candidate. A candidate is
 * right if the timers that woke the task did not expire early, for the late cycle and for earlier ones, which were
 * expected whole periods before it. */

#define MAX_CANDIDATES 64
#define MAX_TIMERS 16       /* that are tried for a candidate with a long wait */
#define MAX_CYCLES 1024     /* that a candidate is tried on */
#define TIMER_SLACK_NS 2000 /* The marker's latency is in whole microseconds. */
#define DRIFT_DIVISOR 10000 /* Clocks, and a period that was given, may differ by 100 ppm. */
#define PROMPT_NS 20000     /* An idle CPU handles an interrupt sooner than this. */
#define MIN_DELAYS 3        /* required to say how soon interrupts come */

/* A time during which the task may have read its clock. */
typedef struct
{
  guint64 expected_ns; /* When the cycle was expected, if it did so at once. */
  guint64 length_ns;   /* It may have waited this long. */
  guint windows;       /* number of windows it yields: ordinary ones, whole periods before, and its own */
  guint delays;        /* number of these for which the delay of their timer's interrupt is known */
  gint64 delay_ns;     /* the smallest such delay */
  gboolean by_timer;   /* Expected when a timer's interrupt came, not as early as possible. */
  gboolean possible;
} Candidate;

typedef struct
{
  const Walk *walk;
  const CulpritCapture *capture;
  const Sleeps *sleeps;
} Placement;

/* By how much a timer may seem to expire early, @before_ns before the late cycle. */
static guint64
slack_ns (const CulpritCapture *capture, guint64 before_ns)
{
  if (capture->period_error_ns < 0)
    return TIMER_SLACK_NS + before_ns / DRIFT_DIVISOR;
  return TIMER_SLACK_NS + before_ns / capture->period_ns * capture->period_error_ns;
}

/* The window of the cycle that @sleep ended with, if it was one, was not late, and nothing contradicts it. */
static gboolean
find_ordinary (
    const Placement *placement, const Sleep *sleep, guint64 expected_ns, guint64 last_end_ns, CulpritWindow *window)
{
  const CulpritCapture *capture = placement->capture;
  guint64 before_ns;

  if (sleep->end_ns >= expected_ns)
    return FALSE;
  before_ns = expected_ns - sleep->end_ns;
  before_ns = (before_ns + capture->period_ns - 1) / capture->period_ns * capture->period_ns;
  if (before_ns > expected_ns)
    return FALSE;
  *window = (CulpritWindow) { .cpu = sleep->cpu, .start_ns = expected_ns - before_ns, .end_ns = sleep->end_ns };
  return window->start_ns >= last_end_ns && window->start_ns != window->end_ns &&
         culprit_window_latency_ns (window) < capture->trigger_ns && window->start_ns >= sleep->start_ns &&
         window->start_ns >= walk_first_ns (placement->walk, sleep->cpu) &&
         (sleep->wake_ns == 0 || sleep->wake_ns + slack_ns (capture, before_ns) >= window->start_ns);
}

/* Whether the interrupt that ended @sleep began no earlier than the cycle was expected. */
static gboolean
is_prompted (const Placement *placement, const Sleep *sleep, guint64 expected_ns, guint64 before_ns)
{
  return sleep->timer_ns == 0 || sleep->timer_ns + slack_ns (placement->capture, before_ns) >= expected_ns;
}

static void
add_delay (Candidate *candidate, const Sleep *sleep, guint64 expected_ns)
{
  gint64 delay_ns = (gint64) sleep->timer_ns - (gint64) expected_ns;

  if (sleep->timer_ns == 0)
    return;
  candidate->delay_ns = candidate->delays > 0 ? MIN (candidate->delay_ns, delay_ns) : delay_ns;
  candidate->delays++;
}

/* Tries the candidate on the cycles before the late one. */
static void
try_cycles (const Placement *placement, guint hit, Candidate *candidate)
{
  const GArray *sleeps = placement->sleeps->sleeps;
  guint64 last_end_ns = 0;

  for (guint i = hit - MIN (hit, MAX_CYCLES); placement->capture->period_ns > 0 && i < hit; i++)
    {
      const Sleep *sleep = &g_array_index (sleeps, Sleep, i);
      CulpritWindow window;

      if (!find_ordinary (placement, sleep, candidate->expected_ns, last_end_ns, &window) ||
          !is_prompted (placement, sleep, window.start_ns, candidate->expected_ns - window.start_ns))
        continue;
      candidate->windows++;
      add_delay (candidate, sleep, window.start_ns);
      last_end_ns = window.end_ns;
    }
  if (!is_prompted (placement, &g_array_index (sleeps, Sleep, hit), candidate->expected_ns, 0))
    return;
  candidate->windows++;
  add_delay (candidate, &g_array_index (sleeps, Sleep, hit), candidate->expected_ns);
}

/* The first of @times between @first_ns and @last_ns, and their number. */
static const UserTime *
find_between (const GArray *times, guint64 first_ns, guint64 last_ns, guint *n)
{
  const UserTime *first = NULL;

  *n = 0;
  for (guint i = 0; i < times->len; i++)
    {
      const UserTime *time = &g_array_index (times, UserTime, i);

      if (time->start_ns < first_ns || time->start_ns > last_ns)
        continue;
      first = first ? first : time;
      (*n)++;
    }
  return first;
}

/* The times from the hit's return to the marker during which the task was in user mode; for tasks that need a system
 * call to read the clock, only the first of these. */
static GArray *
find_candidates (const Placement *placement, guint hit, const Marker *marker, guint64 latency_ns)
{
  const Sleep *sleep = &g_array_index (placement->sleeps->sleeps, Sleep, hit);
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  guint n;
  const UserTime *first = find_between (placement->sleeps->reads, sleep->end_ns, marker->at_ns, &n);

  if (first)
    n = 1;
  else
    first = find_between (placement->sleeps->users, sleep->end_ns, marker->at_ns, &n);
  for (guint i = 0; i < n; i++)
    {
      const UserTime *user = first + i;
      guint64 end_ns = MIN (user->end_ns, marker->at_ns);
      guint64 first_ns = user->start_ns;
      Candidate candidate = { 0 };

      if (end_ns < latency_ns)
        continue;
      /* It was asleep when the cycle was expected. */
      if (first_ns < sleep->start_ns + latency_ns)
        first_ns = MIN (sleep->start_ns + latency_ns, end_ns);
      candidate.expected_ns = first_ns - latency_ns;
      candidate.length_ns = end_ns - first_ns;
      candidate.possible = candidate.expected_ns >= sleep->start_ns &&
                           (sleep->wake_ns == 0 || candidate.expected_ns <= sleep->wake_ns + TIMER_SLACK_NS);
      g_array_append_val (candidates, candidate);
    }
  if (candidates->len > MAX_CANDIDATES)
    g_array_remove_range (candidates, 0, candidates->len - MAX_CANDIDATES);
  return candidates;
}

/* The task had much time to read its clock, e.g. because the machine stood still or the time was not traced: the timers
 * of earlier cycles show when the late one may have been expected. */
static void
add_by_timers (const Placement *placement, guint hit, GArray *candidates, const Candidate *candidate)
{
  const GArray *sleeps = placement->sleeps->sleeps;
  guint64 last_ns = candidate->expected_ns + candidate->length_ns;
  guint64 period_ns = placement->capture->period_ns;
  Candidate added = { .by_timer = TRUE, .possible = candidate->possible };
  guint64 first_ns = candidate->expected_ns;

  if (g_array_index (sleeps, Sleep, hit).wake_ns > 0)
    last_ns = MIN (last_ns, g_array_index (sleeps, Sleep, hit).wake_ns);
  for (guint i = hit - MIN (hit, MAX_TIMERS); period_ns > 0 && i <= hit; i++)
    {
      guint64 timer_ns = g_array_index (sleeps, Sleep, i).timer_ns;

      if (timer_ns == 0 || timer_ns > last_ns + PROMPT_NS)
        continue;
      added.expected_ns = last_ns + PROMPT_NS - (last_ns + PROMPT_NS - timer_ns) % period_ns;
      added.expected_ns = MIN (added.expected_ns, last_ns);
      if (added.expected_ns > first_ns)
        g_array_append_val (candidates, added);
    }
}

/* The latest of the candidates that yield nearly as many windows as the best; NULL: none is possible. */
static Candidate *
choose (GArray *candidates)
{
  Candidate *chosen = NULL;
  guint most = 0;

  for (guint i = 0; i < candidates->len; i++)
    if (g_array_index (candidates, Candidate, i).possible)
      most = MAX (most, g_array_index (candidates, Candidate, i).windows);
  for (guint i = 0; i < candidates->len; i++)
    {
      Candidate *candidate = &g_array_index (candidates, Candidate, i);

      candidate->possible = candidate->possible && candidate->windows * 4 >= most * 3;
      if (candidate->possible && (!chosen || candidate->expected_ns > chosen->expected_ns))
        chosen = candidate;
    }
  return chosen;
}

/* Whether @candidate would make interrupts so late that another candidate must be right. */
static gboolean
is_too_slow (const Candidate *candidate, const Candidate *chosen)
{
  return candidate->delays >= MIN_DELAYS && candidate->delay_ns > MAX (PROMPT_NS, 2 * chosen->delay_ns);
}

/* Whether @candidate makes interrupts prompt in most of the @n cycles before. */
static gboolean
is_confirmed (const Candidate *candidate, guint n)
{
  return candidate->delays >= MIN_DELAYS && candidate->delays * 2 >= MIN (n, MAX_CYCLES) &&
         candidate->delay_ns <= PROMPT_NS;
}

/* How far off the chosen one may be. */
static guint64
uncertainty_ns (const GArray *candidates, const Candidate *chosen)
{
  guint64 uncertain_ns = chosen->length_ns;

  if (chosen->by_timer)
    uncertain_ns = PROMPT_NS;
  else if (chosen->delays >= MIN_DELAYS)
    uncertain_ns = MIN (uncertain_ns, (guint64) MAX (chosen->delay_ns, 0) + TIMER_SLACK_NS);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);

      if (candidate->possible && candidate->expected_ns < chosen->expected_ns && !is_too_slow (candidate, chosen))
        uncertain_ns = MAX (uncertain_ns, chosen->expected_ns - candidate->expected_ns);
    }
  return uncertain_ns;
}

/* The outlier window: the cycle that was @latency_ns late, which the task reported by @marker after the sleep number
 * @hit. */
static CulpritWindow
placement_find (const Walk *walk,
                const CulpritCapture *capture,
                const Sleeps *sleeps,
                guint hit,
                const Marker *marker,
                guint64 latency_ns)
{
  const Placement placement = { walk, capture, sleeps };
  const Sleep *sleep = &g_array_index (sleeps->sleeps, Sleep, hit);
  g_autoptr (GArray) candidates = find_candidates (&placement, hit, marker, latency_ns);
  CulpritWindow window = { TRUE, sleep->cpu, marker->pid, sleep->end_ns - latency_ns, sleep->end_ns, 0, 0, 0 };
  const Candidate *chosen;
  guint n;

  n = candidates->len;
  for (guint i = 0; i < candidates->len; i++)
    {
      Candidate candidate = g_array_index (candidates, Candidate, i);

      try_cycles (&placement, hit, &candidate);
      g_array_index (candidates, Candidate, i) = candidate;
      if (i < n && candidate.length_ns > PROMPT_NS && !is_confirmed (&candidate, hit))
        add_by_timers (&placement, hit, candidates, &candidate);
    }
  chosen = choose (candidates);
  if (chosen)
    {
      window.uncertain_ns = uncertainty_ns (candidates, chosen);
      window.start_ns = chosen->expected_ns;
      window.end_ns = chosen->expected_ns + latency_ns;
    }
  else
    window.uncertain_ns = marker->at_ns - sleep->end_ns;
  return window;
}

/* The same if no sleep was traced, because only chosen functions were: from the marker alone. */
static CulpritWindow
placement_by_marker (const Walk *walk, const CulpritCapture *capture, const Marker *marker, guint64 latency_ns)
{
  CulpritWindow window = { .outlier = TRUE,
                           .cpu = marker->cpu,
                           .pid = marker->pid,
                           .start_ns = marker->at_ns - latency_ns,
                           .end_ns = marker->at_ns };
  Sleep sleep = { .end_ns = marker->at_ns, .cpu = marker->cpu };
  guint64 before_ns = sleeps_last_event_ns (walk, marker->cpu, marker->at_ns);
  guint64 earlier_ns = 0;

  sleeps_find_timer (walk, capture, &sleep);
  if (sleep.timer_ns > 0 && sleep.timer_ns < window.start_ns && sleep.timer_ns + latency_ns > before_ns)
    earlier_ns = window.start_ns - sleep.timer_ns;
  window.start_ns -= earlier_ns;
  window.end_ns -= earlier_ns;
  window.uncertain_ns = MAX (marker->at_ns - before_ns, earlier_ns);
  return window;
}

/* Adds the ordinary windows of task @pid that are whole periods before @expected_ns, of the last sleeps. */
static void
placement_add_ordinary (
    const Walk *walk, CulpritCapture *capture, const Sleeps *sleeps, guint64 expected_ns, gint32 pid)
{
  const Placement placement = { walk, capture, sleeps };
  const guint n = sleeps->sleeps->len;
  guint64 last_end_ns = 0;

  for (guint i = n - MIN (n, MAX_WINDOWS); capture->period_ns > 0 && i < n; i++)
    {
      CulpritWindow window;

      if (!find_ordinary (&placement, &g_array_index (sleeps->sleeps, Sleep, i), expected_ns, last_end_ns, &window))
        continue;
      window.pid = pid;
      last_end_ns = window.end_ns;
      g_array_append_val (capture->windows, window);
    }
}

/* The number of sleeps before the hit for which timers are searched. */
#define MAX_TIMERS_OF_CYCLES (2 * PERIOD_MAX_TIMES)

/* The last sleep before the marker that may belong to the cycle that the marker reports; else simply the last; -1:
 * there is none. */
static gint
find_hit (const GArray *sleeps, guint64 marker_ns, guint64 latency_ns)
{
  gint last = -1;

  for (gint i = (gint) sleeps->len - 1; i >= 0; i--)
    {
      const Sleep *sleep = &g_array_index (sleeps, Sleep, i);

      if (sleep->end_ns > marker_ns)
        continue;
      if (marker_ns - sleep->start_ns >= latency_ns)
        return i;
      last = last >= 0 ? last : i;
    }
  return last;
}

static int
compare_u64 (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *) a;
  guint64 right = *(const guint64 *) b;

  return left < right ? -1 : left > right;
}

/* Half of what three quarters of the @n sleeps do not exceed: shorter ones are hardly a task waiting for its next
 * cycle. */
static guint64
short_sleep_ns (const Sleep *sleeps, guint n)
{
  g_autofree guint64 *lengths = g_new (guint64, n + 1);

  for (guint i = 0; i < n; i++)
    lengths[i] = sleeps[i].end_ns - sleeps[i].start_ns;
  qsort (lengths, n, sizeof *lengths, compare_u64);
  return n > 0 ? lengths[n * 3 / 4] / 2 : 0;
}

/* Whether the task was asleep for longer than a period allows, more than now and then. */
static gboolean
is_too_short (guint64 period_ns, guint64 trigger_ns, const Sleep *sleeps, guint n)
{
  guint longer = 0;

  for (guint i = 0; i < n; i++)
    longer += sleeps[i].end_ns - sleeps[i].start_ns > period_ns + trigger_ns;
  return longer > n / 3;
}

/* From the interrupts that ended the sleeps up to the hit's, number @n: they follow the cycles most closely. Else from
 * the ends of earlier sleeps, as the hit's is late. */
static Period
infer_period (const Sleep *sleeps, guint n)
{
  guint first = n - MIN (n, MAX_TIMERS_OF_CYCLES - 1);
  g_autofree guint64 *times = g_new (guint64, n - first + 1);
  guint n_timers = 0;
  guint n_ends = 0;
  guint64 short_ns;
  Period period = { 0, 0 };

  for (guint i = first; i <= n; i++)
    if (sleeps[i].timer_ns > (n_timers > 0 ? times[n_timers - 1] : 0))
      times[n_timers++] = sleeps[i].timer_ns;
  if (n_timers * 3 >= n - first)
    period = period_infer (times, n_timers);
  if (period.period_ns > 0)
    return period;
  short_ns = short_sleep_ns (sleeps + first, n - first);
  for (guint i = first; i < n; i++)
    if (sleeps[i].end_ns - sleeps[i].start_ns >= short_ns)
      times[n_ends++] = sleeps[i].end_ns;
  return period_infer (times, n_ends);
}

/* The period that was requested, else that of this capture, else that of others. */
static void
set_period (const CulpritCaptureOptions *options, const Sleep *sleeps, guint n, CulpritCapture *capture)
{
  Period period = { 0, 0 };

  capture->period_given = options->period_ns > 0;
  if (!capture->period_given && sleeps)
    period = infer_period (sleeps, n);
  if (is_too_short (period.period_ns, capture->trigger_ns, sleeps, n))
    period = (Period) { 0, 0 };
  if (!capture->period_given && period.period_ns == 0)
    period = (Period) { options->others_period_ns, options->others_period_error_ns };
  capture->period_ns = capture->period_given ? options->period_ns : period.period_ns;
  capture->period_error_ns = capture->period_given || period.period_ns == 0 ? -1 : (gint64) period.error_ns;
}

static void
add_hit (const Finding *finding, CulpritWindow hit)
{
  hit.outlier = TRUE;
  g_array_append_val (finding->capture->windows, hit);
}

/* Whether functions were read of @cpu: if not, those of other CPUs would be taken for what it did. The recorder
 * traces all CPUs: where only some functions were wanted, it may just not have called them. */
static gboolean
is_traced (const Finding *finding, guint cpu)
{
  const GPtrArray *streams = finding->session->streams;

  for (guint i = 0; i < streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (streams, i);

      if (stream->cpu == cpu && stream->function_events > 0)
        return TRUE;
    }
  if (finding->capture->cycles && !finding->capture->left_out && walk_first_ns (finding->walk, cpu) != G_MAXUINT64)
    return TRUE;
  finding->capture->no_windows_number = cpu;
  return FALSE;
}

/* The cycle whose latency the marker reports. @sleeps: of the task, if they show its windows; else NULL. */
static Reason
hit_of_marker (const Finding *finding, CulpritWindow *hit, Sleeps **sleeps)
{
  const Marker *marker = &finding->session->marker;
  CulpritCapture *capture = finding->capture;
  Walk *walk = finding->walk;
  guint64 latency_us;
  guint64 latency_ns;
  guint64 trigger_us;
  gint last;

  if (sscanf (strstr (marker->text, MARKER_TEXT) + strlen (MARKER_TEXT), "%" G_GUINT64_FORMAT " > %" G_GUINT64_FORMAT,
              &latency_us, &trigger_us) != 2 ||
      latency_us == 0 || latency_us > G_MAXINT64 / 1000 || trigger_us > G_MAXINT64 / 1000)
    return MARKER_FORMAT;
  latency_ns = latency_us * 1000;
  capture->trigger_ns = trigger_us * 1000;
  if (!is_traced (finding, marker->cpu))
    return CPU_NOT_TRACED;
  *sleeps = sleeps_find (walk, capture, marker->pid);
  last = find_hit ((*sleeps)->sleeps, marker->at_ns, latency_ns);
  if (last < 0 && capture->coverage.functions && marker->at_ns >= latency_ns)
    {
      g_clear_pointer (sleeps, sleeps_free);
      set_period (finding->options, NULL, 0, capture);
      *hit = placement_by_marker (walk, capture, marker, latency_ns);
      return 0;
    }
  if (last < 0 || g_array_index ((*sleeps)->sleeps, Sleep, last).end_ns < latency_ns)
    return NO_RETURN;
  sleeps_find_timers (walk, capture, *sleeps, last, MAX_TIMERS_OF_CYCLES);
  set_period (finding->options, (const Sleep *) (gpointer) (*sleeps)->sleeps->data, last, capture);
  *hit = placement_find (walk, capture, *sleeps, last, marker, latency_ns);
  return 0;
}

Reason
windows_by_marker (const Finding *finding)
{
  g_autoptr (Sleeps) sleeps = NULL;
  CulpritWindow hit = { 0 };
  Reason reason;

  windows_measure (finding, finding->session->marker.pid);
  reason = hit_of_marker (finding, &hit, &sleeps);
  if (reason)
    return reason;
  if (hit.uncertain_ns >= culprit_window_latency_ns (&hit) && !finding->capture->coverage.functions)
    {
      /* None of it may be in such a window. Where only some functions were traced, its mark is all there is. */
      finding->capture->no_windows_number = hit.uncertain_ns / 1000;
      return NOT_PLACED;
    }
  if (sleeps)
    placement_add_ordinary (finding->walk, finding->capture, sleeps, hit.start_ns, hit.pid);
  add_hit (finding, hit);
  return 0;
}

static CulpritWindow
window_of_cycle (const CulpritCycles *log, guint index)
{
  const CulpritCycle *cycle = &g_array_index (log->cycles, CulpritCycle, index);

  return (
      CulpritWindow) { .cpu = log->cpu, .pid = log->pid, .start_ns = cycle->expected_ns, .end_ns = cycle->observed_ns };
}

/* The other cycles of the log that were traced from their beginning. */
static void
others_of_log (const Finding *finding, const CulpritWindow *hit)
{
  const CulpritCycles *log = finding->capture->cycles;
  guint64 free_from_ns = walk_first_ns (finding->walk, log->cpu);

  for (guint i = 0; i + 1 < log->cycles->len; i++)
    {
      CulpritWindow window = window_of_cycle (log, i);

      if (window.end_ns <= window.start_ns || window.start_ns < free_from_ns || window.end_ns > hit->start_ns ||
          culprit_window_latency_ns (&window) >= log->trigger_ns)
        continue;
      free_from_ns = window.end_ns;
      g_array_append_val (finding->capture->windows, window);
    }
}

/* Its last cycle is the hit's. */
Reason
windows_by_log (const Finding *finding)
{
  CulpritCapture *capture = finding->capture;
  const CulpritCycles *log = capture->cycles;
  CulpritWindow hit;

  windows_measure (finding, log->pid);
  capture->trigger_ns = log->trigger_ns;
  capture->period_ns = log->period_ns;
  if (!g_str_equal (capture->clock, "mono"))
    return NOT_MONO;
  if (!is_traced (finding, log->cpu))
    return CPU_NOT_TRACED;
  hit = window_of_cycle (log, log->cycles->len - 1);
  others_of_log (finding, &hit);
  add_hit (finding, hit);
  return 0;
}
