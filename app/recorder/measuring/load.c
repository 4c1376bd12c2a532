/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a load below its keeper process. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE (512 * 1024)
#define STEP_NS 20000000
#define GENTLE_STEPS 25 /* before the keeper uses SIGKILL */
#define KEEPER_STEPS 50 /* before we do */
#define PATIENCE_STEPS 100

typedef struct
{
  const char *command;
  bool contained; /* in a PID namespace */
  int talk[2];    /* with its parent: the keeper has the second end */
} Keeper;

static const struct timespec step = { 0, STEP_NS };

void
load_run (pid_t parent, const char *command, atomic_bool *began)
{
  bool returned;
  sigset_t none;

  start_close_files_but_groups (); /* The caller's group may be frozen: what stays in it then holds no lock of ours. */
  lifeline_hold (parent, SIGKILL);
  returned = group_return (); /* Before the user is looked for, whom its name may tell. */
  start_close_files ();
  setsid ();
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  start_restore_inherited ();
  if (!returned)
    _exit (LOAD_NO_GROUP);
  if (!caller_become ())
    _exit (LOAD_NO_USER);
  lifeline_hold (parent, SIGKILL); /* Becoming another user has reset it. */
  if (began)
    atomic_store (began, true);
  execl ("/bin/sh", "sh", "-c", command, NULL);
  if (began)
    atomic_store (began, false); /* The user may have too many processes, for now. */
  _exit (LOAD_NO_SHELL);
}

const char *
load_status_words (int status)
{
  return status == LOAD_NO_COMMAND ? " (no such command)"
         : status == LOAD_NO_USER  ? " (the requesting user is not known here)"
         : status == LOAD_NO_SHELL ? " (its shell cannot be started)"
         : status == LOAD_NO_GROUP ? " (it is not accepted by the caller's control group)"
                                   : "";
}

/* Lets the keeper end with its parent. In a PID namespace it cannot see whether that has ended already: it asks. */
static void
hold_lifeline (const Keeper *keeper)
{
  char byte = 0;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  close (keeper->talk[0]);
  if (send (keeper->talk[1], &byte, 1, 0) != 1 || recv (keeper->talk[1], &byte, 1, 0) != 1)
    _exit (EXIT_FAILURE);
  close (keeper->talk[1]);
}

/* Answers the keeper. */
static void
answer (const Keeper *keeper)
{
  char byte;

  close (keeper->talk[1]);
  if (recv (keeper->talk[0], &byte, 1, 0) == 1)
    send (keeper->talk[0], &byte, 1, 0);
  close (keeper->talk[0]);
}

/* Sends the signal @number to our children, among them adopted orphans. */
static void
signal_children (int number)
{
  FILE *children = fopen ("/proc/thread-self/children", "re");
  int pid;

  while (children && fscanf (children, "%d", &pid) == 1)
    kill (pid, number);
  if (children)
    fclose (children);
}

/* Sends the signal @number to the load. If we are the first process of a namespace, -1 means all its other processes
 * and no others. */
static void
signal_load (const Keeper *keeper, int number)
{
  if (keeper->contained && getpid () == 1)
    kill (-1, number);
  else
    signal_children (number);
}

/* Reaps what has ended, and notes the status of @shell. False: nothing is left. */
static bool
reap (pid_t shell, int *status)
{
  int ended;
  pid_t pid;

  while ((pid = waitpid (-1, &ended, WNOHANG)) > 0)
    if (pid == shell)
      *status = WIFEXITED (ended) ? WEXITSTATUS (ended) : 128 + WTERMSIG (ended);
  return pid == 0;
}

/* Stays as long as any process of the load does; SIGTERM ends it. */
static int
keep_load (void *data)
{
  const Keeper *keeper = data;
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  int status = 0;
  int steps = -1; /* since the end was requested; -1: it was not */
  sigset_t awaited;
  pid_t self = getpid ();
  pid_t shell;

  hold_lifeline (keeper);
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    dup2 (null, fd);
  start_close_files_but_groups ();
  sigemptyset (&awaited);
  sigaddset (&awaited, SIGCHLD);
  sigaddset (&awaited, SIGTERM);
  sigprocmask (SIG_BLOCK, &awaited, NULL);
  shell = fork ();
  if (shell == 0)
    load_run (self, keeper->command, NULL);
  while (reap (shell, &status))
    {
      if (sigtimedwait (&awaited, NULL, steps < 0 ? NULL : &step) == SIGTERM && steps < 0)
        {
          signal_load (keeper, SIGTERM);
          steps = 0;
        }
      if (steps >= 0 && ++steps > GENTLE_STEPS)
        signal_load (keeper, SIGKILL);
    }
  _exit (shell < 0 ? EXIT_FAILURE : status);
}

pid_t
load_start (const char *command, bool *contained)
{
  static _Alignas(16) char stack[STACK_SIZE];
  Keeper keeper = { .command = command, .contained = true };
  pid_t pid = -1;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, keeper.talk) == 0)
    {
      pid = clone (keep_load, stack + sizeof stack, CLONE_NEWPID | SIGCHLD, &keeper);
      if (pid < 0)
        {
          keeper.contained = false;
          pid = clone (keep_load, stack + sizeof stack, SIGCHLD, &keeper);
        }
      answer (&keeper);
    }
  if (pid < 0)
    fail ("the load cannot be started: %s", strerror (errno));
  *contained = keeper.contained;
  return pid;
}

bool
load_has_ended (pid_t keeper, int *status)
{
  siginfo_t info = { 0 };

  if (keeper <= 0 || waitid (P_PID, keeper, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return false;
  *status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  return true;
}

void
load_end (pid_t keeper, bool contained)
{
  int status = -1;

  if (keeper > 0)
    kill (keeper, SIGTERM);
  for (int i = 0; reap (keeper, &status) && i < PATIENCE_STEPS; i++)
    {
      if (i > KEEPER_STEPS && keeper > 0 && !contained)
        signal_children (SIGKILL);
      else if (i > KEEPER_STEPS && keeper > 0 && status < 0)
        kill (keeper, SIGKILL);
      nanosleep (&step, NULL);
    }
}
