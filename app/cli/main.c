/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit: finds the command that is meant and runs it. */
#include "clean.h"
#include "memory.h"
#include "numbers.h"
#include "print.h"

#include <errno.h>
#include <glib/gprintf.h>
#include <locale.h>

const Command commands[] = {
  { "record", "", "measure wake-ups and capture the late ones",
    "Runs a cyclic task on the target and takes a capture of each wake-up that is later than the\n"
    "threshold, or inside the band, until there are as many as asked for. Each comes into the study at\n"
    "once. Ctrl-C ends it in order. Without a trigger it measures the latencies alone. Loads ready to\n"
    "hand are cpu, memory, pages, disk, network, timers, switch and calls, all made by stress-ng.",
    FALSE, STUDY_MAKE, command_record },
  { "doctor", "", "what will spoil a measurement, and the command that mends it",
    "Ends with status 1 where something will.", FALSE, STUDY_NONE, command_doctor },
  { "import", "PATH...", "bring captures into a study",
    "PATH is a trace.dat file or a folder with such files. The study is made where there is none. A\n"
    "capture that the study has already is left as it is. Bad files are skipped and listed at the\n"
    "end.",
    FALSE, STUDY_MAKE, command_import },
  { "runs", "", "the runs of a study", "A run is a set of captures made under one configuration.", TRUE, STUDY_READ,
    command_runs, &culprit_runs },
  { "outliers", "", "the late wake-ups of a study",
    "One line for each capture's outlier. With --json each comes with its whole budget, whose parts\n"
    "add up to its latency. --where takes an SQL expression over the columns: --where 'latency_ns >\n"
    "2000000'.",
    TRUE, STUDY_READ, command_outliers, &culprit_outliers },
  { "functions", "", "what every function cost, in outliers and in ordinary wake-ups",
    "Means over the windows of all captures, those first whose cost varies most with the latency.\n"
    "Ignored captures are left out unless they are named. --where takes an SQL expression over the\n"
    "columns: --where \"function LIKE 'hrtimer%'\".",
    TRUE, STUDY_READ, command_functions, &culprit_functions },
  { "stalls", "", "stretches in which nothing was traced, and whether they are blind",
    "The longest stretch without an event in each late wake-up, and the test that tells firmware or a\n"
    "hypervisor, which strike anywhere, from a function that took too long.",
    TRUE, STUDY_READ, command_stalls, &culprit_stretches },
  { "verdict", "", "the causes, ranked, in sentences",
    "Judges all late wake-ups of the study, or those that the options name: which function, task or\n"
    "interrupt made them late, whether it was called too often or took too long, how sure that is, and\n"
    "what single captures suggest but do not establish.",
    FALSE, STUDY_READ, command_verdict },
  { "show", "CAPTURE", "one outlier from top to bottom",
    "CAPTURE is a number from culprit outliers, or a file's name. Shows the budget beside ordinary\n"
    "wake-ups, and the call tree of the window, which needs the capture's file. Times are without the\n"
    "tracer's, which is a row of its own.",
    TRUE, STUDY_READ, command_show, &culprit_parts },
  { "latency", "[RUN...]", "how late wake-ups were: distribution, quantiles, peaks, fits",
    "Of the runs named, or of all that have latencies: those of culprit record, and those that other\n"
    "tools measured and culprit import brought in.",
    TRUE, STUDY_READ, command_latency, &culprit_latencies },
  { "compare", "BASE RUN...", "how latencies differ: means, shape, tail, spread",
    "Each is a run with latencies, or MEAN,SD,N in us where no more is known.", TRUE, STUDY_MAKE, command_compare,
    &culprit_comparisons },
  { "report", "[CAPTURE...]", "one HTML file of all that a study says",
    "Of all late wake-ups, or of those captures that are named: the verdict, the latencies, where the\n"
    "time went, and what every number means. The file needs nothing else, to send and to keep.",
    FALSE, STUDY_READ, command_report },
  { "merge", "STUDY...", "bring other studies into this one",
    "The study named by --study is made where there is none. Captures that it has already are left\n"
    "as they are.",
    FALSE, STUDY_MAKE, command_merge },
  { "sql", "QUERY", "a query that only reads, for what no command shows",
    "Tables and columns are described in culprit-study(5).", TRUE, STUDY_READ, command_sql },
  { "check", "", "whether a study is whole and everything in it adds up",
    "Ends with status 1 where something is wrong.", FALSE, STUDY_READ, command_check },
  { NULL },
};

const Command *
command_find (const char *name)
{
  for (const Command *command = commands; command->name; command++)
    if (g_str_equal (command->name, name))
      return command;
  return NULL;
}

static void
print_usage (FILE *to)
{
  g_fprintf (to, "culprit tells which kernel function made a wake-up late.\n\n"
                 "Usage: culprit COMMAND [OPTIONS]\n\n");
  for (const Command *command = commands; command->name; command++)
    g_fprintf (to, "  %-10s %s\n", command->name, command->summary);
  g_fprintf (to, "\n--study FILE names the study (else CULPRIT_STUDY, else the only *.culprit file in this folder).\n"
                 "culprit help COMMAND tells more about one.\n");
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
  command = command_find (argv[1]);
  if (!command)
    return command_complain ("culprit: there is no command \"%s\"; culprit help lists them", argv[1]);
  return command->run (2, wanted);
}

/* Names stay as they are in every locale, and nothing that came from a capture commands the terminal. */
static void
print_plainly (const char *text)
{
  g_autofree char *clean = culprit_clean_text (text);

  fputs (clean, stdout);
}

/* What was printed shall have arrived. */
static int
finish (int status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  return command_complain ("culprit: the output cannot be written: %s", g_strerror (errno));
}

int
main (int argc, char **argv)
{
  const Command *command;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
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
    return help (argc - 1, argv + 1);
  if (g_str_equal (argv[1], "--version"))
    {
      g_print ("culprit %s\n", CULPRIT_VERSION);
      return EXIT_DONE;
    }
  command = command_find (argv[1]);
  if (!command)
    return command_complain ("culprit: there is no command \"%s\"; culprit help lists them", argv[1]);
  return finish (command->run (argc - 1, argv + 1));
}
