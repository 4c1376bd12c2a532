/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measuring loop. Between two waits it reads the clock and stores two numbers: no other system calls, no
 * allocation, no page faults. */
#include "cyclic.h"

#include "group.h"
#include "lifeline.h"
#include "privileges.h"
#include "scheduling.h"
#include "tracing.h"
#include "wait.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE (256 * 1024)
#define START_DELAY_NS 5000000 /* for all threads to reach their first wait */
#define END_PATIENCE_MS 2000

typedef struct
{
  Shared *shared;
  Lane *lane;
  const Task *task;
  int done_fd;
  int release_fd;
  int marker_fd;
  int switch_fd; /* tracing_on */
  pthread_barrier_t *ready;
  const int64_t *first_ns;
} Measurer;

static size_t
shared_size (int n_lanes)
{
  return sizeof (Shared) + n_lanes * sizeof (Lane);
}

Shared *
shared_new (const Request *request)
{
  Shared *shared = mmap (NULL, shared_size (request->n_cpus), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

  if (shared == MAP_FAILED)
    return NULL;
  shared->n_lanes = request->n_cpus;
  for (int i = 0; i < shared->n_lanes; i++)
    shared->lanes[i].cpu = request->cpus[i];
  return shared;
}

void
shared_free (Shared *shared)
{
  munmap (shared, shared_size (shared->n_lanes));
}

void
shared_reset (Shared *shared)
{
  atomic_store (&shared->stop, false);
  atomic_store (&shared->hit, 0);
  for (int i = 0; i < shared->n_lanes; i++)
    {
      Lane *lane = &shared->lanes[i];

      atomic_store (&lane->written, 0);
      atomic_store (&lane->drained, 0);
      atomic_store (&lane->done, false);
      lane->tid = 0;
      lane->page_faults = 0;
      lane->problem[0] = '\0';
    }
}

static int64_t
page_faults (void)
{
  struct rusage usage;

  getrusage (RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

/* Writes the marker, in cyclictest's wording with additions, and stops the trace. It is done here, since by the time
 * another process was woken to do it, the ring buffer would be overwritten. */
static void
stop_trace (const Measurer *measurer, uint64_t cycle, const Sample *sample)
{
  const Request *request = measurer->task->request;
  bool threshold = request->high_ns == INT64_MAX;
  int64_t latency_ns = sample->observed_ns - sample->expected_ns;
  char text[256];
  int length = snprintf (
      text, sizeof text,
      "hit latency threshold (%lld > %lld) cycle %llu latency_ns %lld expected_ns %lld task %d cpu %d",
      (long long) latency_ns / 1000, (long long) (request->low_ns - threshold) / 1000, (unsigned long long) cycle,
      (long long) latency_ns, (long long) sample->expected_ns, measurer->lane->tid, measurer->lane->cpu);

  if (write (measurer->marker_fd, text, length) < 0 || write (measurer->switch_fd, "0", 1) < 0)
    snprintf (measurer->lane->problem, sizeof measurer->lane->problem, "the trace cannot be stopped: %s",
              strerror (errno));
}

/* The next expected time; periods that have passed are missed. */
static int64_t
next_expected (int64_t expected_ns, int64_t observed_ns, int64_t period_ns)
{
  expected_ns += period_ns;
  if (__builtin_expect (expected_ns <= observed_ns, 0))
    expected_ns += (observed_ns - expected_ns) / period_ns * period_ns + period_ns;
  return expected_ns;
}

/* Stores a sample. False: the supervisor did not keep up, and no sample may be lost. */
static bool
store (Lane *lane, uint64_t cycle, const Sample *sample)
{
  if (__builtin_expect (cycle - atomic_load_explicit (&lane->drained, memory_order_acquire) >= RING_SAMPLES, 0))
    return false;
  lane->ring[cycle & (RING_SAMPLES - 1)] = *sample;
  atomic_store_explicit (&lane->written, cycle + 1, memory_order_release);
  return true;
}

static void
measure (const Measurer *measurer, Waiter *waiter, int64_t first_ns)
{
  const Task *task = measurer->task;
  const Request *request = task->request;
  Shared *shared = measurer->shared;
  Lane *lane = measurer->lane;
  Sample sample = { .expected_ns = first_ns };
  int64_t skip = request->skip_cycles;

  for (uint64_t cycle = 0; !atomic_load_explicit (&shared->stop, memory_order_relaxed);)
    {
      wait_for (waiter, &sample.expected_ns);
      sample.observed_ns = now_ns ();
      if (__builtin_expect (skip > 0, 0))
        skip--;
      else
        {
          int none = 0;

          if (!store (lane, cycle, &sample))
            {
              snprintf (lane->problem, sizeof lane->problem,
                        "the supervisor is starved of CPU; leave it a CPU or use a longer period");
              break;
            }
          if (task->trigger && request_is_hit (request, sample.observed_ns - sample.expected_ns) &&
              atomic_compare_exchange_strong (&shared->hit, &none, (int) (lane - shared->lanes) + 1))
            {
              if (task->traced)
                stop_trace (measurer, cycle, &sample);
              atomic_store (&shared->stop, true);
            }
          if (++cycle == task->cycles)
            break;
        }
      sample.expected_ns = next_expected (sample.expected_ns, sample.observed_ns, request->period_ns);
    }
}

/* With ordinary scheduling again: reports that it is done, and waits until it may exit. */
static void
report (const Measurer *measurer)
{
  struct sched_param ordinary = { 0 };
  char byte = 0;

  sched_setscheduler (0, SCHED_OTHER, &ordinary);
  atomic_store (&measurer->lane->done, true);
  if (write (measurer->done_fd, &byte, 1) < 0)
    return;
  while (read (measurer->release_fd, &byte, 1) < 0 && errno == EINTR)
    ;
}

static void *
run_measurer (void *data)
{
  const Measurer *measurer = data;
  Lane *lane = measurer->lane;
  Waiter waiter = { 0 };
  bool good;

  lane->tid = gettid ();
  prctl (PR_SET_NAME, "culprit-cycle");
  good = scheduling_apply (measurer->task->request, lane->cpu, lane->problem, sizeof lane->problem);
  privileges_drop ();
  pthread_barrier_wait (measurer->ready); /* ...until the first time is known. */
  pthread_barrier_wait (measurer->ready);
  good =
      good && wait_begin (&waiter, measurer->task->request, *measurer->first_ns, lane->problem, sizeof lane->problem);
  if (good)
    {
      int64_t before = page_faults ();

      measure (measurer, &waiter, *measurer->first_ns);
      lane->page_faults = page_faults () - before;
      wait_end (&waiter);
    }
  report (measurer);
  return NULL;
}

/* Keeps the CPUs out of idle states with a long exit latency, as long as this process exists. */
static void
hold_latency (void)
{
  int32_t most_us = 0;
  int fd = open ("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

  if (fd >= 0 && write (fd, &most_us, sizeof most_us) < 0)
    close (fd);
}

static void
start_threads (Measurer *measurers, Shared *shared, pthread_t *threads)
{
  pthread_attr_t attributes;

  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, STACK_SIZE);
  for (int i = 0; i < shared->n_lanes; i++)
    if (pthread_create (&threads[i], &attributes, run_measurer, &measurers[i]) != 0)
      _exit (1);
  pthread_attr_destroy (&attributes);
}

static int64_t
first_expected_ns (const Request *request)
{
  int64_t first_ns = now_ns () + START_DELAY_NS;

  return request->aligned ? (first_ns / request->period_ns + 1) * request->period_ns : first_ns;
}

/* The process that measures. All CPUs begin together. */
static void
run_process (Shared *shared, const Task *task, int done_fd, int release_fd)
{
  int marker_fd = task->traced ? setting_open ("trace_marker") : -1;
  int switch_fd = task->traced ? setting_open ("tracing_on") : -1;
  Measurer *measurers = calloc (shared->n_lanes, sizeof *measurers);
  pthread_t *threads = calloc (shared->n_lanes, sizeof *threads);
  pthread_barrier_t ready;
  int64_t first_ns;
  sigset_t all;

  group_return ();
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, NULL);
  mlockall (MCL_CURRENT | MCL_FUTURE);
  hold_latency ();
  pthread_barrier_init (&ready, NULL, shared->n_lanes + 1);
  for (int i = 0; i < shared->n_lanes; i++)
    measurers[i] =
        (Measurer) { shared, &shared->lanes[i], task, done_fd, release_fd, marker_fd, switch_fd, &ready, &first_ns };
  start_threads (measurers, shared, threads);
  pthread_barrier_wait (&ready);
  first_ns = first_expected_ns (task->request);
  pthread_barrier_wait (&ready);
  for (int i = 0; i < shared->n_lanes; i++)
    pthread_join (threads[i], NULL);
  _exit (0);
}

bool
cyclic_start (Shared *shared, const Task *task, CyclicProcess *process, char *problem, size_t size)
{
  pid_t parent = getpid ();
  int done[2];
  int release[2];

  if (pipe2 (done, O_CLOEXEC) != 0 || pipe2 (release, O_CLOEXEC) != 0 || (process->pid = fork ()) < 0)
    {
      snprintf (problem, size, "the measuring process cannot be started: %s", strerror (errno));
      return false;
    }
  if (process->pid == 0)
    {
      lifeline_hold (parent, SIGKILL);
      close (STDIN_FILENO);
      close (STDOUT_FILENO);
      close (done[0]);
      close (release[1]);
      run_process (shared, task, done[1], release[0]);
    }
  close (done[1]);
  close (release[0]);
  process->done_fd = done[0];
  process->release_fd = release[1];
  return true;
}

/* Whether the process closes its end of the pipe in time. */
static bool
ends_in_time (const CyclicProcess *process)
{
  struct pollfd done = { process->done_fd, POLLIN, 0 };
  char bytes[64];
  ssize_t got;

  do
    if (poll (&done, 1, END_PATIENCE_MS) <= 0)
      return false;
  while ((got = read (process->done_fd, bytes, sizeof bytes)) > 0);
  return got == 0;
}

void
cyclic_end (CyclicProcess *process)
{
  if (process->pid <= 0)
    return;
  close (process->release_fd);
  if (!ends_in_time (process))
    kill (process->pid, SIGKILL);
  waitpid (process->pid, NULL, 0);
  close (process->done_fd);
  process->pid = 0;
}
