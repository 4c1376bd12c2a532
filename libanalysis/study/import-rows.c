/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores everything about a capture, table by table. */
#include "import-rows-private.h"

#include "statement-private.h"

#include <string.h>

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
      "steal_ns, delays, read_version, period_error_ns, graph_depth, graph_functions, interrupts_traced) "
      "VALUES (NULLIF (?, 0), ?, ?, ?, ?, ?, datetime (), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULLIF (?, 0), "
      "NULLIF (?, 0), ?, ?, NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), ?, ?, "
      "NULLIF (?, -1), NULLIF (?, 0), ?, NULLIF (?, -1))",
      "iiittuittuuuuuuuuutuuttiiiitiiuti", import->capture_id, run, host, file, c->digest, c->size_bytes,
      (gint64) c->file_version, c->instance, c->clock, (guint64) c->cpus->len, c->first_ns, c->last_ns, c->events,
      c->function_events, c->lost_events, c->overwritten_events, c->truncated_calls, ordinary, c->marker, c->trigger_ns,
      c->period_ns, period_source (c), c->no_windows, log ? (gint64) log->hit_cycle : -1,
      log ? (gint64) log->needed_kb : -1, log ? log->smi_count : -1, log ? log->steal_ns : -1, log ? log->delays : NULL,
      (gint64) CULPRIT_READ_VERSION, c->period_error_ns, (guint64) c->coverage.depth, c->coverage.functions,
      (gint64) c->coverage.interrupts);
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

static gboolean
store_windows (Import *import, GError **error)
{
  const CulpritCapture *capture = import->capture;
  g_autoptr (Statement) statement =
      statement_new (import->study,
                     "INSERT INTO window (capture_id, kind, cpu, pid, comm, start_ns, end_ns, latency_ns, "
                     "tracing_ns, not_captured_ns, uncertain_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     error);

  for (guint i = 0; statement && i < capture->windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (capture->windows, CulpritWindow, i);

      statement_bind (statement, "ituituuuuuu", import->capture_id, window->outlier ? "outlier" : "ordinary",
                      (guint64) window->cpu, (gint64) window->pid, capture->comm ? capture->comm : "", window->start_ns,
                      window->end_ns, culprit_window_latency_ns (window), window->tracing_ns, window->not_captured_ns,
                      window->uncertain_ns);
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
      statement_new (import->study, "INSERT INTO outlier_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->costs->len; i++)
    {
      const CulpritCost *cost = &g_array_index (import->capture->costs, CulpritCost, i);

      statement_bind (statement, "iituuuuuut", import->outlier_id, import->function_ids[cost->function],
                      culprit_context_name (cost->context), cost->calls, cost->self_ns, cost->tracing_ns,
                      cost->total_ns, cost->longest_stretch_ns, cost->truncated, cost->path);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_ordinary_costs (Import *import, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      import->study, "INSERT INTO ordinary_cost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->ordinary->len; i++)
    {
      const CulpritOrdinaryCost *cost = &g_array_index (import->capture->ordinary, CulpritOrdinaryCost, i);
      g_autoptr (GByteArray) untraced = culprit_spread_pack (&cost->untraced_ns);
      g_autoptr (GByteArray) calls = culprit_spread_pack (&cost->calls_made);
      g_autoptr (GByteArray) stretches = culprit_spread_pack (&cost->stretch_ns);

      statement_bind (statement, "iituururrurruuubbb", import->capture_id, import->function_ids[cost->function],
                      culprit_context_name (cost->context), cost->windows, cost->calls, cost->calls_squared,
                      cost->self_ns, cost->self_squared, cost->self_latency, cost->tracing_ns, cost->intrinsic_squared,
                      cost->intrinsic_untraced, cost->untraced_ns.max, cost->calls_made.max, cost->stretch_ns.max,
                      untraced, calls, stretches);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

/* Tasks with the same command are one source. */
static gboolean
store_outlier_sources (Import *import, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study,
                     "INSERT INTO outlier_source VALUES (?, ?, ?, ?, ?, ?, NULLIF (?, -1)) ON CONFLICT DO UPDATE SET "
                     "self_ns = self_ns + excluded.self_ns, tracing_ns = tracing_ns + excluded.tracing_ns",
                     error);

  for (guint i = 0; statement && i < import->capture->sources->len; i++)
    {
      const CulpritSource *source = &g_array_index (import->capture->sources, CulpritSource, i);

      statement_bind (statement, "ittuuti", import->outlier_id, culprit_context_name (source->context), source->name,
                      source->self_ns, source->tracing_ns, source->path, (gint64) source->priority);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const CulpritSource *left = *(CulpritSource *const *) a;
  const CulpritSource *right = *(CulpritSource *const *) b;

  return left->context != right->context ? (int) left->context - (int) right->context
                                         : strcmp (left->name, right->name);
}

/* The sources, sorted so that those with the same name and context follow each other. */
static GPtrArray *
sort_by_name (const GArray *sources)
{
  GPtrArray *sorted = g_ptr_array_new ();

  for (guint i = 0; i < sources->len; i++)
    g_ptr_array_add (sorted, &g_array_index (sources, CulpritSource, i));
  g_ptr_array_sort (sorted, compare_names);
  return sorted;
}

/* Adds up the sources from @first on that have the same name and context into @sum. Returns the index of the first of
 * the others. */
static guint
add_up_sources (const GPtrArray *sorted, guint first, CulpritSource *sum)
{
  const CulpritSource *named = g_ptr_array_index (sorted, first);
  guint i;

  *sum = (CulpritSource) { .context = named->context, .name = named->name };
  for (i = first; i < sorted->len && compare_names (&g_ptr_array_index (sorted, i), &named) == 0; i++)
    {
      const CulpritSource *source = g_ptr_array_index (sorted, i);

      sum->windows += source->windows;
      sum->self_ns += source->self_ns;
      sum->tracing_ns += source->tracing_ns;
      culprit_spread_merge (&sum->untraced_ns, &source->untraced_ns);
    }
  return i;
}

static gboolean
store_ordinary_sources (Import *import, GError **error)
{
  g_autoptr (GPtrArray) sorted = sort_by_name (import->capture->ordinary_sources);
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO ordinary_source VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < sorted->len;)
    {
      g_autoptr (GByteArray) untraced = NULL;
      CulpritSource sum;

      i = add_up_sources (sorted, i, &sum);
      untraced = culprit_spread_pack (&sum.untraced_ns);
      statement_bind (statement, "ittuuuub", import->capture_id, culprit_context_name (sum.context), sum.name,
                      sum.windows, sum.self_ns, sum.tracing_ns, sum.untraced_ns.max, untraced);
      culprit_spread_clear (&sum.untraced_ns);
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
  return study_run (import->study, NULL, error, "INSERT INTO stall VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iuuutiuutt",
                    import->outlier_id, (guint64) outlier->cpu, stall->start_ns, stall->length_ns,
                    culprit_context_name (stall->context), import->function_ids[stall->function],
                    (guint64) stall->other_cpus, (guint64) stall->silent_cpus, stall->before, stall->after);
}

static gboolean
store_all (Import *import, const CulpritImportOptions *options, GError **error)
{
  return store_capture_row (import, options, error) && store_cpus (import, error) &&
         store_event_counts (import, error) && store_functions (import, error) && store_function_sums (import, error) &&
         store_windows (import, error) && store_outlier_costs (import, error) && store_ordinary_costs (import, error) &&
         store_outlier_sources (import, error) && store_ordinary_sources (import, error) && store_stall (import, error);
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
