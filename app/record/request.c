/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns options into a request. What the recorder itself checks is left to it. */
#include "request.h"

#include "units.h"

#include <gio/gio.h>
#include <string.h>

/* The built-in loads. Each keeps all CPUs busy with one kind of work. */

const CulpritLoad culprit_loads[] = {
  { "cpu", "stress-ng --cpu 0", "computing" },
  { "memory", "stress-ng --vm 0 --vm-bytes 50% --vm-keep", "memory and its bandwidth" },
  { "pages", "stress-ng --fork 0 --mmap 2", "page tables and new processes" },
  { "disk", "stress-ng --hdd 1 --iomix 1", "files and disks" },
  { "network", "stress-ng --udp 1 --sock 1", "the network stack and softirqs" },
  { "timers", "stress-ng --timer 1 --clock 1", "timers and their interrupts" },
  { "switch", "stress-ng --switch 0", "context switches" },
  { "calls", "stress-ng --get 1 --procfs 1 --sysfs 1", "system calls and the files of the kernel" },
  { 0 },
};

/* The command for @load: that of the built-in load of this name, or @load itself. */
static const char *
culprit_load_command (const char *load)
{
  for (const CulpritLoad *ready = culprit_loads; ready->name; ready++)
    if (strcmp (ready->name, load) == 0)
      return ready->command;
  return load;
}

#define DEFAULT_LIMIT_NS 120000000000
#define DEFAULT_CAPTURES 10
#define MAX_CPU 1023
#define NOT_GIVEN G_MININT64
#define DEFAULT_PRIORITY 80

void
culprit_request_options_init (CulpritRequestOptions *options)
{
  *options = (CulpritRequestOptions) { .captures = NOT_GIVEN,
                                       .cycles = NOT_GIVEN,
                                       .skip = NOT_GIVEN,
                                       .runs = NOT_GIVEN,
                                       .priority = NOT_GIVEN,
                                       .max_depth = NOT_GIVEN,
                                       .buffer_kb = NOT_GIVEN };
}

static gboolean
add_time (JsonObject *request, const char *member, const char *option, const char *text, GError **error)
{
  guint64 time_ns;

  if (!text)
    return TRUE;
  if (!culprit_time_parse (text, &time_ns))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "%s \"%s\" is not a valid time above zero; expected e.g. 5ms or 250us", option, text);
      return FALSE;
    }
  json_object_set_int_member (request, member, time_ns);
  return TRUE;
}

static gboolean
add_band (JsonObject *request, const char *text, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (text ? text : "", ",", -1);
  guint64 low_ns;
  guint64 high_ns;

  if (!text)
    return TRUE;
  if (g_strv_length (ends) != 2 || !culprit_time_parse (ends[0], &low_ns) || !culprit_time_parse (ends[1], &high_ns))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "band \"%s\" is not a valid band; expected e.g. 575us,585us", text);
      return FALSE;
    }
  json_object_set_int_member (request, "band_low_ns", low_ns);
  json_object_set_int_member (request, "band_high_ns", high_ns);
  return TRUE;
}

static void
add_number (JsonObject *request, const char *member, gint64 number)
{
  if (number != NOT_GIVEN)
    json_object_set_int_member (request, member, number);
}

static void
add_text (JsonObject *request, const char *member, const char *text)
{
  if (text)
    json_object_set_string_member (request, member, text);
}

static void
add_names (JsonObject *request, const char *member, char **names)
{
  JsonArray *array;

  if (!names)
    return;
  array = json_array_new ();
  for (char **name = names; *name; name++)
    json_array_add_string_element (array, *name);
  json_object_set_array_member (request, member, array);
}

/* Adds the CPUs of one part of a list: "2" or "4-7". FALSE if it is neither. */
static gboolean
add_cpu_range (JsonArray *cpus, const char *text)
{
  char *end;
  guint64 first = g_ascii_strtoull (text, &end, 10);
  guint64 last = first;

  if (end == text || !g_ascii_isdigit (*text))
    return FALSE;
  if (*end == '-')
    {
      text = end + 1;
      last = g_ascii_strtoull (text, &end, 10);
    }
  if (end == text || *end != '\0' || last < first || last > MAX_CPU)
    return FALSE;
  for (guint64 cpu = first; cpu <= last; cpu++)
    json_array_add_int_element (cpus, cpu);
  return TRUE;
}

