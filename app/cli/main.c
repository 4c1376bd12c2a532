/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program culprit: finds the named command and runs it. */
#include "clean.h"
#include "flame/flame.h"
#include "print.h"
#include "units.h"

#include <errno.h>
#include <glib/gprintf.h>
#include <signal.h>

static const Command commands[] = {
  { "record", "", "measure wake-ups and capture the late ones",
    "Runs a cyclic task on the target and takes a capture of each wake-up that is later than the\n"
    "threshold, or inside the band, until it has as many as requested. Each is added to the study at\n"
    "once. Ctrl-C stops cleanly and keeps what was recorded. Without --threshold or --band only the\n"
    "latencies are measured. The built-in loads are cpu, memory, pages, disk, network, timers, switch\n"
    "and calls; all of them run stress-ng.",
    FALSE, STUDY_MAKE, command_record },
  { "doctor", "", "check for problems that distort measurements, and how to fix them",
    "Exits with status 1 if there is a blocker or a warning.", FALSE, STUDY_NONE, command_doctor },
  { "import", "PATH...", "import captures and latency results into a study",
    "PATH is a trace.dat file, a folder of such files, or the latency results of another tool. The study\n"
    "is created if it does not exist. Captures already in the study are left unchanged. Files that\n"
    "cannot be read are skipped and listed at the end.",
    FALSE, STUDY_MAKE, command_import },
  { "runs", "", "list the runs of a study",
    "A run is one measurement under one configuration: its latencies, and its captures.", TRUE, STUDY_READ,
    command_runs, &culprit_runs },
  { "outliers", "", "list the late wake-ups of a study",
    "One line per late wake-up. --json includes its whole budget, whose parts add up to its latency.\n"
    "--where takes an SQL expression over the columns: --where 'latency_ns > 2000000'.",
    TRUE, STUDY_READ, command_outliers, &culprit_outliers },
  { "functions", "", "compare the cost of functions in late and ordinary wake-ups",
    "Means over the wake-ups of all captures, sorted by how strongly the cost varies with the latency.\n"
    "Ignored captures are left out unless named. --where takes an SQL expression over the\n"
    "columns: --where \"function LIKE 'hrtimer%'\".",
    TRUE, STUDY_READ, command_functions, &culprit_functions },
  { "flame", "", "merge late wake-ups by call path, as folded stacks",
    "One line for each call path with untraced time of its own, in ns over all selected late wake-ups, for\n"
    "flamegraph.pl, speedscope and the like. --json and --csv list all paths, with those above them and\n"
    "what they cost in ordinary wake-ups, or in the late ones of the run that --base names.",
    TRUE, STUDY_READ, command_flame, &culprit_flame_calls },
  { "stalls", "", "show gaps in the trace, and whether they are blind stalls",
    "The longest stretch without an event in each late wake-up, and the test that tells a blind stall\n"
    "(firmware or a hypervisor took the CPU, whatever was running) from a function that took too long.",
    TRUE, STUDY_READ, command_stalls, &culprit_stretches },
  { "sections", "", "list the longest times without interrupts or preemption",
    "The times of 20 us or more in which a CPU had interrupts or preemption disabled, anywhere in the\n"
    "captures, by the functions in which that began and ended. Hard interrupts have interrupts disabled\n"
    "by nature; idle CPUs do not count, as any interrupt ends their waiting. Times exclude the tracer's,\n"
    "the 20 us include it: a section of many calls may be shown with less.\n"
    "--where takes an SQL expression over the columns: --where \"context <> 'hardirq'\".",
    TRUE, STUDY_READ, command_sections, &culprit_sections },
  { "verdict", "", "explain in sentences what made wake-ups late, ranked",
    "Analyses all late wake-ups of the study, or those selected by options: which function, task or\n"
    "interrupt made them late, whether it was called too often or took too long, with what confidence,\n"
    "and what single captures suggest but do not establish.",
    FALSE, STUDY_READ, command_verdict },
  { "show", "CAPTURE", "show one outlier in detail",
    "CAPTURE is a number from culprit outliers, or a file name. Shows where the time went, compared\n"
    "with ordinary wake-ups, and the call tree of the late wake-up, which needs the capture's file.\n"
    "Times exclude the tracer's own time, which has its own row.",
    TRUE, STUDY_READ, command_show, &culprit_parts },
  { "latency", "[RUN...]", "show latencies: distribution, quantiles, peaks, fits",
    "For the named runs, or all runs with latencies: recorded by culprit record, or measured by other\n"
    "tools and imported.",
    TRUE, STUDY_READ, command_latency, &culprit_latencies },
  { "tail", "[RUN...]", "predict how late wake-ups will be, and how often a deadline is missed",
    "From the worst wake-ups of the named runs, or of all runs with latencies: the latency that one in a\n"
    "million exceeds, the part that misses a deadline, and whether that was tested long enough. Says\n"
    "instead why nothing can be predicted, where the worst wake-ups are too few or do not fit together.",
    FALSE, STUDY_READ, command_tail },
  { "compare", "BASE RUN...", "compare the latencies of runs: mean, shape, tail, spread",
    "BASE is the baseline. Each argument is a run with latencies, or MEAN,SD,N in us if only these are\n"
    "known.",
    TRUE, STUDY_MAKE, command_compare, &culprit_comparisons },
  { "explain", "", "say what makes each peak of the latencies",
    "Finds the peaks of a run without tracing, records captures of the wake-ups of each, and compares them\n"
    "with those of the next lower peak: what they have in common that the lower ones have not is what the\n"
    "peak is made of. Only missing captures are recorded. Without a run in the study, it is measured first.",
    FALSE, STUDY_MAKE, command_explain },
  { "prove", "[FUNCTION]", "delay a function on purpose, and see which wake-ups become later",
    "Measures wake-ups without tracing, in blocks with several delays at the entry of FUNCTION (or\n"
    "MODULE:FUNCTION), in random order. A peak of the latencies moves by the delay for each call of the\n"
    "function in its wake-ups: what moves has it on its path, and how far shows how often it is called.\n"
    "Without FUNCTION, the result in the study is shown again. Exits with status 1 if nothing can be\n"
    "concluded.",
    FALSE, STUDY_MAKE, command_prove },
  { "trial", "", "try a remedy, and see whether wake-ups differ with it",
    "Measures wake-ups without tracing, in blocks in random order. The command of --treat runs before\n"
    "half of the blocks, that of --undo after each of these, however the trial ends. Whether wake-ups\n"
    "differ is tested over the blocks, for the latest per cent and for all others. Without --treat and\n"
    "--undo, the result in the study is shown again. Exits with status 1 if nothing can be concluded.",
    FALSE, STUDY_MAKE, command_trial },
  { "report", "[CAPTURE...]", "write an HTML report",
    "For all late wake-ups, or for the named captures: the verdict, the latencies, where the time went,\n"
    "and what every number means. The file is self-contained, to send and to keep.",
    FALSE, STUDY_READ, command_report },
  { "fleet", "CAPTURES...", "analyse the captures of many machines with Spark",
    "CAPTURES are folders of captures, on this machine or on any file system that Spark can read, such as\n"
    "s3a://lab/captures or hdfs:///captures. Each capture is read once. For every host, kernel and series,\n"
    "the verdict is computed as by culprit verdict; then what they have in common: which causes, on how\n"
    "many hosts, on which kernels, since when, and what is new. The folder of --out gets the facts as\n"
    "Parquet, a study of the longest and some other late wake-ups, verdict.json and a report. Captures\n"
    "that cannot be read are listed.",
    FALSE, STUDY_NONE, command_fleet },
  { "merge", "STUDY...", "merge other studies into this one",
    "The study named by --study is created if it does not exist. Captures already in it are left\n"
    "unchanged.",
    FALSE, STUDY_MAKE, command_merge },
  { "sql", "QUERY", "run a read-only SQL query", "Tables and columns are described in culprit-study(5).", TRUE,
    STUDY_READ, command_sql },
  { "check", "", "check that a study is intact and its numbers add up", "Exits with status 1 if a check failed.", FALSE,
    STUDY_READ, command_check },
  { NULL },
};

