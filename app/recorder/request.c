/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a request. Each check has its own message. */
#include "request.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the JSON of a request. Every character is checked: the text comes from outside, and we are root. */

#define MAX_ITEMS 4096

static void
skip_space (const char **at)
{
  *at += strspn (*at, " \t\r\n");
}

static bool
skip (const char **at, char wanted)
{
  skip_space (at);
  if (**at != wanted)
    return false;
  ++*at;
  return true;
}

/* Writes the character @code as UTF-8 and returns the end of it. */
static char *
put_character (char *to, unsigned code)
{
  if (code < 0x80)
    *to++ = code;
  else if (code < 0x800)
    {
      *to++ = 0xc0 | code >> 6;
      *to++ = 0x80 | (code & 0x3f);
    }
  else
    {
      *to++ = 0xe0 | code >> 12;
      *to++ = 0x80 | (code >> 6 & 0x3f);
      *to++ = 0x80 | (code & 0x3f);
    }
  return to;
}

/* Decodes a backslash and the characters at *@at; false if they are invalid. */
static bool
read_escape (const char **at, char **to)
{
  static const char escapes[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  const char *found = **at ? strchr (escapes, **at) : NULL;
  unsigned code;
  int length = 0;

  if (found)
    {
      *(*to)++ = meanings[found - escapes];
      ++*at;
      return true;
    }
  if (**at != 'u' || strspn (*at + 1, "0123456789abcdefABCDEF") < 4 || sscanf (*at + 1, "%4x%n", &code, &length) != 1 ||
      length != 4 || code == 0 || (code >= 0xd800 && code < 0xe000))
    return false;
  *to = put_character (*to, code);
  *at += 5;
  return true;
}

/* The distance to the closing quote: an upper limit for the decoded text. */
static size_t
quoted_size (const char *at)
{
  size_t size = 0;

  while (at[size] && at[size] != '"')
    size += at[size] == '\\' && at[size + 1] ? 2 : 1;
  return size;
}

static bool
read_text (const char **at, char **text)
{
  char *to;

  if (!skip (at, '"'))
    return false;
  to = *text = malloc (quoted_size (*at) + 1);
  if (!to)
    return false;
  *to = '\0';
  while (**at != '"')
    {
      if ((unsigned char) **at < 0x20)
        return false;
      if (**at != '\\')
        *to++ = *(*at)++;
      else
        {
          ++*at;
          if (!read_escape (at, &to))
            return false;
        }
    }
  *to = '\0';
  ++*at;
  return true;
}

static bool
read_word (const char **at, JsonValue *value)
{
  static const struct
  {
    const char *word;
    JsonKind kind;
    int64_t number;
  } words[] = { { "true", JSON_TRUTH, 1 }, { "false", JSON_TRUTH, 0 }, { "null", JSON_NOTHING, 0 } };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp (*at, words[i].word, strlen (words[i].word)) == 0)
      {
        value->kind = words[i].kind;
        value->number = words[i].number;
        *at += strlen (words[i].word);
        return true;
      }
  return false;
}

/* Whole numbers of up to 18 digits, which is 31 years in ns. */
static bool
read_number (const char **at, JsonValue *value)
{
  bool negative = **at == '-';
  size_t digits = strspn (*at + negative, "0123456789");

  if (digits == 0 || digits > 18 || strchr (".eE", (*at)[negative + digits] ? (*at)[negative + digits] : ' '))
    return false;
  value->kind = JSON_NUMBER;
  value->number = strtoll (*at, NULL, 10);
  *at += negative + digits;
  return true;
}

static bool
read_plain (const char **at, JsonValue *value)
{
  skip_space (at);
  if (**at == '"')
    {
      value->kind = JSON_TEXT;
      return read_text (at, &value->text);
    }
  return read_word (at, value) || read_number (at, value);
}

static JsonValue *
add_item (JsonValue *list)
{
  JsonValue *items;

  if (list->n_items == MAX_ITEMS)
    return NULL;
  items = realloc (list->items, (list->n_items + 1) * sizeof *items);
  if (!items)
    return NULL;
  list->items = items;
  items[list->n_items] = (JsonValue) { 0 };
  return &items[list->n_items++];
}

