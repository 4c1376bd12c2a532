/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores a capture's facts as rows. The file's digest is computed beside the reading, on another processor. */
#include "import.h"

#include "capture/capture.h"
#include "digest-private.h"
#include "statement-private.h"

#include <string.h>

typedef struct
{
  CulpritStudy *study;
  const CulpritCapture *capture;
  const CulpritCycles *cycles; /* the capture's log, or NULL */
  const char *path;
  const char *digest;
  gint64 capture_id;
  gint64 outlier_id;
  gint64 *function_ids; /* by the capture's function; 0: not looked up yet */
} Import;

typedef struct
{
  const char *path;
  GCancellable *cancellable;
  GError *error;
} DigestJob;

void
culprit_import_result_clear (CulpritImportResult *result)
{
  g_clear_pointer (&result->no_windows, g_free);
  g_clear_pointer (&result->warning, g_free);
}

/* The number that @sql, with its text values, finds. 0: none. */
static gboolean
find_id (CulpritStudy *study, gint64 *id, GError **error, const char *sql, const char *a, const char *b, const char *c)
{
  g_autoptr (Statement) statement = statement_new (study, sql, error);
  const char *values[] = { a, b, c };
  gboolean row;

  if (!statement)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (values) && values[i]; i++)
    sqlite3_bind_text (statement, i + 1, values[i], -1, SQLITE_TRANSIENT);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *id = row ? sqlite3_column_int64 (statement, 0) : 0;
  return TRUE;
}

static gboolean
store_host (Import *import, gint64 *host, GError **error)
{
  const CulpritCapture *capture = import->capture;

  return study_insert (import->study, NULL, error,
                       "INSERT INTO host (name, kernel, machine) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "ttt",
                       capture->host, capture->kernel, capture->machine) &&
         find_id (import->study, host, error, "SELECT host_id FROM host WHERE name = ? AND kernel = ? AND machine = ?",
                  capture->host, capture->kernel, capture->machine);
}

static gboolean
store_run (Import *import, const char *name, gint64 *run, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (import->path);
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  g_autofree char *base = g_path_get_basename (absolute);
  g_autofree char *valid = g_utf8_make_valid (name ? name : base, -1);

  return study_insert (import->study, NULL, error,
                       "INSERT INTO run (name, source, tracing) VALUES (?, 'captures', 'on') "
                       "ON CONFLICT DO NOTHING",
                       "t", valid) &&
         find_id (import->study, run, error, "SELECT run_id FROM run WHERE name = ?", valid, NULL, NULL);
}

/* How the study names the file: relative to its own folder where it lies below that, so that both may move together. */
static char *
file_name_in_study (const CulpritStudy *study, const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *study_path = g_canonicalize_filename (study->path, NULL);
  g_autofree char *folder = g_path_get_dirname (study_path);
  gsize length = strlen (folder);

  if (g_str_has_prefix (absolute, folder) && absolute[length] == '/')
    return g_utf8_make_valid (absolute + length + 1, -1);
  return g_utf8_make_valid (absolute, -1);
}

static const char *
period_source (const CulpritCapture *capture)
{
  if (capture->period_ns == 0)
    return NULL;
  return capture->recorded ? "recorded" : capture->period_given ? "given" : "inferred";
}

static gboolean
store_capture_row (Import *import, const CulpritImportOptions *options, GError **error)
{
  const CulpritCapture *c = import->capture;
  const CulpritCycles *log = import->cycles;
  g_autofree char *file = file_name_in_study (import->study, import->path);
  guint64 ordinary = c->windows->len - (culprit_capture_outlier (c) ? 1 : 0);
  gint64 host;
  gint64 run;

  if (!store_host (import, &host, error) || !store_run (import, options->run, &run, error))
    return FALSE;
  return study_insert (
      import->study, &import->capture_id, error,
      "INSERT INTO capture (run_id, host_id, file, sha256, size_bytes, imported_utc, file_version, instance, clock, "
      "cpus, first_ns, last_ns, events, function_events, lost_events, overwritten_events, truncated_calls, "
      "ordinary_windows, marker, trigger_ns, period_ns, period_source, no_windows, hit_cycle, needed_kb, smi_count, "
      "steal_ns, "
      "delays) VALUES (?, ?, ?, ?, ?, datetime (), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULLIF (?, 0), "
      "NULLIF (?, 0), ?, ?, NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), ?)",
      "iittuittuuuuuuuuutuuttiiiit", run, host, file, import->digest, c->size_bytes, (gint64) c->file_version,
      c->instance, c->clock, (guint64) c->cpus->len, c->first_ns, c->last_ns, c->events, c->function_events,
      c->lost_events, c->overwritten_events, c->truncated_calls, ordinary, c->marker, c->trigger_ns, c->period_ns,
      period_source (c), c->no_windows, log ? (gint64) log->hit_cycle : -1, log ? (gint64) log->needed_kb : -1,
      log ? log->smi_count : -1, log ? log->steal_ns : -1, log ? log->delays : NULL);
}

