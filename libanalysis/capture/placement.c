/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places the late cycle's window. The task read its clock at some time in user mode, after its return and before it
 * wrote the marker. If interrupts occurred in between, each of the times between them is a candidate. A candidate is
 * right if the timers that woke the task did not expire early, for the late cycle and for earlier ones, which were
 * expected whole periods before it. */
#include "placement-private.h"

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

CulpritWindow
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

CulpritWindow
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

void
placement_add_ordinary (
    const Walk *walk, CulpritCapture *capture, const Sleeps *sleeps, guint64 expected_ns, gint32 pid)
{
  const Placement placement = { walk, capture, sleeps };
  guint64 last_end_ns = 0;

  for (guint i = 0; capture->period_ns > 0 && i < sleeps->sleeps->len; i++)
    {
      CulpritWindow window;

      if (!find_ordinary (&placement, &g_array_index (sleeps->sleeps, Sleep, i), expected_ns, last_end_ns, &window))
        continue;
      window.pid = pid;
      last_end_ns = window.end_ns;
      g_array_append_val (capture->windows, window);
    }
}
