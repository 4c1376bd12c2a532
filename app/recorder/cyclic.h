/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measuring: one thread on each CPU that waits for its next cycle, notes when it woke, and stops the trace itself
 * where that is a hit. It lives in a process of its own, and shares with the supervisor only the memory below. */
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
  _Alignas(64) atomic_ullong written; /* samples so far; the last RING_SAMPLES of them are kept */
  _Alignas(64) atomic_ullong drained; /* samples that the supervisor has taken */
  atomic_bool done;
  int cpu;
  pid_t tid;
  int64_t page_faults; /* in the loop */
  char problem[256];   /* why it could not measure; empty: it could */
  Sample ring[RING_SAMPLES];
} Lane;

typedef struct
{
  atomic_bool stop; /* All threads shall end after their present cycle. */
  atomic_int hit;   /* The lane that was hit, plus one; its last sample is the hit. */
  int n_lanes;
  Lane lanes[];
} Shared;

/* What the threads are to do this time. */
typedef struct
{
  const Request *request;
  uint64_t cycles; /* of each thread; 0: until told to stop */
  bool trigger;    /* Stop at a hit... */
  bool traced;     /* ...and stop the trace as well. */
} Task;

/* Memory for the threads of @request; NULL if there is none. */
Shared *shared_new (const Request *request);
void shared_free (Shared *shared);

/* Makes it ready for the next time. */
void shared_reset (Shared *shared);

static inline const Sample *
lane_sample (const Lane *lane, uint64_t number)
{
  return &lane->ring[number & (RING_SAMPLES - 1)];
}

/* A process that measures. */
typedef struct
{
  pid_t pid;
  int done_fd;    /* Readable for each thread that is done; at its end the process is gone. */
  int release_fd; /* Closed to let the threads end; until then they can be looked at. */
} CyclicProcess;

/* Starts one. False: @problem says why not, in one line. */
bool cyclic_start (Shared *shared, const Task *task, CyclicProcess *process, char *problem, size_t size);

/* Lets the process end, by force where it does not, and waits for it. */
void cyclic_end (CyclicProcess *process);
