/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measuring loop. Between two waits it reads the clock and stores two numbers: no other system calls, no
 * allocation, no page faults. */
#include "recorder-private.h"

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
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static bool wait_is_absolute (Method method);

/* Packs samples: most take three bytes, as latencies are small and expected times are about a period apart. */

#define MAX_SAMPLE_SIZE 20        /* two numbers of 64 bits, seven at a time */
#define MOST_KEPT_NS 5000000000ll /* what was measured longer ago is sent: whoever waits for it may be cut off */

/* Zigzag LEB128. */
static void
pack (Packed *packed, int64_t value)
{
  uint64_t rest = (uint64_t) value << 1 ^ (uint64_t) (value >> 63);

  for (; rest >= 0x80; rest >>= 7)
    packed->bytes[packed->size++] = rest | 0x80;
  packed->bytes[packed->size++] = rest;
}

void
samples_flush (const Lane *lane, int run, Packed *packed)
{
  if (packed->cycles > 0)
    {
      reply_begin ("samples");
      reply_int ("run", run);
      reply_int ("cpu", lane->cpu);
      reply_int ("first_cycle", packed->first_cycle);
      reply_int ("cycles", packed->cycles);
      reply_int ("first_expected_ns", packed->first_expected_ns);
      reply_bytes ("base64", packed->bytes, packed->size);
      reply_end ();
    }
  packed->first_cycle += packed->cycles;
  packed->cycles = 0;
  packed->size = 0;
}

/* The number of whole periods that passed, before the end of the arm, until a wake-up came. */
static int64_t
missed_by (const Lane *lane, const Request *request, const Sample *sample)
{
  int64_t until_ns = sample->observed_ns < lane->end_ns ? sample->observed_ns : lane->end_ns - 1;

  return wait_is_absolute (request->method) ? (until_ns - sample->expected_ns) / request->period_ns : 0;
}

static void
add (Totals *totals, const Request *request, int64_t latency_ns)
{
  totals->min_ns = totals->cycles == 0 || latency_ns < totals->min_ns ? latency_ns : totals->min_ns;
  totals->max_ns = totals->cycles == 0 || latency_ns > totals->max_ns ? latency_ns : totals->max_ns;
  totals->sum_ns += latency_ns;
  totals->cycles++;
  totals->late += latency_ns > request->deadline_ns;
  totals->hits += request_has_trigger (request) && request_is_hit (request, latency_ns);
}

void
samples_take (Lane *lane, const Request *request, int run, Packed *packed, Totals *totals)
{
  uint64_t written = atomic_load_explicit (&lane->written, memory_order_acquire);
  uint64_t taken = atomic_load_explicit (&lane->drained, memory_order_relaxed);

  for (; taken < written; taken++)
    {
      Sample sample = *lane_sample (lane, taken);
      int64_t latency_ns = sample.observed_ns - sample.expected_ns;

      if (packed->size > PACKED_SIZE - MAX_SAMPLE_SIZE)
        samples_flush (lane, run, packed);
      if (packed->cycles == 0)
        packed->first_expected_ns = sample.expected_ns;
      totals->missed += missed_by (lane, request, &sample);
      pack (packed, packed->cycles == 0 ? 0 : sample.expected_ns - packed->last_expected_ns - request->period_ns);
      pack (packed, latency_ns);
      packed->last_expected_ns = sample.expected_ns;
      packed->cycles++;
      add (totals, request, latency_ns);
    }
  atomic_store_explicit (&lane->drained, written, memory_order_release);
  if (packed->cycles > 0 && now_ns () - packed->first_expected_ns >= MOST_KEPT_NS)
    samples_flush (lane, run, packed);
}

/* Applies policy, priority and affinity to a thread, and then reads back what the kernel really set. */

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

static const uint32_t kernel_policies[] = {
  [POLICY_FIFO] = SCHED_FIFO,
  [POLICY_RR] = SCHED_RR,
  [POLICY_DEADLINE] = SCHED_DEADLINE,
  [POLICY_OTHER] = SCHED_OTHER,
};

