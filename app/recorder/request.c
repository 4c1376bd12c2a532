/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a request. Each check has its own message. */
#include "request.h"

#include "../delayer/name.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Settings. */

typedef struct
{
  const JsonValue *object;
  char *problem;
  size_t size;
  bool bad;
} Check;

static void __attribute__ ((format (printf, 2, 3))) refuse (Check *check, const char *text, ...)
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
}

/* Messages give times in microseconds. */
static int64_t
read_number_in (Check *check, const Setting *setting, const JsonValue *value)
{
  if (value->kind == JSON_NUMBER && value->number >= setting->least && value->number <= setting->most)
    return value->number;
  if (setting->kind == SETTING_TIME || setting->kind == SETTING_TIMES)
    refuse (check, "%s must be a time from %g us to %g s", setting->name ? setting->name : setting->key,
            setting->least / 1e3, setting->most / 1e9);
  else
    refuse (check, "%s must be a whole number from %lld to %lld", setting->key, (long long) setting->least,
            (long long) setting->most);
  return setting->otherwise;
}

static int64_t
read_choice (Check *check, const Setting *setting, const JsonValue *value)
{
  const char *text = value->kind == JSON_TEXT ? value->text : "";
  char known[200] = "";
  int64_t place;

  for (place = 0; setting->choices[place].value && strcmp (setting->choices[place].value, text) != 0; place++)
    snprintf (known + strlen (known), sizeof known - strlen (known), "%s%s", place > 0 ? ", " : "",
              setting->choices[place].value);
  if (setting->choices[place].value)
    return place;
  refuse (check, "unknown %s \"%s\"; expected one of %s", setting->key, text, known);
  return setting->otherwise;
}

/* A single word of visible ASCII characters, without the sign for negation: to the kernel, byte 0xa0 is a space. */
static bool
is_name (const JsonValue *value)
{
  if (value->kind != JSON_TEXT || !*value->text || strlen (value->text) >= NAME_SIZE)
    return false;
  for (const char *at = value->text; *at; at++)
    if (*at <= ' ' || *at > '~' || *at == '!')
      return false;
  return true;
}

/* A list of names for a file of tracefs: one word each, so that no other command can be smuggled in. */
static const JsonValue *
read_names (Check *check, const Setting *setting, const JsonValue *value)
{
  const char *option = setting->option ? setting->option : setting->name;

  if (value->kind != JSON_LIST || value->n_items > setting->most)
    {
      refuse (check, "%s must be a list of at most %lld names", option, (long long) setting->most);
      return NULL;
    }
  for (int i = 0; i < value->n_items; i++)
    {
      if (!is_name (&value->items[i]))
        refuse (check, "%s must be names without spaces and !, of 1 to 200 visible ASCII characters", option);
      for (int before = 0; !check->bad && before < i; before++)
        if (strcmp (value->items[before].text, value->items[i].text) == 0)
          refuse (check, "%s names \"%s\" twice", option, value->items[i].text);
    }
  return value->n_items > 0 ? value : NULL;
}

static const JsonValue *
read_times (Check *check, const Setting *setting, const JsonValue *value)
{
  if (value->kind != JSON_LIST)
    refuse (check, "%s must be a list of times", setting->key);
  for (int i = 0; i < value->n_items; i++)
    read_number_in (check, setting, &value->items[i]);
  return value->n_items > 0 ? value : NULL;
}

static const JsonValue *
read_switches (Check *check, const Setting *setting, const JsonValue *value)
{
  bool good = value->kind == JSON_LIST;

  for (int i = 0; i < value->n_items; i++)
    good = good && value->items[i].kind == JSON_TRUTH;
  if (!good)
    refuse (check, "%s must be a list of true and false", setting->key);
  return value->n_items > 0 ? value : NULL;
}

static bool
is_online (int64_t cpu)
{
  char path[64];
  char online = '1'; /* CPU 0 has no such file if it cannot be taken offline. */
  FILE *file;

  if (cpu < 0 || cpu >= MOST_CPUS || cpu >= sysconf (_SC_NPROCESSORS_CONF))
    return false;
  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%d/online", (int) cpu);
  file = fopen (path, "re");
  if (file)
    {
      online = fgetc (file);
      fclose (file);
    }
  return online == '1';
}

