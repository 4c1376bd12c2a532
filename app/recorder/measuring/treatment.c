/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A byte from the supervisor asks for a command, or that the one which runs be broken off; a byte answers. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_NS 30000000000 /* of a command */
#define LEFT_NS 5000000000   /* after which one that was killed, but hangs in the kernel, is left behind */
#define REST_NS 3000000000   /* for what a command said last */
#define STEP_MS 20
#define TALK_MS 200
#define TOLD_SIZE 300 /* of what a command said last */

enum
{
  APPLY = 'a',
  UNDO = 'u',
  BREAK_OFF = 'b',
  DONE = 'd',
  FAILED = 'f',
};

static int ends[2] = { -1, -1 }; /* of the first process, and of the supervisor */
static bool asks;                /* We are the supervisor, and shall soon be confined. */
static pid_t first;              /* whom it asks */

static int lives[2] = { -1, -1 }; /* a pipe that ends when all processes of the recorder have */
static pid_t shell;               /* waits for that */

bool
treatment_open (void)
{
  return socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 && pipe2 (lives, O_CLOEXEC) == 0;
}

/* The supervisor's side. */

void
treatment_attach (void)
{
  first = getppid ();
  close (ends[0]);
  ends[0] = -1;
}

void
treatment_prepare (Rescue *rescue, const Request *request)
{
  asks = true;
  snprintf (rescue->treat, sizeof rescue->treat, "%s", request->treat);
  snprintf (rescue->undoing.undo, sizeof rescue->undoing.undo, "%s", request->undo);
}

void
treatment_close (void)
{
  close (ends[0]);
  close (ends[1]);
  close (lives[0]);
  close (lives[1]);
}

/* Sends a signal to the first process while it lives. */
static void
signal_first (int number)
{
  if (getppid () == first)
    kill (first, number);
}

/* Has the first process run a command. If it is stopped, it goes on; if nothing helps, it is killed, so that what
 * waits for the end of all of us undoes the treatment; and if it hangs in the kernel, it is asked nothing more. */
static bool
ask (char what)
{
  static bool hangs;
  int64_t end_ns = now_ns () + LIMIT_NS + 3 * LEFT_NS;
  bool breaks_off = what == APPLY;
  char answer = FAILED;

  send (ends[1], &what, 1, MSG_NOSIGNAL);
  while (!hangs && !control_wait (ends[1], TALK_MS))
    {
      hangs = now_ns () > end_ns + LEFT_NS;
      signal_first (now_ns () < end_ns ? SIGCONT : SIGKILL);
      if (control_stopped () && breaks_off)
        {
          send (ends[1], &(char) { BREAK_OFF }, 1, MSG_NOSIGNAL);
          breaks_off = false;
        }
    }
  return !hangs && recv (ends[1], &answer, 1, 0) == 1 && answer == DONE;
}

/* The first process's side. */

/* What a command says: the end of it is kept. */
typedef struct
{
  int from;
  size_t length;
  char text[TOLD_SIZE - 3];
} Told;

/* Takes some of what is there; nothing can be heard after the end. */
static void
hear (Told *told)
{
  char piece[4096];
  ssize_t got = read (told->from, piece, sizeof piece);
  size_t taken;
  size_t kept;

  if (got == 0)
    {
      close (told->from);
      told->from = -1;
    }
  if (got <= 0)
    return;
  taken = MIN ((size_t) got, sizeof told->text);
  kept = MIN (told->length, sizeof told->text - taken);
  memmove (told->text, told->text + told->length - kept, kept);
  memcpy (told->text + kept, piece + got - taken, taken);
  told->length = kept + taken;
}

/* Waits a moment, and hears what the command says. Returns whether the supervisor wants it to be broken off, or has
 * ended; only if it @may_be. */
static bool
is_broken_off (Told *told, bool may_be)
{
  struct pollfd polled[] = { { may_be ? ends[0] : -1, POLLIN, 0 }, { told->from, POLLIN, 0 } };

  poll (polled, 2, STEP_MS);
  hear (told);
  return may_be && polled[0].revents;
}