/* Whether the calling thread runs on @cpu only. */
static bool
is_bound_to (int cpu)
{
  cpu_set_t *set = CPU_ALLOC (MOST_CPUS);
  size_t size = CPU_ALLOC_SIZE (MOST_CPUS);
  bool good = sched_getaffinity (0, size, set) == 0 && CPU_COUNT_S (size, set) == 1 && CPU_ISSET_S (cpu, size, set);

  CPU_FREE (set);
  return good;
}

static bool
bind_to (int cpu)
{
  cpu_set_t *set = CPU_ALLOC (MOST_CPUS);
  size_t size = CPU_ALLOC_SIZE (MOST_CPUS);
  bool good;

  CPU_ZERO_S (size, set);
  CPU_SET_S (cpu, size, set);
  good = sched_setaffinity (0, size, set) == 0;
  CPU_FREE (set);
  return good && is_bound_to (cpu);
}

/* Whether the calling thread has the policy and priority of @request. */
static bool
has_policy (const Request *request, Attributes *got)
{
  return syscall (SYS_sched_getattr, 0, got, sizeof *got, 0) == 0 && got->policy == kernel_policies[request->policy] &&
         got->priority == request->priority;
}

/* Says why the kernel does not grant the policy of @request. */
static void
explain_refusal (const Request *request, int error, char *problem, size_t size)
{
  if (request->policy == POLICY_DEADLINE && error == EPERM && facts_rt_runtime_us () >= 0)
    snprintf (problem, size,
              "the kernel binds no thread of policy deadline to one of several CPUs while it limits real-time tasks; "
              "use policy fifo, or first: sysctl kernel.sched_rt_runtime_us=-1");
  else if (request->policy == POLICY_DEADLINE && error == EINVAL)
    snprintf (problem, size,
              "policy deadline takes periods from sched_deadline_period_min_us to sched_deadline_period_max_us (in "
              "/proc/sys/kernel); use one, or policy fifo");
  else
    snprintf (problem, size, "the kernel does not grant policy %s: %s; see sched_rt_runtime_us and ulimit -r",
              setting_find ("policy")->choices[request->policy].value, strerror (error));
}

/* Binds the calling thread to @cpu and gives it the policy and priority of @request, then reads all of it back:
 * measuring under any other policy would be misleading. False: @problem says what differs. */
static bool
scheduling_apply (const Request *request, int cpu, char *problem, size_t size)
{
  Attributes wanted = { .size = sizeof wanted,
                        .policy = kernel_policies[request->policy],
                        .priority = request->priority };
  Attributes got = { 0 };

  if (request->policy == POLICY_DEADLINE)
    {
      wanted.runtime_ns = request->period_ns / 2;
      wanted.deadline_ns = wanted.period_ns = request->period_ns;
    }
  if (!bind_to (cpu)) /* Before it has policy deadline, which forbids that. */
    {
      snprintf (problem, size, "a thread cannot be bound to CPU %d: %s; is it in this cpuset?", cpu, strerror (errno));
      return false;
    }
  prctl (PR_SET_TIMERSLACK, 1);
  if (syscall (SYS_sched_setattr, 0, &wanted, 0) != 0)
    {
      explain_refusal (request, errno, problem, size);
      return false;
    }
  if (!has_policy (request, &got))
    {
      snprintf (problem, size, "the kernel changed policy %s, priority %lld to (%u, %u)",
                setting_find ("policy")->choices[request->policy].value, (long long) request->priority, got.policy,
                got.priority);
      return false;
    }
  return true;
}

/* Waits for cycles. A wait that is interrupted or ends too early is resumed, so that no cycle is measured twice. */

#define OFFSET_TRIES 5

