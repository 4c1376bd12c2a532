/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurement: one thread per CPU waits for its next cycle, records when it woke up, and stops the trace itself if
 * that is a hit. It runs in a process of its own, which shares only the memory below with the supervisor. */
#pragma once

#include "request.h"

#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

/* On CLOCK_MONOTONIC. */
typedef struct
{
  int64_t expected_ns;
  int64_t observed_ns;
} Sample;

#define RING_SAMPLES (1u << 18) /* four minutes at 1 ms, five seconds at 20 us */

/* A measuring thread. */
typedef struct
{
  _Alignas(64) atomic_ullong written; /* number of samples so far; the last RING_SAMPLES of them are kept */
  _Alignas(64) atomic_ullong drained; /* number of samples that the supervisor has taken */
  atomic_bool done;
  int cpu;
  pid_t tid;
  int64_t page_faults; /* while measuring */
  char problem[256];   /* why it could not measure; empty: no problem */
  Sample ring[RING_SAMPLES];
} Lane;

typedef struct
{
  atomic_bool stop; /* All threads are to end after their current cycle. */
  atomic_int hit;   /* The index of the lane that was hit, plus one; its last sample is the hit. */
  int n_lanes;
  Lane lanes[];
} Shared;

/* What the threads are to do in this arm. */
typedef struct
{
  const Request *request;
  uint64_t cycles; /* per thread; 0: until stopped */
  bool trigger;    /* Stop at a hit... */
  bool traced;     /* ...and stop the trace as well. */
} Task;

/* Memory for the threads of @request; NULL if there is none. */
Shared *shared_new (const Request *request);
void shared_free (Shared *shared);

/* Prepares it for the next arm. */
void shared_reset (Shared *shared);

static inline const Sample *
lane_sample (const Lane *lane, uint64_t number)
{
  return &lane->ring[number & (RING_SAMPLES - 1)];
}

/* The measuring process. */
typedef struct
{
  pid_t pid;
  int done_fd;    /* Readable for each thread that is done; end of file when the process is gone. */
  int release_fd; /* Closed to let the threads end; until then they can be examined. */
} CyclicProcess;

/* Starts one. False: @problem says why not, in one line. */
bool cyclic_start (Shared *shared, const Task *task, CyclicProcess *process, char *problem, size_t size);

/* Lets the process end, by force if necessary, and waits for it. */
void cyclic_end (CyclicProcess *process);

/* Takes the samples of a measuring thread out of its ring, adds them up, and sends them packed, without loss. */

#define PACKED_SIZE (48 * 1024)

/* Sums over a run. */
typedef struct
{
  int64_t cycles;
  int64_t min_ns;
  int64_t max_ns;
  double sum_ns;
  int64_t hits;
  int64_t missed;
  int64_t late;
} Totals;

/* What was taken from one thread and not sent yet. */
typedef struct
{
  int64_t first_cycle; /* of the run on this CPU */
  int64_t first_expected_ns;
  int64_t last_expected_ns;
  int64_t cycles;
  bool broken; /* The next sample does not directly follow the last one: it begins a new line. */
  size_t size;
  uint8_t bytes[PACKED_SIZE];
} Packed;

/* Takes all available samples. */
void samples_take (Lane *lane, const Request *request, int run, Packed *packed, Totals *totals);

/* Sends what is left; the next sample begins a new line. */
void samples_flush (const Lane *lane, int run, Packed *packed);

/* The ways in which a thread can wait for its next cycle. */

/* A thread's means of waiting. */
typedef struct
{
  Method method;
  clockid_t clock;
  int64_t period_ns;
  int64_t offset_ns; /* from that clock to CLOCK_MONOTONIC */
  timer_t timer;
  int fd;
} Waiter;

/* CLOCK_MONOTONIC. */
static inline int64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static inline struct timespec
to_timespec (int64_t ns)
{
  return (struct timespec) { ns / 1000000000, ns % 1000000000 };
}