/* Takes the rest, unless somebody keeps it from us. */
static void
told_close (Told *told)
{
  int64_t end_ns = now_ns () + REST_NS;

  shutdown (told->from, SHUT_WR);
  while (told->from >= 0 && now_ns () < end_ns)
    is_broken_off (told, false);
  close (told->from);
}

/* The last line, with a colon before it; empty: there is none. */
static void
last_line (Told *told, char text[TOLD_SIZE])
{
  char *line;

  memcpy (text + 2, told->text, told->length);
  text[told->length + 2] = '\0';
  for (size_t n = strlen (text + 2); n > 0 && text[n + 1] == '\n'; n--)
    text[n + 1] = '\0';
  line = strrchr (text + 2, '\n');
  if (line)
    memmove (text + 2, line + 1, strlen (line));
  memcpy (text, text[2] ? ": " : "\0", 2);
}

/* Runs @command as the requesting user, until @end_ns. What it starts in the background may stay. */
static bool
run (Rescue *rescue, const char *command, int64_t end_ns, bool may_be_broken_off)
{
  pid_t parent = getpid ();
  int words[2] = { -1, -1 };
  Told told = { .from = streams_pair (words) ? words[0] : -1 };
  char last[TOLD_SIZE];
  const char *why = NULL;
  int status = 0;
  pid_t pid;

  atomic_store (&rescue->began, false);
  pid = fork ();
  if (pid == 0)
    {
      int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

      dup2 (null, STDIN_FILENO);
      dup2 (null, STDOUT_FILENO);
      dup2 (null, STDERR_FILENO);
      streams_begin_words (words[1]);
      load_run (parent, command, &rescue->began);
    }
  close (words[1]);
  while (pid > 0 && waitpid (pid, &status, WNOHANG) == 0 && now_ns () < end_ns + LEFT_NS)
    if (is_broken_off (&told, may_be_broken_off && !why) || (!why && now_ns () > end_ns))
      {
        why = now_ns () > end_ns ? "did not end within 30 s" : "was broken off";
        end_ns = now_ns ();
        kill (-pid, SIGKILL);
        kill (pid, SIGKILL); /* if it has no group yet */
      }
  told_close (&told);
  last_line (&told, last);
  *rescue->said = '\0';
  if (pid > 0 && !why && status == 0)
    return true;
  if (pid < 0)
    snprintf (rescue->said, sizeof rescue->said, "\"%.100s\" cannot be started: %s", command, strerror (errno));
  else if (why || WIFSIGNALED (status))
    snprintf (rescue->said, sizeof rescue->said, "\"%.100s\" %s%s", command, why ? why : "was killed", last);
  else
    snprintf (rescue->said, sizeof rescue->said, "\"%.100s\" ended with status %d%s%s", command, WEXITSTATUS (status),
              load_status_words (WEXITSTATUS (status)), last);
  return false;
}

/* It is no process of the recorder by its name, so that it survives those who kill them by that. */
static bool
start_shell (void)
{
  char path[512] = "";

  if (shell > 0)
    return true;
  if (readlink ("/proc/self/exe", path, sizeof path - 1) <= 0)
    return false;
  shell = fork ();
  if (shell == 0)
    {
      setsid ();
      if (chdir ("/") != 0)
        _exit (EXIT_FAILURE);
      dup2 (lives[0], STDIN_FILENO);
      dup2 (open ("/dev/null", O_RDWR | O_CLOEXEC), STDOUT_FILENO);
      dup2 (STDOUT_FILENO, STDERR_FILENO);
      execl ("/bin/sh", "sh", "-c", "read -r done || exec \"$0\" restore", path, NULL);
      _exit (EXIT_FAILURE);
    }
  return shell > 0;
}