/* How far @clock is ahead of CLOCK_MONOTONIC, from the closest of a few readings. It is certain within @error_ns. */
static int64_t
clock_offset_ns (clockid_t clock, int64_t *error_ns)
{
  int64_t closest_ns = INT64_MAX;
  int64_t offset_ns = 0;

  for (int i = 0; i < OFFSET_TRIES; i++)
    {
      int64_t before_ns = now_ns ();
      struct timespec there;
      int64_t after_ns;

      clock_gettime (clock, &there);
      after_ns = now_ns ();
      if (after_ns - before_ns >= closest_ns)
        continue;
      closest_ns = after_ns - before_ns;
      offset_ns = there.tv_sec * 1000000000ll + there.tv_nsec - before_ns - closest_ns / 2;
    }
  *error_ns = closest_ns;
  return offset_ns;
}

/* Whether expected times are whole periods apart; else each counts from the call. */
static bool
wait_is_absolute (Method method)
{
  return method != METHOD_CLOCK_NANOSLEEP_RELATIVE && method != METHOD_NANOSLEEP && method != METHOD_PSELECT;
}

/* Whether the kernel keeps a time that passed while nobody waited, so that the next wait ends at once. */
static bool
wait_queues (Method method)
{
  return method == METHOD_TIMER || method == METHOD_ITIMER || method == METHOD_TIMERFD;
}

static bool
begin_timer (Waiter *waiter, const struct itimerspec *times)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM };

  event._sigev_un._tid = gettid ();
  return timer_create (waiter->clock, &event, &waiter->timer) == 0 &&
         timer_settime (waiter->timer, TIMER_ABSTIME, times, NULL) == 0;
}

static bool
begin_timerfd (Waiter *waiter, const struct itimerspec *times)
{
  waiter->fd = timerfd_create (waiter->clock, TFD_CLOEXEC);
  return waiter->fd >= 0 && timerfd_settime (waiter->fd, TFD_TIMER_ABSTIME, times, NULL) == 0;
}

static bool
begin_itimer (const Waiter *waiter, int64_t first_ns)
{
  int64_t left_ns = first_ns - now_ns () + 999; /* of which the timer takes whole microseconds: never too early */
  struct itimerval times = {
    .it_interval = { waiter->period_ns / 1000000000, waiter->period_ns % 1000000000 / 1000 },
  };

  while (left_ns < 1000) /* On a busy machine the first has passed. */
    left_ns += waiter->period_ns;
  times.it_value = (struct timeval) { left_ns / 1000000000, left_ns % 1000000000 / 1000 };
  return setitimer (ITIMER_REAL, &times, NULL) == 0;
}

/* Prepares to wait for @first_ns and whole periods after it. To be called by the waiting thread. False: @problem says
 * why that is not possible. */
static bool
wait_begin (
    Waiter *waiter, const Request *request, const atomic_uint *heartbeat, int64_t first_ns, char *problem, size_t size)
{
  struct itimerspec times = { .it_interval = to_timespec (request->period_ns) };
  bool good = true;

  *waiter = (Waiter) { .method = request->method,
                       .clock = request->clock == WAIT_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                       .period_ns = request->period_ns,
                       .fd = -1,
                       .heartbeat = heartbeat,
                       .heard_ns = first_ns,
                       .looked_ns = first_ns };
  waiter->offset_ns = waiter->clock == CLOCK_REALTIME ? clock_offset_ns (CLOCK_REALTIME, &waiter->offset_error_ns) : 0;
  times.it_value = to_timespec (first_ns + waiter->offset_ns);
  if (request->method == METHOD_TIMER)
    good = begin_timer (waiter, &times);
  else if (request->method == METHOD_TIMERFD)
    good = begin_timerfd (waiter, &times);
  else if (request->method == METHOD_ITIMER)
    good = begin_itimer (waiter, first_ns);
  if (!good)
    snprintf (problem, size, "the timer cannot be set: %s", strerror (errno));
  return good;
}

#define SILENCE_NS 10000000000ll /* beyond a period */
#define PAUSE_NS 1000000000ll    /* likewise */

/* Whether nothing was heard of the supervisor for too long, as this thread never sleeps and leaves it no CPU: then
 * nobody else could end it. Not if all of the machine stood still. */
