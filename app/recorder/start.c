/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undoes what is inherited from the caller, e.g. an ignored SIGCHLD, a CPU limit of one second, a closed standard
 * output. */
#include "start.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Limits that would end or hinder a recording. */
static const int resources[] = {
  RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_RTTIME, RLIMIT_STACK,
};

static struct rlimit limits[sizeof resources / sizeof *resources];
static int output_flags = -1;

static void
reset_signals (void)
{
  sigset_t none;

  for (int number = 1; number <= SIGRTMAX; number++)
    signal (number, SIG_DFL);
  signal (SIGPIPE, SIG_IGN);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

static void
reset_limits (void)
{
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    {
      rlim_t most = resources[i] == RLIMIT_NOFILE ? 4096 : resources[i] == RLIMIT_STACK ? 8 << 20 : RLIM_INFINITY;
      struct rlimit wanted = { most, RLIM_INFINITY };

      getrlimit (resources[i], &limits[i]);
      if (resources[i] == RLIMIT_NOFILE)
        wanted.rlim_max = limits[i].rlim_max > most ? limits[i].rlim_max : most;
      if (setrlimit (resources[i], &wanted) == 0)
        continue;
      wanted.rlim_max = limits[i].rlim_max; /* Without the privilege to raise it, up to the hard limit. */
      wanted.rlim_cur = most < wanted.rlim_max ? most : wanted.rlim_max;
      setrlimit (resources[i], &wanted);
    }
}

/* Makes sure that the standard streams are open, and nothing else. */
static void
reset_files (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
  while (fd >= 0 && fd <= STDERR_FILENO);
  syscall (SYS_close_range, STDERR_FILENO + 1, ~0u, 0); /* Kernels before 5.9 lack it: files then stay open. */
}

void
start_afresh (void)
{
  reset_signals ();
  reset_limits ();
  reset_files ();
  umask (077);
  output_flags = fcntl (STDOUT_FILENO, F_GETFL);
  fcntl (STDOUT_FILENO, F_SETFL, output_flags | O_NONBLOCK);
}

void
start_restore_limits (void)
{
  for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
    setrlimit (resources[i], &limits[i]);
}

void
start_restore_output (void)
{
  fcntl (STDOUT_FILENO, F_SETFL, output_flags);
}
