/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that describe what to record. */
#include "record-options.h"

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
