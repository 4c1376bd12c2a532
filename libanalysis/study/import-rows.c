/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores a capture, table by table: what it is, and its sums over all time. What its windows contain: import-windows.c.
 */
#include "import-rows-private.h"

#include "statement-private.h"

/* The number that @sql finds with its text values. 0: none. */
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

  return study_run (import->study, NULL, error,
                    "INSERT INTO host (name, kernel, machine) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "ttt",
                    capture->host, capture->kernel, capture->machine) &&
         find_id (import->study, host, error, "SELECT host_id FROM host WHERE name = ? AND kernel = ? AND machine = ?",
                  capture->host, capture->kernel, capture->machine);
}

char *
rows_run_name (const char *path, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  g_autofree char *base = g_path_get_basename (absolute);

  return g_utf8_make_valid (name ? name : base, -1);
}

static gboolean
store_run (Import *import, const char *name, gint64 *run, GError **error)
{
  g_autofree char *valid = rows_run_name (import->path, name);

  return study_run (import->study, NULL, error,
                    "INSERT INTO run (name, source, tracing) VALUES (?, 'captures', 'on') "
                    "ON CONFLICT DO NOTHING",
                    "t", valid) &&
         find_id (import->study, run, error, "SELECT run_id FROM run WHERE name = ?", valid, NULL, NULL);
}

char *
rows_file_name (const CulpritStudy *study, const char *path)
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
  return capture->cycles ? "recorded" : capture->period_given ? "given" : "inferred";
}

static gboolean
store_capture_row (Import *import, const CulpritImportOptions *options, GError **error)
{
  const CulpritCapture *c = import->capture;
  const CulpritCycles *log = c->cycles;
  g_autofree char *file = rows_file_name (import->study, import->path);
  guint64 ordinary = c->windows->len - (culprit_capture_outlier (c) ? 1 : 0);
  gint64 host;
  gint64 run;

  if (!store_host (import, &host, error) || !store_run (import, options->run, &run, error))
    return FALSE;
  return study_run (
      import->study, &import->capture_id, error,
      "INSERT INTO capture (capture_id, run_id, host_id, file, sha256, size_bytes, imported_utc, file_version, "
      "instance, clock, "
      "cpus, first_ns, last_ns, events, function_events, lost_events, overwritten_events, truncated_calls, "
      "ordinary_windows, marker, trigger_ns, period_ns, period_source, no_windows, hit_cycle, needed_kb, smi_count, "
      "steal_ns, delays, read_version, period_error_ns, graph_depth, graph_functions, interrupts_traced, folded_calls) "
      "VALUES (NULLIF (?, 0), ?, ?, ?, ?, ?, datetime (), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULLIF (?, 0), "
      "NULLIF (?, 0), ?, ?, NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), ?, ?, "
      "NULLIF (?, -1), NULLIF (?, 0), ?, NULLIF (?, -1), ?)",
      "iiittuittuuuuuuuuutuuttiiiitiiutiu", import->capture_id, run, host, file, c->digest, c->size_bytes,
      (gint64) c->file_version, c->instance, c->clock, (guint64) c->cpus->len, c->first_ns, c->last_ns, c->events,
      c->function_events, c->lost_events, c->overwritten_events, c->truncated_calls, ordinary, c->marker, c->trigger_ns,
      c->period_ns, period_source (c), c->no_windows, log ? (gint64) log->hit_cycle : -1,
      log ? (gint64) log->needed_kb : -1, log ? log->smi_count : -1, log ? log->steal_ns : -1, log ? log->delays : NULL,
      (gint64) CULPRIT_READ_VERSION, c->period_error_ns, (guint64) c->coverage.depth, c->coverage.functions,
      (gint64) c->coverage.interrupts, c->folded_calls);
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

/* Assigns numbers to all functions used in the capture's rows. */
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

/* Of a function, in the capture or in its windows, which are a part of it. */
static guint64
largest_sum (const CulpritCapture *capture)
{
  guint64 largest = 0;

  for (guint i = 0; i < capture->functions->len; i++)
    {
      const CulpritFunction *f = &g_array_index (capture->functions, CulpritFunction, i);

      largest = MAX (largest, MAX (MAX (f->calls, f->self_ns), MAX (f->total_ns, f->off_cpu_ns)));
    }
  return largest;
}

static gboolean
store_all (Import *import, const CulpritImportOptions *options, GError **error)
{
  return store_capture_row (import, options, error) && store_cpus (import, error) &&
         store_event_counts (import, error) && store_functions (import, error) && store_function_sums (import, error) &&
         rows_store_windows (import, error) &&
         study_run (import->study, NULL, error, "UPDATE capture SET complete = 1 WHERE capture_id = ?", "i",
                    import->capture_id) &&
         study_check_sums (import->study, largest_sum (import->capture), error);
}

/* Replaces a capture that an older version read, keeping its run and number, and the user's triage and note. */
static gboolean
store_again (Import *import, const CulpritImportOptions *options, GError **error)
{
  g_autoptr (Statement) kept = statement_new (import->study,
                                              "SELECT name, imported_utc, triage, note FROM capture "
                                              "JOIN run USING (run_id) WHERE capture_id = ?",
                                              error);
  CulpritImportOptions same_run = *options;
  gboolean row;

  if (!kept)
    return FALSE;
  statement_bind (kept, "i", import->capture_id);
  if (!statement_step (import->study, kept, &row, error))
    return FALSE;
  same_run.run = statement_text (kept, 0);
  return study_run (import->study, NULL, error, "DELETE FROM capture WHERE capture_id = ?", "i", import->capture_id) &&
         store_all (import, &same_run, error) &&
         study_run (import->study, NULL, error,
                    "UPDATE capture SET imported_utc = ?, triage = ?, note = ? WHERE capture_id = ?", "ttti",
                    statement_text (kept, 1), statement_text (kept, 2), statement_text (kept, 3), import->capture_id);
}

/* Finds the capture in the study by either digest. @version: that of the study by which it was read. */
static gboolean
find_known (Import *import, gint64 *version, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study, "SELECT capture_id, read_version FROM capture WHERE sha256 IN (?, ?)", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "tt", import->capture->digest, import->capture->sha256);
  if (!statement_step (import->study, statement, &row, error))
    return FALSE;
  import->capture_id = row ? sqlite3_column_int64 (statement, 0) : 0;
  *version = row ? sqlite3_column_int64 (statement, 1) : 0;
  return TRUE;
}

gboolean
rows_store (Import *import, const CulpritImportOptions *options, CulpritImportResult *result, GError **error)
{
  gint64 version;
  gboolean known;

  if (!find_known (import, &version, error))
    return FALSE;
  known = import->capture_id != 0;
  if (known && version >= CULPRIT_READ_VERSION)
    result->outcome = CULPRIT_IMPORT_KNOWN;
  else if (!(known ? store_again (import, options, error) : store_all (import, options, error)))
    return FALSE;
  else
    result->outcome = known ? CULPRIT_IMPORT_AGAIN : CULPRIT_IMPORT_STORED;
  result->capture = import->capture_id;
  return TRUE;
}
