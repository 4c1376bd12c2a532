/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit import */
#include "study/import/import-files.h"

#include "capture/windows/measured.h"
#include "clean.h"
#include "print.h"
#include "record/target.h"
#include "units.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

static void
show_progress (guint done, guint all, const char *path, gpointer data)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *clean = culprit_clean_line (name);

  print_progress ("%u of %u: %s", done, all, clean);
}

/* Otherwise no study needs to be created. */
static gboolean
any_is_there (const GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (g_access (g_ptr_array_index (files, i), F_OK) == 0 || errno == EACCES)
      return TRUE;
  return FALSE;
}

static void
print_lines (const GPtrArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    command_complain ("%s", (char *) g_ptr_array_index (lines, i));
}

/* The warnings of @tally with what can be done about them. The caller owns it. */
static GPtrArray *
word_warnings (const CulpritImportTally *tally)
{
  GPtrArray *warnings = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < tally->warnings->len; i++)
    {
      const CulpritProblem *warning = g_ptr_array_index (tally->warnings, i);

      g_ptr_array_add (warnings, culprit_problem_words (warning->text, warning->remedy, CULPRIT_AT_COMMAND));
    }
  return warnings;
}

/* A tally, and what belongs to it. */
typedef struct
{
  CulpritImportTally tally;
  const char *study;
  const GPtrArray *warnings; /* of char * */
} Imported;

static const Member imported[] = {
  MEMBER (Imported, "study", study, TEXT),
  MEMBER (Imported, "stored", tally.stored, COUNT),
  MEMBER (Imported, "read_again", tally.again, COUNT),
  MEMBER (Imported, "profiles", tally.profiles, COUNT),
  MEMBER (Imported, "known", tally.known, COUNT),
  MEMBER (Imported, "read_as", tally.read_as, TEXTS),
  MEMBER (Imported, "known_files", tally.known_files, TEXTS),
  MEMBER (Imported, "passed_over", tally.problems, TEXTS),
  MEMBER (Imported, "not_read", tally.unread, TEXTS),
  MEMBER (Imported, "warnings", warnings, TEXTS),
  { 0 },
};

static void
print_tally (const CulpritImportTally *tally, const char *study)
{
  for (guint i = 0; i < tally->read_as->len; i++)
    g_print ("%s\n", (char *) g_ptr_array_index (tally->read_as, i));
  g_print ("%s: %u capture%s stored", study, tally->stored, culprit_plural (tally->stored));
  if (tally->again > 0)
    g_print (", %u read again", tally->again);
  if (tally->profiles > 0)
    g_print (", %u latency profile%s stored", tally->profiles, culprit_plural (tally->profiles));
  if (tally->known > 0)
    g_print (", %u already in the study", tally->known);
  if (tally->problems->len > 0)
    g_print (", %u skipped", tally->problems->len);
  g_print (".\n");
}

/* Whether there is nothing to import into: the study failed before any file was dealt with. */
static gboolean
is_no_study (const GError *error, const CulpritImportTally *tally)
{
  if (tally->stored + tally->again + tally->known + tally->profiles + tally->problems->len > 0)
    return FALSE;
  return g_error_matches (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN) ||
         g_error_matches (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY) ||
         g_error_matches (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NEWER);
}

