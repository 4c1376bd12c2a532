/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listens to the session and to signals. */
#include "control.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define MAX_LINE (1 << 20)

static struct
{
  int signals;
  bool stopped;
  bool input_ended;
  char line[MAX_LINE];
  size_t length;
} control;

void
control_begin (void)
{
  sigset_t ends;

  sigemptyset (&ends);
  sigaddset (&ends, SIGINT);
  sigaddset (&ends, SIGTERM);
  sigaddset (&ends, SIGHUP);
  sigprocmask (SIG_BLOCK, &ends, NULL);
  signal (SIGPIPE, SIG_IGN);
  control.signals = signalfd (-1, &ends, SFD_CLOEXEC);
}

/* Takes in what came; at the end of input, or of patience with a line that never ends, there is no more. */
static void
read_input (void)
{
  ssize_t got = read (STDIN_FILENO, control.line + control.length, MAX_LINE - 1 - control.length);

  if (got <= 0)
    control.input_ended = control.stopped = true;
  else
    control.length += got;
}

/* The length of the first line that is complete, with its end; 0: there is none. */
static size_t
line_length (void)
{
  const char *end = memchr (control.line, '\n', control.length);

  return end ? end - control.line + 1 : 0;
}

static bool
parse_line (JsonValue *object)
{
  size_t length = line_length ();
  bool good;

  if (length == 0)
    return false;
  control.line[length - 1] = '\0';
  good = strlen (control.line) == length - 1 && json_parse (control.line, object);
  control.length -= length;
  memmove (control.line, control.line + length, control.length);
  return good;
}

bool
control_read_request (JsonValue *request)
{
  *request = (JsonValue) { 0 };
  while (line_length () == 0 && !control.stopped)
    control_wait (-1, -1);
  return parse_line (request);
}

/* Whatever comes after the request can only be a stop. */
static void
hear (void)
{
  JsonValue object;
  const JsonValue *what;

  while (line_length () > 0)
    {
      if (!parse_line (&object))
        control.stopped = true;
      what = json_member (&object, "do");
      if (what && what->kind == JSON_TEXT && strcmp (what->text, "stop") == 0)
        control.stopped = true;
      json_clear (&object);
    }
}

bool
control_wait (int fd, int timeout_ms)
{
  struct pollfd polled[] = { { control.input_ended ? -1 : STDIN_FILENO, POLLIN, 0 },
                             { control.signals, POLLIN, 0 },
                             { fd, POLLIN, 0 } };
  struct signalfd_siginfo signal;

  if (poll (polled, 3, timeout_ms) <= 0)
    return false;
  if (polled[0].revents)
    read_input ();
  if (polled[1].revents && read (control.signals, &signal, sizeof signal) > 0)
    control.stopped = true;
  return polled[2].revents != 0;
}

bool
control_stopped (void)
{
  hear ();
  return control.stopped;
}

void
control_stop (void)
{
  control.stopped = true;
}
