/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Talks to culprit-delayer over a socket, which is its standard input and output. */
#include "recorder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "culprit-delayer"
#define NS_PER_MS 1000000ll
#define PATIENCE_MS 30000 /* to load a program into the kernel of an emulated machine */
#define END_MS 2000

static pid_t delayer;
static int talk = -1;

/* Runs the program beside ours, in the folder where it is installed or built. */
static void
run (pid_t parent, int fd, const char *function, int64_t percent)
{
  char self[512] = "";
  char path[sizeof self + 64];
  char budget[24];
  ssize_t length = readlink ("/proc/self/exe", self, sizeof self - 1);
  int null = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  lifeline_hold (parent, SIGKILL);
  dup2 (fd, STDIN_FILENO);
  dup2 (fd, STDOUT_FILENO);
  dup2 (null, STDERR_FILENO);
  snprintf (budget, sizeof budget, "%lld", (long long) (percent * NS_PER_PERCENT));
  while (length > 0 && self[length - 1] != '/')
    self[--length] = '\0';
  snprintf (path, sizeof path, "%s" PROGRAM, self);
  execl (path, PROGRAM, function, budget, NULL);
  snprintf (path, sizeof path, "%s../delayer/" PROGRAM, self);
  execl (path, PROGRAM, function, budget, NULL);
  dprintf (STDOUT_FILENO,
           "%s: %s; delays need it: build culprit where libbpf and clang are installed, and install it beside "
           "culprit-recorder\n",
           PROGRAM, strerror (errno));
  _exit (EXIT_FAILURE);
}

/* Reads a line without its end, and waits only a moment once the recording is to stop. False after fail(). */
static bool
hear (char *line, size_t size)
{
  size_t length = 0;
  int64_t end_ns = now_ns () + PATIENCE_MS * NS_PER_MS;
  int64_t stopped_end_ns = now_ns () + END_MS * NS_PER_MS; /* always ahead until then */
  char *end;

  while (!(end = memchr (line, '\n', length)))
    {
      ssize_t got = -1;

      if (length == size)
        return fail (PROGRAM " said a line that is too long");
      if (control_wait (talk, 100))
        got = recv (talk, line + length, size - length, MSG_DONTWAIT);
      if (got == 0)
        return fail (PROGRAM " ended unexpectedly");
      length += got > 0 ? got : 0;
      if (!control_stopped ())
        stopped_end_ns = now_ns () + END_MS * NS_PER_MS;
      if (now_ns () > end_ns || now_ns () > stopped_end_ns)
        {
          kill (delayer, SIGKILL);
          return fail (PROGRAM " does not answer");
        }
    }
  if (end != line + length - 1)
    return fail (PROGRAM " said more than it was asked");
  *end = '\0';
  return true;
}

bool
delayer_start (const char *function, int64_t percent)
{
  pid_t parent = getpid ();
  char said[400];
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail ("no connection to " PROGRAM ": %s", strerror (errno));
  delayer = fork ();
  if (delayer == 0)
    run (parent, ends[1], function, percent);
  close (ends[1]);
  talk = ends[0];
  if (delayer < 0)
    return fail (PROGRAM " cannot be started: %s", strerror (errno));
  if (!hear (said, sizeof said))
    return false;
  return strcmp (said, "ready") == 0 || fail ("%s", said);
}

bool
delayer_set (int64_t delay_ns, Delayed *before)
{
  char line[128];
  long long calls;
  long long spun_ns;
  long long withheld;
  int length = snprintf (line, sizeof line, "%lld\n", (long long) delay_ns);

  if (send (talk, line, length, MSG_NOSIGNAL) != length)
    return fail (PROGRAM " was killed");
  if (!hear (line, sizeof line))
    return false;
  if (sscanf (line, "%lld %lld %lld", &calls, &spun_ns, &withheld) != 3)
    return fail ("%s", line);
  *before = (Delayed) { calls, spun_ns, withheld };
  return true;
}

void
delayer_end (void)
{
  int64_t end_ns = now_ns () + END_MS * NS_PER_MS;

  if (talk >= 0)
    close (talk);
  talk = -1;
  while (delayer > 0 && waitpid (delayer, NULL, WNOHANG) == 0)
    {
      if (now_ns () > end_ns)
        kill (delayer, SIGKILL);
      nanosleep (&(struct timespec) { 0, 10000000 }, NULL);
    }
  delayer = 0;
}
