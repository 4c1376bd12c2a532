/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit-recorder: measures cycles and records traces as requested by a session; see PROTOCOL.md.
 *
 * There are two processes, so that one is left to clean up: the supervisor does all the work, in a session of its own,
 * and stops cleanly if its parent dies; the parent waits for it, and cleans up if it is killed. */
#include "recorder-private.h"

#include <errno.h>
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

static volatile pid_t supervisor; /* 0: no longer */

static void
pass_on (int number)
{
  if (supervisor > 0)
    kill (supervisor, number);
}

/* Waits for the supervisor, and runs its commands. Signals are passed on to it. */
static int
wait_for_supervisor (Rescue *rescue)
{
  const struct sigaction action = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
  pid_t served = supervisor;
  siginfo_t ended;
  const char *failed = NULL;
  int status = 0;
  bool killed;
  bool treated;
  bool undone;

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
  treatment_serve (rescue, served);
  while (waitid (P_PID, served, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
    ;
  supervisor = 0; /* Its number can be another's once it is reaped. */
  waitpid (served, &status, 0);
  treated = atomic_load (&rescue->treated);
  undone = treatment_end (rescue);
  killed = !WIFEXITED (status);
  if (killed || atomic_load (&rescue->tracing.changed)) /* The supervisor, being confined, can lack the rights. */
    failed = rescue_all (rescue);
  if (!killed)
    return WEXITSTATUS (status);
  control_stop ();
  reply_error ("the recorder was killed (signal %d); tracing is restored%s%s%s%s%s", WTERMSIG (status),
               failed ? ", except for " : "", failed ? failed : "", treated ? "; " : "",
               !treated ? ""
               : undone ? "the treatment is undone"
                        : problem (),
               journal_waits () && !atomic_load (&rescue->tracing.changed)
                   ? "; what a recording before it left is not: run culprit-recorder restore"
                   : "");
  return EXIT_BAD;
}

static int
become_supervisor (Rescue *rescue, pid_t parent, const char *request)
{
  int status;

  setsid ();
  control_begin (request);
  lifeline_hold (parent, SIGTERM);
  treatment_attach ();
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  status = supervise (rescue);
  control_end_output ();
  return status;
}

static void
say_hello (void)
{
  reply_begin ("hello");
  reply_int ("protocol", PROTOCOL);
  reply_text ("version", CULPRIT_VERSION);
  reply_end ();
}

/* Serves a session. @refused: why not; empty: it is served. @group_errno: why the caller's control group could not be
 * left; 0: it was. */
static int
converse (Rescue *rescue, const char *request, const char *refused, int group_errno)
{
  pid_t parent = getpid ();

  say_hello ();
  if (*refused)
    {
      reply_error ("%s", refused);
      return EXIT_BAD;
    }
  if (group_errno && geteuid () == 0)
    reply_note ("who owns the caller's control group could freeze this recorder, which cannot leave it: %s",
                strerror (group_errno));
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  supervisor = treatment_open () ? fork () : -1;
  if (supervisor == 0)
    _exit (become_supervisor (rescue, parent, request));
  return supervisor > 0 ? wait_for_supervisor (rescue) : EXIT_BAD;
}

/* Restores what a recording left whose processes were all killed. */
static int
restore (Rescue *rescue)
{
  char said[512];
  Recovered recovered = journal_recover (rescue, said, sizeof said);

  for (char *byte = said; *byte; byte++) /* A user's command, and what it said, for root's terminal. */
    if (*byte < ' ' || *byte > '~')
      *byte = '?';
  if (recovered == RECOVERED_NOT)
    fprintf (stderr, "culprit-recorder: %s\n", said);
  else
    puts (said);
  return recovered == RECOVERED || recovered == RECOVERED_NOTHING ? 0 : EXIT_BAD;
}

static int
help (const char *asked)
{
  printf ("culprit-recorder %s, protocol %d: measures cycles; started by culprit record. culprit-recorder restore "
          "restores tracing settings, and undoes a treatment, after a recording was killed\n",
          CULPRIT_VERSION, PROTOCOL);
  return strcmp (asked, "--version") == 0 ? 0 : EXIT_BAD;
}

int
main (int argc, char **argv)
{
  const char *asked = argc > 1 ? argv[1] : NULL;
  bool talks = !asked || *asked == '{';
  Rescue *rescue;
  int status = EXIT_BAD;
  int group_errno;
  char refused[200] = "";

  start_afresh ();
  tracing_find ();
  setenv ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
  if (argc > 2 || (!talks && strcmp (asked, "restore") != 0))
    return help (asked);
  if (!group_leave (&group_errno))
    snprintf (refused, sizeof refused, "the caller's control group cannot be used: %s", strerror (errno));
  else
    caller_is_clear (refused, sizeof refused);
  if (talks && !streams_begin ())
    {
      reply_error ("%s", problem ());
      return EXIT_BAD;
    }
  rescue = mmap (NULL, sizeof *rescue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (rescue != MAP_FAILED)
    {
      journal_open ();
      status = talks ? converse (rescue, asked, refused, group_errno) : restore (rescue);
    }
  else
    reply_error ("not enough memory to start");
  if (talks)
    {
      control_stop ();
      control_end_output ();
    }
  return status;
}
