/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what windows a request is about. Its texts become part of what root writes into files of the kernel, a line
 * each: nothing in them may end a quoted text or a line there. */
#include "request.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_TASK 15 /* bytes, as in the kernel */
#define DOTS ".."

typedef struct
{
  const char *setting; /* that has the text, as people call it; NULL: several have */
  char *problem;
  size_t size;
} Check;

/* Says what is wrong with the setting. Returns false. */
static bool __attribute__ ((format (printf, 2, 3))) refuse (const Check *check, const char *text, ...)
{
  va_list arguments;
  int said = check->setting ? snprintf (check->problem, check->size, "%s: ", check->setting) : 0;

  va_start (arguments, text);
  vsnprintf (check->problem + said, check->size - said, text, arguments);
  va_end (arguments);
  for (char *at = check->problem; *at; at++) /* It quotes the request; keep it on one line. */
    *at = iscntrl ((unsigned char) *at) ? '?' : *at;
  return false;
}

/* Whether @text is free of control characters and of those in @others. */
static bool
is_harmless (const char *text, const char *others)
{
  for (; *text; text++)
    if (iscntrl ((unsigned char) *text) || strchr (others, *text))
      return false;
  return true;
}

static bool
is_word (const char *text)
{
  return *text && strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen (text);
}

/* Copies the @length bytes at @text. False if they do not fit. */
static bool
copy (char *to, size_t size, const char *text, size_t length)
{
  if (length >= size)
    return false;
  memcpy (to, text, length);
  to[length] = '\0';
  return true;
}

static bool
read_task (const Check *check, Window *window, const char *task)
{
  window->by_pid = *task && strspn (task, "0123456789") == strlen (task);
  if (window->by_pid && (strlen (task) > 9 || *task == '0')) /* The kernel takes 010 for 8. */
    return refuse (check, "\"%s\" is no pid; expected 1 to 999999999, without leading zeros", task);
  if (!copy (window->task, sizeof window->task, task, strlen (task)) || !*task || strlen (task) > LONGEST_TASK)
    return refuse (check, "names of tasks have 1 to %d bytes; use what ps -o comm shows, or a pid, not \"%s\"",
                   LONGEST_TASK, task);
  return is_harmless (task, "\"'\\;") ||
         refuse (check,
                 "\"%s\" is no task that can be measured by its name: it has quotes, a backslash, a semicolon or "
                 "control characters; use its pid",
                 task);
}

/* The length of the name at @at of an event of the kernel, and of what stands for a probe; 0: it is none. */
static size_t
read_name (const char *at, WindowEnd *end)
{
  size_t system = strcspn (at, ":");
  size_t name = at[system] ? strcspn (at + system + 1, "/.") : 0;
  size_t length = system + 1 + name;

  if (probe_is (at))
    {
      length = probe_read (at, &end->probe);
      memcpy (end->system, end->probe.system, sizeof end->system);
      memcpy (end->event, end->probe.event, sizeof end->event);
      return length;
    }
  return copy (end->system, sizeof end->system, at, system) &&
                 copy (end->event, sizeof end->event, at + system + (name > 0), name) && is_word (end->system) &&
                 is_word (end->event)
             ? length
             : 0;
}

/* Reads the event at *@text, and leaves there what follows it. */
static bool
read_event (const Check *check, const char **text, WindowEnd *end)
{
  const char *at = *text;
  size_t length = read_name (at, end);
  const char *filter;
  bool quoted = false;

  if (length == 0)
    return probe_is (at)
               ? refuse (check, "expected a complete probe, " PROBE_EXPECTED ", at the beginning of \"%s\"", at)
               : refuse (check,
                         "expected an event, as sched:sched_waking, of letters, digits and _ and at most %zu bytes on "
                         "each side of the colon, "
                         "at the beginning of \"%s\"",
                         sizeof end->event - 1, at);
  at += length;
  if (*at != '/')
    {
      *text = at;
      return true;
    }
  filter = ++at;
  for (; *at && (*at != '/' || quoted); at++)
    quoted ^= *at == '"';
  if (!*at || at == filter || !copy (end->filter, sizeof end->filter, filter, at - filter))
    return refuse (check, "the filter of %s:%s does not end with a slash, is empty, or has more than %zu bytes",
                   end->system, end->event, sizeof end->filter - 1);
  *text = at + 1;
  return is_harmless (end->filter, "'\\;") ||
         refuse (check, "the filter of %s:%s has single quotes, a backslash, a semicolon or control characters",
                 end->system, end->event);
}

static bool
read_key (const Check *between, Window *window, const char *key)
{
  const Check check = { "key", between->problem, between->size };
  const char *equal = strchr (key, '=');

  return (equal && copy (window->begin.key, sizeof window->begin.key, key, equal - key) &&
          copy (window->end.key, sizeof window->end.key, equal + 1, strlen (equal + 1)) &&
          is_word (window->begin.key) && is_word (window->end.key)) ||
         refuse (&check, "expected a field of each event, as pid=next_pid, of at most %zu bytes each, not \"%s\"",
                 sizeof window->begin.key - 1, key);
}

