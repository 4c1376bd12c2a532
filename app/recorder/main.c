/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit-recorder: measures cycles and records traces as a session asks it to; see PROTOCOL.md.
 *
 * Two processes, so that one is left to clean up: the supervisor does all the work, in a session of its own, and ends
 * in order when its parent dies; the parent waits for it and cleans up where it was killed. */
#include "control.h"
#include "reply.h"
#include "supervise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROTOCOL 1
#define EXIT_BAD 2

static pid_t supervisor;

static void
pass_on (int number)
{
  kill (supervisor, number);
}

/* Waits for the supervisor. Signals to us are for it. */
static int
wait_for_supervisor (Rescue *rescue)
{
  const struct sigaction action = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
  int status;

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
  while (waitpid (supervisor, &status, 0) != supervisor)
    ;
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  rescue_all (rescue);
  reply_error ("the recorder was killed (signal %d); tracing is as it was before", WTERMSIG (status));
  return EXIT_BAD;
}

static int
become_supervisor (Rescue *rescue, pid_t parent)
{
  setsid ();
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  control_begin ();
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != parent)
    return EXIT_BAD;
  return supervise (rescue);
}

static void
say_hello (void)
{
  reply_begin ("hello");
  reply_int ("protocol", PROTOCOL);
  reply_text ("version", CULPRIT_VERSION);
  reply_end ();
}

int
main (int argc, char **argv)
{
  Rescue *rescue;
  pid_t parent = getpid ();

  if (argc > 1)
    {
      printf ("culprit-recorder %s, protocol %d: measures cycles for culprit record, which starts it\n",
              CULPRIT_VERSION, PROTOCOL);
      return strcmp (argv[1], "--version") == 0 ? 0 : EXIT_BAD;
    }
  setenv ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
  signal (SIGPIPE, SIG_IGN);
  rescue = mmap (NULL, sizeof *rescue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (rescue == MAP_FAILED)
    {
      reply_error ("there is no memory to start with");
      return EXIT_BAD;
    }
  say_hello ();
  supervisor = fork ();
  if (supervisor == 0)
    _exit (become_supervisor (rescue, parent));
  return supervisor > 0 ? wait_for_supervisor (rescue) : EXIT_BAD;
}
