/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures a run: arms, follows, saves the capture of a hit with its cycle log, and arms again. */
#include "run.h"

#include "arm.h"
#include "capture.h"
#include "control.h"
#include "delays.h"
#include "facts.h"
#include "reply.h"
#include "samples.h"
#include "tracing.h"
#include "wait.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_LOGGED 16000 /* cycles in a log, so that its line stays below the protocol's limit */

typedef struct
{
  Recording *recording;
  int number;
  bool traced;
  Totals totals;
  Packed *packed; /* for each CPU */
  Delays delays;
  int64_t measured_ns;
  int64_t page_faults;
} Run;

/* What the machine takes away, on the chosen CPUs. */
typedef struct
{
  int64_t smi;
  int64_t steal_ns;
} Taken;

static Taken
read_taken (const Request *request)
{
  Taken taken = { 0, facts_steal_ns (request->cpus, request->n_cpus) };

  for (int i = 0; i < request->n_cpus && taken.smi >= 0; i++)
    {
      int64_t count = facts_smi_count (request->cpus[i]);

      taken.smi = count < 0 ? -1 : taken.smi + count;
    }
  return taken;
}

static void
reply_taken (const Request *request, const Taken *before)
{
  Taken now = read_taken (request);

  reply_known ("smi", before->smi < 0 || now.smi < 0 ? -1 : now.smi - before->smi);
  reply_known ("steal_ns", before->steal_ns < 0 || now.steal_ns < 0 ? -1 : now.steal_ns - before->steal_ns);
}

static void
reply_delay (const char *key, const Delay *delay)
{
  reply_open (key, '{');
  reply_int ("count", delay->count);
  reply_int ("ns", delay->ns);
  reply_close ('{');
}

static void
reply_delays (const Delays *delays)
{
  if (!delays->known)
    {
      reply_null ("delays");
      return;
    }
  reply_open ("delays", '{');
  reply_delay ("cpu", &delays->cpu);
  reply_delay ("block_io", &delays->block_io);
  reply_delay ("swap_in", &delays->swap_in);
  reply_delay ("reclaim", &delays->reclaim);
  reply_delay ("thrashing", &delays->thrashing);
  reply_close ('{');
}

static void
reply_totals (const Totals *totals)
{
  reply_int ("cycles", totals->cycles);
  reply_int ("min_ns", totals->min_ns);
  reply_int ("mean_ns", totals->cycles > 0 ? totals->sum_ns / totals->cycles : 0);
  reply_int ("max_ns", totals->max_ns);
  reply_int ("hits", totals->hits);
  reply_int ("missed", totals->missed);
  reply_int ("late", totals->late);
}

static void
look (void *data)
{
  Run *run = data;
  Shared *shared = run->recording->shared;

  for (int i = 0; i < shared->n_lanes; i++)
    samples_take (&shared->lanes[i], run->recording->request, run->number, &run->packed[i], &run->totals);
  reply_begin ("progress");
  reply_int ("run", run->number);
  reply_totals (&run->totals);
  reply_int ("captures", run->recording->captures);
  reply_end ();
}

/* The first of the samples of @lane, in its ring, that was expected when @oldest_ns was in the ring buffer. */
static uint64_t
first_logged (const Lane *lane, int64_t oldest_ns)
{
  uint64_t written = atomic_load (&lane->written);
  uint64_t first = written > MAX_LOGGED ? written - MAX_LOGGED : 0;

  while (first + 1 < written && lane_sample (lane, first)->expected_ns < oldest_ns)
    first++;
  return first;
}

/* The buffer that would have held the whole window; 0: this one did. */
static int64_t
needed_kb (const Request *request, const Sample *hit, int64_t oldest_ns)
{
  int64_t held_ns = hit->observed_ns - oldest_ns;

  if (oldest_ns <= hit->expected_ns || held_ns <= 0)
    return 0;
  return (double) request->buffer_kb * (hit->observed_ns - hit->expected_ns) / held_ns * 1.25 + 1;
}

static void
reply_hit (const Lane *lane, const Packed *packed)
{
  uint64_t last = atomic_load (&lane->written) - 1;
  const Sample *hit = lane_sample (lane, last);

  reply_int ("cpu", lane->cpu);
  reply_int ("pid", lane->tid);
  reply_int ("cycle", packed->first_cycle + packed->cycles - 1);
  reply_int ("expected_ns", hit->expected_ns);
  reply_int ("observed_ns", hit->observed_ns);
}

/* A list of the request's; empty if it was left out. */
static void
reply_names (const char *key, const JsonValue *names)
{
  reply_open (key, '[');
  for (int i = 0; names && i < names->n_items; i++)
    reply_text (NULL, names->items[i].text);
  reply_close ('[');
}

