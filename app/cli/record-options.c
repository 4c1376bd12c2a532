/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entries of the options that say what to record. */
#include "record-options.h"

GOptionEntry *
record_options_entries (CulpritRequestOptions *options)
{
  const GOptionEntry entries[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, &options->run, "Its name in the study (else run)", "NAME" },
    { "period", 0, 0, G_OPTION_ARG_STRING, &options->period, "Time from cycle to cycle (else 5ms)", "TIME" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &options->threshold, "A later wake-up is a hit", "TIME" },
    { "band", 0, 0, G_OPTION_ARG_STRING, &options->band, "A wake-up that late is a hit", "TIME,TIME" },
    { "captures", 0, 0, G_OPTION_ARG_INT64, &options->captures, "How many hits to capture (else 10)", "N" },
    { "limit", 0, 0, G_OPTION_ARG_STRING, &options->limit, "How long each run measures at most", "TIME" },
    { "cycles", 0, 0, G_OPTION_ARG_INT64, &options->cycles, "How many cycles each run has at most", "N" },
    { "skip", 0, 0, G_OPTION_ARG_INT64, &options->skip, "Cycles left out at each start (else 10)", "N" },
    { "tracing", 0, 0, G_OPTION_ARG_STRING, &options->tracing, "off, on, or both in turn (else on with a trigger)",
      "WHICH" },
    { "runs", 0, 0, G_OPTION_ARG_INT64, &options->runs, "With both: how many of each (else 1)", "N" },
    { "method", 0, 0, G_OPTION_ARG_STRING, &options->method, "How the task waits (else clock_nanosleep)", "METHOD" },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &options->clock, "monotonic (else), realtime", "CLOCK" },
    { "aligned", 0, 0, G_OPTION_ARG_NONE, &options->aligned, "Cycles at whole periods of the clock", NULL },
    { "policy", 0, 0, G_OPTION_ARG_STRING, &options->policy, "other, fifo (else), rr, deadline", "POLICY" },
    { "priority", 0, 0, G_OPTION_ARG_INT64, &options->priority, "1 to 99, of fifo and rr (else 80)", "N" },
    { "cpus", 0, 0, G_OPTION_ARG_STRING, &options->cpus, "A thread on each of these CPUs, as 0,2-3", "LIST" },
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &options->deadline, "A later wake-up counts as late (else half a period)",
      "TIME" },
    { "load", 0, 0, G_OPTION_ARG_STRING, &options->load, "A command to run beside, or a load ready to hand",
      "COMMAND" },
    { "graph", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->graph, "Trace this function and all below only", "FUNCTION" },
    { "graph-not", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->graph_not, "Leave this function and all below out",
      "FUNCTION" },
    { "max-depth", 0, 0, G_OPTION_ARG_INT64, &options->max_depth, "Trace so many levels of calls", "N" },
    { "event", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->events, "Record this event too, as sched:sched_switch",
      "EVENT" },
    { "buffer", 0, 0, G_OPTION_ARG_INT64, &options->buffer_kb, "Ring buffer of each CPU (else 8192)", "KB" },
    { "calibrate", 0, 0, G_OPTION_ARG_STRING, &options->calibrate,
      "refuse (else), warn, skip: where tracing costs too much", "WHAT" },
    { "take-over", 0, 0, G_OPTION_ARG_NONE, &options->take_over, "Go on where tracing is in use; its buffer is lost",
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
