/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the caller's standard streams, and those of a treatment's commands, away from what restores the machine.
 * Whoever shares them decides whether they block, may hold a lock of the kernel's that reading or writing takes, or
 * serve them as a file system: so other processes copy between them and sockets of ours. Nobody waits for these
 * processes. They hold nothing but the two ends, are out of the reach of who owns the caller's control group, and end
 * with ours, or once they cannot go on. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE_SIZE 4096
#define ROOM 8192 /* in a socket: little, so that a reader who does not read is noticed */
#define PATIENCE_S 30
#define PIECES 32 /* more than fit into a pipe */

static bool
put (const char *piece, size_t size)
{
  struct pollfd room = { STDOUT_FILENO, POLLOUT, 0 };
  ssize_t wrote;

  for (size_t done = 0; done<size; done += wrote> 0 ? wrote : 0)
    {
      wrote = write (STDOUT_FILENO, piece + done, size - done);
      if (wrote < 0 && errno == EAGAIN)
        poll (&room, 1, -1);
      else if (wrote < 0 && errno != EINTR)
        return false;
    }
  return true;
}

/* Copies a piece, if there is one. False: there will be no more. */
static bool
pass_on (void)
{
  char piece[PIECE_SIZE];
  ssize_t got = read (STDIN_FILENO, piece, sizeof piece);

  return got > 0 ? put (piece, got) : got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Copies until either end is gone, or @event comes to standard output. */
static void
copy (short event)
{
  struct pollfd ends[] = { { STDIN_FILENO, POLLIN, 0 }, { STDOUT_FILENO, event, 0 } };

  do
    poll (ends, 2, -1);
  while (!ends[1].revents && pass_on ());
}

/* Copies until either end is gone. If the caller lets us wait in the middle of that, a child sees that @ours is gone,
 * and ends us so much later: only the recorder knows for how long to wait for a caller. */
static void
copy_until_gone (int ours, unsigned patience_s)
{
  struct pollfd end = { ours, 0, 0 };
  pid_t copier = getpid ();

  if (fork () != 0)
    {
      copy (0);
      return;
    }
  lifeline_hold (copier, SIGKILL);
  while (poll (&end, 1, -1) != 1)
    ;
  sleep (patience_s);
  kill (copier, SIGKILL);
}

static void
copy_input (void)
{
  copy_until_gone (STDOUT_FILENO, 0);
}

static void
copy_output (void)
{
  copy_until_gone (STDIN_FILENO, PATIENCE_S);
}

/* Copies what a command of the user's says until we have heard enough, and then the rest. It has standard error, which
 * no longer blocks then, so that who goes on writing is not held up. */
static void
copy_words (void)
{
  copy (POLLRDHUP);
  fcntl (STDERR_FILENO, F_SETFL, O_NONBLOCK);
  for (int i = 0; i < PIECES && pass_on (); i++)
    ;
}

/* Leaves behind a process that does @copying with these files as its standard streams, and has no others. False with
 * errno. */
static bool
leave_copier (void (*copying) (void), int input, int output, int error)
{
  int status = 0;
  pid_t pid = fork ();

  if (pid != 0)
    return pid > 0 && waitpid (pid, &status, 0) == pid && (errno = WEXITSTATUS (status)) == 0;
  setsid ();
  pid = fork ();
  if (pid != 0)
    _exit (pid < 0 ? errno : 0);
  dup2 (input, STDIN_FILENO);
  dup2 (output, STDOUT_FILENO);
  dup2 (error, STDERR_FILENO);
  start_close_files ();
  copying ();
  _exit (0);
}

bool
streams_pair (int pair[2])
{
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
    return false;
  for (int i = 0; i < 2; i++)
    setsockopt (pair[i], SOL_SOCKET, SO_SNDBUF, &(int) { ROOM }, sizeof (int));
  return true;
}

/* Puts a socket of ours in the place of @stream. False with errno. */
static bool
replace (int stream, int null)
{
  int pair[2];

  if (!streams_pair (pair) || !(stream == STDIN_FILENO ? leave_copier (copy_input, stream, pair[1], null)
                                                       : leave_copier (copy_output, pair[1], stream, null)))
    return false;
  dup2 (pair[0], stream);
  close (pair[0]);
  close (pair[1]);
  return true;
}

bool
streams_begin (void)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  if (!replace (STDIN_FILENO, null) || !replace (STDOUT_FILENO, null))
    return fail ("the recorder cannot talk through sockets of its own: %s", strerror (errno));
  dup2 (null, STDERR_FILENO);
  close (null);
  return true;
}

bool
streams_begin_words (int end)
{
  int pair[2];
  char path[64];
  int both;

  if (end < 0 || pipe2 (pair, O_CLOEXEC | O_NONBLOCK) != 0)
    return false;
  fchmod (pair[0], 0666); /* for who opens /dev/stderr */
  snprintf (path, sizeof path, "/proc/self/fd/%d", pair[1]);
  both = open (path, O_RDWR | O_CLOEXEC);
  if (both < 0 || !leave_copier (copy_words, pair[0], end, both))
    return false;
  dup2 (both, STDOUT_FILENO);
  dup2 (both, STDERR_FILENO);
  return true;
}
