/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the measuring process through one arm. It is checked rarely, since checking takes CPU time. */
#include "arm.h"

#include "control.h"
#include "wait.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* The first problem that a thread had. */
static bool
find_problem (const Shared *shared, char *problem, size_t size)
{
  for (int i = 0; i < shared->n_lanes; i++)
    if (shared->lanes[i].problem[0])
      {
        snprintf (problem, size, "%s", shared->lanes[i].problem);
        return true;
      }
  return false;
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
follow (Arm *arm,
        Shared *shared,
        int64_t limit_ns,
        int look_ms,
        int64_t period_ns,
        void (*look) (void *data),
        void *data,
        char *problem,
        size_t size)
{
  int64_t start_ns = now_ns ();
  int64_t stop_ns = 0;

  while (!all_done (shared))
    {
      int64_t left_ns = limit_ns > 0 ? limit_ns - (now_ns () - start_ns) : INT64_MAX;
      int timeout_ms =
          left_ns < look_ms * NS_PER_MS ? (int) (left_ns / NS_PER_MS) + 1 : behind_a_cycle (shared, period_ns, look_ms);

      if (control_wait (arm->process.done_fd, left_ns > 0 ? timeout_ms : LOOK_MS) && !read_done (&arm->process))
        {
          snprintf (problem, size, "the measuring process was killed; nothing more can be measured");
          return false;
        }
      look (data);
      if (control_stopped () || find_problem (shared, problem, size) ||
          (limit_ns > 0 && now_ns () - start_ns >= limit_ns))
        atomic_store (&shared->stop, true);
      if (stop_ns == 0 && atomic_load (&shared->stop))
        stop_ns = now_ns ();
      if (stop_ns > 0 && now_ns () - stop_ns > period_ns + STOP_PATIENCE_NS)
        {
          snprintf (problem, size,
                    "the measuring threads are no longer scheduled, or wait by a clock that was set; they were killed");
          return false;
        }
    }
  arm->measured_ns = (stop_ns > 0 ? stop_ns : now_ns ()) - start_ns;
  look (data);
  return !find_problem (shared, problem, size);
}

bool
arm_measure (Arm *arm,
             Shared *shared,
             const Task *task,
             int64_t limit_ns,
             void (*look) (void *data),
             void *data,
             char *problem,
             size_t size)
{
  *arm = (Arm) { 0 };
  shared_reset (shared);
  return cyclic_start (shared, task, &arm->process, problem, size) &&
         follow (arm, shared, limit_ns, task->traced ? LOOK_TRACED_MS : LOOK_MS, task->request->period_ns, look, data,
                 problem, size);
}

void
arm_end (Arm *arm)
{
  cyclic_end (&arm->process);
}
