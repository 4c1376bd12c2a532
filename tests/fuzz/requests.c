/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what the recorder, which runs as root, receives from a session: the request and every line after it, in pieces
 * as a pipe delivers them. A request that is accepted must be within its bounds. */
#include "app/recorder/request.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
require (bool holds)
{
  if (!holds)
    abort ();
}

static void
require_names (const JsonValue *names)
{
  for (int i = 0; names && i < names->n_items; i++)
    require (names->items[i].kind == JSON_TEXT && !strpbrk (names->items[i].text, " \t\n\v\f\r!"));
}

/* What becomes part of a line that root writes, in some places between double quotes. */
static void
require_harmless (const char *text, const char *others)
{
  for (; *text; text++)
    require ((unsigned char) *text >= ' ' && !strchr (others, *text));
}

static void
require_end (const WindowEnd *end)
{
  require_harmless (end->system, "\"'\\; :/.=");
  require_harmless (end->event, "\"'\\; :/.=");
  require_harmless (end->key, "\"'\\; :/.=");
  require_harmless (end->filter, "'\\;");
}

/* What the rest of the recorder relies on. */
static void
require_sound (const Request *request)
{
  const Window *window = &request->window;

  require_harmless (window->task, "\"'\\;");
  require_end (&window->begin);
  require_end (&window->end);
  require (!*window->task == (window->kind != WINDOW_WAKEUP && window->kind != WINDOW_RESPONSE));
  require (!*window->text == !request_watches (request));
  require ((request_watches (request) || request->period_ns >= 20000) && request->cpus.n >= 1 &&
           request->cpus.n <= MOST_CPUS);
  require (request->low_ns >= 0 && request->low_ns <= request->high_ns && request->cycles >= 0);
  require (request->captures == 0 || request_has_trigger (request));
  require (request->cycles > 0 || request->limit_ns > 0 || request->captures > 0);
  require_names (request->graph_functions);
  require_names (request->graph_notrace);
  require_names (request->events);
}

static void
hear_request (const JsonValue *object)
{
  Request request;
  char problem[512] = "";

  if (!request_action (object, problem, sizeof problem) || !request_read (object, &request, problem, sizeof problem))
    require (*problem && !strchr (problem, '\n'));
  else
    require_sound (&request);
}

/* The first byte of @data is the size of the pieces. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static Input input;
  bool heard = false;
  bool stopped = false;
  size_t piece = size > 0 ? 1 + *data : 1;

  input.length = 0;
  for (size_t at = 1; at < size && !stopped; at += piece)
    {
      size_t room;
      char *text = input_room (&input, &room);
      size_t length = size - at < piece ? size - at : piece;
      JsonValue object;

      require (room >= length);
      memcpy (text, data + at, length);
      input.length += length;
      if (heard)
        stopped = input_stops (&input);
      else
        switch (input_take (&input, &object))
          {
          case INPUT_OBJECT:
            hear_request (&object);
            json_clear (&object);
            heard = true;
            stopped = input_stops (&input);
            break;
          case INPUT_GARBAGE:
          case INPUT_TOO_LONG:
            stopped = true;
            break;
          case INPUT_NOTHING:
            break;
          }
    }
  return 0;
}