static bool
read_list (const char **at, JsonValue *list)
{
  list->kind = JSON_LIST;
  if (skip (at, ']'))
    return true;
  do
    {
      JsonValue *item = add_item (list);

      if (!item || !read_plain (at, item))
        return false;
    }
  while (skip (at, ','));
  return skip (at, ']');
}

static bool
read_member (const char **at, JsonValue *object)
{
  JsonValue *member = add_item (object);

  return member && read_text (at, &member->key) && skip (at, ':') &&
         (skip (at, '[') ? read_list (at, member) : read_plain (at, member));
}

bool
json_parse (const char *text, JsonValue *object)
{
  const char *at = text;

  *object = (JsonValue) { .kind = JSON_LIST };
  if (!skip (&at, '{'))
    return false;
  if (!skip (&at, '}'))
    {
      do
        if (!read_member (&at, object))
          return false;
      while (skip (&at, ','));
      if (!skip (&at, '}'))
        return false;
    }
  skip_space (&at);
  return *at == '\0';
}

void
json_clear (JsonValue *value)
{
  for (int i = 0; i < value->n_items; i++)
    json_clear (&value->items[i]);
  free (value->items);
  free (value->key);
  free (value->text);
  *value = (JsonValue) { 0 };
}

const JsonValue *
json_member (const JsonValue *object, const char *key)
{
  for (int i = 0; i < object->n_items; i++)
    if (strcmp (object->items[i].key, key) == 0)
      return object->items[i].kind == JSON_NOTHING ? NULL : &object->items[i];
  return NULL;
}

#define MIN_PERIOD_NS 20000
#define MAX_PERIOD_NS (10 * 1000000000ll)
#define MIN_BUFFER_KB 64
#define MAX_BUFFER_KB (1 << 22)
#define DEFAULT_BUFFER_KB 8192
#define DEFAULT_PRIORITY 80
#define DEFAULT_SKIP_CYCLES 10

static const char *const methods[] = {
  "clock_nanosleep", "clock_nanosleep-relative", "nanosleep", "timer", "itimer", "timerfd", "pselect", "poll", NULL
};

static const char *const clocks[] = { "monotonic", "realtime", NULL };

static const char *const policies[] = { "other", "fifo", "rr", "deadline", NULL };

static const char *const tracings[] = { "off", "on", "both", NULL };

static const char *const calibrations[] = { "refuse", "warn", "skip", NULL };

typedef struct
{
  const JsonValue *object;
  char *problem;
  size_t size;
  bool bad;
} Check;

static bool __attribute__ ((format (printf, 2, 3))) refuse (Check *check, const char *text, ...)
{
  va_list arguments;

  if (!check->bad)
    {
      va_start (arguments, text);
      vsnprintf (check->problem, check->size, text, arguments);
      va_end (arguments);
      for (char *at = check->problem; *at; at++) /* It may quote the request; keep it on one line. */
        *at = iscntrl ((unsigned char) *at) ? '?' : *at;
    }
  check->bad = true;
  return false;
}

/* The whole number @key, from @low to @high; messages give times in microseconds. */
static int64_t
number_in (Check *check, const char *key, int64_t low, int64_t high, int64_t otherwise)
{
  const JsonValue *value = json_member (check->object, key);
  size_t length = strlen (key);

  if (!value)
    return otherwise;
  if (value->kind == JSON_NUMBER && value->number >= low && value->number <= high)
    return value->number;
  if (length > 3 && strcmp (key + length - 3, "_ns") == 0)
    refuse (check, "%.*s must be a time from %g us to %g s", (int) length - 3, key, low / 1e3, high / 1e9);
  else
    refuse (check, "%s must be a whole number from %lld to %lld", key, (long long) low, (long long) high);
  return otherwise;
}

static bool
read_truth (Check *check, const char *key)
{
  const JsonValue *value = json_member (check->object, key);

  if (value && value->kind != JSON_TRUTH)
    refuse (check, "%s must be true or false", key);
  return value && value->kind == JSON_TRUTH && value->number;
}

