/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures windows of other tasks: the kernel does, by the triggers, or if it cannot they are watched from here; once
 * that has stopped the trace the capture is saved. */
#include "recorder-private.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#define LOOK_MS 250  /* for a hit */
#define FOLLOW_MS 20 /* the same where that is what stops the trace */
#define TELL_NS 1000000000ll

typedef struct
{
  Recording *recording;
  int number;
  bool traced;
  WindowCounts counts;       /* by the kernel, when it was last asked */
  WindowBin hits[MOST_BINS]; /* the windows that stopped it, which it has not counted; each counts once */
  int n_hits;
  int64_t measured_ns;
  int64_t told_ns;
  int64_t told_windows;
} Watch;

static bool
has_name (const char *process, const char *thread, const char *name)
{
  char path[300];
  char comm[32] = "";
  FILE *file;

  snprintf (path, sizeof path, "/proc/%s/task/%s/comm", process, thread);
  file = fopen (path, "re");
  if (file && fgets (comm, sizeof comm, file))
    comm[strcspn (comm, "\n")] = '\0';
  if (file)
    fclose (file);
  return strcmp (comm, name) == 0;
}

static bool
has_thread (const char *process, const Window *window)
{
  char path[300];
  DIR *folder;
  const struct dirent *entry;
  bool found = false;

  snprintf (path, sizeof path, "/proc/%s/task", process);
  folder = opendir (path);
  while (folder && !found && (entry = readdir (folder)))
    found =
        window->by_pid ? strcmp (entry->d_name, window->task) == 0 : has_name (process, entry->d_name, window->task);
  if (folder)
    closedir (folder);
  return found;
}

void
watch_note_task (const Window *window)
{
  DIR *folder = *window->task ? opendir ("/proc") : NULL;
  const struct dirent *entry;
  bool found = !folder;

  while (!found && (entry = readdir (folder)))
    found = *entry->d_name >= '1' && *entry->d_name <= '9' && has_thread (entry->d_name, window);
  if (folder)
    closedir (folder);
  if (!found)
    reply_note ("there is no task %s \"%s\" here yet; it is measured from when it starts",
                window->by_pid ? "with the pid" : "called", window->task);
}

static void
reply_totals (const Watch *watch)
{
  const Request *request = watch->recording->request;
  const WindowCounts *counts = &watch->counts;
  int64_t n = 0;
  int64_t hits = 0;
  int64_t min_us = INT64_MAX;
  int64_t max_us = 0;
  double sum_us = 0;

  for (int i = 0; i < counts->n + watch->n_hits; i++)
    {
      const WindowBin *bin = i < counts->n ? &counts->bins[i] : &watch->hits[i - counts->n];

      n += bin->count;
      sum_us += (double) bin->us * bin->count;
      min_us = bin->us < min_us ? bin->us : min_us;
      max_us = bin->us > max_us ? bin->us : max_us;
      if (request_has_trigger (request) &&
          (i >= counts->n || (bin->us * 1000 + 999 >= request->low_ns && bin->us * 1000 <= request->high_ns)))
        hits += bin->count;
    }
  reply_int ("cycles", n);
  reply_int ("min_ns", n > 0 ? min_us * 1000 : 0);
  reply_int ("mean_ns", n > 0 ? (int64_t) (sum_us / n * 1000) : 0);
  reply_int ("max_ns", max_us * 1000);
  reply_int ("hits", hits);
}

static int64_t
count_windows (const Watch *watch)
{
  int64_t n = watch->n_hits;

  for (int i = 0; i < watch->counts.n; i++)
    n += watch->counts.bins[i].count;
  return n;
}

/* All latencies of the run so far. */
static void
reply_bins (Watch *watch)
{
  watch->told_windows = count_windows (watch);
  reply_begin ("bins");
  reply_int ("run", watch->number);
  reply_open ("bins", '[');
  for (int i = 0; i < watch->counts.n + watch->n_hits; i++)
    {
      const WindowBin *bin = i < watch->counts.n ? &watch->counts.bins[i] : &watch->hits[i - watch->counts.n];

      reply_open (NULL, '[');
      reply_int (NULL, bin->us);
      reply_int (NULL, bin->count);
      reply_close ('[');
    }
  reply_close ('[');
  reply_end ();
}