static gboolean
add_cpus (JsonObject *request, const char *text, GError **error)
{
  g_auto (GStrv) ranges = g_strsplit (text ? text : "", ",", -1);
  g_autoptr (JsonArray) cpus = json_array_new ();

  if (!text)
    return TRUE;
  for (char **range = ranges; *range; range++)
    if (!add_cpu_range (cpus, *range))
      {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "cpus \"%s\" is not a valid list of CPUs; expected e.g. 0,2-3", text);
        return FALSE;
      }
  json_object_set_array_member (request, "cpus", g_steal_pointer (&cpus));
  return TRUE;
}

/* Defaults that depend on other options. */
static void
add_defaults (JsonObject *request, const CulpritRequestOptions *options)
{
  gboolean triggered = options->threshold || options->band;
  const char *policy = options->policy ? options->policy : "fifo";
  const char *tracing = options->tracing ? options->tracing : triggered ? "on" : "off";
  gint64 captures = options->captures != NOT_GIVEN ? options->captures : DEFAULT_CAPTURES;

  json_object_set_string_member (request, "tracing", tracing);
  json_object_set_string_member (request, "policy", policy);
  if (options->priority == NOT_GIVEN && (g_str_equal (policy, "fifo") || g_str_equal (policy, "rr")))
    json_object_set_int_member (request, "priority", DEFAULT_PRIORITY);
  if (triggered && !g_str_equal (tracing, "off"))
    json_object_set_int_member (request, "captures", captures);
  else if (options->captures != NOT_GIVEN)
    json_object_set_int_member (request, "captures", options->captures);
  if (!options->limit && options->cycles <= 0 && (!triggered || captures == 0 || !g_str_equal (tracing, "on")))
    json_object_set_int_member (request, "limit_ns", DEFAULT_LIMIT_NS);
}

JsonObject *
culprit_request_new (const CulpritRequestOptions *options, GError **error)
{
  g_autoptr (JsonObject) request = json_object_new ();

  if (options->run && !*options->run)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "run needs a name");
      return NULL;
    }
  if (!add_time (request, "period_ns", "period", options->period ? options->period : CULPRIT_DEFAULT_PERIOD, error) ||
      !add_time (request, "threshold_ns", "threshold", options->threshold, error) ||
      !add_time (request, "limit_ns", "limit", options->limit, error) ||
      !add_time (request, "deadline_ns", "deadline", options->deadline, error) ||
      !add_band (request, options->band, error) || !add_cpus (request, options->cpus, error))
    return NULL;
  add_number (request, "cycles", options->cycles);
  add_number (request, "skip_cycles", options->skip);
  add_number (request, "runs", options->runs);
  add_number (request, "priority", options->priority);
  add_number (request, "max_depth", options->max_depth);
  add_number (request, "buffer_kb", options->buffer_kb);
  add_text (request, "method", options->method ? options->method : "clock_nanosleep");
  add_text (request, "clock", options->clock);
  if (options->load)
    json_object_set_string_member (request, "load", culprit_load_command (options->load));
  add_text (request, "calibrate", options->calibrate);
  add_names (request, "graph_functions", options->graph);
  add_names (request, "graph_notrace", options->graph_not);
  add_names (request, "events", options->events);
  if (options->aligned)
    json_object_set_boolean_member (request, "aligned", TRUE);
  if (options->take_over)
    json_object_set_boolean_member (request, "take_over", TRUE);
  add_defaults (request, options);
  return g_steal_pointer (&request);
}

void
culprit_request_options_clear (CulpritRequestOptions *options)
{
  g_free (options->run);
  g_free (options->period);
  g_free (options->threshold);
  g_free (options->band);
  g_free (options->limit);
  g_free (options->deadline);
  g_free (options->tracing);
  g_free (options->method);
  g_free (options->clock);
  g_free (options->policy);
  g_free (options->cpus);
  g_free (options->load);
  g_free (options->calibrate);
  g_strfreev (options->graph);
  g_strfreev (options->graph_not);
  g_strfreev (options->events);
}
