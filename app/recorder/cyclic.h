/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurement: one thread per CPU waits for its next cycle, records when it woke up, and stops the trace itself if
 * that is a hit. It runs in a process of its own, which shares only the memory below with the supervisor. */
#pragma once

#include "request.h"

#include <stdatomic.h>
#include <sys/types.h>

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
