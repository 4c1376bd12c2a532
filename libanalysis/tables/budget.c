/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of one late wake-up went: whole for programs, and as people see it. */
#include "tables/tables.h"

#define SHOWN 4 /* columns that only culprit_query_budget() has, the first ones */

static const CulpritColumn columns[] = {
  { "kind", "Kind", CULPRIT_KIND_WORD, "A part, the rest of them, or tracing." },
  { "part_ns", "Untraced", CULPRIT_KIND_EXACT,
    "Its time in this wake-up, without its callees and without the tracer's. All rows, with the tracer's share in the "
    "last, add up to the latency.",
    8 },
  { "share", "Share", CULPRIT_KIND_SHARE, "What part of the latency that is.", 7 },
  { "ordinary.part_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of the same time in ordinary wake-ups.", 8 },
  { "context", "Context", CULPRIT_KIND_TEXT,
    "Where it ran: the measured task, another task, a hard interrupt, a softirq, an NMI, or idle.", 7 },
  { "function", "Function", CULPRIT_KIND_FUNCTION, "The function; names in brackets are time in which no function ran.",
    16, TRUE },
  { "module", "Module", CULPRIT_KIND_TEXT, "The kernel module it belongs to; none for the kernel proper." },
  { "ordinal", "Ordinal", CULPRIT_KIND_COUNT, "Which of the functions of this name and module it is, counted from 0." },
  { "calls", "Calls", CULPRIT_KIND_COUNT,
    "How often it was called in this late wake-up; a call that began before counts, with the part inside.", 5 },
  { "self_ns", "Own", CULPRIT_KIND_EXACT,
    "Its time in this wake-up, without its callees, with the tracer's. All rows add up to the latency.", 8 },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME,
    "What of its own time is the tracer's, at least: for each event the least that one of its kind takes.", 8 },
  { "untraced_ns", "Untraced", CULPRIT_KIND_EXACT, "Its own time without the tracer's." },
  { "total_ns", "Total", CULPRIT_KIND_TIME, "From entry to exit, with all it called." },
  { "longest_stretch_ns", "Longest", CULPRIT_KIND_TIME, "The longest stretch in it without any event.", 8 },
  { "truncated", "Truncated", CULPRIT_KIND_COUNT, "Calls of which the entry or the exit was not seen." },
  { "ordinary.calls_mean", "Usual", CULPRIT_KIND_MEAN,
    "The mean of its calls in ordinary wake-ups of the same capture.", 5 },
  { "ordinary.self_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of its own time in ordinary wake-ups." },
  { "ordinary.tracing_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of the tracer's part of that." },
  { "ordinary.untraced_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of its untraced time in ordinary wake-ups." },
  { NULL },
};

const CulpritDefinition culprit_parts = { .row = "part", .columns = columns + SHOWN };

const CulpritDefinition culprit_budget = {
  .row = "part",
  .columns = columns,
  .text = "context function calls ordinary.calls_mean part_ns ordinary.part_mean_ns longest_stretch_ns",
  .window = "function context calls ordinary.calls_mean part_ns self_ns ordinary.part_mean_ns tracing_ns "
            "longest_stretch_ns",
  .report = "function context part_ns share ordinary.part_mean_ns calls ordinary.calls_mean",
};

const CulpritDefinition culprit_budget_traced = {
  .row = "part",
  .columns = columns,
  .text = "context function calls ordinary.calls_mean self_ns ordinary.part_mean_ns tracing_ns "
          "ordinary.tracing_mean_ns longest_stretch_ns",
};
