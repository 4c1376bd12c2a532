/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of functions: their cost over many wake-ups, and the cost of one function in each. */
#include "tables/tables.h"
#include "tables/words-private.h"

static const CulpritColumn columns[] = {
  { "function", "Function", CULPRIT_KIND_FUNCTION,
    "The kernel function; \"#2\" is the second one of that name, by address.", 14, TRUE },
  { "module", "Module", CULPRIT_KIND_TEXT, WORDS_MODULE, 8 },
  { "ordinal", "Ordinal", CULPRIT_KIND_IDENTIFIER, WORDS_ORDINAL },
  { "captures", "Captures", CULPRIT_KIND_COUNT, "Number of captures in which it occurs.", 4 },
  { "calls", "Calls", CULPRIT_KIND_COUNT, "Its calls in whole captures." },
  { "self_ns", "Own", CULPRIT_KIND_TIME,
    "Its time in whole captures, excluding its callees, including the tracer's time." },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME, WORDS_TRACING },
  { "total_ns", "Total", CULPRIT_KIND_TIME, "From entry to exit, including its callees, in whole captures." },
  { "off_cpu_ns", "Off CPU", CULPRIT_KIND_TIME, WORDS_OFF_CPU },
  { "truncated", "Truncated", CULPRIT_KIND_COUNT, WORDS_TRUNCATED },
  { "outlier.windows", "Late", CULPRIT_KIND_COUNT,
    "Number of late wake-ups in the means, including those without it." },
  { "outlier.calls_mean", "Calls", CULPRIT_KIND_MEAN,
    "The mean of its calls in all late wake-ups, including those in which it hardly ran. A card of the verdict has the "
    "mean of those only that it explains.",
    5 },
  { "outlier.self_mean_ns", "Own", CULPRIT_KIND_TIME, "The mean of its own time in late wake-ups." },
  { "outlier.tracing_mean_ns", "Tracing", CULPRIT_KIND_TIME, "The mean of the tracer's share of that." },
  { "outlier.untraced_mean_ns", "Untraced", CULPRIT_KIND_TIME,
    "The mean of its time in late wake-ups, excluding its callees and the tracer's time.", 8 },
  { "ordinary.windows", "Ordinary", CULPRIT_KIND_COUNT, "Number of ordinary wake-ups in the same captures, likewise." },
  { "ordinary.calls_mean", "Usual", CULPRIT_KIND_MEAN, "The mean of its calls in ordinary wake-ups.", 5 },
  { "ordinary.self_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of its own time in ordinary wake-ups." },
  { "ordinary.tracing_mean_ns", "Usual", CULPRIT_KIND_TIME, "The mean of the tracer's share of that." },
  { "excess_ns", "Excess", CULPRIT_KIND_TIME,
    "How much more untraced time it takes in late wake-ups than in ordinary ones, on average. Over all functions it "
    "adds up to the difference of the mean untraced latencies.",
    8 },
  { "count_part_ns", "By Calls", CULPRIT_KIND_TIME,
    "The part of the excess caused by more calls, each at the mean cost of late and ordinary wake-ups.", 8 },
  { "cost_part_ns", "By Cost", CULPRIT_KIND_TIME,
    "The part of the excess caused by more expensive calls, at the mean number of late and ordinary wake-ups.", 8 },
  { "variance_share", "Variance", CULPRIT_KIND_SHARE,
    "The share of the variance of the untraced latencies, late and ordinary, that is due to this function: it ranks "
    "functions whose cost varies with the latency. Over all functions it adds up to 100 %; \"all\" means more than 100 "
    "%, as others were faster.",
    8 },
  { "calls_and_cost", "Calls | Cost", CULPRIT_KIND_TIME,
    "The parts of the excess caused by more calls (orange) and by more expensive ones (blue), relative to the largest "
    "excess.",
    .of = "count_part_ns" },
  { "late_wake_ups", "Late Wake-ups", CULPRIT_KIND_TIME,
    "A dot for its untraced time in each late wake-up, from 0 to the maximum of the row, and a tick for its mean in "
    "ordinary ones.",
    .of = "outlier.untraced_mean_ns" },
  { NULL },
};

const CulpritDefinition culprit_functions = {
  .row = "function",
  .columns = columns,
  .text = "function module captures outlier.calls_mean ordinary.calls_mean excess_ns count_part_ns cost_part_ns "
          "variance_share",
  .window = "function outlier.calls_mean ordinary.calls_mean outlier.untraced_mean_ns excess_ns variance_share "
            "calls_and_cost late_wake_ups",
  .more = "module captures outlier.windows count_part_ns cost_part_ns",
  .report = "function module variance_share excess_ns count_part_ns cost_part_ns outlier.calls_mean "
            "ordinary.calls_mean captures",
};

const CulpritDefinition culprit_functions_whole = {
  .row = "function",
  .columns = columns,
  .text = "function module captures calls self_ns tracing_ns total_ns",
};

static const CulpritColumn window_columns[] = {
  { "capture", "#", CULPRIT_KIND_IDENTIFIER, WORDS_CAPTURE, 3 },
  { "calls", "Calls", CULPRIT_KIND_COUNT, "How often it was called in this late wake-up.", 5 },
  { "ordinary.calls_mean", "Usual n", CULPRIT_KIND_MEAN, WORDS_USUAL_CALLS, 5 },
  { "untraced_ns", "Untraced", CULPRIT_KIND_TIME, WORDS_UNTRACED, 8 },
  { "ordinary.untraced_mean_ns", "Usual", CULPRIT_KIND_TIME, WORDS_USUAL_TIME, 8 },
  { "latency_untraced_ns", "Latency", CULPRIT_KIND_TIME, "The wake-up's latency, excluding the tracer's time.", 8 },
  { "context", "Context", CULPRIT_KIND_TEXT, WORDS_CONTEXT, 8 },
  { "path", "Path", CULPRIT_KIND_TEXT, "The calls that led to it, if it cost much.", 12, TRUE },
  { NULL },
};

const CulpritDefinition culprit_function_windows = {
  .row = "late wake-up",
  .columns = window_columns,
  .window = "capture calls ordinary.calls_mean untraced_ns ordinary.untraced_mean_ns latency_untraced_ns context path",
};
