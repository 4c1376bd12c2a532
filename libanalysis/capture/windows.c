/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of a capture: from the cycle log if there is one, else from the marker and the measured task's sleeps. */
#include "windows-private.h"

#include "period-private.h"
#include "placement-private.h"

#include <stdio.h>
#include <stdlib.h>

/* The number of sleeps before the hit for which timers are searched. */
#define MAX_TIMERS (2 * PERIOD_MAX_TIMES)

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
  guint first = n - MIN (n, MAX_TIMERS - 1);
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
  if (!capture->period_given)
    period = infer_period (sleeps, n);
  if (is_too_short (period.period_ns, capture->trigger_ns, sleeps, n))
    period = (Period) { 0, 0 };
  if (!capture->period_given && period.period_ns == 0)
    period = (Period) { options->others_period_ns, options->others_period_error_ns };
  capture->period_ns = capture->period_given ? options->period_ns : period.period_ns;
  capture->period_error_ns = capture->period_given || period.period_ns == 0 ? -1 : (gint64) period.error_ns;
}

void
windows_find (Walk *walk, const Marker *marker, const CulpritCaptureOptions *options, CulpritCapture *capture)
{
  g_autoptr (Sleeps) sleeps = NULL;
  CulpritWindow window;
  guint64 latency_us;
  guint64 trigger_us;
  gint hit;

  if (sscanf (strstr (marker->text, MARKER_TEXT) + strlen (MARKER_TEXT), "%" G_GUINT64_FORMAT " > %" G_GUINT64_FORMAT,
              &latency_us, &trigger_us) != 2 ||
      latency_us == 0 || latency_us > G_MAXINT64 / 1000 || trigger_us > G_MAXINT64 / 1000)
    {
      capture->no_windows = "its latency marker is not in cyclictest's format";
      return;
    }
  capture->trigger_ns = trigger_us * 1000;
  walk_measure (walk, marker->pid);
  sleeps = sleeps_find (walk, capture, marker->pid);
  hit = find_hit (sleeps->sleeps, marker->at_ns, latency_us * 1000);
  if (hit < 0 && capture->coverage.functions && marker->at_ns >= latency_us * 1000)
    {
      set_period (options, NULL, 0, capture);
      window = placement_by_marker (walk, capture, marker, latency_us * 1000);
      g_array_append_val (capture->windows, window);
      return;
    }
  if (hit < 0 || g_array_index (sleeps->sleeps, Sleep, hit).end_ns < latency_us * 1000)
    {
      capture->no_windows = "the measured task's return from its sleep was not captured";
      return;
    }
  sleeps_find_timers (walk, capture, sleeps, hit, MAX_TIMERS);
  set_period (options, (const Sleep *) (gpointer) sleeps->sleeps->data, hit, capture);
  window = placement_find (walk, capture, sleeps, hit, marker, latency_us * 1000);
  placement_add_ordinary (walk, capture, sleeps, window.start_ns, marker->pid);
  g_array_append_val (capture->windows, window);
}

void
windows_from_cycles (Walk *walk, CulpritCapture *capture)
{
  const CulpritCycles *cycles = capture->cycles;
  const CulpritCycle *last = &g_array_index (cycles->cycles, CulpritCycle, cycles->cycles->len - 1);
  guint64 first_ns = walk_first_ns (walk, cycles->cpu);
  guint64 last_end_ns = 0;

  capture->trigger_ns = cycles->trigger_ns;
  capture->period_ns = cycles->period_ns;
  if (!g_str_equal (capture->clock, "mono"))
    {
      capture->no_windows = "its trace clock is not mono, so its cycle log cannot be used";
      return;
    }
  if (first_ns == G_MAXUINT64)
    {
      g_autofree char *reason =
          g_strdup_printf ("its cycle log is for CPU %u, on which nothing was traced", cycles->cpu);

      capture->no_windows = g_string_chunk_insert (capture->strings, reason);
      return;
    }
  walk_measure (walk, cycles->pid);
  for (guint i = 0; i < cycles->cycles->len; i++)
    {
      const CulpritCycle *cycle = &g_array_index (cycles->cycles, CulpritCycle, i);
      CulpritWindow window = { .outlier = cycle == last,
                               .cpu = cycles->cpu,
                               .pid = cycles->pid,
                               .start_ns = cycle->expected_ns,
                               .end_ns = cycle->observed_ns };

      if (cycle != last &&
          (window.end_ns <= window.start_ns || window.start_ns < last_end_ns || window.start_ns < first_ns ||
           window.end_ns > last->expected_ns || culprit_window_latency_ns (&window) >= cycles->trigger_ns))
        continue;
      last_end_ns = window.end_ns;
      g_array_append_val (capture->windows, window);
    }
}
