/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the caller's standard streams away from what restores the machine. Whoever shares them decides whether they
 * block, may hold a lock of the kernel's that reading or writing takes, or serve them as a file system: so other
 * processes copy between them and sockets of ours. Nobody waits for these processes. They hold nothing but the two
 * ends, are out of the reach of who owns the caller's control group, and end with ours, or once they cannot go on. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE_SIZE 4096
#define ROOM 8192 /* in a socket: little, so that a reader who does not read is noticed */
#define PATIENCE_S 30

/* Ends this process if nobody takes anything for too long. */
static bool
put (const char *piece, size_t size)
{
  struct pollfd room = { STDOUT_FILENO, POLLOUT, 0 };
  ssize_t wrote;

  alarm (PATIENCE_S);
  for (size_t done = 0; done<size; done += wrote> 0 ? wrote : 0)
    {
      wrote = write (STDOUT_FILENO, piece + done, size - done);
      if (wrote < 0 && errno == EAGAIN)
        poll (&room, 1, -1);
      else if (wrote < 0 && errno != EINTR)
        return false;
    }
  alarm (0);
  return true;
}

/* Copies until either end is gone. */
static void
copy (void)
{
  struct pollfd ends[] = { { STDIN_FILENO, POLLIN, 0 }, { STDOUT_FILENO, 0, 0 } };
  char piece[PIECE_SIZE];
  ssize_t got;

  do
    {
      poll (ends, 2, -1);
      got = ends[1].revents ? 0 : read (STDIN_FILENO, piece, sizeof piece);
    }
  while (got > 0 ? put (piece, got) : got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* In a child: leaves behind a process that copies between @stream and the end of ours, @end. */
static void
leave_copier (int stream, int end)
{
  pid_t pid;

  setsid ();
  group_end ();
  pid = fork ();
  if (pid == 0)
    {
      dup2 (end, stream == STDIN_FILENO ? STDOUT_FILENO : STDIN_FILENO);
      for (int fd = STDERR_FILENO; fd <= end; fd++)
        close (fd);
      copy ();
    }
  _exit (pid < 0 ? errno : 0);
}

/* Puts a socket of ours in the place of @stream. False with errno. */
static bool
replace (int stream)
{
  int pair[2];
  int status = 0;
  pid_t pid;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
    return false;
  for (int i = 0; i < 2; i++)
    setsockopt (pair[i], SOL_SOCKET, SO_SNDBUF, &(int) { ROOM }, sizeof (int));
  pid = fork ();
  if (pid == 0)
    leave_copier (stream, pair[1]);
  if (pid < 0 || waitpid (pid, &status, 0) != pid || (errno = WEXITSTATUS (status)) != 0)
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

  if (!replace (STDIN_FILENO) || !replace (STDOUT_FILENO))
    return fail ("the recorder cannot talk through sockets of its own: %s", strerror (errno));
  dup2 (null, STDERR_FILENO);
  close (null);
  return true;
}