/* How far it is, with the latencies if there are more. */
static void
tell (Watch *watch)
{
  watch->told_ns = now_ns ();
  reply_begin ("progress");
  reply_int ("run", watch->number);
  reply_totals (watch);
  reply_int ("captures", watch->recording->captures);
  reply_end ();
  if (count_windows (watch) > watch->told_windows)
    reply_bins (watch);
}

/* Says, before the first hit, whether there are windows: nobody should wait in vain for those of a misspelt task. */
static bool
tell_first (Watch *watch)
{
  if (!triggers_read (watch->recording->triggers, &watch->counts))
    return false;
  if (count_windows (watch) == 0)
    reply_note ("no window was seen so far; it goes on until one is a hit");
  tell (watch);
  return true;
}

/* Waits for a hit, or the end of the run. While it is traced the kernel is not asked for its counts, since what it does
 * for that would be in the trace. */
static bool
wait_for_hit (Watch *watch, bool *hit)
{
  const Request *request = watch->recording->request;
  bool armed = false;
  int64_t start_ns = now_ns ();
  int look_ms = watch->recording->triggers->lacking ? FOLLOW_MS : LOOK_MS;
  int64_t left_ms = look_ms;

  *hit = false;
  while (!*hit && !control_stopped () && left_ms > 0)
    {
      left_ms = request->limit_ns > 0
                    ? (request->limit_ns - watch->measured_ns - (now_ns () - start_ns) + 999999) / 1000000
                    : look_ms;
      control_wait (-1, left_ms < look_ms ? (int) (left_ms > 0 ? left_ms : 0) : look_ms);
      *hit = triggers_has_hit (watch->recording->triggers) && armed;
      if (!armed && wants_captures (watch->recording, watch->traced) && now_ns () - start_ns >= WINDOW_WARM_UP_NS)
        {
          if (watch->n_hits == 0 && !tell_first (watch))
            return false;
          if (!triggers_arm (watch->recording->triggers))
            return false;
          armed = true;
        }
      if (now_ns () - watch->told_ns < TELL_NS)
        continue;
      if (!watch->traced && !triggers_read (watch->recording->triggers, &watch->counts))
        return false;
      tell (watch);
    }
  watch->measured_ns += now_ns () - start_ns;
  return true;
}

static void
reply_hit (const WindowHit *hit)
{
  reply_int ("cpu", hit->cpu);
  if (hit->pid >= 0)
    reply_int ("pid", hit->pid);
  reply_int ("latency_ns", hit->latency_ns);
  reply_int ("observed_ns", hit->observed_ns);
}

static void
reply_log (const Watch *watch, const WindowHit *hit, int64_t oldest_ns, const Taken *before)
{
  const Request *request = watch->recording->request;
  const Delays unknown = { .known = false };

  reply_begin ("capture");
  reply_int ("culprit_cycles", 1);
  reply_int ("run", watch->number);
  reply_int ("capture", watch->recording->captures);
  reply_text ("window", request->window.text);
  trigger_reply (request);
  reply_open ("hit", '{');
  reply_hit (hit);
  reply_close ('{');
  reply_open ("cycles", '[');
  reply_close ('[');
  buffer_reply (request, hit->latency_ns, hit->observed_ns, oldest_ns);
  delays_reply (&unknown);
  taken_reply (request, before);
  reply_end ();
}

static bool
save_capture (Watch *watch, const WindowHit *hit, const Taken *before)
{
  Recording *recording = watch->recording;
  int64_t oldest_ns = tracing_oldest_ns (hit->cpu);

  recording->captures++;
  reply_begin ("hit");
  reply_int ("run", watch->number);
  reply_int ("capture", recording->captures);
  reply_hit (hit);
  reply_end ();
  if (!capture_extract (recording->folder))
    return false;
  reply_log (watch, hit, oldest_ns, before);
  return capture_send (recording->folder, recording->captures);
}

