/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit import */
#include "study/import.h"
#include "study/add-profile.h"

#include "capture/error.h"
#include "print.h"
#include "units.h"

#include <glib/gprintf.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* What came of the files so far. */
typedef struct
{
  guint stored;
  guint known;
  guint profiles;      /* latency results of other tools */
  gint64 unit_ns;      /* of their numbers, where they do not tell */
  GPtrArray *problems; /* of char *: a line for each file that was passed over */
  GPtrArray *warnings; /* likewise, for files that were stored */
} Tally;

static void
show_progress (guint done, guint all, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  if (isatty (STDERR_FILENO))
    g_fprintf (stderr, "\r\033[K%u of %u: %s", done, all, name);
}

static void
hide_progress (void)
{
  if (isatty (STDERR_FILENO))
    g_fprintf (stderr, "\r\033[K");
}

/* All captures that @paths mean; what cannot be read becomes a problem. */
static GPtrArray *
find_all (char **paths, Tally *tally)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (char **path = paths; *path; path++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) found = culprit_import_find (*path, &error);

      if (found)
        g_ptr_array_extend_and_steal (all, g_steal_pointer (&found));
      else
        g_ptr_array_add (tally->problems, g_strdup (error->message));
    }
  return all;
}

/* Else no study needs to be made. */
static gboolean
any_is_there (const GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (g_file_test (g_ptr_array_index (files, i), G_FILE_TEST_EXISTS))
      return TRUE;
  return FALSE;
}

static void
report (const char *path, const CulpritImportResult *result, Tally *tally)
{
  if (result->outcome == CULPRIT_IMPORT_KNOWN)
    tally->known++;
  else
    tally->stored++;
  if (result->outcome == CULPRIT_IMPORT_KNOWN)
    return;
  if (result->no_windows)
    g_ptr_array_add (tally->warnings, g_strdup_printf ("%s: stored without windows: %s", path, result->no_windows));
  if (result->warning)
    g_ptr_array_add (tally->warnings, g_strdup_printf ("%s: %s", path, result->warning));
}

/* Brings in another tool's latency result. FALSE where @problem shall be reported: that of the capture it is not,
 * unless it is a latency result that is damaged. */
static gboolean
import_profile (
    CulpritStudy *study, const char *path, const CulpritImportOptions *options, Tally *tally, GError **problem)
{
  GError *error = NULL;
  g_autoptr (CulpritLatencyFile) file = culprit_latency_read (path, tally->unit_ns, &error);
  g_autofree char *base = g_path_get_basename (path);
  guint stored;
  guint known;
  char *dot = strrchr (base, '.');

  if (dot && dot != base)
    *dot = '\0';
  if (file && culprit_study_add_profiles (study, options->run ? options->run : base, file, &stored, &known, &error))
    {
      g_clear_error (problem);
      tally->profiles += stored;
      tally->known += known;
      if (file->overflows > 0)
        g_ptr_array_add (tally->warnings,
                         g_strdup_printf ("%s: %" G_GUINT64_FORMAT " latencies above the histogram's end are left out",
                                          path, file->overflows));
      return TRUE;
    }
  if (g_error_matches (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN))
    {
      g_error_free (error);
      return FALSE;
    }
  g_error_free (*problem);
  *problem = error;
  return FALSE;
}

