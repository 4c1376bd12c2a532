/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for cycles. A wait that is interrupted or ends too early is resumed, so that no cycle is measured twice. */
#include "wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define OFFSET_TRIES 5

/* How far @clock is ahead of CLOCK_MONOTONIC, from the closest of a few readings. */
static int64_t
clock_offset_ns (clockid_t clock)
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
  return offset_ns;
}

bool
wait_is_absolute (Method method)
{
  return method != METHOD_CLOCK_NANOSLEEP_RELATIVE && method != METHOD_NANOSLEEP && method != METHOD_PSELECT;
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
  int64_t left_ns = first_ns - now_ns ();
  struct itimerval times = {
    .it_interval = { waiter->period_ns / 1000000000, waiter->period_ns % 1000000000 / 1000 },
    .it_value = { left_ns / 1000000000, left_ns % 1000000000 / 1000 },
  };

  return setitimer (ITIMER_REAL, &times, NULL) == 0;
}

bool
wait_begin (Waiter *waiter, const Request *request, int64_t first_ns, char *problem, size_t size)
{
  struct itimerspec times = { .it_interval = to_timespec (request->period_ns) };
  bool good = true;

  *waiter = (Waiter) { .method = request->method,
                       .clock = request->realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                       .period_ns = request->period_ns,
                       .fd = -1 };
  waiter->offset_ns = request->realtime ? clock_offset_ns (CLOCK_REALTIME) : 0;
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

void
wait_for (Waiter *waiter, int64_t *expected_ns)
{
  struct timespec until;

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
      while (now_ns () < *expected_ns)
        ;
      break;
    }
}

void
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