/* Measures until a hit, and saves its capture. A window that began before the trace did is none: most of it is
 * missing. */
static bool
measure_to_hit (Watch *watch, bool *hit)
{
  const Triggers *triggers = watch->recording->triggers;
  Taken before = taken_read (watch->recording->request);
  int64_t start_ns;
  WindowHit window;
  bool good;

  if (watch->traced && !tracing_begin ())
    return false;
  start_ns = now_ns ();
  good = wait_for_hit (watch, hit);
  if (watch->traced)
    tracing_off ();
  if (!good || !*hit)
    return good;
  if (!triggers_read (triggers, &watch->counts))
    return false;
  if (!triggers_hit (triggers, &window))
    return fail (TRACING_STOPPED);
  if (watch->n_hits < MOST_BINS)
    watch->hits[watch->n_hits++] = (WindowBin) { window.latency_ns / 1000, 1 };
  if (window.observed_ns - window.latency_ns >= start_ns && !save_capture (watch, &window, &before))
    return false;
  return triggers_resume (triggers);
}

static void
note_counts (const Watch *watch)
{
  const WindowCounts *counts = &watch->counts;
  int64_t lost = triggers_read_lost (watch->recording->triggers);

  if (counts->absurd > 0)
    reply_note ("%lld windows are not counted: the task ran before its timer expired, or the timer is not on "
                "CLOCK_MONOTONIC",
                (long long) counts->absurd);
  if (counts->dropped > 0)
    reply_note ("%lld windows are not counted: the kernel had no room for their latencies",
                (long long) counts->dropped);
  if (counts->losses > 0)
    reply_note ("events were lost %lld times, and with them the windows in which that was", (long long) counts->losses);
  if (lost > 0)
    reply_note ("up to %lld windows are not counted: they have more different keys than the kernel had room for",
                (long long) lost);
  if (counts->n + watch->n_hits == 0)
    reply_note ("no window was seen in run %d", watch->number);
}

bool
watch_measure (Recording *recording, int number, bool traced)
{
  const Request *request = recording->request;
  Watch *watch = calloc (1, sizeof *watch);
  Taken before = taken_read (request);
  bool hit = false;
  bool good;

  if (!watch)
    return fail ("not enough memory to count windows");
  *watch = (Watch) { .recording = recording, .number = number, .traced = traced };
  if (request->window.kind == WINDOW_MARKS && !traced) /* They come to the buffer. */
    setting_write ("tracing_on", "1");
  if (recording->triggers->lacking && number == 1)
    reply_note (
        "%s, so windows are watched from user space: a trace is stopped up to %d ms late, when the beginning of "
        "a late window may be overwritten, and shows how the events are read",
        recording->triggers->lacking, FOLLOW_MS);
  if (!triggers_set_up (recording->triggers, traced))
    {
      triggers_take_down (recording->triggers);
      free (watch);
      return false;
    }
  reply_begin ("run");
  reply_int ("run", number);
  reply_text ("tracing", traced ? "on" : "off");
  reply_int ("started_ns", now_ns ());
  reply_end ();
  do
    good = measure_to_hit (watch, &hit);
  while (good && hit && !control_stopped () &&
         (wants_captures (watch->recording, watch->traced) || request->tracing == TRACING_BOTH) &&
         (request->limit_ns == 0 || watch->measured_ns < request->limit_ns));
  good = good && (hit || triggers_read (recording->triggers, &watch->counts));
  if (good)
    note_counts (watch);
  triggers_take_down (recording->triggers);
  reply_bins (watch);
  reply_begin ("run-end");
  reply_int ("run", number);
  reply_totals (watch);
  taken_reply (request, &before);
  reply_end ();
  free (watch);
  return good;
}