static const Command *
find_command (const char *name)
{
  for (const Command *command = commands; command->name; command++)
    if (g_str_equal (command->name, name))
      return command;
  return NULL;
}

static void
print_usage (FILE *to)
{
  g_fprintf (to, "culprit finds the kernel function that made a wake-up late.\n\n"
                 "Usage: culprit COMMAND [OPTIONS]\n\n");
  for (const Command *command = commands; command->name; command++)
    g_fprintf (to, "  %-10s %s\n", command->name, command->summary);
  g_fprintf (to, "\n"
                 "--study FILE names the study (default: CULPRIT_STUDY, or the only *.culprit file in this folder).\n"
                 "See culprit help COMMAND for the options of a command.\n");
}

static int
help (int argc, char **argv)
{
  const Command *command;
  char *wanted[] = { argv[1], (char *) "--help", NULL };

  if (argc < 2 || g_str_equal (argv[1], "help"))
    {
      print_usage (stdout);
      return EXIT_DONE;
    }
  command = find_command (argv[1]);
  if (!command)
    return command_complain ("unknown command \"%s\"; see culprit help", argv[1]);
  return command->run (command, 2, wanted);
}

/* Names are printed unchanged in every locale, and text from captures cannot control the terminal. */
static void
print_plainly (const char *text)
{
  g_autofree char *clean = culprit_clean_text (text);

  fputs (clean, stdout);
}

/* Output that could not be written is an error. Why, is only known if the last of it could not be. */
static int
finish (int status)
{
  if (fflush (stdout) != 0)
    return command_complain ("cannot write the output: %s", g_strerror (errno));
  return ferror (stdout) ? command_complain ("cannot write all of the output") : status;
}

/* Unlike a signal that is ignored, it is not inherited by programs that are started. */
static void
do_nothing (int signal_number)
{
}

int
main (int argc, char **argv)
{
  const Command *command;

  signal (SIGXFSZ, do_nothing); /* A file that may not grow is an error like a full disk. */
  g_set_prgname ("culprit");
  g_set_print_handler (print_plainly);
  culprit_numbers_init ();
  memory_begin ();
  if (argc < 2)
    {
      print_usage (stderr);
      return EXIT_BAD;
    }
  if (g_str_equal (argv[1], "help") || g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    return finish (help (argc - 1, argv + 1));
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("culprit %s\n", CULPRIT_VERSION);
      return finish (EXIT_DONE);
    }
  command = find_command (argv[1]);
  if (!command)
    return command_complain ("unknown command \"%s\"; see culprit help", argv[1]);
  return finish (command->run (command, argc - 1, argv + 1));
}
