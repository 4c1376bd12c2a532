/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways in which a thread can wait for its next cycle. */
#pragma once

#include "request.h"

#include <time.h>

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

/* Whether expected times are whole periods apart; else each counts from the call. */
bool wait_is_absolute (Method method);

/* Prepares to wait for @first_ns and whole periods after it. To be called by the waiting thread. False: @problem says
 * why that is not possible. */
bool wait_begin (Waiter *waiter, const Request *request, int64_t first_ns, char *problem, size_t size);

/* Waits until *@expected_ns, which methods that count from the call set themselves. */
void wait_for (Waiter *waiter, int64_t *expected_ns);

void wait_end (Waiter *waiter);

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