static int
read_choice (Check *check, const char *key, const char *const *choices, int otherwise)
{
  const JsonValue *value = json_member (check->object, key);
  char known[200] = "";

  if (!value)
    return otherwise;
  for (int i = 0; value->kind == JSON_TEXT && choices[i]; i++)
    if (strcmp (value->text, choices[i]) == 0)
      return i;
  for (int i = 0; choices[i]; i++)
    snprintf (known + strlen (known), sizeof known - strlen (known), "%s%s", i > 0 ? ", " : "", choices[i]);
  refuse (check, "unknown %s \"%s\"; expected one of %s", key, value->kind == JSON_TEXT ? value->text : "", known);
  return otherwise;
}

/* A single word of visible characters, not beginning with the sign for negation. */
static bool
is_name (const JsonValue *value)
{
  if (value->kind != JSON_TEXT || !*value->text || strlen (value->text) > 200)
    return false;
  for (const char *at = value->text; *at; at++)
    if (isspace ((unsigned char) *at) || iscntrl ((unsigned char) *at) || *at == '!')
      return false;
  return true;
}

/* A list of names for a file of tracefs: one word each, so that no other command can be smuggled in. */
static const JsonValue *
read_names (Check *check, const char *key)
{
  const JsonValue *value = json_member (check->object, key);

  if (!value)
    return NULL;
  if (value->kind != JSON_LIST)
    refuse (check, "%s must be a list of names", key);
  for (int i = 0; value->kind == JSON_LIST && i < value->n_items; i++)
    if (!is_name (&value->items[i]))
      refuse (check, "%s must be a list of names without spaces", key);
  return value->n_items > 0 ? value : NULL;
}

static bool
is_online (int cpu)
{
  char path[64];
  char online = '1'; /* CPU 0 has no such file if it cannot be taken offline. */
  FILE *file;

  if (cpu < 0 || cpu >= sysconf (_SC_NPROCESSORS_CONF))
    return false;
  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%d/online", cpu);
  file = fopen (path, "re");
  if (file)
    {
      online = fgetc (file);
      fclose (file);
    }
  return online == '1';
}

static void
read_cpus (Check *check, Request *request)
{
  const JsonValue *value = json_member (check->object, "cpus");

  if (!value || (value->kind == JSON_LIST && value->n_items == 0))
    {
      while (!is_online (request->cpus[0]) && request->cpus[0] < MAX_CPUS - 1)
        request->cpus[0]++;
      request->n_cpus = 1;
      return;
    }
  if (value->kind != JSON_LIST || value->n_items > MAX_CPUS)
    {
      refuse (check, "cpus must be a list of CPU numbers");
      return;
    }
  for (int i = 0; i < value->n_items; i++)
    {
      int64_t cpu = value->items[i].kind == JSON_NUMBER ? value->items[i].number : -1;

      if (cpu < 0 || cpu >= MAX_CPUS || !is_online (cpu))
        refuse (check, "CPU %lld does not exist or is offline; this machine has %ld (lscpu -e lists them)",
                (long long) cpu, sysconf (_SC_NPROCESSORS_ONLN));
      for (int k = 0; k < i; k++)
        if (request->cpus[k] == cpu)
          refuse (check, "CPU %lld is named twice", (long long) cpu);
      request->cpus[request->n_cpus++] = cpu;
    }
}

static void
read_trigger (Check *check, Request *request)
{
  const int64_t most = INT64_MAX / 4;
  int64_t threshold_ns = number_in (check, "threshold_ns", 1, most, 0);

  request->low_ns = number_in (check, "band_low_ns", 0, most, 0);
  request->high_ns = number_in (check, "band_high_ns", 1, most, 0);
  if (threshold_ns > 0 && request->high_ns > 0)
    refuse (check, "a threshold and a band cannot be used together");
  else if (threshold_ns > 0)
    {
      request->low_ns = threshold_ns + 1;
      request->high_ns = INT64_MAX;
    }
  else if (request->low_ns > request->high_ns)
    refuse (check, "the band's lower end is above its upper end");
  request->captures = number_in (check, "captures", 0, 100000, 0);
  if (request->captures > 0 && !request_has_trigger (request))
    refuse (check, "captures need a threshold or a band");
}