static bool
apply (Rescue *rescue)
{
  if (!caller_note (&rescue->undoing.caller))
    {
      snprintf (rescue->said, sizeof rescue->said, "the requesting user is not known here");
      return false;
    }
  if (!start_shell () || !journal_write_undoing (&rescue->undoing))
    {
      snprintf (rescue->said, sizeof rescue->said, "it cannot be made sure that it is undone: %s", problem ());
      return false;
    }
  atomic_store (&rescue->treated, true);
  return run (rescue, rescue->treat, now_ns () + LIMIT_NS, true);
}

/* It has had its chance then: what fails, or kills itself, is told, not tried again. Only if it could not begin, also
 * not without the caller's group, which may be gone, or we are killed before it has ended, the next recordings do that.
 * Both tries have one limit: who asks does not wait for longer. */
static bool
undo (Rescue *rescue)
{
  int64_t end_ns = now_ns () + LIMIT_NS;
  bool good;

  caller_replace (atomic_load (&rescue->left) ? &rescue->undoing.caller : NULL);
  good = run (rescue, rescue->undoing.undo, end_ns, false);
  if (!atomic_load (&rescue->began) && now_ns () < end_ns)
    {
      caller_replace (&rescue->undoing.caller);
      good = run (rescue, rescue->undoing.undo, end_ns, false);
    }
  caller_replace (NULL);
  atomic_store (&rescue->treated, false);
  if (atomic_load (&rescue->began))
    journal_remove_undoing ();
  return good;
}

static pid_t supervisor;

static volatile sig_atomic_t waits; /* No command runs. */

/* Reaps what is left to us and has ended, except for the supervisor: that is our first child, and found first. */
static void
reap_left (void)
{
  siginfo_t ended = { 0 };

  while (waitid (P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0 && ended.si_pid != supervisor)
    waitpid (ended.si_pid, NULL, 0);
}

/* Lets nothing more be received once the supervisor has ended: others may have its end of the socket. */
static void
note_end (int number)
{
  int problem = errno;
  siginfo_t ended = { 0 };

  if (waitid (P_PID, supervisor, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == supervisor)
    shutdown (ends[0], SHUT_RD);
  if (waits)
    reap_left ();
  errno = problem;
}

/* Waits for what the supervisor asks for. False: it has ended. Meanwhile orphans are reaped as they end: there may be
 * many of what a command left in the background. */
static bool
receive (char *what)
{
  bool received;

  waits = true;
  reap_left ();
  received = recv (ends[0], what, 1, 0) == 1;
  waits = false;
  return received;
}

void
treatment_serve (Rescue *rescue, pid_t served)
{
  const struct sigaction action = { .sa_handler = note_end, .sa_flags = SA_RESTART | SA_NOCLDSTOP };
  char what;

  close (ends[1]);
  supervisor = served;
  sigaction (SIGCHLD, &action, NULL);
  note_end (SIGCHLD); /* if it has ended already */
  while (receive (&what))
    {
      bool good = what == APPLY ? apply (rescue) : what == UNDO && undo (rescue);

      if (what != BREAK_OFF)
        send (ends[0], &(char) { good ? DONE : FAILED }, 1, MSG_NOSIGNAL);
    }
}

bool
treatment_end (Rescue *rescue)
{
  bool good = treatment_undo (rescue);

  if (shell > 0 && write (lives[1], "\n", 1) == 1)
    waitpid (shell, NULL, 0);
  return good;
}

/* Either side's. */

static const char killed[] = "the process that runs its commands was killed";

bool
treatment_apply (Rescue *rescue)
{
  return ask (APPLY) || fail ("the treatment failed: %s", *rescue->said ? rescue->said : killed);
}

bool
treatment_undo (Rescue *rescue)
{
  if (!atomic_load (&rescue->treated))
    return true;
  if (asks ? ask (UNDO) : undo (rescue))
    return true;
  atomic_store (&rescue->treated, false); /* It is told once, also if nobody answered. */
  return fail ("the treatment may still be in place: %s", *rescue->said ? rescue->said : killed);
}