static bool
is_left_alone (Waiter *waiter, int64_t ns)
{
  unsigned heartbeat = atomic_load_explicit (waiter->heartbeat, memory_order_relaxed);

  if (heartbeat != waiter->heard || ns - waiter->looked_ns > waiter->period_ns + PAUSE_NS)
    {
      waiter->heard = heartbeat;
      waiter->heard_ns = ns;
    }
  waiter->looked_ns = ns;
  return ns - waiter->heard_ns > waiter->period_ns + SILENCE_NS;
}

static void
wait_signal (const Waiter *waiter)
{
  struct timespec most = to_timespec (waiter->period_ns + 1000000000);
  sigset_t alarm_only;

  sigemptyset (&alarm_only);
  sigaddset (&alarm_only, SIGALRM);
  while (sigtimedwait (&alarm_only, NULL, &most) < 0 && errno == EINTR)
    ;
}

static void
wait_fd (const Waiter *waiter)
{
  uint64_t expired;

  while (read (waiter->fd, &expired, sizeof expired) < 0 && errno == EINTR)
    ;
}

/* Sleeps for the period, counted from the call. */
static int64_t
wait_relative (const Waiter *waiter)
{
  int64_t expected_ns = now_ns () + waiter->period_ns;
  struct timespec left = to_timespec (waiter->period_ns);

  if (waiter->method == METHOD_NANOSLEEP)
    while (nanosleep (&left, &left) != 0 && errno == EINTR)
      ;
  else if (waiter->method == METHOD_PSELECT)
    pselect (0, NULL, NULL, NULL, &left, NULL);
  else
    while (clock_nanosleep (waiter->clock, 0, &left, &left) == EINTR)
      ;
  return expected_ns;
}