int
command_import (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *period = NULL;
  g_autofree char *unit = NULL;
  g_autofree char *threshold = NULL;
  g_autofree char *others = NULL;
  g_autofree char *window = NULL;
  g_auto (CulpritMeasuredOptions) measured = { 0 };
  gint64 period_ns = 0;
  gint64 threshold_ns = 0;
  guint64 unit_ns = 0;
  CulpritImportOptions import_options = { 0 };
  const GOptionEntry own[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, &options.run, "The run they belong to (default: the folder's name)", "NAME" },
    { "period", 0, 0, G_OPTION_ARG_STRING, &period, "Period of the cyclic task, e.g. 5ms (default: inferred)", "TIME" },
    { "wakeup-of", 0, 0, G_OPTION_ARG_STRING, &measured.wakeup_of,
      "Measure how late this task runs (name or pid) after its timer's expiry", "TASK" },
    { "response-of", 0, 0, G_OPTION_ARG_STRING, &measured.response_of,
      "Measure its responses, until it is asleep again", "TASK" },
    { "from-waking", 0, 0, G_OPTION_ARG_NONE, &measured.from_waking,
      "Measure either from its waking: for a task that others wake", NULL },
    { "from-timer", 0, 0, G_OPTION_ARG_NONE, &measured.from_timer, "Measure either from its timer's expiry (default)",
      NULL },
    { "between", 0, 0, G_OPTION_ARG_STRING, &measured.between,
      "Measure from one event to another: EVENT[/FILTER/]..EVENT[/FILTER/]", "EVENTS" },
    { "key", 0, 0, G_OPTION_ARG_STRING, &measured.key, "Fields whose value both have in common", "FIELD=FIELD" },
    { "marks", 0, 0, G_OPTION_ARG_STRING, &measured.marks,
      "Measure between two texts that a thread writes to trace_marker", "TEXT..TEXT" },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &threshold,
      "The last of these beyond it is the late one (default: the longest)", "TIME" },
    { "alone", 0, 0, G_OPTION_ARG_NONE, &import_options.alone,
      "Use no other capture's period for one that has too few cycles", NULL },
    { "apart", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &import_options.apart,
      "For culprit fleet: captures with other windows go to runs of their own", NULL },
    { "others-period", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &others,
      "For culprit fleet: the period of other captures and its error, in ns", "NS,NS" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &unit, "Unit of latencies whose header has none (default: 1us)", "TIME" },
    { NULL },
  };
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) warnings = NULL;
  g_auto (CulpritImportTally) tally = { 0 };
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, own, &options, &status))
    return status;
  if (!command_parse_time ("period", period, &period_ns) || !command_parse_time ("threshold", threshold, &threshold_ns))
    return EXIT_BAD;
  if (others && sscanf (others, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT, &import_options.others_period_ns,
                        &import_options.others_period_error_ns) != 2)
    return command_complain ("--others-period must be two numbers: %s", others);
  window = culprit_measured_from_options (&measured, &error);
  if (error)
    return command_fail (error);
  if (threshold && !window)
    return command_complain ("--threshold belongs to --wakeup-of, --response-of, --between or --marks");
  import_options.period_ns = period_ns;
  import_options.window = window;
  import_options.threshold_ns = threshold_ns;
  if (unit && !culprit_time_parse (unit, &unit_ns))
    return command_complain ("--unit \"%s\" is not a valid time; expected e.g. 1us or 1ns", unit);
  culprit_import_tally_init (&tally);
  import_options.run = options.run;
  files = culprit_import_find_all (options.rest, &tally);
  if (!any_is_there (files))
    {
      for (guint i = 0; i < files->len; i++)
        g_ptr_array_add (tally.problems,
                         g_strdup_printf ("%s: no such file; check the name", (char *) g_ptr_array_index (files, i)));
      print_lines (tally.problems);
      return EXIT_BAD;
    }
  culprit_import_files (options.study, files, &import_options, unit_ns, command_cancellable (), show_progress, NULL,
                        &tally, &error);
  print_progress_end ();
  if (is_no_study (error, &tally))
    return command_fail (error);
  warnings = word_warnings (&tally);
  if (options.format == FORMAT_JSON)
    print_members (imported, &(Imported) { tally, options.study, warnings }, NULL);
  else
    print_tally (&tally, options.study);
  print_lines (warnings);
  print_lines (tally.problems);
  if (error)
    return command_fail (error);
  return tally.problems->len > 0 ? EXIT_BAD : EXIT_DONE;
}
