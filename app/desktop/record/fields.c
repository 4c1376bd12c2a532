/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings in the order of the form, most important first. An empty setting means the default of "culprit record".
 */
#include "record/fields.h"

#include "record/request.h"
#include "units.h"

#include <string.h>

#define TRIGGERED "trigger=threshold|band"
#define VM "target=vm"

static const FieldChoice targets[] = {
  { "local", "This machine" }, { "ssh", "SSH" }, { "vm", "Virtual machine" }, { 0 }
};
static const FieldChoice kernels[] = { { "standard", "Standard" },
                                       { "rt", "Real-time (PREEMPT_RT)" },
                                       { "standard-6.12", "Standard 6.12" },
                                       { "rt-6.12", "Real-time 6.12" },
                                       { 0 } };
static const FieldChoice architectures[] = {
  { "own", "This machine's" }, { "amd64", "amd64" }, { "arm64", "arm64" }, { 0 }
};
static const FieldChoice times[] = { { "counted", "Counted instructions" }, { "wall", "Wall clock" }, { 0 } };
static const FieldChoice policies[] = {
  { "fifo", "SCHED_FIFO" }, { "rr", "SCHED_RR" }, { "deadline", "SCHED_DEADLINE" }, { "other", "SCHED_OTHER" }, { 0 }
};
static const FieldChoice methods[] = { { "clock_nanosleep", "clock_nanosleep" },
                                       { "clock_nanosleep-relative", "clock_nanosleep, relative" },
                                       { "nanosleep", "nanosleep" },
                                       { "timer", "timer (signal)" },
                                       { "itimer", "itimer (signal)" },
                                       { "timerfd", "timerfd" },
                                       { "pselect", "pselect" },
                                       { "poll", "poll" },
                                       { 0 } };
static const FieldChoice triggers[] = { { "none", "None: latencies only" },
                                        { "threshold", "Later than a threshold" },
                                        { "band", "Latency within a band" },
                                        { 0 } };
static const FieldChoice tracings[] = {
  { "auto", "Automatic" }, { "on", "On" }, { "off", "Off" }, { "both", "Alternate off and on" }, { 0 }
};
static const FieldChoice clocks[] = { { "monotonic", "Monotonic" }, { "realtime", "Real time" }, { 0 } };
static const FieldChoice calibrations[] = {
  { "refuse", "Refuse if tracing distorts timing" }, { "warn", "Warn" }, { "skip", "Do not calibrate" }, { 0 }
};

static const Field target_fields[] = {
  { "target", "Machine", FIELD_CHOICE, .choices = targets, .explain = "The machine whose wake-ups are measured" },
  { "host", "Host", FIELD_TEXT, .hint = "root@board", .where = "target=ssh", .needed = TRUE,
    .explain = "SSH host; culprit-recorder must be installed there, with root access" },
  { "vm_kernel", "Kernel", FIELD_CHOICE, .choices = kernels, .where = VM,
    .explain = "The kernel that the virtual machine boots" },
  { "vm_arch", "Architecture", FIELD_CHOICE, .choices = architectures, .where = VM,
    .explain = "The processor of the virtual machine" },
  { "vm_time", "Time", FIELD_CHOICE, .choices = times, .where = VM,
    .explain = "Counted: time advances with executed instructions, so other work on this machine does not matter" },
  { 0 },
};

static const Field run_fields[] = {
  { "run", "Name", FIELD_TEXT, .value = "run", .hint = "run",
    .explain = "Name in the study; a number is added if it exists already" },
  { "period", "Period", FIELD_TIME, .value = CULPRIT_DEFAULT_PERIOD, .hint = CULPRIT_DEFAULT_PERIOD,
    .explain = "Time between cycles, e.g. 5ms or 250us" },
  { "policy", "Policy", FIELD_CHOICE, .choices = policies, .explain = "Of the measuring threads" },
  { "priority", "Priority", FIELD_NUMBER, .hint = "80", .where = "policy=fifo|rr", .least = 1, .most = 99,
    .explain = "1 to 99" },
  { "cpus", "CPUs", FIELD_CPUS, .hint = "the first", .explain = "One thread per CPU listed, e.g. 0,2-3" },
  { "method", "Method", FIELD_CHOICE, .choices = methods, .explain = "How the task waits for its next cycle" },
  { "tracing", "Tracing", FIELD_CHOICE, .choices = tracings,
    .explain = "Captures need tracing; alternating shows what tracing itself changes" },
  { "runs", "Runs of each", FIELD_NUMBER, .hint = "1", .where = "tracing=both", .least = 1, .most = 1000,
    .explain = "How many runs with tracing and without; at least six are needed to compare shapes" },
  { "limit", "Time limit", FIELD_TIME, .hint = "2m without captures", .explain = "Maximum time per run" },
  { "cycles", "Cycle limit", FIELD_NUMBER, .hint = "none", .explain = "Maximum cycles per run" },
  { 0 },
};

static const Field trigger_fields[] = {
  { "trigger", "Capture", FIELD_CHOICE, .choices = triggers, .explain = "Which wake-ups to capture with their trace" },
  { "threshold", "Later than", FIELD_TIME, .hint = "200us", .where = "trigger=threshold", .needed = TRUE,
    .explain = "A wake-up later than this is a hit" },
  { "band_low", "From", FIELD_TIME, .hint = "575us", .where = "trigger=band", .needed = TRUE,
    .explain = "Start of the band: a wake-up within the band is a hit" },
  { "band_high", "To", FIELD_TIME, .hint = "585us", .where = "trigger=band", .needed = TRUE,
    .explain = "End of the band" },
  { "captures", "Captures", FIELD_NUMBER, .hint = "10", .where = TRIGGERED, .explain = "How many hits to capture" },
  { 0 },
};

