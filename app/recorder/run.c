/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures a run arm by arm, and saves the capture of each hit with its cycle log. */
#include "recorder-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Follows the measuring process through one arm. It is checked rarely, since checking takes CPU time. */

typedef struct
{
  CyclicProcess process;
  int64_t measured_ns;
  int64_t given_up_ns; /* when threads that were not scheduled were; 0: none was */
} Arm;

#define LOOK_MS 250
#define LOOK_TRACED_MS 1000 /* With tracing, checking itself can make a wake-up late if there is only one CPU. */
#define STOP_PATIENCE_NS 2000000000ll
#define NS_PER_MS 1000000ll

static bool
all_done (Shared *shared)
{
  for (int i = 0; i < shared->n_lanes; i++)
    if (!atomic_load (&shared->lanes[i].done))
      return false;
  return true;
}

/* Whether no thread had a problem. */
static bool
are_well (const Shared *shared)
{
  for (int i = 0; i < shared->n_lanes; i++)
    if (shared->lanes[i].problem[0])
      return fail ("%s", shared->lanes[i].problem);
  return true;
}

/* Takes a thread's signal that it is done. False: the process is gone. */
static bool
read_done (const CyclicProcess *process)
{
  char byte;

  return read (process->done_fd, &byte, 1) == 1;
}

/* How long to sleep for about @look_ms and wake up right after a cycle, if the period allows it, so that the work is
 * done before the next one. */
static int
behind_a_cycle (const Shared *shared, int64_t period_ns, int look_ms)
{
  const Lane *lane = &shared->lanes[0];
  uint64_t written = atomic_load (&lane->written);
  int64_t now = now_ns ();
  int64_t behind_ns;

  if (written == 0 || period_ns < 2 * NS_PER_MS)
    return look_ms;
  behind_ns = (now + look_ms * NS_PER_MS - lane_sample (lane, written - 1)->expected_ns) % period_ns;
  return look_ms + (int) ((period_ns - behind_ns) / NS_PER_MS) + 1;
}

static bool
follow (Arm *arm, Shared *shared, const Task *task, void (*look) (void *data), void *data)
{
  int64_t limit_ns = task->limit_ns;
  int64_t period_ns = task->request->period_ns;
  int look_ms = task->traced ? LOOK_TRACED_MS : LOOK_MS;
  int64_t start_ns = now_ns ();
  int64_t stop_ns = 0;

  while (!all_done (shared))
    {
      int64_t left_ns = limit_ns > 0 ? limit_ns - (now_ns () - start_ns) : INT64_MAX;
      int timeout_ms =
          left_ns < look_ms * NS_PER_MS ? (int) (left_ns / NS_PER_MS) + 1 : behind_a_cycle (shared, period_ns, look_ms);

      if (control_wait (arm->process.done_fd, left_ns > 0 ? timeout_ms : LOOK_MS) && !read_done (&arm->process))
        return fail ("the measuring process was killed; nothing more can be measured");
      if (look)
        look (data);
      if (control_stopped () || !are_well (shared) || (limit_ns > 0 && now_ns () - start_ns >= limit_ns))
        atomic_store (&shared->stop, true);
      if (stop_ns == 0 && atomic_load (&shared->stop))
        stop_ns = now_ns ();
      if (stop_ns > 0 && now_ns () - stop_ns > period_ns + STOP_PATIENCE_NS)
        {
          arm->given_up_ns = now_ns ();
          return fail (
              "the measuring threads are no longer scheduled, or wait by a clock that was set; they were killed");
        }
    }
  arm->measured_ns = (stop_ns > 0 ? stop_ns : now_ns ()) - start_ns;
  if (look)
    look (data);
  return are_well (shared);
}

/* Measures as @task says; calls @look, if any, four times a second (once with tracing) and at the end. When it returns,
 * the threads still exist, so that they can be examined. False after fail(). Either way cyclic_end() must follow. */