/* Two probes that would be one event. */
static bool
are_mixed_up (const WindowEnd *begin, const WindowEnd *end)
{
  return *begin->probe.name && strcmp (begin->system, end->system) == 0 && strcmp (begin->event, end->event) == 0 &&
         memcmp (&begin->probe, &end->probe, sizeof begin->probe) != 0;
}

static bool
read_between (const Check *check, Window *window, const char *text, const char *key)
{
  const char *at = text;

  if ((key && !read_key (check, window, key)) || !read_event (check, &at, &window->begin))
    return false;
  if (strncmp (at, DOTS, strlen (DOTS)) != 0)
    return refuse (
        check, "expected two dots and a second event, as in irq:irq_handler_entry..sched:sched_switch, after \"%.*s\"",
        (int) (at - text), text);
  at += strlen (DOTS);
  if (!read_event (check, &at, &window->end) || (*at && !refuse (check, "\"%s\" follows the second event", at)))
    return false;
  if (memcmp (&window->begin.probe, &window->end.probe, sizeof window->begin.probe) == 0 &&
      strcmp (window->begin.system, window->end.system) == 0 && strcmp (window->begin.event, window->end.event) == 0 &&
      strcmp (window->begin.filter, window->end.filter) == 0)
    return refuse (check, "the same event ends the window as begins it: it would take no time; give another");
  if (are_mixed_up (&window->begin, &window->end))
    return refuse (check, "both probes would be called %s:%s in a trace; name a copy of one program otherwise",
                   window->begin.system, window->begin.event);
  return key || !*window->begin.probe.name || !*window->end.probe.name ||
         read_key (check, window, PROBE_KEY "=" PROBE_KEY);
}

static bool
read_marks (const Check *check, Window *window, const char *text)
{
  const char *dots = strstr (text, DOTS);

  if (!dots || dots == text || !dots[strlen (DOTS)] ||
      !copy (window->begin.filter, sizeof window->begin.filter, text, dots - text) ||
      !copy (window->end.filter, sizeof window->end.filter, dots + strlen (DOTS), strlen (dots + strlen (DOTS))) ||
      strcmp (window->begin.filter, window->end.filter) == 0)
    return refuse (
        check,
        "expected two different texts with two dots between them, as begin..end, of at most %zu bytes each, not \"%s\"",
        sizeof window->begin.filter - 1, text);
  return is_harmless (text, "\"'\\;") ||
         refuse (check, "marks must not have quotes, backslashes, semicolons or control characters");
}

bool
window_read (const WindowTexts *texts, Window *window, char *problem, size_t size)
{
  const Check all = { NULL, problem, size };
  const Check check = { texts->wakeup_of     ? "wakeup-of"
                        : texts->response_of ? "response-of"
                        : texts->between     ? "between"
                                             : "marks",
                        problem, size };
  const char *task = texts->wakeup_of ? texts->wakeup_of : texts->response_of;
  int given = !!texts->wakeup_of + !!texts->response_of + !!texts->between + !!texts->marks;
  bool good = false;

  *window = (Window) { .from_waking = texts->from_waking };
  if (given > 1)
    return refuse (&all, "only one of wakeup-of, response-of, between and marks can be measured at a time");
  if (texts->from_waking && texts->from_timer)
    return refuse (&all, "windows begin either at the timer or at the waking");
  if ((texts->from_waking || texts->from_timer) && !task)
    return refuse (&all, "from-waking and from-timer belong to wakeup-of and response-of");
  if (texts->key && !texts->between)
    return refuse (&all, "a key belongs to between");
  window->kind = texts->wakeup_of     ? WINDOW_WAKEUP
                 : texts->response_of ? WINDOW_RESPONSE
                 : texts->between     ? WINDOW_BETWEEN
                 : texts->marks       ? WINDOW_MARKS
                                      : WINDOW_CYCLIC;
  if (task)
    good = read_task (&check, window, task) &&
           snprintf (window->text, sizeof window->text, "%s/%s:%s", texts->wakeup_of ? "wakeup-of" : "response-of",
                     texts->from_waking ? "waking" : "timer", task) > 0;
  else if (texts->between)
    good = read_between (&check, window, texts->between, texts->key) &&
           (snprintf (window->text, sizeof window->text, "between/%s%s%s:%s", window->begin.key,
                      *window->begin.key ? "=" : "", window->end.key, texts->between) < (int) sizeof window->text ||
            refuse (&check, "with its key it has more than %zu bytes; shorten it",
                    sizeof window->text - sizeof "between/:"));
  else if (texts->marks)
    good = read_marks (&check, window, texts->marks) &&
           (snprintf (window->text, sizeof window->text, "marks:%s", texts->marks) < (int) sizeof window->text ||
            refuse (&check, "it has more than %zu bytes; shorten it", sizeof window->text - sizeof "marks:"));
  return good || window->kind == WINDOW_CYCLIC;
}
