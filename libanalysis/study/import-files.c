/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is not a capture may be a latency result; anything else is skipped. */
#include "import-files.h"

#include "add-profile.h"
#include "import-private.h"
#include "read-ahead-private.h"
#include "seen-private.h"
#include "statement-private.h"

#include "capture/error.h"

#include <string.h>

/* Shared by all files of an import. */
typedef struct
{
  const char *study_path;
  CulpritStudy *study; /* NULL: not created yet */
  const CulpritImportOptions *options;
  const CulpritCaptureOptions *capture_options;
  gint64 unit_ns;
  GCancellable *cancellable;
  CulpritImportTally *tally;
  Seen *seen;
} Import;

void
culprit_import_tally_init (CulpritImportTally *tally)
{
  *tally = (CulpritImportTally) { .known_files = g_ptr_array_new_with_free_func (g_free),
                                  .unread = g_ptr_array_new_with_free_func (g_free),
                                  .problems = g_ptr_array_new_with_free_func (g_free),
                                  .warnings = g_ptr_array_new_with_free_func (culprit_problem_free),
                                  .read_as = g_ptr_array_new_with_free_func (g_free) };
}

void
culprit_import_tally_clear (CulpritImportTally *tally)
{
  g_clear_pointer (&tally->known_files, g_ptr_array_unref);
  g_clear_pointer (&tally->unread, g_ptr_array_unref);
  g_clear_pointer (&tally->problems, g_ptr_array_unref);
  g_clear_pointer (&tally->warnings, g_ptr_array_unref);
  g_clear_pointer (&tally->read_as, g_ptr_array_unref);
}

GPtrArray *
culprit_import_find_all (char **paths, CulpritImportTally *tally)
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

static void
report_known (const char *path, guint known, CulpritImportTally *tally)
{
  tally->known += known;
  g_ptr_array_add (tally->known_files, g_strdup (path));
}

/* Of @files, those from @first on that were not in the study. */
static void
report_unread (const GPtrArray *files, guint first, CulpritImportTally *tally)
{
  for (guint i = first; i < files->len; i++)
    if (!g_ptr_array_find_with_equal_func (tally->known_files, g_ptr_array_index (files, i), g_str_equal, NULL))
      g_ptr_array_add (tally->unread, g_strdup (g_ptr_array_index (files, i)));
}

/* Adds to @error how many files were not stored. */
static void
tell_unread (const CulpritImportTally *tally, GError *error)
{
  g_autofree char *message = error->message;

  error->message =
      g_strdup_printf ("%s; %u file%s not stored, the first is %s", message, tally->unread->len,
                       tally->unread->len == 1 ? " was" : "s were", (char *) g_ptr_array_index (tally->unread, 0));
}

static void
report (const char *path, const CulpritImportResult *result, CulpritImportTally *tally)
{
  g_autofree char *warning = NULL;

  if (result->outcome == CULPRIT_IMPORT_KNOWN)
    report_known (path, 1, tally);
  else if (result->outcome == CULPRIT_IMPORT_AGAIN)
    tally->again++;
  else
    tally->stored++;
  if (result->outcome == CULPRIT_IMPORT_KNOWN)
    return;
  warning = culprit_import_warning (result);
  if (warning)
    g_ptr_array_add (tally->warnings, culprit_problem_new (g_strdup_printf ("%s: %s", path, warning), result->remedy));
}

/* The name of a latency result's run: that of the file without its suffix, or of the folder if all files of the tool
 * have the same name. */
static char *
name_profile (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (g_str_equal (base, CULPRIT_JITTERDEBUGGER_FILE))
    {
      g_autofree char *full = g_canonicalize_filename (path, NULL);
      g_autofree char *folder = g_path_get_dirname (full);

      return g_path_get_basename (folder);
    }
  if (dot && dot != base)
    *dot = '\0';
  return g_steal_pointer (&base);
}

/* Reports how @file was interpreted, and what is missing. */
static void
report_profiles (const char *path, const char *name, const CulpritLatencyFile *file, CulpritImportTally *tally)
{
  GString *read_as = g_string_new (NULL);

  g_string_printf (read_as, "%s: %s", path, file->read_as);
  for (guint i = 0; i < file->profiles->len; i++)
    {
      const CulpritNamedProfile *profile = g_ptr_array_index (file->profiles, i);
      g_autofree char *full_name = culprit_study_profile_name (name, profile);
      char *left_out;

      if (file->profiles->len > 1)
        g_string_append_printf (read_as, "%s %s", i > 0 ? "," : "; runs", full_name);
      if (profile->overflows == 0)
        continue;
      left_out = g_strdup_printf ("%s: %s%s%" G_GUINT64_FORMAT " latencies above the histogram's end are left out",
                                  path, file->profiles->len > 1 ? full_name : "", file->profiles->len > 1 ? ": " : "",
                                  profile->overflows);
      g_ptr_array_add (tally->warnings, culprit_problem_new (left_out, (CulpritRemedy) { CULPRIT_REMEDY_NONE }));
    }
  g_ptr_array_add (tally->read_as, g_string_free (read_as, FALSE));
}

/* The first file for the study was read: now the study must exist. */
static gboolean
need_study (Import *import, GError **error)
{
  if (!import->study)
    import->study = culprit_study_open (import->study_path, CULPRIT_STUDY_CREATE, error);
  return import->study != NULL;
}