static void
read_scheduling (Check *check, Request *request)
{
  bool ranked;

  request->policy = read_choice (check, "policy", policies, POLICY_FIFO);
  ranked = request->policy == POLICY_FIFO || request->policy == POLICY_RR;
  request->priority = number_in (check, "priority", 0, 99, ranked ? DEFAULT_PRIORITY : 0);
  if (ranked && request->priority == 0)
    refuse (check, "policy %s needs a priority from 1 to 99", request_policy_name (request->policy));
  if (!ranked && request->priority != 0)
    refuse (check, "policy %s has no priority; leave it out", request_policy_name (request->policy));
  request->method = read_choice (check, "method", methods, METHOD_CLOCK_NANOSLEEP);
  request->aligned = read_truth (check, "aligned");
  request->realtime = read_choice (check, "clock", clocks, 0) == 1;
  if (request->method == METHOD_POLL && request->policy == POLICY_DEADLINE)
    refuse (check, "method poll never sleeps, which policy deadline does not allow");
}

static void
read_tracing (Check *check, Request *request)
{
  request->tracing = read_choice (check, "tracing", tracings, TRACING_OFF);
  request->runs = number_in (check, "runs", 1, 1000, 1);
  request->calibrate = read_choice (check, "calibrate", calibrations, CALIBRATE_REFUSE);
  request->graph_functions = read_names (check, "graph_functions");
  request->graph_notrace = read_names (check, "graph_notrace");
  request->events = read_names (check, "events");
  request->max_depth = number_in (check, "max_depth", 0, 200, 0);
  request->buffer_kb = number_in (check, "buffer_kb", MIN_BUFFER_KB, MAX_BUFFER_KB, DEFAULT_BUFFER_KB);
  request->take_over = read_truth (check, "take_over");
  if (request->runs > 1 && request->tracing != TRACING_BOTH)
    refuse (check, "several runs need tracing both");
  if (request->tracing == TRACING_OFF && request->captures > 0)
    refuse (check, "captures need tracing");
}

static void
read_record (Check *check, Request *request)
{
  const JsonValue *load = json_member (check->object, "load");

  if (!json_member (check->object, "period_ns"))
    refuse (check, "period_ns is missing");
  request->period_ns = number_in (check, "period_ns", MIN_PERIOD_NS, MAX_PERIOD_NS, MAX_PERIOD_NS);
  request->cycles = number_in (check, "cycles", json_member (check->object, "cycles") ? 1 : 0, INT64_MAX / 2, 0);
  request->limit_ns = number_in (check, "limit_ns", 0, INT64_MAX / 4, 0);
  request->skip_cycles = number_in (check, "skip_cycles", 0, 1000000, DEFAULT_SKIP_CYCLES);
  request->deadline_ns = number_in (check, "deadline_ns", 1, INT64_MAX / 4, request->period_ns / 2);
  request->watchdog_ns = number_in (check, "watchdog_ns", 0, INT64_MAX / 4, 0);
  read_trigger (check, request);
  read_scheduling (check, request);
  read_tracing (check, request);
  read_cpus (check, request);
  if (request->method == METHOD_ITIMER && request->n_cpus > 1)
    refuse (check, "itimer is one timer for the whole process and cannot measure several CPUs; use timer, or one CPU");
  if (load && load->kind != JSON_TEXT)
    refuse (check, "load must be a command");
  request->load = load ? load->text : NULL;
  if (request->cycles == 0 && request->limit_ns == 0 && (request->captures == 0 || request->tracing == TRACING_BOTH))
    refuse (check, "nothing would end this recording; set cycles, limit_ns or captures");
}

bool
request_read (const JsonValue *object, Request *request, char *problem, size_t size)
{
  Check check = { object, problem, size, false };
  const JsonValue *version = json_member (object, "culprit");
  const JsonValue *what = json_member (object, "do");

  *request = (Request) { 0 };
  if (!version || version->kind != JSON_NUMBER || version->number != 1)
    return refuse (&check,
                   "the session uses a protocol other than 1; install the same version of culprit on both machines");
  if (!what || what->kind != JSON_TEXT)
    return refuse (&check, "the request names no action");
  request->examine = strcmp (what->text, "examine") == 0;
  if (!request->examine && strcmp (what->text, "record") != 0)
    return refuse (&check, "this recorder does not support \"%s\"", what->text);
  if (!request->examine)
    read_record (&check, request);
  return !check.bad;
}

const char *
request_policy_name (Policy policy)
{
  return policies[policy];
}