static gboolean
store_cpus (Import *import, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO capture_cpu VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->cpus->len; i++)
    {
      const CulpritCpu *cpu = &g_array_index (import->capture->cpus, CulpritCpu, i);

      statement_bind (statement, "iuuuuuuuuuuu", import->capture_id, (guint64) cpu->cpu, cpu->events, cpu->first_ns,
                      cpu->last_ns, cpu->losses, cpu->lost_events, cpu->overwritten_events, cpu->floors_ns[0],
                      cpu->floors_ns[1], cpu->floors_ns[2], cpu->floors_ns[3]);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_event_counts (Import *import, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      import->study,
      "INSERT INTO capture_event VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count", error);

  for (guint i = 0; statement && i < import->capture->event_counts->len; i++)
    {
      const CulpritEventCount *count = &g_array_index (import->capture->event_counts, CulpritEventCount, i);

      statement_bind (statement, "itu", import->capture_id, count->event, count->count);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

/* Numbers all functions that the capture's rows speak of. */
static gboolean
store_functions (Import *import, GError **error)
{
  const GArray *functions = import->capture->functions;
  g_autoptr (Statement) find = statement_new (
      import->study, "SELECT function_id FROM function WHERE name = ? AND module = ? AND ordinal = ?", error);
  g_autoptr (Statement) add =
      find ? statement_new (import->study, "INSERT INTO function (name, module, ordinal) VALUES (?, ?, ?)", error)
           : NULL;

  for (guint i = 0; add && i < functions->len; i++)
    {
      const CulpritFunction *function = &g_array_index (functions, CulpritFunction, i);
      gboolean row;

      statement_bind (find, "ttu", function->name, function->module, (guint64) function->ordinal);
      if (!statement_step (import->study, find, &row, error))
        return FALSE;
      import->function_ids[i] = row ? sqlite3_column_int64 (find, 0) : 0;
      sqlite3_reset (find);
      if (row)
        continue;
      statement_bind (add, "ttu", function->name, function->module, (guint64) function->ordinal);
      if (!statement_run (import->study, add, error))
        return FALSE;
      import->function_ids[i] = sqlite3_last_insert_rowid (import->study->database);
    }
  return add != NULL;
}

static gboolean
store_function_sums (Import *import, GError **error)
{
  const GArray *functions = import->capture->functions;
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO capture_function VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = CULPRIT_FUNCTION_PSEUDO; statement && i < functions->len; i++)
    {
      const CulpritFunction *f = &g_array_index (functions, CulpritFunction, i);

      statement_bind (statement, "iiuuuuuu", import->capture_id, import->function_ids[i], f->calls, f->self_ns,
                      f->tracing_ns, f->total_ns, f->off_cpu_ns, f->truncated);
      if (f->calls > 0 && !statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_windows (Import *import, GError **error)
{
  const CulpritCapture *capture = import->capture;
  g_autoptr (Statement) statement =
      statement_new (import->study,
                     "INSERT INTO window (capture_id, kind, cpu, pid, comm, start_ns, end_ns, latency_ns, "
                     "tracing_ns, not_captured_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     error);

  for (guint i = 0; statement && i < capture->windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (capture->windows, CulpritWindow, i);

      statement_bind (statement, "ituituuuuu", import->capture_id, window->outlier ? "outlier" : "ordinary",
                      (guint64) window->cpu, (gint64) window->pid, capture->comm ? capture->comm : "", window->start_ns,
                      window->end_ns, culprit_window_latency_ns (window), window->tracing_ns, window->not_captured_ns);
      if (!statement_run (import->study, statement, error))
        return FALSE;
      if (window->outlier)
        import->outlier_id = sqlite3_last_insert_rowid (import->study->database);
    }
  return statement != NULL;
}

static gboolean
store_outlier_costs (Import *import, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO outlier_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->costs->len; i++)
    {
      const CulpritCost *cost = &g_array_index (import->capture->costs, CulpritCost, i);

      statement_bind (statement, "iituuuuuu", import->outlier_id, import->function_ids[cost->function],
                      culprit_context_name (cost->context), cost->calls, cost->self_ns, cost->tracing_ns,
                      cost->total_ns, cost->longest_stretch_ns, cost->truncated);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_ordinary_costs (Import *import, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO ordinary_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->ordinary->len; i++)
    {
      const CulpritOrdinaryCost *cost = &g_array_index (import->capture->ordinary, CulpritOrdinaryCost, i);

      statement_bind (statement, "iituururrurru", import->capture_id, import->function_ids[cost->function],
                      culprit_context_name (cost->context), cost->windows, cost->calls, cost->calls_squared,
                      cost->self_ns, cost->self_squared, cost->self_latency, cost->tracing_ns, cost->intrinsic_squared,
                      cost->intrinsic_untraced, cost->longest_stretch_ns);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_stall (Import *import, GError **error)
{
  const CulpritStall *stall = &import->capture->stall;
  const CulpritWindow *outlier = culprit_capture_outlier (import->capture);

  if (stall->length_ns == 0)
    return TRUE;
  return study_insert (import->study, NULL, error, "INSERT INTO stall VALUES (?, ?, ?, ?, ?, ?)", "iuuuti",
                       import->outlier_id, (guint64) outlier->cpu, stall->start_ns, stall->length_ns,
                       culprit_context_name (stall->context), import->function_ids[stall->function]);
}

/* Everything, inside a transaction. */
static gboolean
store (Import *import, const CulpritImportOptions *options, CulpritImportResult *result, GError **error)
{
  if (!find_id (import->study, &result->capture, error, "SELECT capture_id FROM capture WHERE sha256 = ?",
                import->digest, NULL, NULL))
    return FALSE;
  if (result->capture != 0)
    {
      result->outcome = CULPRIT_IMPORT_KNOWN;
      return TRUE;
    }
  if (!store_capture_row (import, options, error) || !store_cpus (import, error) ||
      !store_event_counts (import, error) || !store_functions (import, error) || !store_function_sums (import, error) ||
      !store_windows (import, error) || !store_outlier_costs (import, error) || !store_ordinary_costs (import, error) ||
      !store_stall (import, error))
    return FALSE;
  result->outcome = CULPRIT_IMPORT_STORED;
  result->capture = import->capture_id;
  return TRUE;
}

/* How to record with a larger buffer. The caller owns the result. */
static char *
buffer_option (const CulpritCycles *log)
{
  if (!log)
    return g_strdup ("trace-cmd -b");
  return log->needed_kb > 0 ? g_strdup_printf ("--buffer %" G_GUINT64_FORMAT, log->needed_kb) : g_strdup ("--buffer");
}

static void
describe (const CulpritCapture *capture, const CulpritCycles *log, CulpritImportResult *result)
{
  const CulpritWindow *outlier = culprit_capture_outlier (capture);
  g_autofree char *buffer = buffer_option (log);

  result->latency_ns = outlier ? culprit_window_latency_ns (outlier) : 0;
  result->ordinary_windows = capture->windows->len - (outlier ? 1 : 0);
  result->no_windows = g_strdup (capture->no_windows);
  if (culprit_capture_is_unnamed (capture))
    result->warning = g_strdup ("its kernel symbols are hidden, so functions have no names; "
                                "record as root with kernel.kptr_restrict at 0 or 1");
  else if (outlier && outlier->not_captured_ns > 0)
    result->warning =
        g_strdup_printf ("%" G_GUINT64_FORMAT " us of the outlier were not captured; record with a larger "
                         "buffer (%s)",
                         outlier->not_captured_ns / 1000, buffer);
  else if (outlier && result->ordinary_windows == 0)
    result->warning =
        capture->period_ns == 0
            ? g_strdup ("no ordinary windows to compare with; give the task's period with --period")
            : g_strdup_printf ("no ordinary windows to compare with; record with a larger buffer (%s)", buffer);
}

static gpointer
run_digest (gpointer data)
{
  DigestJob *job = data;

  return digest_file (job->path, job->cancellable, &job->error);
}

/* Reads the capture, and its digest at the same time. */
static CulpritCapture *
read_capture (
    const char *path, const CulpritCaptureOptions *options, GCancellable *cancellable, char **digest, GError **error)
{
  g_autoptr (GCancellable) needless = g_cancellable_new ();
  DigestJob job = { path, needless, NULL };
  GThread *thread = g_thread_new ("culprit-digest", run_digest, &job);
  g_autoptr (CulpritCapture) capture = culprit_capture_read (path, options, cancellable, error);

  if (!capture)
    g_cancellable_cancel (needless);
  *digest = g_thread_join (thread);
  if (*digest && capture)
    return g_steal_pointer (&capture);
  if (!capture)
    g_clear_error (&job.error);
  else
    g_propagate_error (error, job.error);
  return NULL;
}

gboolean
culprit_study_import (CulpritStudy *study,
                      const char *path,
                      const CulpritImportOptions *options,
                      GCancellable *cancellable,
                      CulpritImportResult *result,
                      GError **error)
{
  g_autofree char *digest = NULL;
  g_autofree char *log_path = culprit_cycles_path (path);
  g_autofree gint64 *function_ids = NULL;
  g_autoptr (CulpritCapture) capture = NULL;
  g_autoptr (CulpritCycles) cycles = NULL;
  GError *problem = NULL;
  Import import = { .study = study, .path = path };

  *result = (CulpritImportResult) { 0 };
  cycles = culprit_cycles_read (log_path, &problem);
  if (problem)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  capture = read_capture (path, &(CulpritCaptureOptions) { options->period_ns, cycles }, cancellable, &digest, error);
  if (!capture || !study_begin (study, error))
    return FALSE;
  import.capture = capture;
  import.cycles = cycles;
  import.digest = digest;
  import.function_ids = function_ids = g_new0 (gint64, capture->functions->len);
  if (!store (&import, options, result, error) || !study_commit (study, error))
    {
      study_roll_back (study);
      return FALSE;
    }
  describe (capture, cycles, result);
  return TRUE;
}
