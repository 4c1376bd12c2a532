/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a capture and stores it. */
#include "import-private.h"
#include "import-rows-private.h"
#include "seeded-hash.h"
#include "statement-private.h"
#include "units.h"

#include "capture/digest.h"

void
culprit_import_result_clear (CulpritImportResult *result)
{
  g_clear_pointer (&result->no_windows, g_free);
  g_clear_pointer (&result->warning, g_free);
}

char *
culprit_import_warning (const CulpritImportResult *result)
{
  const char *more = result->warning;

  if (result->no_windows)
    return g_strdup_printf ("stored without windows: %s%s%s", result->no_windows, more ? "; " : "", more ? more : "");
  return g_strdup (more);
}

gboolean
import_is_over (const GError *problem)
{
  return g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
         g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN) ||
         g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE) ||
         g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_BUSY);
}

static CulpritRemedy
larger_buffer (const CulpritCycles *log)
{
  if (!log)
    return (CulpritRemedy) { CULPRIT_REMEDY_LARGER_BUFFER_OF_TRACE_CMD };
  return (CulpritRemedy) { CULPRIT_REMEDY_LARGER_BUFFER, log->needed_kb };
}

static void
describe (const CulpritCapture *capture, CulpritImportResult *result)
{
  const CulpritWindow *outlier = culprit_capture_outlier (capture);
  g_autofree char *missing = NULL;

  missing = culprit_coverage_in_words (capture->coverage.depth, capture->coverage.functions,
                                       capture->coverage.interrupts == 0);
  result->latency_ns = outlier ? culprit_window_latency_ns (outlier) : 0;
  result->ordinary_windows = capture->windows->len - (outlier ? 1 : 0);
  result->no_windows = g_strdup (capture->no_windows);
  if (culprit_capture_is_unnamed (capture))
    result->warning = g_strdup ("its kernel symbols are hidden, so functions have no names; record as root with "
                                "kernel.kptr_restrict set to 0 or 1");
  else if (capture->folded_calls > 0)
    result->warning = g_strdup_printf ("%" G_GUINT64_FORMAT " calls came by more paths than are told apart; they are "
                                       "known by function only",
                                       capture->folded_calls);
  else if (missing)
    result->warning = g_strdup_printf (
        "not traced: %s; their time counts for their caller, or for the task or idle CPU they interrupted", missing);
  else if (outlier && outlier->not_captured_ns > 0)
    {
      g_autofree char *not_captured = culprit_time_format (outlier->not_captured_ns);

      result->warning = g_strdup_printf ("%s of the outlier was not captured", not_captured);
      result->remedy = larger_buffer (capture->cycles);
    }
  else if (outlier && result->ordinary_windows == 0)
    {
      result->warning = g_strdup ("no ordinary windows to compare with");
      result->remedy =
          capture->period_ns == 0 ? (CulpritRemedy) { CULPRIT_REMEDY_GIVE_PERIOD } : larger_buffer (capture->cycles);
    }
}

/* The period from other captures of the run, for one that has too few cycles: that with the smallest error. */
static gboolean
find_others_period (CulpritStudy *study,
                    const char *path,
                    const CulpritImportOptions *options,
                    CulpritCaptureOptions *capture_options,
                    GError **error)
{
  g_autofree char *run = rows_run_name (path, options->run);
  g_autoptr (Statement) statement =
      statement_new (study,
                     "SELECT capture.period_ns, period_error_ns "
                     "FROM capture JOIN run USING (run_id) "
                     "WHERE run.name = ? AND capture.period_ns > 0 AND period_error_ns >= 0 "
                     "ORDER BY period_error_ns LIMIT 1",
                     error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "t", run);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    {
      capture_options->others_period_ns = sqlite3_column_int64 (statement, 0);
      capture_options->others_period_error_ns = sqlite3_column_int64 (statement, 1);
    }
  return TRUE;
}

/* The sizes of captures whose digest is of an older kind. */
static gboolean
find_sizes (CulpritStudy *study, GHashTable *sizes, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study, "SELECT DISTINCT size_bytes FROM capture WHERE sha256 NOT LIKE '%" CULPRIT_DIGEST_KIND "'", error);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return FALSE;
      if (row)
        g_hash_table_add (sizes, GSIZE_TO_POINTER (sqlite3_column_int64 (statement, 0)));
    }
  return statement != NULL;
}

gboolean
import_prepare (CulpritStudy *study,
                const CulpritImportOptions *options,
                CulpritCaptureOptions *capture_options,
                GError **error)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new (culprit_hash_direct, NULL);

  if (study && !find_sizes (study, sizes, error))
    return FALSE;
  *capture_options =
      (CulpritCaptureOptions) { .period_ns = options->period_ns, .sha256_sizes = g_steal_pointer (&sizes) };
  return TRUE;
}

/* Reads a capture again if it has a marker, its period cannot be inferred, and other captures of its run have one. */
static gboolean
read_with_others (CulpritStudy *study,
                  const char *path,
                  const CulpritImportOptions *options,
                  const CulpritCaptureOptions *capture_options,
                  GCancellable *cancellable,
                  CulpritCapture **capture,
                  GError **error)
{
  CulpritCaptureOptions with_others = *capture_options;

  if (options->alone || (*capture)->cycles || (*capture)->windows->len == 0 || (*capture)->period_ns > 0)
    return TRUE;
  if (!find_others_period (study, path, options, &with_others, error))
    return FALSE;
  if (with_others.others_period_ns == 0)
    return TRUE;
  culprit_capture_free (*capture);
  *capture = culprit_capture_read (path, &with_others, cancellable, error);
  return *capture != NULL;
}

gboolean
import_store (CulpritStudy *study,
              const char *path,
              CulpritCapture *capture,
              const CulpritImportOptions *options,
              const CulpritCaptureOptions *capture_options,
              GCancellable *cancellable,
              CulpritImportResult *result,
              GError **error)
{
  g_autoptr (CulpritCapture) read = capture;
  g_autofree gint64 *function_ids = NULL;
  Import import = { .study = study, .path = path };

  if (!read_with_others (study, path, options, capture_options, cancellable, &read, error) ||
      !study_begin (study, error))
    return FALSE;
  import.capture = read;
  import.function_ids = function_ids = g_new0 (gint64, read->functions->len);
  if (!rows_store (&import, options, result, error) || !study_commit (study, error))
    {
      study_roll_back (study);
      return FALSE;
    }
  describe (read, result);
  return TRUE;
}

gboolean
culprit_study_import (CulpritStudy *study,
                      const char *path,
                      const CulpritImportOptions *options,
                      GCancellable *cancellable,
                      CulpritImportResult *result,
                      GError **error)
{
  g_autoptr (GHashTable) sizes = NULL;
  CulpritCaptureOptions capture_options;
  CulpritCapture *capture;

  *result = (CulpritImportResult) { 0 };
  if (!import_prepare (study, options, &capture_options, error))
    return FALSE;
  sizes = capture_options.sha256_sizes;
  capture = culprit_capture_read (path, &capture_options, cancellable, error);
  return capture && import_store (study, path, capture, options, &capture_options, cancellable, result, error);
}