static void
reply_cycle_log (const Run *run,
                 const Lane *lane,
                 const Packed *packed,
                 int64_t oldest_ns,
                 const Delays *delays,
                 const Taken *before)
{
  const Request *request = run->recording->request;
  uint64_t written = atomic_load (&lane->written);

  reply_begin ("capture");
  reply_int ("culprit_cycles", 1);
  reply_int ("run", run->number);
  reply_int ("capture", run->recording->captures);
  reply_int ("period_ns", request->period_ns);
  if (request->high_ns == INT64_MAX)
    reply_int ("threshold_ns", request->low_ns - 1);
  else
    {
      reply_int ("band_low_ns", request->low_ns);
      reply_int ("band_high_ns", request->high_ns);
    }
  reply_open ("hit", '{');
  reply_hit (lane, packed);
  reply_close ('{');
  reply_open ("cycles", '[');
  for (uint64_t i = first_logged (lane, oldest_ns); i < written; i++)
    {
      reply_open (NULL, '[');
      reply_int (NULL, lane_sample (lane, i)->expected_ns);
      reply_int (NULL, lane_sample (lane, i)->observed_ns);
      reply_close ('[');
    }
  reply_close ('[');
  reply_int ("oldest_ns", oldest_ns);
  reply_int ("buffer_kb", request->buffer_kb);
  reply_int ("needed_kb", needed_kb (request, lane_sample (lane, written - 1), oldest_ns));
  reply_int ("max_depth", request->max_depth);
  reply_names ("graph_functions", request->graph_functions);
  reply_names ("graph_notrace", request->graph_notrace);
  reply_delays (delays);
  reply_taken (request, before);
  reply_end ();
}

/* Saves and sends the capture of the hit that ended @arm. */
static bool
save_capture (Run *run, Arm *arm, const Delays *delays, const Taken *before, char *problem, size_t size)
{
  Recording *recording = run->recording;
  int index = atomic_load (&recording->shared->hit) - 1;
  const Lane *lane = &recording->shared->lanes[index];
  int64_t oldest_ns = tracing_stats (lane->cpu).oldest_ns;

  recording->captures++;
  reply_begin ("hit");
  reply_int ("run", run->number);
  reply_int ("capture", recording->captures);
  reply_hit (lane, &run->packed[index]);
  reply_end ();
  if (!capture_extract (recording->folder, problem, size))
    return false;
  reply_cycle_log (run, lane, &run->packed[index], oldest_ns, delays, before);
  return capture_send (recording->folder, recording->captures, problem, size);
}

static Delays
lane_delays (const Shared *shared)
{
  Delays sum = delays_of_thread (shared->lanes[0].tid);

  for (int i = 1; i < shared->n_lanes; i++)
    {
      Delays more = delays_of_thread (shared->lanes[i].tid);

      delays_add (&sum, &more);
    }
  return sum;
}

static void
reply_run_end (const Run *run, const Taken *before)
{
  reply_begin ("run-end");
  reply_int ("run", run->number);
  reply_totals (&run->totals);
  reply_int ("page_faults", run->page_faults);
  reply_delays (&run->delays);
  reply_taken (run->recording->request, before);
  reply_end ();
}

static bool
wants_captures (const Run *run)
{
  return run->traced && run->recording->captures < run->recording->request->captures;
}

/* Whether there is more to measure after an arm. */
static bool
goes_on (const Run *run, bool hit)
{
  const Request *request = run->recording->request;

  return hit && !control_stopped () && (request->limit_ns == 0 || run->measured_ns < request->limit_ns) &&
         (wants_captures (run) || request->tracing == TRACING_BOTH);
}

/* One arm, and the capture of its hit. */
static bool
measure_arm (Run *run, bool *hit, char *problem, size_t size)
{
  const Request *request = run->recording->request;
  Shared *shared = run->recording->shared;
  Task task = { .request = request, .trigger = wants_captures (run), .traced = run->traced };
  Taken before = read_taken (request);
  Delays delays;
  Arm arm;
  bool good;

  for (int i = 0; i < shared->n_lanes; i++)
    if (request->cycles > 0 &&
        (task.cycles == 0 || task.cycles > (uint64_t) (request->cycles - run->packed[i].first_cycle)))
      task.cycles = request->cycles - run->packed[i].first_cycle;
  if (run->traced && !tracing_begin (problem, size))
    return false;
  good = arm_measure (&arm, shared, &task, request->limit_ns > 0 ? request->limit_ns - run->measured_ns : 0, look, run,
                      problem, size);
  if (run->traced)
    tracing_off ();
  *hit = good && atomic_load (&shared->hit) != 0;
  delays = lane_delays (shared);
  delays_add (&run->delays, &delays);
  run->measured_ns += arm.measured_ns;
  good = good && (!*hit || save_capture (run, &arm, &delays, &before, problem, size));
  arm_end (&arm);
  for (int i = 0; i < shared->n_lanes; i++)
    {
      run->page_faults += shared->lanes[i].page_faults;
      samples_flush (&shared->lanes[i], run->number, &run->packed[i]);
    }
  return good;
}

/* Whether a CPU has had all the cycles that were asked for. */
static bool
has_all_cycles (const Run *run)
{
  const Request *request = run->recording->request;

  for (int i = 0; i < run->recording->shared->n_lanes; i++)
    if (request->cycles > 0 && run->packed[i].first_cycle >= request->cycles)
      return true;
  return false;
}

bool
run_measure (Recording *recording, int number, bool traced, char *problem, size_t size)
{
  Run run = { .recording = recording, .number = number, .traced = traced, .delays = { .known = true } };
  Taken before = read_taken (recording->request);
  bool good;
  bool hit;

  run.packed = calloc (recording->shared->n_lanes, sizeof *run.packed);
  for (int i = 0; i < recording->shared->n_lanes; i++)
    run.packed[i].broken = true;
  reply_begin ("run");
  reply_int ("run", number);
  reply_text ("tracing", traced ? "on" : "off");
  reply_int ("started_ns", now_ns ());
  reply_end ();
  do
    good = measure_arm (&run, &hit, problem, size);
  while (good && goes_on (&run, hit) && !has_all_cycles (&run));
  reply_run_end (&run, &before);
  free (run.packed);
  return good;
}
