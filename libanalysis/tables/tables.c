/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables whose rows are those of a query: runs, functions, and what makes wake-ups late on many machines. */
#include "tables/tables.h"

#include "tables/words-private.h"

/* The table of runs with their configuration. */

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
  { "windows", "Windows", CULPRIT_KIND_TEXT, "What is measured: from what to what." },
  { "turn", "Turn", CULPRIT_KIND_COUNT, "Its number among the runs of its series with the same tracing." },
  { "arm", "Arm", CULPRIT_KIND_TEXT, "The common name of the runs of its series with the same tracing." },
  { "target", "Target", CULPRIT_KIND_TEXT,
    "What it was recorded on: local, vm or ssh:[USER@]HOST, as in culprit record." },
  { "vm", "Virtual Machine", CULPRIT_KIND_TEXT, "The settings of its virtual machine, as JSON." },
  { "settings", "Settings", CULPRIT_KIND_TEXT, "What was requested of the recorder, as JSON." },
  { "explains", "Explains", CULPRIT_KIND_TEXT, "The series whose peaks it was recorded to explain." },
  { NULL },
};

const CulpritDefinition culprit_runs = {
  .row = "run",
  .columns = columns,
  .text = "run captures outliers tracing cycles hits latency_mean_ns latency_max_ns kernel host",
  .report = "run host tracing period_ns threshold_ns cycles hits late missed captures latency_mean_ns latency_max_ns",
};

/* The tables of functions: their cost over many wake-ups, and the cost of one function in each. */

static const CulpritColumn functions_columns[] = {
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
  .columns = functions_columns,
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
  .columns = functions_columns,
  .text = "function module captures calls self_ns tracing_ns total_ns",
};

/* The table of the times without interrupts or preemption. */

static const CulpritColumn section_columns[] = {
  { "kind", "Disabled", CULPRIT_KIND_WORD, "What the CPU had disabled for 20 us or more: interrupts or preemption.",
    8 },
  { "context", "Context", CULPRIT_KIND_TEXT,
    "Where that began: a task, a softirq, a hard interrupt, which has interrupts disabled by nature, or an NMI.", 6 },
  { "opened_by", "From", CULPRIT_KIND_WORD,
    "The function in which it began: it, or a raw spinlock that it took, disabled them; of an interrupt, what it calls "
    "first.",
    12, TRUE },
  { "closed_by", "To", CULPRIT_KIND_WORD,
    "The function in which it ended; \"[not captured]\": where the capture or events end.", 12, TRUE },
  { "captures", "Captures", CULPRIT_KIND_COUNT, "Number of captures in which that occurs.", 4 },
  { "count", "Times", CULPRIT_KIND_COUNT, "How often.", 5 },
  { "untraced_ns", "Total", CULPRIT_KIND_TIME, "All of that time in whole captures, excluding the tracer's.", 8 },
  { "tracing_ns", "Tracing", CULPRIT_KIND_TIME, "The tracer's time in it." },
  { "longest.untraced_ns", "Longest", CULPRIT_KIND_TIME,
    "The longest of them, excluding the tracer's time, which counts for the 20 us.", 8 },
  { "longest.tracing_ns", "Tracing", CULPRIT_KIND_TIME, "The tracer's time in that one." },
  { "longest.gap_ns", "Or More", CULPRIT_KIND_TIME,
    "It was at most this much longer: the time from its first and last event to those outside of it.", 7 },
  { "longest.capture", "Capture", CULPRIT_KIND_IDENTIFIER, "The capture that it is in.", 3 },
  { "longest.cpu", "CPU", CULPRIT_KIND_IDENTIFIER, "The CPU that it was on.", 3 },
  { "longest.start_ns", "At", CULPRIT_KIND_TIME, "When it began, on the capture's clock." },
  { "waits", "Waits", CULPRIT_KIND_COUNT, "In how many of them another task was to run on the CPU, and waited.", 5 },
  { "longest_wait.untraced_ns", "Waited", CULPRIT_KIND_TIME,
    "The longest such wait, until the section's end, excluding the tracer's time.", 8 },
  { "outliers", "Late", CULPRIT_KIND_COUNT, "Number of late wake-ups that have some of that on their CPU.", 4 },
  { "outlier_untraced_ns", "In Late", CULPRIT_KIND_TIME, "How much of these was such a time, excluding the tracer's.",
    8 },
  { NULL },
};

const CulpritDefinition culprit_sections = {
  .row = "pair",
  .columns = section_columns,
  .text = "kind context opened_by closed_by count longest.untraced_ns longest.gap_ns outlier_untraced_ns",
  .window = "kind opened_by closed_by count longest.untraced_ns longest.gap_ns",
  .more = "context captures untraced_ns tracing_ns longest.capture longest.tracing_ns longest.cpu longest.start_ns "
          "waits longest_wait.untraced_ns outliers outlier_untraced_ns",
  .report = "kind context opened_by closed_by count untraced_ns longest.untraced_ns longest.gap_ns longest.capture",
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

/* The table of what makes wake-ups late on many machines. */

static const CulpritColumn fleet_columns[] = {
  { "culprit", "Culprit", CULPRIT_KIND_WORD, "The function, task or interrupt that the verdict names.", 14, TRUE },
  { "class", "Class", CULPRIT_KIND_CLASS, "The kind of cause." },
  { "host", "Host", CULPRIT_KIND_TEXT, "The machine.", 10 },
  { "kernel", "Kernel", CULPRIT_KIND_TEXT, WORDS_KERNEL, 12 },
  { "series", "Series", CULPRIT_KIND_TEXT,
    "The measurement: captures of one host, kernel and series are judged together.", 6 },
  { "run", "Run", CULPRIT_KIND_TEXT, "Those of the captures that are in this study; empty: none.", 8 },
  { "captures", "Captures", CULPRIT_KIND_COUNT, "Late wake-ups that it explains, of all that were found there." },
  { "outliers", "Of", CULPRIT_KIND_COUNT, "All late wake-ups that were found there." },
  { "excess_mean_ns", "Excess", CULPRIT_KIND_TIME,
    "The mean time that it adds to one of these wake-ups, compared with ordinary ones." },
  { "weight", "Weight", CULPRIT_KIND_SHARE, "Its share of the total excess there." },
  { "weight_low", "From", CULPRIT_KIND_SHARE, "Start of the weight's 95 % interval." },
  { "weight_high", "To", CULPRIT_KIND_SHARE, "End of the weight's 95 % interval." },
  { "confidence", "Confidence", CULPRIT_KIND_RATIO, "How certain it is, from 0 to 1, that it is a cause there." },
  { NULL },
};

const CulpritDefinition culprit_fleet_causes = {
  .row = "cause",
  .columns = fleet_columns,
  .text = "culprit class host kernel series captures outliers excess_mean_ns weight",
  .window = "culprit class host kernel captures outliers weight",
  .more = "series excess_mean_ns weight_low weight_high confidence run",
  .report = "culprit class host kernel series captures outliers excess_mean_ns weight",
};