static bool
arm_measure (Arm *arm, Shared *shared, const Task *task, void (*look) (void *data), void *data)
{
  *arm = (Arm) { 0 };
  shared_reset (shared);
  return cyclic_start (shared, task, &arm->process) && follow (arm, shared, task, look, data);
}

/* Measures the cost of tracing, at a period that leaves room for it. A period shorter than twice the cost of a cycle
 * makes every cycle late, which is hard to find out otherwise. */

#define SAFE_PERIOD_NS 5000000
#define TIME_NS 1000000000ll
#define MIN_CYCLES 5
#define MAX_CYCLES 200

typedef struct
{
  int64_t min_ns;
  int64_t median_ns;
  int64_t p99_ns;
  int64_t cpu_ns;
  int64_t cycles;
} Cost;

static int
compare_numbers (const void *a, const void *b)
{
  int64_t left = *(const int64_t *) a;
  int64_t right = *(const int64_t *) b;

  return (left > right) - (left < right);
}

/* The CPU time of a thread so far; 0 if the kernel does not say. */
static int64_t
thread_cpu_ns (pid_t process, pid_t thread)
{
  char path[64];
  long long ns = 0;
  FILE *file;

  snprintf (path, sizeof path, "/proc/%d/task/%d/schedstat", process, thread);
  file = fopen (path, "re");
  if (file && fscanf (file, "%lld", &ns) != 1)
    ns = 0;
  if (file)
    fclose (file);
  return ns;
}

/* Records the cost of @lane on the CPU if it is the highest so far. */
static void
take_cost (Lane *lane, pid_t process, const Request *request, Cost *cost)
{
  int64_t count = atomic_load (&lane->written);
  int64_t *latencies = calloc (count + 1, sizeof *latencies);
  int64_t cpu_ns = thread_cpu_ns (process, lane->tid) / (count + request->skip_cycles + 1);

  for (int64_t i = 0; i < count; i++)
    latencies[i] = lane_sample (lane, i)->observed_ns - lane_sample (lane, i)->expected_ns;
  qsort (latencies, count, sizeof *latencies, compare_numbers);
  if (count > 0 && latencies[count / 2] + cpu_ns > cost->median_ns + cost->cpu_ns)
    *cost = (Cost) { latencies[0], latencies[count / 2], latencies[(count - 1) * 99 / 100], cpu_ns, count };
  free (latencies);
}

static bool
measure_cost (Shared *shared, const Request *request, Cost *cost)
{
  Request slower = *request;
  Task task = { .request = &slower, .traced = true };
  Arm arm = { 0 };
  bool good;

  slower.period_ns = request->period_ns > SAFE_PERIOD_NS ? request->period_ns : SAFE_PERIOD_NS;
  task.cycles = TIME_NS / slower.period_ns;
  task.cycles = task.cycles < MIN_CYCLES ? MIN_CYCLES : task.cycles > MAX_CYCLES ? MAX_CYCLES : task.cycles;
  good = tracing_begin () && arm_measure (&arm, shared, &task, NULL, NULL);
  tracing_off ();
  for (int i = 0; good && i < shared->n_lanes; i++)
    take_cost (&shared->lanes[i], arm.process.pid, &slower, cost);
  cyclic_end (&arm.process);
  return good;
}

/* @ns rounded up to two digits. */
static int64_t
round_up (int64_t ns)
{
  int64_t unit = 1;

  while (ns / unit >= 100)
    unit *= 10;
  return (ns + unit - 1) / unit * unit;
}

