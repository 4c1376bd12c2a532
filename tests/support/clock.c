/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock that is set while a program runs: preloaded, it adds CLOCK_SHIFT_S seconds to the time of day, and
 * CLOCK_STEP_S more each time the time is read. */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long
number (const char *name)
{
  const char *text = getenv (name);

  return text ? atol (text) : 0;
}

int
clock_gettime (clockid_t clock, struct timespec *now)
{
  static atomic_long asked;
  int result = (int) syscall (SYS_clock_gettime, clock, now);

  if (clock == CLOCK_REALTIME)
    now->tv_sec += number ("CLOCK_SHIFT_S") + atomic_fetch_add (&asked, 1) * number ("CLOCK_STEP_S");
  return result;
}

int
gettimeofday (struct timeval *now, void *zone)
{
  struct timespec precise;

  clock_gettime (CLOCK_REALTIME, &precise);
  *now = (struct timeval) { precise.tv_sec, precise.tv_nsec / 1000 };
  return 0;
}

time_t
time (time_t *now)
{
  struct timespec precise;

  clock_gettime (CLOCK_REALTIME, &precise);
  if (now)
    *now = precise.tv_sec;
  return precise.tv_sec;
}