static void
read_cpus (Check *check, const JsonValue *value, CpuList *cpus)
{
  if (value->kind != JSON_LIST || value->n_items > MOST_CPUS)
    {
      refuse (check, "cpus must be a list of CPU numbers");
      return;
    }
  for (int i = 0; i < value->n_items; i++)
    {
      int64_t cpu = value->items[i].kind == JSON_NUMBER ? value->items[i].number : -1;

      if (!is_online (cpu))
        refuse (check, "CPU %lld does not exist or is offline; this machine has %ld (lscpu -e lists them)",
                (long long) cpu, sysconf (_SC_NPROCESSORS_ONLN));
      for (int before = 0; before < i; before++)
        if (cpus->numbers[before] == cpu)
          refuse (check, "CPU %lld is named twice", (long long) cpu);
      cpus->numbers[i] = cpu;
    }
  cpus->n = value->n_items;
}

/* Reads @setting, which the object may lack, into @place. */
static void
read_setting (Check *check, const Setting *setting, void *place)
{
  const JsonValue *value = json_member (check->object, setting->key);

  switch (setting->kind)
    {
    case SETTING_TIME:
    case SETTING_NUMBER:
      *(int64_t *) place = value ? read_number_in (check, setting, value) : setting->otherwise;
      break;
    case SETTING_TIMES:
      *(const JsonValue **) place = value ? read_times (check, setting, value) : NULL;
      break;
    case SETTING_CHOICE:
      *(int64_t *) place = value ? read_choice (check, setting, value) : setting->otherwise;
      break;
    case SETTING_SWITCH:
      if (value && value->kind != JSON_TRUTH)
        refuse (check, "%s must be true or false", setting->key);
      *(int64_t *) place = value && value->number;
      break;
    case SETTING_SWITCHES:
      *(const JsonValue **) place = value ? read_switches (check, setting, value) : NULL;
      break;
    case SETTING_NAMES:
      *(const JsonValue **) place = value ? read_names (check, setting, value) : NULL;
      break;
    case SETTING_CPUS:
      if (value)
        read_cpus (check, value, place);
      break;
    default:
      if (value && value->kind != JSON_TEXT)
        refuse (check, "%s must be a text", setting->key);
      *(const char **) place = value ? value->text : NULL;
    }
}

/* Checks that concern several settings. */

static void
check_trigger (Check *check, Request *request)
{
  request->low_ns = request->band_low_ns;
  request->high_ns = request->band_high_ns;
  if (request->threshold_ns > 0 && request->high_ns > 0)
    refuse (check, "a threshold and a band cannot be used together");
  else if (request->threshold_ns > 0)
    {
      request->low_ns = request->threshold_ns + 1;
      request->high_ns = INT64_MAX;
    }
  else if (request->low_ns > request->high_ns)
    refuse (check, "the band's lower end is above its upper end");
  if (request->captures > 0 && !request_has_trigger (request))
    refuse (check, "captures need a threshold or a band");
}

static void
check_scheduling (Check *check, Request *request)
{
  bool ranked = request->policy == POLICY_FIFO || request->policy == POLICY_RR;

  if (!ranked && json_member (check->object, "priority"))
    refuse (check, "policy %s has no priority; leave it out", setting_find ("policy")->choices[request->policy].value);
  if (!ranked)
    request->priority = 0;
  if (request->method == METHOD_POLL && request->policy == POLICY_DEADLINE)
    refuse (check, "method poll never sleeps, which policy deadline does not allow");
  if (request->method == METHOD_ITIMER && request->cpus.n > 1)
    refuse (check, "itimer is one timer for the whole process and cannot measure several CPUs; use timer, or one CPU");
  if (request->method == METHOD_ITIMER && request->period_ns % 1000 != 0)
    refuse (check, "itimer waits whole microseconds; use timer, or a period of whole microseconds");
}

static bool
is_command (const char *text)
{
  return text && *text && strlen (text) < COMMAND_SIZE;
}