/* Whether the request makes sense at this cost. */
static bool
makes_sense (const Request *request, const Cost *cost, int64_t shortest_ns)
{
  const double us = 1000;

  if (request->period_ns < shortest_ns)
    {
      reply_longer_period (shortest_ns);
      return fail ("a period of %g us is too short under tracing: a cycle takes %g us here", request->period_ns / us,
                   (cost->median_ns + cost->cpu_ns) / us);
    }
  if (request_has_trigger (request) && request->low_ns <= cost->min_ns && request->high_ns == INT64_MAX)
    return fail (
        "a threshold of %g us lies below the smallest latency under tracing here, %g us: every cycle would be a "
        "hit; use one well above the median, %g us",
        (request->low_ns - 1) / us, cost->min_ns / us, cost->median_ns / us);
  if (request_has_trigger (request) && request->high_ns < cost->min_ns)
    return fail ("the band ends at %g us, below the smallest latency under tracing here, %g us: nothing could be a hit",
                 request->high_ns / us, cost->min_ns / us);
  return true;
}

bool
calibrate (Shared *shared, const Request *request)
{
  Cost cost = { 0 };
  int64_t shortest_ns;

  if (request->calibrate == CALIBRATE_SKIP)
    return true;
  if (!measure_cost (shared, request, &cost))
    return false;
  if (control_stopped ())
    return true;
  shortest_ns = round_up (2 * (cost.median_ns + cost.cpu_ns));
  reply_begin ("calibration");
  reply_int ("cycles", cost.cycles);
  reply_int ("latency_min_ns", cost.min_ns);
  reply_int ("latency_median_ns", cost.median_ns);
  reply_int ("latency_p99_ns", cost.p99_ns);
  reply_int ("cpu_ns", cost.cpu_ns);
  reply_int ("shortest_period_ns", shortest_ns);
  reply_end ();
  if (makes_sense (request, &cost, shortest_ns))
    return true;
  if (request->calibrate == CALIBRATE_REFUSE)
    return false;
  reply_problem ();
  return true;
}

/* Tries the probe before it delays anything, since that is what could hold up a machine. */

#define TRY_NS 1000000000ll

static int64_t
longest_delay_ns (const Request *request)
{
  int64_t longest_ns = 0;

  for (int i = 0; i < request->delays->n_items; i++)
    if (request->delays->items[i].number > longest_ns)
      longest_ns = request->delays->items[i].number;
  return longest_ns;
}

bool
try_delays (Shared *shared, const Request *request)
{
  Task task = { .request = request, .limit_ns = TRY_NS };
  int64_t longest_ns = longest_delay_ns (request);
  int64_t allowed_ns = request->delay_percent * NS_PER_PERCENT;
  Delayed delayed;
  int64_t start_ns;
  double calls; /* a second */
  Arm arm;
  bool good;

  if (!delayer_set (0, &delayed))
    return false;
  start_ns = now_ns ();
  good = arm_measure (&arm, shared, &task, NULL, NULL);
  cyclic_end (&arm.process);
  if (!good || !delayer_set (0, &delayed))
    return false;
  calls = delayed.calls * (double) TRY_NS / (now_ns () - start_ns);
  if (delayed.calls == 0)
    reply_note ("%s was not called in the first second", request->delay_at);
  if (calls * longest_ns <= allowed_ns)
    return true;
  return fail ("%s is called %.0f times a second here: delays of %g us would take %.0f %% of a CPU, and %lld %% are "
               "allowed; use delays of at most %.1f us",
               request->delay_at, calls, longest_ns / 1e3, calls * longest_ns / NS_PER_PERCENT,
               (long long) request->delay_percent, allowed_ns / calls / 1e3);
}

#define MAX_LOGGED 16000 /* cycles in a log, so that its line stays within the protocol's limit */

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

Taken
taken_read (const Request *request)
{
  Taken taken = { 0, facts_steal_ns (request->cpus.numbers, request->cpus.n) };

  for (int i = 0; i < request->cpus.n && taken.smi >= 0; i++)
    {
      int64_t count = facts_smi_count (request->cpus.numbers[i]);

      taken.smi = count < 0 ? -1 : taken.smi + count;
    }
  return taken;
}

