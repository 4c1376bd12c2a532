/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies policy, priority and affinity to a thread, and then reads back what the kernel really set. */
#include "scheduling.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's struct sched_attr, which older versions of libc lack. */
typedef struct
{
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;
  uint64_t deadline_ns;
  uint64_t period_ns;
} Attributes;

static uint32_t
kernel_policy (Policy policy)
{
  static const uint32_t policies[] = { SCHED_OTHER, SCHED_FIFO, SCHED_RR, SCHED_DEADLINE };

  return policies[policy];
}

static bool
bind_to (int cpu)
{
  cpu_set_t *set = CPU_ALLOC (MAX_CPUS);
  size_t size = CPU_ALLOC_SIZE (MAX_CPUS);
  bool good;

  CPU_ZERO_S (size, set);
  CPU_SET_S (cpu, size, set);
  good = sched_setaffinity (0, size, set) == 0 && sched_getaffinity (0, size, set) == 0 &&
         CPU_COUNT_S (size, set) == 1 && CPU_ISSET_S (cpu, size, set);
  CPU_FREE (set);
  return good;
}

bool
scheduling_apply (const Request *request, int cpu, char *problem, size_t size)
{
  const char *name = request_policy_name (request->policy);
  Attributes wanted = { .size = sizeof wanted,
                        .policy = kernel_policy (request->policy),
                        .priority = request->priority };
  Attributes got = { 0 };

  if (request->policy == POLICY_DEADLINE)
    {
      wanted.runtime_ns = request->period_ns / 2;
      wanted.deadline_ns = wanted.period_ns = request->period_ns;
    }
  else if (!bind_to (cpu))
    {
      snprintf (problem, size, "a thread cannot be bound to CPU %d: %s; is it in this cpuset?", cpu, strerror (errno));
      return false;
    }
  prctl (PR_SET_TIMERSLACK, 1);
  if (syscall (SYS_sched_setattr, 0, &wanted, 0) != 0)
    {
      snprintf (problem, size, "the kernel does not grant policy %s: %s; see sched_rt_runtime_us and ulimit -r", name,
                strerror (errno));
      return false;
    }
  if (syscall (SYS_sched_getattr, 0, &got, sizeof got, 0) != 0 || got.policy != wanted.policy ||
      got.priority != wanted.priority)
    {
      snprintf (problem, size, "the kernel changed policy %s, priority %lld to (%u, %u)", name,
                (long long) request->priority, got.policy, got.priority);
      return false;
    }
  return true;
}
