/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that describe what to record. */
#include "record-options.h"

#include "command.h"
#include "record/target.h"

/* Parses the options that name a target. */

GOptionEntry *
target_options_entries (TargetOptions *options, const GOptionEntry *own)
{
  const GOptionEntry entries[] = {
    { "target", 0, 0, G_OPTION_ARG_STRING, &options->target, "Machine: local (default), ssh:[USER@]HOST or vm",
      "TARGET" },
    { "vm-time", 0, 0, G_OPTION_ARG_STRING, &options->vm_time, "Time in the virtual machine: counted (default) or wall",
      "TIME" },
    { "vm-arch", 0, 0, G_OPTION_ARG_STRING, &options->vm_arch, "Its architecture: amd64 or arm64 (default: this one's)",
      "ARCH" },
    { "vm-kernel", 0, 0, G_OPTION_ARG_STRING, &options->vm_kernel,
      "Its kernel: standard (default), rt, e.g. rt-6.12, or a package", "KERNEL" },
    { "vm-cpus", 0, 0, G_OPTION_ARG_INT, &options->vm_cpus, "Its number of CPUs, with wall time", "N" },
    { "vm-memory", 0, 0, G_OPTION_ARG_INT, &options->vm_memory, "Its memory, in MiB", "N" },
    { "vm-module", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->vm_modules,
      "Kernel module to load: a file and its options", "MODULE" },
    { NULL },
  };
  GArray *all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (const GOptionEntry *entry = own; entry && entry->long_name; entry++)
    g_array_append_vals (all, entry, 1);
  g_array_append_vals (all, entries, G_N_ELEMENTS (entries));
  return (GOptionEntry *) (gpointer) g_array_free (all, FALSE);
}

CulpritTarget *
target_options_read (const TargetOptions *options, GError **error)
{
  CulpritTarget *target = culprit_target_parse (options->target ? options->target : "local", error);
  gboolean for_vm = options->vm_time || options->vm_arch || options->vm_kernel || options->vm_modules ||
                    options->vm_cpus != 0 || options->vm_memory != 0;

  if (!target)
    return NULL;
  if (for_vm && target->kind != CULPRIT_TARGET_VM)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "options --vm-... need --target vm");
      culprit_target_free (target);
      return NULL;
    }
  target->vm_time = g_strdup (options->vm_time);
  target->vm_arch = g_strdup (options->vm_arch);
  target->vm_kernel = g_strdup (options->vm_kernel);
  target->vm_modules = g_strdupv (options->vm_modules);
  target->vm_cpus = options->vm_cpus;
  target->vm_memory = options->vm_memory;
  return target;
}

int
target_fail (const CulpritTarget *target, GError *error)
{
  char *words = target ? culprit_target_error_words (error, target->name, CULPRIT_AT_COMMAND) : NULL;

  if (words)
    {
      g_free (error->message);
      error->message = words;
    }
  return command_fail (error);
}

void
target_options_clear (TargetOptions *options)
{
  g_free (options->target);
  g_free (options->vm_time);
  g_free (options->vm_arch);
  g_free (options->vm_kernel);
  g_strfreev (options->vm_modules);
}

GOptionEntry *
record_options_entries (CulpritRequestOptions *options)
{
  const GOptionEntry entries[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, &options->run, "Name in the study (default: run)", "NAME" },
    { "period", 0, 0, G_OPTION_ARG_STRING, &options->period, "Time between cycles (default: 5ms)", "TIME" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &options->threshold, "A wake-up later than this is a hit", "TIME" },
    { "band", 0, 0, G_OPTION_ARG_STRING, &options->band, "A wake-up within this range is a hit", "TIME,TIME" },
    { "captures", 0, 0, G_OPTION_ARG_INT64, &options->captures, "Number of hits to capture (default: 10)", "N" },
    { "limit", 0, 0, G_OPTION_ARG_STRING, &options->limit, "Maximum time per run", "TIME" },
    { "cycles", 0, 0, G_OPTION_ARG_INT64, &options->cycles, "Maximum cycles per run", "N" },
    { "skip", 0, 0, G_OPTION_ARG_INT64, &options->skip, "Warm-up cycles to skip at each start (default: 10)", "N" },
    { "tracing", 0, 0, G_OPTION_ARG_STRING, &options->tracing,
      "off, on, or both (default: on with a trigger, else off)", "WHICH" },
    { "runs", 0, 0, G_OPTION_ARG_INT64, &options->runs, "With --tracing both: runs of each (default: 1)", "N" },
    { "method", 0, 0, G_OPTION_ARG_STRING, &options->method, "How the task waits (default: clock_nanosleep)",
      "METHOD" },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &options->clock, "monotonic (default) or realtime", "CLOCK" },
    { "aligned", 0, 0, G_OPTION_ARG_NONE, &options->aligned, "Align cycles to whole periods of the clock", NULL },
    { "policy", 0, 0, G_OPTION_ARG_STRING, &options->policy, "other, fifo (default), rr or deadline", "POLICY" },
    { "priority", 0, 0, G_OPTION_ARG_INT64, &options->priority, "1 to 99, for fifo and rr (default: 80)", "N" },
    { "cpus", 0, 0, G_OPTION_ARG_STRING, &options->cpus, "One thread per CPU listed, e.g. 0,2-3", "LIST" },
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &options->deadline, "A later wake-up is late (default: half a period)",
      "TIME" },
    { "load", 0, 0, G_OPTION_ARG_STRING, &options->load, "Background command, or a built-in load name", "COMMAND" },
    { "graph", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->graph, "Trace only this function and its callees",
      "FUNCTION" },
    { "graph-not", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->graph_not, "Do not trace this function and its callees",
      "FUNCTION" },
    { "max-depth", 0, 0, G_OPTION_ARG_INT64, &options->max_depth, "Maximum call depth to trace", "N" },
    { "event", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->events, "Also record this event, e.g. sched:sched_switch",
      "EVENT" },
    { "buffer", 0, 0, G_OPTION_ARG_INT64, &options->buffer_kb, "Ring buffer size per CPU (default: 8192)", "KB" },
    { "calibrate", 0, 0, G_OPTION_ARG_STRING, &options->calibrate,
      "If tracing costs too much: refuse (default), warn, or skip the test", "WHAT" },
    { "take-over", 0, 0, G_OPTION_ARG_NONE, &options->take_over, "Take over tracing already in use; its buffer is lost",
      NULL },
    { NULL },
  };

  return g_memdup2 (entries, sizeof entries);
}

JsonObject *
record_options_read (const CulpritRequestOptions *options, GError **error)
{
  JsonObject *request = culprit_request_new (options, error);

  if (!request)
    g_prefix_error (error, "--");
  return request;
}
