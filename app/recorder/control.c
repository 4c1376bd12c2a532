/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listens to the session and to signals. */
#include "recorder-private.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define NS_PER_MS 1000000ll
#define READER_PATIENCE_NS (30000 * NS_PER_MS) /* at least */
#define STOPPED_PATIENCE 10                    /* times less, after a stop */
#define LOOK_MS 1000                           /* at a reader, to show that we live */

static struct
{
  int signals;
  bool stopped;
  int64_t stopped_ns; /* when */
  int64_t silence_ns; /* that is allowed; 0: any */
  int64_t heard_ns;   /* when the session last said something */
  bool dead;
  bool input_ended;
  atomic_uint *heartbeat; /* NULL: none */
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

/* Not by a line of the session: it is owed no more patience than others. */
static void
stop_for_others (void)
{
  control.silence_ns = 0;
  control_stop ();
}

/* Reads available input; at its end, or if a line fills the buffer, nothing more is read. */
static void
read_input (void)
{
  size_t room;
  char *text = input_room (&control.input, &room);
  ssize_t got = read (STDIN_FILENO, text, room);

  if (got > 0)
    {
      control.input.length += got;
      control.heard_ns = now_ns ();
    }
  else if (got == 0 || (errno != EAGAIN && errno != EINTR))
    {
      control.input_ended = true;
      stop_for_others ();
    }
}

void
control_watch (int64_t silence_ns)
{
  control.silence_ns = silence_ns;
  control.heard_ns = now_ns ();
}

/* @timeout_ms, but not beyond the time by which the session must say something. */
static int
until_it_must_speak (int timeout_ms)
{
  int64_t left_ms = (control.heard_ns + control.silence_ns - now_ns ()) / NS_PER_MS + 1;

  if (control.silence_ns == 0 || control.stopped || left_ms > INT_MAX || (timeout_ms >= 0 && timeout_ms < left_ms))
    return timeout_ms;
  return left_ms > 0 ? (int) left_ms : 0;
}

/* After a wait, which has read what there was. */
static void
check_session (void)
{
  if (control.silence_ns == 0 || control.stopped || now_ns () - control.heard_ns <= control.silence_ns)
    return;
  control.dead = true;
  control_stop ();
}

bool
control_session_is_dead (void)
{
  return control.dead;
}

InputLine
control_read_request (JsonValue *request)
{
  InputLine line;

  while ((line = input_take (&control.input, request)) == INPUT_NOTHING && !control.stopped)
    control_wait (-1, -1);
  return line;
}

void
control_show_life (atomic_uint *heartbeat)
{
  control.heartbeat = heartbeat;
}

/* Waits for @events of @fd. */
static bool
wait_for_events (int fd, short events, int timeout_ms)
{
  struct pollfd polled[] = { { control.input_ended ? -1 : STDIN_FILENO, POLLIN, 0 },
                             { control.signals, POLLIN, 0 },
                             { fd, events, 0 } };
  struct signalfd_siginfo signal;
  bool any;

  if (control.heartbeat)
    atomic_fetch_add (control.heartbeat, 1);
  any = poll (polled, 3, until_it_must_speak (timeout_ms)) > 0;
  if (any && polled[0].revents)
    read_input ();
  if (any && polled[1].revents && read (control.signals, &signal, sizeof signal) > 0)
    stop_for_others ();
  check_session ();
  return any && polled[2].revents != 0;
}

bool
control_wait (int fd, int timeout_ms)
{
  return wait_for_events (fd, POLLIN, timeout_ms);
}

/* Waits for @events of standard output, or something else. False: for too long since @since_ns. */
static bool
wait_for_reader (int64_t since_ns, short events, bool *any)
{
  int64_t patience_ns = control.silence_ns > READER_PATIENCE_NS ? control.silence_ns : READER_PATIENCE_NS;
  int64_t end_ns = since_ns + patience_ns;
  int64_t left_ms;

  if (control_stopped ())
    end_ns = (since_ns > control.stopped_ns ? since_ns : control.stopped_ns) + patience_ns / STOPPED_PATIENCE;
  left_ms = (end_ns - now_ns ()) / NS_PER_MS;
  *any = left_ms > 0 && wait_for_events (STDOUT_FILENO, events, left_ms < LOOK_MS ? (int) left_ms : LOOK_MS);
  return left_ms > 0;
}

bool
control_wait_output (int64_t since_ns)
{
  bool any;

  return wait_for_reader (since_ns, POLLOUT, &any);
}

void
control_end_output (void)
{
  int64_t since_ns = now_ns ();
  bool gone = false; /* what passes it on */

  shutdown (STDOUT_FILENO, SHUT_WR);
  while (!gone && wait_for_reader (since_ns, 0, &gone))
    ;
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