/* Waits until *@expected_ns, which methods that count from the call set themselves. */
static void
wait_for (Waiter *waiter, int64_t *expected_ns)
{
  struct timespec until;
  int64_t ns;

  switch (waiter->method)
    {
    case METHOD_CLOCK_NANOSLEEP:
      until = to_timespec (*expected_ns + waiter->offset_ns);
      while (clock_nanosleep (waiter->clock, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
      break;
    case METHOD_CLOCK_NANOSLEEP_RELATIVE:
    case METHOD_NANOSLEEP:
    case METHOD_PSELECT:
      *expected_ns = wait_relative (waiter);
      break;
    case METHOD_TIMER:
    case METHOD_ITIMER:
      wait_signal (waiter);
      break;
    case METHOD_TIMERFD:
      wait_fd (waiter);
      break;
    case METHOD_POLL:
      do
        ns = now_ns ();
      while (ns < *expected_ns && !is_left_alone (waiter, ns));
      break;
    }
}

static void
wait_end (Waiter *waiter)
{
  struct itimerval none = { 0 };

  if (waiter->method == METHOD_TIMER)
    timer_delete (waiter->timer);
  if (waiter->method == METHOD_ITIMER)
    setitimer (ITIMER_REAL, &none, NULL);
  if (waiter->fd >= 0)
    close (waiter->fd);
}

/* Whether the clock that is waited for was set meanwhile, while expected times are on CLOCK_MONOTONIC; then says so in
 * @text. */
static bool
clock_was_set (const Waiter *waiter, char *text, size_t size)
{
  bool by_clock =
      waiter->method == METHOD_CLOCK_NANOSLEEP || waiter->method == METHOD_TIMER || waiter->method == METHOD_TIMERFD;
  int64_t error_ns;
  int64_t set_ns;

  if (waiter->clock != CLOCK_REALTIME || !by_clock)
    return false;
  set_ns = clock_offset_ns (CLOCK_REALTIME, &error_ns) - waiter->offset_ns;
  if (llabs (set_ns) <= waiter->offset_error_ns + error_ns + 1000)
    return false;
  snprintf (
      text, size,
      "the real-time clock was set by %+.1f us: latencies after that are wrong; record again, with clock monotonic",
      set_ns / 1e3);
  return true;
}

#define STACK_SIZE (256 * 1024)
#define START_DELAY_NS 5000000 /* for all threads to reach their first wait */
#define END_PATIENCE_MS 2000
#define KILLED_PATIENCE_NS 5000000000
#define KILLED_STEP_MS 2

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
} Measurer;

static size_t
shared_size (int n_lanes)
{
  return sizeof (Shared) + n_lanes * sizeof (Lane);
}

Shared *
shared_new (const Request *request)
{
  Shared *shared = mmap (NULL, shared_size (request->cpus.n), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

  if (shared == MAP_FAILED)
    return NULL;
  shared->n_lanes = request->cpus.n;
  for (int i = 0; i < shared->n_lanes; i++)
    shared->lanes[i].cpu = request->cpus.numbers[i];
  control_show_life (&shared->heartbeat);
  return shared;
}

void
shared_free (Shared *shared)
{
  control_show_life (NULL);
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
      lane->first_ns = lane->end_ns = 0;
      lane->page_faults = 0;
      lane->problem[0] = lane->note[0] = '\0';
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
  bool marked = write (measurer->marker_fd, text, length) >= 0;

  if (!marked && errno == EBADF && measurer->marker_fd >= 0) /* The buffer takes nothing. */
    snprintf (measurer->lane->problem, sizeof measurer->lane->problem, TRACING_STOPPED);
  else if (!marked || write (measurer->switch_fd, "0", 1) < 0)
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

/* Whether there is room for a sample: the supervisor did keep up, and no sample may be lost. */
static bool
has_room (Lane *lane, uint64_t cycle)
{
  return cycle - atomic_load_explicit (&lane->drained, memory_order_acquire) < RING_SAMPLES;
}

static void
store (Lane *lane, uint64_t cycle, const Sample *sample)
{
  lane->ring[cycle & (RING_SAMPLES - 1)] = *sample;
  atomic_store_explicit (&lane->written, cycle + 1, memory_order_release);
}

void
samples_add_awaited (Lane *lane, const Task *task, int64_t now_ns)
{
  const Request *request = task->request;
  int64_t period_ns = request->period_ns;
  bool absolute = wait_is_absolute (request->method);
  uint64_t cycle = atomic_load (&lane->written);
  const Sample *last = lane_sample (lane, cycle - 1);
  Sample sample = { .observed_ns = now_ns };

  if (cycle == 0)
    sample.expected_ns = lane->first_ns + (request->skip_cycles + !absolute) * period_ns;
  else
    sample.expected_ns =
        absolute ? next_expected (last->expected_ns, last->observed_ns, period_ns) : last->observed_ns + period_ns;
  if (sample.expected_ns < now_ns && sample.expected_ns < lane->end_ns && (task->cycles == 0 || cycle < task->cycles))
    store (lane, cycle, &sample);
}

static void
measure (const Measurer *measurer, Waiter *waiter)
{
  const Task *task = measurer->task;
  const Request *request = task->request;
  Shared *shared = measurer->shared;
  Lane *lane = measurer->lane;
  Sample sample = { .expected_ns = lane->first_ns };
  int64_t skip = request->skip_cycles;

  /* It ends by what is expected, also if the supervisor has no CPU: what was expected before the end counts, however
   * late it comes. */
  for (uint64_t cycle = 0;
       sample.expected_ns < lane->end_ns && !atomic_load_explicit (&shared->stop, memory_order_relaxed);)
    {
      wait_for (waiter, &sample.expected_ns);
      sample.observed_ns = now_ns ();
      if (__builtin_expect (sample.observed_ns + waiter->offset_error_ns < sample.expected_ns, 0))
        {
          if (wait_queues (request->method))
            continue; /* It was for a period that was counted as missed. */
          if (clock_was_set (waiter, lane->problem, sizeof lane->problem))
            break; /* All waits would end at once until the time that it was set to. */
        }
      if (__builtin_expect (is_left_alone (waiter, sample.observed_ns) || !has_room (lane, cycle), 0))
        {
          snprintf (lane->problem, sizeof lane->problem,
                    "the supervisor is starved of CPU; leave it a CPU or use a longer period");
          break;
        }
      if (__builtin_expect (skip > 0, 0))
        skip--;
      else
        {
          int none = 0;

          store (lane, cycle, &sample);
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

/* Notes if somebody has changed what scheduling_apply() did. */
static void
note_scheduling_changed (const Request *request, Lane *lane)
{
  Attributes got = { 0 };
  bool bound = is_bound_to (lane->cpu);

  if (!bound || !has_policy (request, &got))
    snprintf (lane->note, sizeof lane->note,
              "the thread of CPU %d was %s by something else while it measured: not all of its latencies are of what "
              "was requested",
              lane->cpu, bound ? "given another policy or priority" : "moved to other CPUs");
}

/* Reports that it is done, and waits until it may exit, with ordinary scheduling again: that may get no CPU. */
static void
report (const Measurer *measurer)
{
  struct sched_param ordinary = { 0 };
  char byte = 0;

  atomic_store (&measurer->lane->done, true);
  sched_setscheduler (0, SCHED_OTHER, &ordinary);
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
  good = good && wait_begin (&waiter, measurer->task->request, &measurer->shared->heartbeat, lane->first_ns,
                             lane->problem, sizeof lane->problem);
  if (good)
    {
      int64_t before = page_faults ();

      measure (measurer, &waiter);
      lane->page_faults = page_faults () - before;
      if (lane == measurer->shared->lanes && !lane->problem[0]) /* To say it once is enough. */
        clock_was_set (&waiter, lane->note, sizeof lane->note);
      note_scheduling_changed (measurer->task->request, lane);
      wait_end (&waiter);
    }
  report (measurer);
  return NULL;
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

static void
set_times (Shared *shared, const Task *task)
{
  int64_t first_ns = now_ns () + START_DELAY_NS;
  int64_t period_ns = task->request->period_ns;

  if (task->request->aligned)
    first_ns = (first_ns / period_ns + 1) * period_ns;
  for (int i = 0; i < shared->n_lanes; i++)
    {
      shared->lanes[i].first_ns = first_ns;
      shared->lanes[i].end_ns = task->limit_ns > 0 ? first_ns + task->limit_ns : INT64_MAX;
    }
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
  sigset_t all;

  journal_close ();
  treatment_close ();
  group_return ();
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, NULL);
  mlockall (MCL_CURRENT | MCL_FUTURE);
  facts_hold_latency (true);
  pthread_barrier_init (&ready, NULL, shared->n_lanes + 1);
  for (int i = 0; i < shared->n_lanes; i++)
    measurers[i] = (Measurer) { shared, &shared->lanes[i], task, done_fd, release_fd, marker_fd, switch_fd, &ready };
  start_threads (measurers, shared, threads);
  pthread_barrier_wait (&ready);
  set_times (shared, task);
  pthread_barrier_wait (&ready);
  for (int i = 0; i < shared->n_lanes; i++)
    pthread_join (threads[i], NULL);
  _exit (0);
}

bool
cyclic_start (Shared *shared, const Task *task, CyclicProcess *process)
{
  pid_t parent = getpid ();
  int done[2];
  int release[2];

  if (pipe2 (done, O_CLOEXEC) != 0 || pipe2 (release, O_CLOEXEC) != 0 || (process->pid = fork ()) < 0)
    return fail ("the measuring process cannot be started: %s", strerror (errno));
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
  int64_t end_ns;

  if (process->pid <= 0)
    return;
  close (process->release_fd);
  if (!ends_in_time (process))
    kill (process->pid, SIGKILL);
  end_ns = now_ns () + KILLED_PATIENCE_NS;
  /* Its control group is the caller's, who may leave it no processor to end on: then it is left behind. */
  while (waitpid (process->pid, NULL, WNOHANG) == 0 && now_ns () < end_ns)
    poll (NULL, 0, KILLED_STEP_MS);
  facts_hold_latency (false);
  close (process->done_fd);
  process->pid = 0;
}