void
taken_reply (const Request *request, const Taken *before)
{
  Taken now = taken_read (request);

  reply_known ("smi", before->smi < 0 || now.smi < 0 ? -1 : now.smi - before->smi);
  reply_known ("steal_ns", before->steal_ns < 0 || now.steal_ns < 0 ? -1 : now.steal_ns - before->steal_ns);
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

/* The number of the first sample of @lane, among those in its ring, that was expected when the ring buffer already had
 * events, from @oldest_ns on. */
static uint64_t
first_logged (const Lane *lane, int64_t oldest_ns)
{
  uint64_t written = atomic_load (&lane->written);
  uint64_t first = written > MAX_LOGGED ? written - MAX_LOGGED : 0;

  while (first + 1 < written && lane_sample (lane, first)->expected_ns < oldest_ns)
    first++;
  return first;
}

/* The ring buffer size that would have held the whole window; 0: the buffer did hold it. */
static int64_t
needed_kb (const Request *request, int64_t window_ns, int64_t observed_ns, int64_t oldest_ns)
{
  int64_t held_ns = observed_ns - oldest_ns;

  if (held_ns >= window_ns || held_ns <= 0)
    return 0;
  return (double) request->buffer_kb * window_ns / held_ns * 1.25 + 1;
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

/* A list from the request; empty if it was not given. */
static void
reply_names (const char *key, const JsonValue *names)
{
  reply_open (key, '[');
  for (int i = 0; names && i < names->n_items; i++)
    reply_text (NULL, names->items[i].text);
  reply_close ('[');
}

void
trigger_reply (const Request *request)
{
  if (request->high_ns == INT64_MAX)
    reply_int ("threshold_ns", request->low_ns - 1);
  else
    {
      reply_int ("band_low_ns", request->low_ns);
      reply_int ("band_high_ns", request->high_ns);
    }
}

void
buffer_reply (const Request *request, int64_t window_ns, int64_t observed_ns, int64_t oldest_ns)
{
  reply_int ("oldest_ns", oldest_ns);
  reply_int ("buffer_kb", request->buffer_kb);
  reply_int ("needed_kb", needed_kb (request, window_ns, observed_ns, oldest_ns));
  reply_int ("max_depth", request->max_depth);
  reply_names ("graph_functions", request->graph_functions);
  reply_names ("graph_notrace", request->graph_notrace);
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
  const Sample *hit = lane_sample (lane, written - 1);

  reply_begin ("capture");
  reply_int ("culprit_cycles", 1);
  reply_int ("run", run->number);
  reply_int ("capture", run->recording->captures);
  reply_int ("period_ns", request->period_ns);
  trigger_reply (request);
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
  buffer_reply (request, hit->observed_ns - hit->expected_ns, hit->observed_ns, oldest_ns);
  delays_reply (delays);
  taken_reply (request, before);
  reply_end ();
}

/* Saves and sends the capture of the hit that ended @arm. */
static bool
save_capture (Run *run, Arm *arm, const Delays *delays, const Taken *before)
{
  Recording *recording = run->recording;
  int index = atomic_load (&recording->shared->hit) - 1;
  const Lane *lane = &recording->shared->lanes[index];
  int64_t oldest_ns = tracing_oldest_ns (lane->cpu);

  recording->captures++;
  reply_begin ("hit");
  reply_int ("run", run->number);
  reply_int ("capture", recording->captures);
  reply_hit (lane, &run->packed[index]);
  reply_end ();
  if (!capture_extract (recording->folder))
    return false;
  reply_cycle_log (run, lane, &run->packed[index], oldest_ns, delays, before);
  return capture_send (recording->folder, recording->captures);
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

/* @delayed: NULL if nothing is delayed, or it is not known. */
static void
reply_run_end (const Run *run, const Taken *before, const Delayed *delayed)
{
  reply_begin ("run-end");
  reply_int ("run", run->number);
  reply_totals (&run->totals);
  reply_int ("page_faults", run->page_faults);
  delays_reply (&run->delays);
  if (delayed)
    {
      reply_int ("delay_calls", delayed->calls);
      reply_int ("delay_spun_ns", delayed->spun_ns);
      reply_int ("delay_withheld", delayed->withheld);
    }
  taken_reply (run->recording->request, before);
  reply_end ();
}

/* Whether there is more to measure after an arm. */
static bool
goes_on (const Run *run, bool hit)
{
  const Request *request = run->recording->request;

  return hit && !control_stopped () && (request->limit_ns == 0 || run->measured_ns < request->limit_ns) &&
         (wants_captures (run->recording, run->traced) || request->tracing == TRACING_BOTH);
}

/* One arm, and the capture of its hit. */
static bool
measure_arm (Run *run, bool *hit)
{
  const Request *request = run->recording->request;
  Shared *shared = run->recording->shared;
  Task task = { .request = request, .trigger = wants_captures (run->recording, run->traced), .traced = run->traced };
  Taken before = taken_read (request);
  Delays delays;
  Arm arm;
  bool good;

  for (int i = 0; i < shared->n_lanes; i++)
    if (request->cycles > 0 &&
        (task.cycles == 0 || task.cycles > (uint64_t) (request->cycles - run->packed[i].first_cycle)))
      task.cycles = request->cycles - run->packed[i].first_cycle;
  if (request->limit_ns > 0)
    task.limit_ns = request->limit_ns - run->measured_ns;
  if (run->traced && !tracing_begin ())
    return false;
  good = arm_measure (&arm, shared, &task, look, run);
  if (run->traced)
    tracing_off ();
  for (int i = 0; i < shared->n_lanes; i++)
    if (shared->lanes[i].note[0])
      reply_note ("run %d: %s", run->number, shared->lanes[i].note);
  *hit = good && atomic_load (&shared->hit) != 0;
  delays = lane_delays (shared);
  delays_add (&run->delays, &delays);
  run->measured_ns += arm.measured_ns;
  good = good && (!*hit || save_capture (run, &arm, &delays, &before));
  cyclic_end (&arm.process);
  for (int i = 0; i < shared->n_lanes; i++)
    {
      Lane *lane = &shared->lanes[i];

      /* What kept a thread from the CPU until it was given up is what a run is there to show. */
      if (arm.given_up_ns > 0 && !atomic_load (&lane->done))
        samples_add_awaited (lane, &task, arm.given_up_ns);
      run->page_faults += lane->page_faults;
      samples_take (lane, request, run->number, &run->packed[i], &run->totals);
      samples_flush (lane, run->number, &run->packed[i]);
    }
  return good;
}

/* Whether any CPU has completed all the requested cycles. */
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
run_measure (Recording *recording, int number, bool traced)
{
  Run run = { .recording = recording, .number = number, .traced = traced, .delays = { .known = true } };
  Taken before = taken_read (recording->request);
  bool delays = recording->request->delays;
  Delayed delayed;
  bool good;
  bool hit;

  if (delays && !delayer_set (recording->delay_ns, &delayed))
    return false;
  run.packed = calloc (recording->shared->n_lanes, sizeof *run.packed);
  reply_begin ("run");
  reply_int ("run", number);
  reply_text ("tracing", traced ? "on" : "off");
  reply_int ("started_ns", now_ns ());
  if (delays)
    reply_int ("delay_ns", recording->delay_ns);
  if (recording->request->treatments)
    reply_bool ("treated", recording->treated);
  reply_end ();
  do
    good = measure_arm (&run, &hit);
  while (good && goes_on (&run, hit) && !has_all_cycles (&run));
  recording->cut_short |= !has_all_cycles (&run);
  good = good && (!delays || delayer_set (0, &delayed));
  reply_run_end (&run, &before, delays && good ? &delayed : NULL);
  free (run.packed);
  return good;
}
