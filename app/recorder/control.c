/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listens to the session and to signals. */
#include "control.h"

#include "input.h"
#include "wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define NS_PER_MS 1000000ll
#define READER_PATIENCE_NS (30000 * NS_PER_MS)
#define STOPPED_PATIENCE_NS (3000 * NS_PER_MS)

static struct
{
  int signals;
  bool stopped;
  int64_t stopped_ns; /* when */
  bool input_ended;
  Input input;
} control = { .signals = -1, .input_ended = true };

/* Puts the request from the command line into the input. */
static void
take_request (const char *request)
{
  size_t room;
  char *text = input_room (&control.input, &room);
  size_t length = strnlen (request, room - 1);

  memcpy (text, request, length);
  text[length] = '\n';
  control.input.length += length + 1;
}

void
control_begin (const char *request)
{
  sigset_t ends;

  sigemptyset (&ends);
  sigaddset (&ends, SIGINT);
  sigaddset (&ends, SIGTERM);
  sigaddset (&ends, SIGHUP);
  sigprocmask (SIG_BLOCK, &ends, NULL);
  control.signals = signalfd (-1, &ends, SFD_CLOEXEC);
  control.input_ended = false;
  if (request)
    take_request (request);
}

/* Reads available input; at its end, or if a line fills the buffer, nothing more is read. */
static void
read_input (void)
{
  size_t room;
  char *text = input_room (&control.input, &room);
  ssize_t got = read (STDIN_FILENO, text, room);

  if (got > 0)
    control.input.length += got;
  else if (got == 0 || (errno != EAGAIN && errno != EINTR))
    {
      control.input_ended = true;
      control_stop ();
    }
}

bool
control_read_request (JsonValue *request)
{
  InputLine line;

  while ((line = input_take (&control.input, request)) == INPUT_NOTHING && !control.stopped)
    control_wait (-1, -1);
  return line == INPUT_OBJECT;
}

/* Waits for @events of @fd. */
static bool
wait_for_events (int fd, short events, int timeout_ms)
{
  struct pollfd polled[] = { { control.input_ended ? -1 : STDIN_FILENO, POLLIN, 0 },
                             { control.signals, POLLIN, 0 },
                             { fd, events, 0 } };
  struct signalfd_siginfo signal;

  if (poll (polled, 3, timeout_ms) <= 0)
    return false;
  if (polled[0].revents)
    read_input ();
  if (polled[1].revents && read (control.signals, &signal, sizeof signal) > 0)
    control_stop ();
  return polled[2].revents != 0;
}

bool
control_wait (int fd, int timeout_ms)
{
  return wait_for_events (fd, POLLIN, timeout_ms);
}

bool
control_wait_output (int64_t since_ns)
{
  int64_t end_ns = since_ns + READER_PATIENCE_NS;
  int64_t left_ms;

  if (control_stopped ())
    end_ns = (since_ns > control.stopped_ns ? since_ns : control.stopped_ns) + STOPPED_PATIENCE_NS;
  left_ms = (end_ns - now_ns ()) / NS_PER_MS;
  if (left_ms > 0)
    wait_for_events (STDOUT_FILENO, POLLOUT, (int) left_ms);
  return left_ms > 0;
}

bool
control_stopped (void)
{
  if (!control.stopped && input_stops (&control.input)) /* Anything after the request can only be a stop. */
    control_stop ();
  return control.stopped;
}

void
control_stop (void)
{
  if (!control.stopped)
    control.stopped_ns = now_ns ();
  control.stopped = true;
}
