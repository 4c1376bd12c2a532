/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a request. Each check has its own message. */
#include "request.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
read_number (Check *check, const char *key, int64_t low, int64_t high, int64_t otherwise)
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
  int64_t threshold_ns = read_number (check, "threshold_ns", 1, most, 0);

  request->low_ns = read_number (check, "band_low_ns", 0, most, 0);
  request->high_ns = read_number (check, "band_high_ns", 1, most, 0);
  if (threshold_ns > 0 && request->high_ns > 0)
    refuse (check, "a threshold and a band cannot be used together");
  else if (threshold_ns > 0)
    {
      request->low_ns = threshold_ns + 1;
      request->high_ns = INT64_MAX;
    }
  else if (request->low_ns > request->high_ns)
    refuse (check, "the band's lower end is above its upper end");
  request->captures = read_number (check, "captures", 0, 100000, 0);
  if (request->captures > 0 && !request_has_trigger (request))
    refuse (check, "captures need a threshold or a band");
}

static void
read_scheduling (Check *check, Request *request)
{
  bool ranked;

  request->policy = read_choice (check, "policy", policies, POLICY_FIFO);
  ranked = request->policy == POLICY_FIFO || request->policy == POLICY_RR;
  request->priority = read_number (check, "priority", 0, 99, ranked ? DEFAULT_PRIORITY : 0);
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
  request->runs = read_number (check, "runs", 1, 1000, 1);
  request->calibrate = read_choice (check, "calibrate", calibrations, CALIBRATE_REFUSE);
  request->graph_functions = read_names (check, "graph_functions");
  request->graph_notrace = read_names (check, "graph_notrace");
  request->events = read_names (check, "events");
  request->max_depth = read_number (check, "max_depth", 0, 200, 0);
  request->buffer_kb = read_number (check, "buffer_kb", MIN_BUFFER_KB, MAX_BUFFER_KB, DEFAULT_BUFFER_KB);
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
  request->period_ns = read_number (check, "period_ns", MIN_PERIOD_NS, MAX_PERIOD_NS, MAX_PERIOD_NS);
  request->cycles = read_number (check, "cycles", json_member (check->object, "cycles") ? 1 : 0, INT64_MAX / 2, 0);
  request->limit_ns = read_number (check, "limit_ns", 0, INT64_MAX / 4, 0);
  request->skip_cycles = read_number (check, "skip_cycles", 0, 1000000, DEFAULT_SKIP_CYCLES);
  request->deadline_ns = read_number (check, "deadline_ns", 1, INT64_MAX / 4, request->period_ns / 2);
  request->watchdog_ns = read_number (check, "watchdog_ns", 0, INT64_MAX / 4, 0);
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
