/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a thread had to wait for, by the kernel's delay accounting. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct
{
  uint64_t count;
  uint64_t ns;
} Delay;

typedef struct
{
  bool known;
  Delay cpu; /* It was ready, and another had the CPU. */
  Delay block_io;
  Delay swap_in;
  Delay reclaim;
  Delay thrashing;
} Delays;

/* The delays of a thread since it began. Not known where the kernel has no taskstats, or does not say us. Where delay
 * accounting is off, or went on after the thread began, only those of the CPU count, as the scheduler always keeps them
 * (Linux 5.14 and later); the others stay 0. */
Delays delays_of_thread (pid_t tid);

/* Adds @more to @sum; the sum is known where both are. */
void delays_add (Delays *sum, const Delays *more);
