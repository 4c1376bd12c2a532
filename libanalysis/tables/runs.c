/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of runs with their configuration. */
#include "tables/tables.h"
#include "tables/words-private.h"

static const CulpritColumn columns[] = {
  { "run", "Run", CULPRIT_KIND_TEXT, "The run's name." },
  { "host", "Host", CULPRIT_KIND_TEXT, "The machine." },
  { "kernel", "Kernel", CULPRIT_KIND_TEXT, WORDS_KERNEL },
  { "source", "Source", CULPRIT_KIND_TEXT,
    "What it was made from: imported captures, culprit record, or the latency results of another tool." },
  { "tracing", "Tracing", CULPRIT_KIND_TEXT, "Whether functions were traced: on or off." },
  { "period_ns", "Period", CULPRIT_KIND_TIME, "From one expected wake-up to the next." },
  { "cycles", "Cycles", CULPRIT_KIND_COUNT, "Wake-ups measured, on all CPUs." },
  { "hits", "Hits", CULPRIT_KIND_COUNT, "Wake-ups above the threshold, or in the band." },
  { "missed", "Missed", CULPRIT_KIND_COUNT, "Whole periods without a wake-up, because the previous one was too late." },
  { "late", "Overruns", CULPRIT_KIND_COUNT, WORDS_OVERRUNS },
  { "latency_min_ns", "Min", CULPRIT_KIND_TIME, WORDS_MIN },
  { "latency_mean_ns", "Mean", CULPRIT_KIND_TIME, WORDS_MEAN },
  { "captures", "Captures", CULPRIT_KIND_COUNT, "Its captures, including ignored ones." },
  { "outliers", "Outliers", CULPRIT_KIND_COUNT, "Its captures with a late wake-up." },
  { "ordinary_windows", "Ordinary", CULPRIT_KIND_COUNT, "Ordinary wake-ups in its captures." },
  { "latency_max_ns", "Max", CULPRIT_KIND_TIME,
    "The maximum latency of all cycles; for imported captures, of their late wake-ups." },
  { "recording", "Recording", CULPRIT_KIND_TEXT, "The recording it belongs to." },
  { "started_utc", "Started", CULPRIT_KIND_TEXT, "When it began." },
  { "threshold_ns", "Threshold", CULPRIT_KIND_TIME, "Latencies above this are hits." },
  { "band_low_ns", "From", CULPRIT_KIND_TIME, "Start of the band: latencies within the band are hits." },
  { "band_high_ns", "To", CULPRIT_KIND_TIME, "End of the band." },
  { "method", "Method", CULPRIT_KIND_TEXT, "How the task waits." },
  { "policy", "Policy", CULPRIT_KIND_TEXT, "The task's scheduling policy." },
  { "priority", "Priority", CULPRIT_KIND_COUNT, "Its priority in that policy." },
  { "cpus", "CPUs", CULPRIT_KIND_TEXT, "The CPUs it ran on." },
  { "load", "Load", CULPRIT_KIND_TEXT, "The command that ran as background load." },
  { "ignored", "Ignored", CULPRIT_KIND_COUNT,
    "Ignored captures: excluded from functions, verdict, stalls and report." },
  { "series", "Series", CULPRIT_KIND_TEXT, "The runs it belongs with: its recording, or what was imported with it." },
  { "turn", "Turn", CULPRIT_KIND_COUNT, "Its number among the runs of its series with the same tracing." },
  { "arm", "Arm", CULPRIT_KIND_TEXT, "The common name of the runs of its series with the same tracing." },
  { "target", "Target", CULPRIT_KIND_TEXT,
    "What it was recorded on: local, vm or ssh:[USER@]HOST, as in culprit record." },
  { "vm", "Virtual Machine", CULPRIT_KIND_TEXT, "The settings of its virtual machine, as JSON." },
  { NULL },
};

const CulpritDefinition culprit_runs = {
  .row = "run",
  .columns = columns,
  .text = "run captures outliers tracing cycles hits latency_mean_ns latency_max_ns kernel host",
  .report = "run host tracing period_ns threshold_ns cycles hits late missed captures latency_mean_ns latency_max_ns",
};