static const Field load_fields[] = {
  { "load", "Load", FIELD_LOAD, .explain = "Background load while measuring" },
  { "load_command", "Command", FIELD_TEXT, .hint = "stress-ng --usb 1", .where = "load=own", .needed = TRUE,
    .explain = "Run by sh -c on the target" },
  { 0 },
};

static const Field more_fields[] = {
  { "deadline", "Deadline", FIELD_TIME, .hint = "half a period", .explain = "Wake-ups later than this count as late" },
  { "skip", "Warm-up cycles", FIELD_NUMBER, .hint = "10",
    .explain = "Cycles skipped at each start and after each capture" },
  { "aligned", "Whole periods", FIELD_SWITCH, .explain = "Align cycles to whole periods, as other timers may be" },
  { "clock", "Clock", FIELD_CHOICE, .choices = clocks, .explain = "Clock of the wait, if the method offers a choice" },
  { "buffer_kb", "Buffer", FIELD_NUMBER, .hint = "8192 KB", .explain = "Ring buffer size per CPU, in KB" },
  { "graph", "Trace only", FIELD_LIST, .hint = "all functions", .explain = "These functions and all below them" },
  { "graph_not", "Do not trace", FIELD_LIST, .hint = "none", .explain = "These functions and all below them" },
  { "max_depth", "Depth", FIELD_NUMBER, .hint = "no limit", .explain = "Maximum call depth to trace" },
  { "events", "Events", FIELD_LIST, .hint = "none", .explain = "Extra events, e.g. sched:sched_switch" },
  { "calibrate", "Calibration", FIELD_CHOICE, .choices = calibrations,
    .explain = "What to do when tracing makes the period or threshold unreliable" },
  { "take_over", "Take over", FIELD_SWITCH,
    .explain = "Take over tracing already in use; its settings are restored, its buffer is lost" },
  { "vm_cpus", "Guest CPUs", FIELD_NUMBER, .hint = "1", .where = "vm_time=wall", .least = 1, .most = 64,
    .explain = "Of the virtual machine" },
  { "vm_memory", "Guest memory", FIELD_NUMBER, .hint = "enough", .where = VM,
    .explain = "Of the virtual machine, in MiB" },
  { "vm_modules", "Guest modules", FIELD_FILES, .hint = "none", .where = VM,
    .explain = "Kernel modules to load: each a file and its options, separated by semicolons" },
  { 0 },
};

const FieldGroup field_groups[] = {
  { "Target", target_fields, FALSE }, { "Trigger", trigger_fields, FALSE }, { "Run", run_fields, FALSE },
  { "Load", load_fields, FALSE },     { "More", more_fields, TRUE },        { 0 },
};

/* None, those ready to hand, and one of one's own. Made once, for good. */
static const FieldChoice *
load_choices (void)
{
  static GArray *choices;

  if (choices)
    return (const FieldChoice *) (gpointer) choices->data;
  choices = g_array_new (TRUE, TRUE, sizeof (FieldChoice));
  g_array_append_val (choices, ((FieldChoice) { "none", "None" }));
  for (const CulpritLoad *load = culprit_loads; load->name; load++)
    {
      char *title = g_strdup (load->summary);

      title[0] = g_ascii_toupper (title[0]);
      g_array_append_val (choices, ((FieldChoice) { load->name, title }));
    }
  g_array_append_val (choices, ((FieldChoice) { "own", "Custom command" }));
  return (const FieldChoice *) (gpointer) choices->data;
}

const FieldChoice *
field_choices (const Field *field)
{
  return field->kind == FIELD_LOAD ? load_choices () : field->choices;
}

/* Checking. */

static char *
number_problem (const Field *field, const char *text)
{
  gint64 most = field->most > 0 ? field->most : G_MAXINT32;

  if (g_ascii_string_to_signed (text, 10, field->least, most, NULL, NULL))
    return NULL;
  return field->most > 0
             ? g_strdup_printf ("“%s” must be a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ".",
                                field->title, field->least, most)
             : g_strdup_printf ("“%s” must be a whole number.", field->title);
}

static char *
cpus_problem (const char *text)
{
  CulpritRequestOptions options;
  g_autoptr (JsonObject) request = NULL;

  culprit_request_options_init (&options);
  options.cpus = (char *) text;
  request = culprit_request_new (&options, NULL);
  return request ? NULL : g_strdup ("“CPUs” must be a list such as 0,2-3.");
}

char *
field_problem (const Field *field, const char *text)
{
  guint64 time_ns;

  if (strspn (text, " ") == strlen (text))
    return field->needed ? g_strdup_printf ("“%s” is needed.", field->title) : NULL;
  switch (field->kind)
    {
    case FIELD_TIME:
      return culprit_time_parse (text, &time_ns)
                 ? NULL
                 : g_strdup_printf ("“%s” needs a time with a unit, e.g. 5ms or 250us.", field->title);
    case FIELD_NUMBER:
      return number_problem (field, text);
    case FIELD_CPUS:
      return cpus_problem (text);
    default:
      return NULL;
    }
}
