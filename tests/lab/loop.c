/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that knows nothing of Culprit: two threads with the same name that wake up by a clock of their own, do some
 * work and sleep again. One stays on the first CPU, the other moves to the next CPU in each cycle. They log when each
 * cycle should have begun, when it did, and when its work was done.
 *
 * loop [MODE [CYCLES [PERIOD_US [LATE_US]]]]
 *
 *   plain     a little arithmetic
 *   lock      needs a lock that a thread of low priority holds: now and then for milliseconds
 *   call      a system call that now and then takes milliseconds
 *   marks     writes "begin" and "end" to trace_marker around its work
 *
 * In each of them, the work is between calls of work_begin() and work_end(), which do nothing, and between the static
 * probes myloop:work_begin and myloop:work_end, which count only while somebody listens.
 *
 * From LATE_US on, a cycle stops the trace, and the program ends, which stops it too. It prints "TASK EXPECTED WOKEN
 * DONE" for each cycle, in ns of CLOCK_MONOTONIC. The threads have the real-time priority 80, if that is allowed;
 * HOLDER has none. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<sys/sdt.h>)
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short myloop_work_begin_semaphore __attribute__ ((section (".probes")));
unsigned short myloop_work_end_semaphore __attribute__ ((section (".probes")));
#define MARK(name)                                                                                                     \
  if (myloop_##name##_semaphore)                                                                                       \
  STAP_PROBE (myloop, name)
#else
#define MARK(name)
#endif

#define TRACING "/sys/kernel/tracing/"
#define THREADS 2
#define MOST_CYCLES 100000
#define RARE 40 /* cycles from one fault to the next */
#define SHORT_BYTES 4096
#define LONG_BYTES (8 << 20)
#define EARLIER_NS 600000 /* Tracing delays the holder, too. */
#define SHORT_HOLD_NS 100000
#define LONG_HOLD_NS 3000000

typedef struct
{
  int64_t expected_ns;
  int64_t woken_ns;
  int64_t done_ns;
} Cycle;

typedef struct
{
  int number;
  pid_t pid;
  int n;
  Cycle *cycles;
} Loop;

static const char *mode = "plain";
static int n_cycles = 400;
static int64_t period_ns = 5000000;
static int64_t late_ns;
static int64_t first_ns;
static volatile int over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int zero, marker, tracing;
static char *bytes;

static int64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void
sleep_until (int64_t at_ns)
{
  struct timespec at = { at_ns / 1000000000, at_ns % 1000000000 };

  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0)
    ;
}

static void
compute (int64_t for_ns)
{
  for (int64_t end_ns = now_ns () + for_ns; now_ns () < end_ns;)
    ;
}

static void
move_to (int cpu)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  sched_setaffinity (0, sizeof set, &set);
}

static void
write_text (int file, const char *text)
{
  if (file >= 0 && write (file, text, strlen (text)) < 0)
    perror ("loop");
}

static void __attribute__ ((noipa)) work_begin (void)
{
  MARK (work_begin);
}

static void __attribute__ ((noipa)) work_end (void)
{
  MARK (work_end);
}

static void
work (const Loop *loop, int cycle)
{
  int slow = loop->number == 0 && cycle % RARE == RARE - 1;

  if (strcmp (mode, "lock") == 0)
    {
      pthread_mutex_lock (&lock);
      pthread_mutex_unlock (&lock);
    }
  if (strcmp (mode, "call") == 0 && read (zero, bytes, slow ? LONG_BYTES : SHORT_BYTES) < 0)
    perror ("loop");
  if (strcmp (mode, "marks") == 0)
    write_text (marker, "begin of the work");
  compute (strcmp (mode, "marks") == 0 && slow ? 1000000 : 20000);
  if (strcmp (mode, "marks") == 0)
    write_text (marker, "end of the work");
}

static void *
run (void *data)
{
  Loop *loop = data;
  int cpus = sysconf (_SC_NPROCESSORS_ONLN);

  prctl (PR_SET_NAME, "myloop");
  loop->pid = syscall (SYS_gettid);
  move_to (0);
  sched_setscheduler (0, SCHED_FIFO, &(struct sched_param) { .sched_priority = 80 });
  for (int i = 0; i < n_cycles && !over; i++)
    {
      Cycle *cycle = &loop->cycles[i];

      if (loop->number == 1)
        move_to (i % cpus);
      cycle->expected_ns = first_ns + i * period_ns + loop->number * period_ns / 2;
      sleep_until (cycle->expected_ns);
      cycle->woken_ns = now_ns ();
      work_begin ();
      work (loop, i);
      work_end ();
      cycle->done_ns = now_ns ();
      loop->n = i + 1;
      if (late_ns > 0 && i > RARE / 2 && cycle->done_ns - cycle->expected_ns >= late_ns && !over)
        {
          over = 1;
          sleep_until (now_ns () + 1000000); /* It is asleep again before the trace ends. */
          write_text (tracing, "0");
        }
    }
  return NULL;
}

/* Takes the lock shortly before each cycle of the first thread. */
static void *
hold (void *data)
{
  prctl (PR_SET_NAME, "holder");
  for (int i = 0; i < n_cycles && !over; i++)
    {
      sleep_until (first_ns + i * period_ns - EARLIER_NS);
      pthread_mutex_lock (&lock);
      compute (i % RARE == RARE - 1 ? LONG_HOLD_NS : SHORT_HOLD_NS);
      pthread_mutex_unlock (&lock);
    }
  return data;
}

int
main (int argc, char **argv)
{
  Loop loops[THREADS] = { 0 };
  pthread_t threads[THREADS];
  pthread_t holder;
  int holds;

  mode = argc > 1 ? argv[1] : mode;
  n_cycles = argc > 2 ? atoi (argv[2]) : n_cycles;
  period_ns = argc > 3 ? atoi (argv[3]) * 1000ll : period_ns;
  late_ns = argc > 4 ? atoi (argv[4]) * 1000ll : 0;
  if (n_cycles < 1 || n_cycles > MOST_CYCLES || period_ns < 100000)
    return 2;
  holds = strcmp (mode, "lock") == 0;
  zero = open ("/dev/zero", O_RDONLY);
  marker = open (TRACING "trace_marker", O_WRONLY);
  tracing = open (TRACING "tracing_on", O_WRONLY);
  bytes = calloc (1, LONG_BYTES);
  mlockall (MCL_CURRENT);
  first_ns = (now_ns () / 1000000000 + 2) * 1000000000;
  for (int i = 0; i < THREADS; i++)
    {
      loops[i].number = i;
      loops[i].cycles = calloc (n_cycles, sizeof (Cycle));
      if (pthread_create (&threads[i], NULL, run, &loops[i]) != 0)
        return 1;
    }
  if (holds && pthread_create (&holder, NULL, hold, NULL) != 0)
    return 1;
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  if (holds)
    pthread_join (holder, NULL);
  if (late_ns > 0)
    write_text (tracing, "0");
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < loops[i].n; k++)
      {
        const Cycle *cycle = &loops[i].cycles[k];

        printf ("%d %lld %lld %lld\n", (int) loops[i].pid, (long long) cycle->expected_ns, (long long) cycle->woken_ns,
                (long long) cycle->done_ns);
      }
  return 0;
}