/* Imports another tool's latency result. FALSE if @problem is to be reported: the error of reading it as a capture,
 * unless it is a damaged latency result. */
static gboolean
import_profile (Import *import, const char *path, GError **problem)
{
  CulpritImportTally *tally = import->tally;
  GError *error = NULL;
  g_autoptr (CulpritLatencyFile) file = culprit_latency_read (path, import->unit_ns, &error);
  g_autofree char *name = import->options->run ? g_strdup (import->options->run) : name_profile (path);
  guint stored;
  guint known;

  if (file && need_study (import, &error) &&
      culprit_study_add_profiles (import->study, name, file, &stored, &known, &error))
    {
      g_clear_error (problem);
      tally->profiles += stored;
      if (stored == 0)
        report_known (path, known, tally);
      else
        tally->known += known;
      report_profiles (path, name, file, tally);
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

/* Stores @capture, or, if @problem says that it is not a capture, what else is at @path. FALSE with an error if there
 * is no point in continuing. */
static gboolean
import_one (Import *import, const char *path, CulpritCapture *capture, GError *problem, GError **error)
{
  CulpritImportResult result = { 0 };

  if (capture)
    seen_add (import->seen, capture);
  if (capture && !need_study (import, &problem))
    culprit_capture_free (capture);
  else if (capture && import_store (import->study, path, capture, import->options, import->capture_options,
                                    import->cancellable, &result, &problem))
    report (path, &result, import->tally);
  else if (g_error_matches (problem, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE))
    import_profile (import, path, &problem);
  culprit_import_result_clear (&result);
  if (problem && (import_is_over (problem) || (problem->domain == CULPRIT_STUDY_ERROR && !import->study)))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (problem && problem->domain == CULPRIT_STUDY_ERROR)
    g_ptr_array_add (import->tally->problems, g_strdup_printf ("%s: cannot be stored in %s", path, problem->message));
  else if (problem)
    g_ptr_array_add (import->tally->problems, g_strdup (problem->message));
  g_clear_error (&problem);
  return TRUE;
}

/* Leaves out those of @files that were read before and are in the study as this version reads them. NULL with an
 * error. */
static GPtrArray *
find_unknown (const Import *import, const GPtrArray *files, GError **error)
{
  g_autoptr (GPtrArray) unknown = g_ptr_array_new ();
  g_autoptr (Statement) statement = NULL;

  if (!import->study)
    {
      g_ptr_array_extend (unknown, (GPtrArray *) files, NULL, NULL);
      return g_steal_pointer (&unknown);
    }
  statement = statement_new (import->study, "SELECT 1 FROM capture WHERE sha256 = ? AND read_version >= ?", error);
  for (guint i = 0; statement && i < files->len; i++)
    {
      g_autofree char *digest = seen_digest (import->seen, g_ptr_array_index (files, i));
      gboolean row = FALSE;

      if (digest)
        {
          statement_bind (statement, "ti", digest, (gint64) CULPRIT_READ_VERSION);
          if (!statement_step (import->study, statement, &row, error))
            return NULL;
          sqlite3_reset (statement);
        }
      if (row)
        report_known (g_ptr_array_index (files, i), 1, import->tally);
      else
        g_ptr_array_add (unknown, g_ptr_array_index (files, i));
    }
  return statement ? g_steal_pointer (&unknown) : NULL;
}

/* FALSE if there is no point in continuing. */
static gboolean
import_all (Import *import, const GPtrArray *files, CulpritImportProgress progress, gpointer data, GError **error)
{
  CulpritCaptureOptions capture_options;
  g_autoptr (GPtrArray) unknown = find_unknown (import, files, error);
  g_autoptr (GHashTable) sizes = NULL;
  g_autoptr (ReadAhead) ahead = NULL;

  if (!unknown || !import_prepare (import->study, import->options, &capture_options, error))
    {
      report_unread (files, 0, import->tally);
      return FALSE;
    }
  sizes = capture_options.sha256_sizes;
  import->capture_options = &capture_options;
  ahead = read_ahead_new (unknown, &capture_options, import->cancellable);
  for (guint i = 0; i < unknown->len; i++)
    {
      const char *path = g_ptr_array_index (unknown, i);
      GError *problem = NULL;
      CulpritCapture *capture;

      progress (files->len - unknown->len + i + 1, files->len, path, data);
      capture = read_ahead_next (ahead, &problem);
      if (import_one (import, path, capture, problem, error))
        continue;
      report_unread (unknown, i, import->tally);
      return FALSE;
    }
  return TRUE;
}

gboolean
culprit_import_files (const char *study_path,
                      const GPtrArray *files,
                      const CulpritImportOptions *options,
                      gint64 unit_ns,
                      GCancellable *cancellable,
                      CulpritImportProgress progress,
                      gpointer data,
                      CulpritImportTally *tally,
                      GError **error)
{
  g_autoptr (Seen) seen = seen_open ();
  Import import = { .study_path = study_path,
                    .options = options,
                    .unit_ns = unit_ns,
                    .cancellable = cancellable,
                    .tally = tally,
                    .seen = seen };
  gboolean ready = !g_file_test (study_path, G_FILE_TEST_EXISTS) || need_study (&import, error);
  gboolean whole = ready && import_all (&import, files, progress, data, error);

  if (!ready)
    report_unread (files, 0, tally);
  if (!whole && error && tally->unread->len > 0)
    tell_unread (tally, *error);
  g_clear_pointer (&import.study, culprit_study_close);
  return whole;
}
