/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of a foreign capture: the marker tells latency and task, the task's returns from its sleeps tell
 * when each cycle was observed, and whole periods before the hit when it was expected. */
#include "windows-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN_SLEEPS_TO_INFER 4

/* A call from user mode in which the task left the CPU and came back. */
typedef struct
{
  guint64 start_ns;
  guint64 end_ns; /* The task is back in user mode. */
  guint cpu;
} Sleep;

typedef struct
{
  const Walk *walk;
  const CulpritCapture *capture;
  GArray *sleeps;    /* of Sleep */
  guint32 returning; /* The epoch, where nothing but the way back to user mode came after the last sleep; or 0. */
} Search;

/* Parts of the names of the functions on the way from a system call back to user mode. They are not inside of the
 * call, and take 20 us when traced. */
static const char *const ways_back[] = { "exit_to_user", "syscall_exit", "return_slowpath", "notify_resume" };

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
}

static inline void
on_enter (gpointer data, guint stream, Task *task, Frame *frame)
{
}

static inline void
on_leave (gpointer data, guint stream, Task *task, Frame *frame, guint64 end_ns)
{
  Search *search = data;
  Sleep sleep = { frame->start_ns, end_ns, ((const Stream *) g_ptr_array_index (search->walk->streams, stream))->cpu };

  if (frame != &task->frames[0])
    return;
  if (search->returning == task->epoch && !(frame->marks & MARK_CUT) && is_way_back (search->capture, frame->function))
    {
      g_array_index (search->sleeps, Sleep, search->sleeps->len - 1).end_ns = end_ns;
      g_array_index (search->sleeps, Sleep, search->sleeps->len - 1).cpu = sleep.cpu;
    }
  else
    {
      gboolean slept = !(frame->marks & MARK_CUT) && frame->arrivals != task->arrivals;

      search->returning = slept ? task->epoch : 0;
      if (slept)
        g_array_append_val (search->sleeps, sleep);
    }
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

static GArray *
find_sleeps (Walk *walk, const CulpritCapture *capture, gint32 pid)
{
  static const WalkOps ops = { on_stretch, on_enter, on_leave };
  Search search = { walk, capture, g_array_new (FALSE, FALSE, sizeof (Sleep)), 0 };

  for (guint i = 0; i < walk->tasks->len; i++)
    if (g_array_index (walk->tasks, Task, i).pid == pid)
      walk_run (walk, &ops, &search, i);
  g_array_sort (search.sleeps, compare_sleeps);
  return search.sleeps;
}

/* The last sleep before the marker that can have been as late as the marker says; else just the last. */
static const Sleep *
find_hit (const GArray *sleeps, guint64 marker_ns, guint64 latency_ns)
{
  const Sleep *last = NULL;

  for (guint i = sleeps->len; i > 0; i--)
    {
      const Sleep *sleep = &g_array_index (sleeps, Sleep, i - 1);

      if (sleep->end_ns > marker_ns)
        continue;
      if (sleep->end_ns - sleep->start_ns >= latency_ns)
        return sleep;
      last = last ? last : sleep;
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

/* The typical time between two returns; 0 where there are too few of them. */
static guint64
typical_gap (const Sleep *sleeps, guint n)
{
  g_autofree guint64 *gaps = NULL;

  if (n < MIN_SLEEPS_TO_INFER)
    return 0;
  gaps = g_new (guint64, n - 1);
  for (guint i = 0; i + 1 < n; i++)
    gaps[i] = sleeps[i + 1].end_ns - sleeps[i].end_ns;
  qsort (gaps, n - 1, sizeof *gaps, compare_u64);
  return gaps[(n - 1) / 2];
}

/* The roundest period within @error_ns of @period_ns: people choose round ones, and a microsecond off is a
 * window that is a hundred off a hundred cycles before the hit. */
static guint64
round_period (double period_ns, double error_ns)
{
  static const double units_ns[] = { 1e6, 1e5, 1e4, 1e3 };

  for (guint i = 0; i < G_N_ELEMENTS (units_ns); i++)
    {
      double rounded_ns = round (period_ns / units_ns[i]) * units_ns[i];

      if (rounded_ns > 0 && fabs (rounded_ns - period_ns) <= error_ns)
        return rounded_ns;
    }
  return MAX (round (period_ns), 0);
}

/* The period of the returns: the slope of their times over their numbers, by least squares, made as round as three
 * of its standard errors allow. 0 where there are too few returns. */
static guint64
infer_period (const Sleep *sleeps, guint n)
{
  guint64 typical_ns = typical_gap (sleeps, n);
  double sum_k = 0, sum_t = 0, sum_kk = 0, sum_kt = 0, sum_tt = 0;
  double var_k, slope_ns, residual;

  if (typical_ns == 0)
    return 0;
  for (guint i = 0; i < n; i++)
    {
      double t = (double) sleeps[i].end_ns - (double) sleeps[0].end_ns;
      double k = round (t / typical_ns);

      t -= k * typical_ns;
      sum_k += k;
      sum_t += t;
      sum_kk += k * k;
      sum_kt += k * t;
      sum_tt += t * t;
    }
  var_k = sum_kk - sum_k * sum_k / n;
  if (var_k <= 0)
    return typical_ns;
  slope_ns = (sum_kt - sum_k * sum_t / n) / var_k;
  residual = MAX (sum_tt - sum_t * sum_t / n - slope_ns * slope_ns * var_k, 0) / (n - 2);
  return round_period (typical_ns + slope_ns, 3 * sqrt (residual / var_k));
}

static guint64
first_event_ns (const Walk *walk, guint cpu)
{
  for (guint i = 0; i < walk->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (walk->streams, i);

      if (stream->cpu == cpu)
        return stream_first_ns (stream);
    }
  return G_MAXUINT64;
}

static void
add_ordinary (const Walk *walk, const GArray *sleeps, guint64 expected_hit_ns, gint32 pid, CulpritCapture *capture)
{
  guint64 last_end_ns = 0;

  for (guint i = 0; i < sleeps->len; i++)
    {
      const Sleep *sleep = &g_array_index (sleeps, Sleep, i);
      guint64 before_ns;
      CulpritWindow window = { FALSE, sleep->cpu, pid, 0, sleep->end_ns, 0, 0 };

      if (sleep->end_ns >= expected_hit_ns)
        continue;
      before_ns = expected_hit_ns - sleep->end_ns;
      before_ns = (before_ns + capture->period_ns - 1) / capture->period_ns * capture->period_ns;
      if (before_ns > expected_hit_ns)
        continue;
      window.start_ns = expected_hit_ns - before_ns;
      if (window.start_ns < last_end_ns || window.start_ns == window.end_ns ||
          culprit_window_latency_ns (&window) >= capture->trigger_ns || window.start_ns < sleep->start_ns ||
          window.start_ns < first_event_ns (walk, sleep->cpu))
        continue;
      last_end_ns = window.end_ns;
      g_array_append_val (capture->windows, window);
    }
}

void
windows_find (Walk *walk, const Marker *marker, guint64 period_ns, CulpritCapture *capture)
{
  g_autoptr (GArray) sleeps = NULL;
  const Sleep *hit;
  guint64 latency_us;
  guint64 trigger_us;

  if (sscanf (strstr (marker->text, MARKER_TEXT) + strlen (MARKER_TEXT), "%" G_GUINT64_FORMAT " > %" G_GUINT64_FORMAT,
              &latency_us, &trigger_us) != 2 ||
      latency_us == 0 || latency_us > G_MAXINT64 / 1000 || trigger_us > G_MAXINT64 / 1000)
    {
      capture->no_windows = "its latency marker is not in cyclictest's wording";
      return;
    }
  capture->trigger_ns = trigger_us * 1000;
  walk_measure (walk, marker->pid);
  sleeps = find_sleeps (walk, capture, marker->pid);
  hit = find_hit (sleeps, marker->at_ns, latency_us * 1000);
  if (!hit || hit->end_ns < latency_us * 1000)
    {
      capture->no_windows = "the measured task's return from its sleep was not captured";
      return;
    }
  capture->period_given = period_ns > 0;
  capture->period_ns = period_ns > 0 ? period_ns
                                     : infer_period ((const Sleep *) (gpointer) sleeps->data,
                                                     hit - (const Sleep *) (gpointer) sleeps->data);
  if (capture->period_ns > 0)
    add_ordinary (walk, sleeps, hit->end_ns - latency_us * 1000, marker->pid, capture);
  g_array_append_val (capture->windows, ((CulpritWindow) { TRUE, hit->cpu, marker->pid, hit->end_ns - latency_us * 1000,
                                                           hit->end_ns, 0, 0 }));
}

void
windows_from_cycles (Walk *walk, const CulpritCycles *cycles, CulpritCapture *capture)
{
  const CulpritCycle *last = &g_array_index (cycles->cycles, CulpritCycle, cycles->cycles->len - 1);
  guint64 first_ns = first_event_ns (walk, cycles->cpu);
  guint64 last_end_ns = 0;

  capture->trigger_ns = cycles->trigger_ns;
  capture->period_ns = cycles->period_ns;
  if (!g_str_equal (capture->clock, "mono"))
    {
      capture->no_windows = "its trace clock is not mono, so that its cycle log tells nothing";
      return;
    }
  walk_measure (walk, cycles->pid);
  for (guint i = 0; i < cycles->cycles->len; i++)
    {
      const CulpritCycle *cycle = &g_array_index (cycles->cycles, CulpritCycle, i);
      CulpritWindow window = { cycle == last, cycles->cpu, cycles->pid, cycle->expected_ns, cycle->observed_ns, 0, 0 };

      if (cycle != last &&
          (window.end_ns <= window.start_ns || window.start_ns < last_end_ns || window.start_ns < first_ns ||
           window.end_ns > last->expected_ns || culprit_window_latency_ns (&window) >= cycles->trigger_ns))
        continue;
      last_end_ns = window.end_ns;
      g_array_append_val (capture->windows, window);
    }
}