/* FALSE where it makes no sense to go on: the study itself fails, or the user cancelled. */
static gboolean
import_all (CulpritStudy *study,
            GPtrArray *files,
            const CulpritImportOptions *options,
            GCancellable *cancellable,
            Tally *tally,
            GError **error)
{
  for (guint i = 0; i < files->len; i++)
    {
      const char *path = g_ptr_array_index (files, i);
      CulpritImportResult result;
      GError *problem = NULL;

      show_progress (i + 1, files->len, path);
      if (culprit_study_import (study, path, options, cancellable, &result, &problem))
        report (path, &result, tally);
      else if (g_error_matches (problem, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE) &&
               import_profile (study, path, options, tally, &problem))
        ;
      else if (problem->domain == CULPRIT_STUDY_ERROR || g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      else
        {
          g_ptr_array_add (tally->problems, g_strdup (problem->message));
          g_error_free (problem);
        }
      culprit_import_result_clear (&result);
    }
  return TRUE;
}

static void
print_lines (const GPtrArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    command_complain ("culprit: %s", (char *) g_ptr_array_index (lines, i));
}

static void
print_tally_json (const Tally *tally, const char *study)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "study");
  json_builder_add_string_value (builder, study);
  json_builder_set_member_name (builder, "stored");
  json_builder_add_int_value (builder, tally->stored);
  json_builder_set_member_name (builder, "profiles");
  json_builder_add_int_value (builder, tally->profiles);
  json_builder_set_member_name (builder, "known");
  json_builder_add_int_value (builder, tally->known);
  print_json_texts (builder, "passed_over", tally->problems);
  print_json_texts (builder, "warnings", tally->warnings);
  json_builder_end_object (builder);
  print_json_built (builder);
}

static void
print_tally (const Tally *tally, const char *study)
{
  g_print ("%s: %u capture%s stored", study, tally->stored, culprit_plural (tally->stored));
  if (tally->profiles > 0)
    g_print (", %u latency profile%s stored", tally->profiles, culprit_plural (tally->profiles));
  if (tally->known > 0)
    g_print (", %u known already", tally->known);
  if (tally->problems->len > 0)
    g_print (", %u passed over", tally->problems->len);
  g_print (".\n");
}

static gboolean
parse_period (const char *text, guint64 *period_ns)
{
  return !text || culprit_time_parse (text, period_ns);
}

int
command_import (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *period = NULL;
  g_autofree char *unit = NULL;
  guint64 unit_ns = 1000;
  const GOptionEntry own[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, &options.run, "The run they belong to (else the folder's name)", "NAME" },
    { "period", 0, 0, G_OPTION_ARG_STRING, &period, "Period of the cyclic task, as 5ms (else inferred)", "TIME" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &unit, "Of latencies whose file does not tell (else 1us)", "TIME" },
    { NULL },
  };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (CulpritStudy) study = NULL;
  Tally tally = { .problems = problems, .warnings = warnings };
  CulpritImportOptions import_options = { 0 };
  GError *error = NULL;
  gboolean made;
  int status;

  if (!command_parse ("import", argc, argv, own, &options, &status))
    return status;
  if (!parse_period (period, &import_options.period_ns))
    return command_complain ("culprit import: --period \"%s\" is no time; expected one as 5ms or 250us", period);
  if (unit && !culprit_time_parse (unit, &unit_ns))
    return command_complain ("culprit import: --unit \"%s\" is no time; expected one as 1us or 1ns", unit);
  tally.unit_ns = unit_ns;
  import_options.run = options.run;
  files = find_all (options.rest, &tally);
  if (!any_is_there (files))
    {
      for (guint i = 0; i < files->len; i++)
        g_ptr_array_add (problems, g_strdup_printf ("%s: is not there", (char *) g_ptr_array_index (files, i)));
      print_lines (problems);
      return EXIT_BAD;
    }
  made = !g_file_test (options.study, G_FILE_TEST_EXISTS);
  study = culprit_study_open (options.study, CULPRIT_STUDY_CREATE, &error);
  if (!study)
    return command_fail (error);
  import_all (study, files, &import_options, command_cancellable (), &tally, &error);
  hide_progress ();
  if (options.format == FORMAT_JSON)
    print_tally_json (&tally, options.study);
  else
    print_tally (&tally, options.study);
  print_lines (warnings);
  print_lines (problems);
  if (made && tally.stored + tally.profiles == 0)
    {
      g_clear_pointer (&study, culprit_study_close);
      g_unlink (options.study);
    }
  if (error)
    return command_fail (error);
  return problems->len > 0 ? EXIT_BAD : EXIT_DONE;
}
