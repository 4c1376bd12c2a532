/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the cost of tracing, at a period that leaves room for it. A period shorter than twice the cost of a cycle
 * makes every cycle late, which is hard to find out otherwise. */
#include "calibration.h"

#include "arm.h"
#include "control.h"
#include "reply.h"
#include "tracing.h"

#include <stdio.h>
#include <stdlib.h>

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

static void
look_at_nothing (void *data)
{
}

static bool
measure_cost (Shared *shared, const Request *request, Cost *cost, char *problem, size_t size)
{
  Request slower = *request;
  Task task = { .request = &slower, .traced = true };
  Arm arm = { 0 };
  bool good;

  slower.period_ns = request->period_ns > SAFE_PERIOD_NS ? request->period_ns : SAFE_PERIOD_NS;
  task.cycles = TIME_NS / slower.period_ns;
  task.cycles = task.cycles < MIN_CYCLES ? MIN_CYCLES : task.cycles > MAX_CYCLES ? MAX_CYCLES : task.cycles;
  good = tracing_begin (problem, size) && arm_measure (&arm, shared, &task, 0, look_at_nothing, NULL, problem, size);
  tracing_off ();
  for (int i = 0; good && i < shared->n_lanes; i++)
    take_cost (&shared->lanes[i], arm.process.pid, &slower, cost);
  arm_end (&arm);
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

/* Why the request makes no sense at this cost; false: it does make sense. */
static bool
find_objection (const Request *request, const Cost *cost, int64_t shortest_ns, char *problem, size_t size)
{
  const double us = 1000;

  if (request->period_ns < shortest_ns)
    {
      snprintf (problem, size, "a period of %g us is too short under tracing: a cycle takes %g us here",
                request->period_ns / us, (cost->median_ns + cost->cpu_ns) / us);
      reply_longer_period (shortest_ns);
    }
  else if (request_has_trigger (request) && request->low_ns <= cost->min_ns && request->high_ns == INT64_MAX)
    snprintf (problem, size,
              "a threshold of %g us lies below the smallest latency under tracing here, %g us: every cycle would be a "
              "hit; use one well above the median, %g us",
              (request->low_ns - 1) / us, cost->min_ns / us, cost->median_ns / us);
  else if (request_has_trigger (request) && request->high_ns < cost->min_ns)
    snprintf (problem, size,
              "the band ends at %g us, below the smallest latency under tracing here, %g us: nothing could be a hit",
              request->high_ns / us, cost->min_ns / us);
  else
    return false;
  return true;
}

bool
calibrate (Shared *shared, const Request *request, char *problem, size_t size)
{
  Cost cost = { 0 };
  int64_t shortest_ns;

  if (request->calibrate == CALIBRATE_SKIP)
    return true;
  if (!measure_cost (shared, request, &cost, problem, size))
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
  if (!find_objection (request, &cost, shortest_ns, problem, size))
    return true;
  if (request->calibrate == CALIBRATE_REFUSE)
    return false;
  reply_note ("%s", problem);
  return true;
}
