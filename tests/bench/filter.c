/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures what culprit-recorder's filter of system calls adds to those of a measuring thread; asserts nothing. Two
 * processes alternate, one confined like the recorder, one not. Medians of rounds, in ns. Needs root, and libseccomp in
 * the build.
 *
 * filter [ROUNDS]      (default: 300) */
#include "recorder/recorder-private.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS 2000 /* per round */

static int null_fd;
static int timer_fd;

/* Each is a call by which the loop waits, with a time in the past, so that it returns at once. */
static void
call_clock_nanosleep (void)
{
  const struct timespec past = { 0, 1 };

  clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL);
}

static void
call_timerfd (void)
{
  const struct itimerspec past = { .it_value = { 0, 1 } };
  uint64_t expired;

  timerfd_settime (timer_fd, TFD_TIMER_ABSTIME, &past, NULL);
  if (read (timer_fd, &expired, sizeof expired) != sizeof expired)
    exit (1);
}

static void
call_pselect (void)
{
  const struct timespec none = { 0 };

  pselect (0, NULL, NULL, NULL, &none, NULL);
}

static void
call_write (void)
{
  if (write (null_fd, "0", 1) != 1)
    exit (1);
}

static void
call_getppid (void)
{
  getppid ();
}

static const struct
{
  const char *name;
  void (*call) (void);
} calls[] = {
  { "clock_nanosleep", call_clock_nanosleep },
  { "timerfd_settime + read", call_timerfd },
  { "pselect6", call_pselect },
  { "write", call_write },
  { "getppid", call_getppid },
};

#define N_CALLS (sizeof calls / sizeof *calls)

static double
round_ns (void (*call) (void))
{
  struct timespec start, end;

  clock_gettime (CLOCK_MONOTONIC, &start);
  for (int i = 0; i < CALLS; i++)
    call ();
  clock_gettime (CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - start.tv_sec) * 1e9 + end.tv_nsec - start.tv_nsec) / CALLS;
}

typedef struct
{
  int ask;
  int answer;
} Process;

/* A process that does one round of the call whose number it receives, and replies how long a call took. */
static Process
start (int confined)
{
  int ask[2], answer[2];
  unsigned char number;

  if (pipe2 (ask, O_CLOEXEC) != 0 || pipe2 (answer, O_CLOEXEC) != 0)
    exit (1);
  if (fork () != 0)
    {
      close (ask[0]);
      close (answer[1]);
      return (Process) { ask[1], answer[0] };
    }
  close (ask[1]);
  close (answer[0]);
  if (confined)
    privileges_confine ();
  while (read (ask[0], &number, 1) == 1)
    {
      double ns = round_ns (calls[number].call);

      if (write (answer[1], &ns, sizeof ns) != sizeof ns)
        break;
    }
  _exit (0);
}

static double
ask (Process process, unsigned char number)
{
  double ns;

  if (write (process.ask, &number, 1) != 1 || read (process.answer, &ns, sizeof ns) != sizeof ns)
    exit (1);
  return ns;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values, int n)
{
  qsort (values, n, sizeof *values, compare);
  return values[n / 2];
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 300;
  double *plain = calloc (rounds, sizeof *plain), *filtered = calloc (rounds, sizeof *filtered);
  Process processes[2];

  null_fd = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC);
  processes[0] = start (0);
  processes[1] = start (1);
  printf ("%-24s%12s%12s%12s   median ns of %d rounds\n", "", "without", "with", "filter", rounds);
  for (unsigned i = 0; i < N_CALLS; i++)
    {
      double without_ns, with_ns;

      for (int j = 0; j < rounds; j++)
        {
          plain[j] = ask (processes[0], i);
          filtered[j] = ask (processes[1], i);
        }
      without_ns = median (plain, rounds);
      with_ns = median (filtered, rounds);
      printf ("%-24s%12.1f%12.1f%12.1f\n", calls[i].name, without_ns, with_ns, with_ns - without_ns);
    }
  close (processes[0].ask);
  close (processes[1].ask);
  while (wait (NULL) > 0)
    ;
  free (plain);
  free (filtered);
  return 0;
}