/* Conditions that change from one run to the next. */
static void
check_blocks (Check *check, const Request *request)
{
  if ((request->delay_at != NULL) != (request->delays != NULL))
    refuse (check, "delays and the function to delay are needed together");
  if (request->delay_at && !delay_is_name (request->delay_at))
    refuse (check, DELAY_NO_NAME, request->delay_at);
  if (request->treatments && request->delays)
    refuse (check, "delays and treatments cannot be used together");
  if (!request->treatments && (request->treat || request->undo))
    refuse (check, "commands for a treatment need treatments");
  if (request->treatments && (!is_command (request->treat) || !is_command (request->undo)))
    refuse (check, "treatments need the commands treat and undo, of at most %d bytes", COMMAND_SIZE - 1);
  if ((request->delays || request->treatments) && request->tracing != TRACING_OFF)
    refuse (check, "%s are measured without tracing", request->delays ? "delays" : "treatments");
}

/* Windows of others have no measuring threads. */
static void
check_window (Check *check, Request *request)
{
  const WindowTexts texts = { .wakeup_of = request->wakeup_of,
                              .response_of = request->response_of,
                              .between = request->between,
                              .key = request->key,
                              .marks = request->marks,
                              .from_timer = request->from_timer,
                              .from_waking = request->from_waking };
  char problem[512];

  if (!window_read (&texts, &request->window, problem, sizeof problem))
    refuse (check, "%s", problem);
  for (const Setting *setting = recording_settings; request_watches (request) && setting->key; setting++)
    if (setting->cyclic && json_member (check->object, setting->key))
      refuse (check, "%s is for the cyclic task, which does not run where another program is measured; leave it out",
              setting->name ? setting->name : setting->key);
}

static void
check_all (Check *check, Request *request)
{
  check_window (check, request);
  if (request->period_ns == 0 && !request_watches (request))
    refuse (check, "period_ns is missing");
  check_trigger (check, request);
  if (request_watches (request) && request_has_trigger (request) && request->low_ns >= WINDOW_LONGEST_NS)
    refuse (check, "only windows shorter than 1000 s are measured; choose a lower threshold");
  check_scheduling (check, request);
  if (request->runs > 1 && request->tracing != TRACING_BOTH)
    refuse (check, "several runs need tracing both");
  if (request->tracing == TRACING_OFF && request->captures > 0)
    refuse (check, "captures need tracing");
  check_blocks (check, request);
  if (request_watches (request) && request->captures > 0 && request->limit_ns > 0 &&
      request->limit_ns <= WINDOW_WARM_UP_NS)
    refuse (check, "a trace is a second old before it waits for hits; choose a limit of more than a second");
  if (request->cycles == 0 && request->limit_ns == 0 && (request->captures == 0 || request->tracing == TRACING_BOTH))
    refuse (check, "nothing would end this recording; set cycles, limit_ns or captures");
}

/* The first CPU for cycles; tasks may run on all of them. */
static void
add_cpus (Request *request)
{
  CpuList *cpus = &request->cpus;

  for (int cpu = 0; cpu < MOST_CPUS && (cpus->n == 0 || request_watches (request)); cpu++)
    if (is_online (cpu))
      cpus->numbers[cpus->n++] = cpu;
}

bool
request_read (const JsonValue *object, Request *request, char *problem, size_t size)
{
  static const size_t places[] = {
#define SETTING(key, kind, ...) offsetof (Request, key),
#include "settings.def"
#undef SETTING
  };
  Check check = { object, problem, size, false };

  *request = (Request) { 0 };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    read_setting (&check, &recording_settings[i], (char *) request + places[i]);
  if (request->deadline_ns == 0)
    request->deadline_ns = request->period_ns / 2;
  check_all (&check, request);
  if (request->cpus.n == 0)
    add_cpus (request);
  return !check.bad;
}

const char *
request_action (const JsonValue *object, char *problem, size_t size)
{
  const JsonValue *version = json_member (object, "culprit");
  const JsonValue *what = json_member (object, "do");

  if (!version || version->kind != JSON_NUMBER || version->number != 1)
    snprintf (problem, size,
              "the session uses a protocol other than 1; install the same version of culprit on both machines");
  else if (!what || what->kind != JSON_TEXT)
    snprintf (problem, size, "the request names no action");
  else
    return what->text;
  return NULL;
}
