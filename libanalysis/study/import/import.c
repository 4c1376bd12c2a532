/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a capture and stores it, table by table. */
#include "import.h"

#include "capture/capture.h"
#include "import-private.h"
#include "seeded-hash.h"
#include "study/query.h"
#include "study/runs.h"
#include "study/statement-private.h"
#include "units.h"

typedef struct
{
  CulpritStudy *study;
  const CulpritCapture *capture;
  const char *path;
  gint64 capture_id;
  gboolean told; /* what is stored of it was told by a log */
  gint64 outlier_id;
  gint64 *function_ids; /* by the capture's function; 0: not looked up yet */
} Import;

/* Stores the windows of a capture, and what was called in them. */

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

      statement_bind (statement, "ituiluuuuuu", import->capture_id, window->outlier ? "outlier" : "ordinary",
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

/* What finds and adds nodes of the study. */
typedef struct
{
  Import *import;
  gint64 *ids; /* by the capture's node; 0: not looked up yet */
  Statement *find_source;
  Statement *find_below;
  Statement *add;
} NodeStore;

static void
node_store_clear (NodeStore *store)
{
  g_free (store->ids);
  g_clear_pointer (&store->find_source, statement_free);
  g_clear_pointer (&store->find_below, statement_free);
  g_clear_pointer (&store->add, statement_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (NodeStore, node_store_clear)

static gboolean
node_store_init (NodeStore *store, Import *import, GError **error)
{
  CulpritStudy *study = import->study;

  *store = (NodeStore) { .import = import, .ids = g_new0 (gint64, import->capture->nodes->len) };
  store->find_source =
      statement_new (study, "SELECT node_id FROM node WHERE context = ? AND source = ? AND depth = 0", error);
  if (store->find_source)
    store->find_below =
        statement_new (study, "SELECT node_id FROM node WHERE parent_id = ? AND function_id = ? AND depth > 0", error);
  if (store->find_below)
    store->add = statement_new (study,
                                "INSERT INTO node (parent_id, function_id, context, source, depth, recursive) "
                                "VALUES (NULLIF (?, 0), NULLIF (?, 0), ?, ?, ?, ?)",
                                error);
  return store->add != NULL;
}

/* The number in the study of the node @index of the capture, which is added if it is new, as are those above it; 0 with
 * an error. */
static gint64
store_node (NodeStore *store, guint index, GError **error)
{
  const CulpritNode *node = &g_array_index (store->import->capture->nodes, CulpritNode, index);
  CulpritStudy *study = store->import->study;
  const char *context = culprit_context_name (node->context);
  Statement *find = node->depth > 0 ? store->find_below : store->find_source;
  gint64 function = node->depth > 0 ? store->import->function_ids[node->function] : 0;
  gint64 parent = 0;
  gboolean row;

  if (store->ids[index] != 0)
    return store->ids[index];
  if (node->depth > 0 && !(parent = store_node (store, node->parent, error)))
    return 0;
  if (node->depth > 0)
    statement_bind (find, "ii", parent, function);
  else
    statement_bind (find, "tl", context, node->source);
  if (!statement_step (study, find, &row, error))
    return 0;
  store->ids[index] = row ? sqlite3_column_int64 (find, 0) : 0;
  sqlite3_reset (find);
  if (row)
    return store->ids[index];
  statement_bind (store->add, "iitluu", parent, function, context, node->source, (guint64) node->depth,
                  (guint64) node->recursive);
  if (!statement_run (study, store->add, error))
    return 0;
  return store->ids[index] = sqlite3_last_insert_rowid (study->database);
}

static gboolean
store_outlier_nodes (NodeStore *store, GError **error)
{
  Import *import = store->import;
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO outlier_node VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULLIF (?, -1))", error);

  for (guint i = 0; statement && i < import->capture->outlier_nodes->len; i++)
    {
      const CulpritNodeCost *cost = &g_array_index (import->capture->outlier_nodes, CulpritNodeCost, i);
      const CulpritNode *node = &g_array_index (import->capture->nodes, CulpritNode, cost->node);
      gint64 id = store_node (store, cost->node, error);

      statement_bind (statement, "iiuuuuuui", import->outlier_id, id, cost->calls, cost->self_ns, cost->tracing_ns,
                      cost->total_ns, cost->longest_stretch_ns, cost->truncated,
                      (gint64) (node->depth == 0 ? node->priority : -1));
      if (!id || !statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_ordinary_nodes (NodeStore *store, GError **error)
{
  Import *import = store->import;
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO ordinary_node VALUES (?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->ordinary_nodes->len; i++)
    {
      const CulpritOrdinaryNode *node = &g_array_index (import->capture->ordinary_nodes, CulpritOrdinaryNode, i);
      gint64 id;

      if (node->windows == 0)
        continue;
      id = store_node (store, i, error);
      statement_bind (statement, "iiuuuuuu", import->capture_id, id, node->windows, node->calls, node->self_ns,
                      node->tracing_ns, node->calls_max, node->with_callees_max_ns);
      if (!id || !statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_nodes (Import *import, GError **error)
{
  g_auto (NodeStore) store = { 0 };

  return node_store_init (&store, import, error) && store_outlier_nodes (&store, error) &&
         store_ordinary_nodes (&store, error);
}

static gboolean
store_ordinary_parts (Import *import, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study, "INSERT INTO ordinary_part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->ordinary_parts->len; i++)
    {
      const CulpritOrdinaryPart *part = &g_array_index (import->capture->ordinary_parts, CulpritOrdinaryPart, i);
      g_autoptr (GByteArray) spread = culprit_spread_pack (&part->untraced_ns);

      statement_bind (statement, "iituuuubrr", import->capture_id, import->function_ids[part->function],
                      culprit_context_name (part->context), part->windows, part->calls_max, part->stretch_max_ns,
                      part->untraced_ns.max, spread, part->intrinsic_squared, part->intrinsic_untraced);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

static gboolean
store_stall (Import *import, GError **error)
{
  const CulpritStall *stall = &import->capture->stall;

  if (stall->length_ns == 0)
    return TRUE;
  return study_run (import->study, NULL, error, "INSERT INTO stall VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iuuutiuutt",
                    import->outlier_id, (guint64) stall->cpu, stall->start_ns, stall->length_ns,
                    culprit_context_name (stall->context), import->function_ids[stall->function],
                    (guint64) stall->other_cpus, (guint64) stall->silent_cpus, stall->before, stall->after);
}

/* The parts of sections in the outlier are in their rows. */
static gboolean
store_sections (Import *import, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      import->study, "INSERT INTO section VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);

  for (guint i = 0; statement && i < import->capture->sections->len; i++)
    {
      const CulpritSection *section = &g_array_index (import->capture->sections, CulpritSection, i);

      statement_bind (statement, "ittiiuuuuuuuuuuuuu", import->capture_id, culprit_held_name (section->kind),
                      culprit_context_name (section->context), import->function_ids[section->opened_by],
                      import->function_ids[section->closed_by], section->count, section->held_ns, section->tracing_ns,
                      section->longest_ns, section->longest_tracing_ns, section->longest_gap_ns,
                      section->longest_start_ns, (guint64) section->longest_cpu, section->outlier_ns,
                      section->outlier_tracing_ns, section->waits, section->longest_wait_ns,
                      section->longest_wait_tracing_ns);
      if (!statement_run (import->study, statement, error))
        return FALSE;
    }
  return statement != NULL;
}

/* Stores the windows, whose functions have numbers already. */
static gboolean
rows_store_windows (Import *import, GError **error)
{
  return store_windows (import, error) && store_nodes (import, error) && store_ordinary_parts (import, error) &&
         store_stall (import, error) && store_sections (import, error);
}

/* Stores a capture, table by table: what it is, and its sums over all time. */

/* The number that @sql finds with its text values. 0: none. */
static gboolean
find_id (CulpritStudy *study, gint64 *id, GError **error, const char *sql, const char *a, const char *b, const char *c)
{
  g_autoptr (Statement) statement = statement_new (study, sql, error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, c ? "lll" : b ? "ll" : "l", a, b, c);
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
                    "INSERT INTO host (name, kernel, machine) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "lll",
                    capture->host, capture->kernel, capture->machine) &&
         find_id (import->study, host, error, "SELECT host_id FROM host WHERE name = ? AND kernel = ? AND machine = ?",
                  capture->host, capture->kernel, capture->machine);
}

/* The run that a capture with windows of @kind goes to, which is NULL if it has none. It is the run that was asked for,
 * or NAME, if that means nothing yet, or the first of NAME, NAME-2... that holds imported captures with such windows,
 * else a new one: a folder that is called like a recording is no part of it, and a capture that measures something else
 * keeps no other of its folder out. NULL with an error. */
static char *
run_of_file (
    CulpritStudy *study, const char *path, const CulpritImportOptions *options, const char *kind, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  g_autofree char *base = g_path_get_basename (absolute);
  g_autofree char *name = g_utf8_make_valid (options->run ? options->run : g_strdelimit (base, "\n", ' '), -1);
  g_autofree char *free_name = culprit_study_new_run_name (study, name, error);
  g_autoptr (Statement) find = NULL;
  gboolean row;

  if (!free_name || g_str_equal (free_name, name))
    return g_steal_pointer (&free_name);
  find = statement_named (study, "run-for", error);
  if (!find)
    return NULL;
  statement_bind_named (find, "t:name t:given t:kind", name, options->apart ? NULL : options->run, kind);
  if (!statement_step (study, find, &row, error))
    return NULL;
  return row ? g_strdup (statement_text (find, 0)) : g_steal_pointer (&free_name);
}

/* A series has windows of one kind, since others cannot be compared with them: that of its first capture with any. A
 * capture that the study has already stays in its run. */
static gboolean
enter_windows (const Import *import, gint64 run, const char *name, GError **error)
{
  const char *kind = import->capture->measured;
  g_autofree char *words = NULL;
  g_autoptr (Statement) other = kind ? statement_named (import->study, "other-windows", error) : NULL;
  gboolean row;

  if (!kind)
    return TRUE;
  if (!other || !study_change (import->study, error, "series-windows", "t:kind i:run", kind, run))
    return FALSE;
  statement_bind_named (other, "t:kind i:run", kind, run);
  if (!statement_step (import->study, other, &row, error))
    return FALSE;
  words = culprit_window_kind_in_words (kind);
  if (row)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                 "%s: its windows are %s, those of run \"%s\" %s; import it %s", import->study->path, words, name,
                 statement_text (other, 0),
                 import->capture_id != 0 ? "into another study" : "under another name with --run");
  return !row;
}

static gboolean
store_run (Import *import, const CulpritImportOptions *options, gint64 *run, GError **error)
{
  g_autofree char *valid = run_of_file (import->study, import->path, options, import->capture->measured, error);

  return valid && study_check_name (import->study, valid, error) &&
         study_run (import->study, NULL, error,
                    "INSERT INTO run (name, source, tracing) VALUES (?, 'captures', 'on') "
                    "ON CONFLICT DO NOTHING",
                    "t", valid) &&
         find_id (import->study, run, error, "SELECT run_id FROM run WHERE name = ?", valid, NULL, NULL) &&
         enter_windows (import, *run, valid, error);
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

  if (!store_host (import, &host, error) || !store_run (import, options, &run, error))
    return FALSE;
  return study_run (
      import->study, &import->capture_id, error,
      "INSERT INTO capture (capture_id, run_id, host_id, file, sha256, size_bytes, imported_utc, file_version, "
      "instance, clock, "
      "cpus, first_ns, last_ns, events, function_events, lost_events, overwritten_events, truncated_calls, "
      "ordinary_windows, marker, trigger_ns, period_ns, period_source, no_windows, hit_cycle, needed_kb, smi_count, "
      "steal_ns, delays, read_version, period_error_ns, graph_depth, graph_functions, interrupts_traced, folded_calls, "
      "no_windows_number) "
      "VALUES (NULLIF (?, 0), ?, ?, ?, ?, ?, datetime (), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULLIF (?, 0), "
      "NULLIF (?, 0), ?, ?, NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), NULLIF (?, -1), ?, ?, "
      "NULLIF (?, -1), NULLIF (?, 0), ?, NULLIF (?, -1), ?, NULLIF (?, -1))",
      "iiittuittuuuuuuuuutuuttiiiitiiutiui", import->capture_id, run, host, file, c->digest, c->size_bytes,
      (gint64) c->file_version, c->instance, c->clock, (guint64) c->cpus->len, c->first_ns, c->last_ns, c->events,
      c->function_events, c->lost_events, c->overwritten_events, c->truncated_calls, ordinary, c->marker, c->trigger_ns,
      c->period_ns, period_source (c), c->no_windows, log && !log->measured ? (gint64) log->hit_cycle : -1,
      log ? (gint64) log->needed_kb : -1, log ? log->smi_count : -1, log ? log->steal_ns : -1, log ? log->delays : NULL,
      (gint64) CULPRIT_READ_VERSION, c->period_error_ns, (guint64) c->coverage.depth, c->coverage.functions,
      (gint64) c->coverage.interrupts, c->folded_calls, c->no_windows_number);
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

static gboolean
is_ever_blocked (const CulpritCapture *capture)
{
  for (guint i = 0; i < capture->pieces->len; i++)
    if (g_array_index (capture->pieces, CulpritPiece, i).blocked)
      return TRUE;
  return FALSE;
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

      if (i == CULPRIT_FUNCTION_BLOCKED && !is_ever_blocked (import->capture))
        continue;
      statement_bind (find, "llu", function->name, function->module, (guint64) function->ordinal);
      if (!statement_step (import->study, find, &row, error))
        return FALSE;
      import->function_ids[i] = row ? sqlite3_column_int64 (find, 0) : 0;
      sqlite3_reset (find);
      if (row)
        continue;
      statement_bind (add, "llu", function->name, function->module, (guint64) function->ordinal);
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

/* Of a function, in the capture or in its windows, which are a part of it; or of sections. */
static guint64
largest_sum (const CulpritCapture *capture)
{
  guint64 largest = 0;

  for (guint i = 0; i < capture->functions->len; i++)
    {
      const CulpritFunction *f = &g_array_index (capture->functions, CulpritFunction, i);

      largest = MAX (largest, MAX (MAX (f->calls, f->self_ns), MAX (f->total_ns, f->off_cpu_ns)));
    }
  for (guint i = 0; i < capture->sections->len; i++)
    largest = MAX (largest, g_array_index (capture->sections, CulpritSection, i).held_ns);
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

/* Finds the capture in the study by either digest. @old: an older version has read it, and nothing of that was told by
 * a log that is not there any more, and would be lost. */
static gboolean
find_known (Import *import, gboolean *old, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (import->study,
                     "SELECT capture_id, read_version, period_source IS 'recorded' OR hit_cycle IS NOT NULL OR "
                     "needed_kb IS NOT NULL FROM capture WHERE sha256 IN (?, ?)",
                     error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "tt", import->capture->digest, import->capture->sha256);
  if (!statement_step (import->study, statement, &row, error))
    return FALSE;
  import->capture_id = row ? sqlite3_column_int64 (statement, 0) : 0;
  import->told = row && sqlite3_column_int64 (statement, 2);
  *old =
      row && sqlite3_column_int64 (statement, 1) < CULPRIT_READ_VERSION && (import->capture->cycles || !import->told);
  return TRUE;
}

/* Adds one of @fact, which is taken, to @facts. */
static void
add_fact (GHashTable *facts, char *fact)
{
  guint count = GPOINTER_TO_UINT (g_hash_table_lookup (facts, fact));

  g_hash_table_replace (facts, fact, GUINT_TO_POINTER (count + 1));
}

/* What each function cost in the capture. */
static void
add_function_facts (const CulpritCapture *capture, GHashTable *facts)
{
  const GArray *functions = capture->functions;

  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < functions->len; i++)
    {
      const CulpritFunction *f = &g_array_index (functions, CulpritFunction, i);

      if (f->calls > 0)
        add_fact (facts, g_strdup_printf ("%s %s %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                                          f->name, f->module, f->ordinal, f->calls, f->self_ns, f->total_ns));
    }
}

/* What each node cost in the late window. */
static void
add_node_facts (const CulpritCapture *capture, GHashTable *facts)
{
  for (guint i = 0; i < capture->outlier_nodes->len; i++)
    {
      const CulpritNodeCost *cost = &g_array_index (capture->outlier_nodes, CulpritNodeCost, i);
      const CulpritNode *node = &g_array_index (capture->nodes, CulpritNode, cost->node);
      const CulpritFunction *f =
          node->depth > 0 ? &g_array_index (capture->functions, CulpritFunction, node->function) : NULL;

      add_fact (facts, g_strdup_printf ("%s %s %u %s %s %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                                        " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                                        f ? f->name : "", f ? f->module : "", f ? f->ordinal : 0,
                                        culprit_context_name (node->context), node->source, node->depth, cost->calls,
                                        cost->self_ns, cost->tracing_ns, cost->total_ns));
    }
}

/* Whether the rows of @sql for the capture are @facts. FALSE with an error, or without one. */
static gboolean
has_facts (const Import *import, const char *sql, GHashTable *facts, GError **error)
{
  g_autoptr (Statement) statement = statement_new (import->study, sql, error);
  gboolean row = statement != NULL;

  if (statement)
    statement_bind (statement, "i", import->capture_id);
  while (row)
    {
      const char *fact;
      guint count;

      if (!statement_step (import->study, statement, &row, error))
        return FALSE;
      fact = row ? statement_text (statement, 0) : "";
      count = row ? GPOINTER_TO_UINT (g_hash_table_lookup (facts, fact)) : 0;
      if (row && count == 0)
        return FALSE;
      if (count == 1)
        g_hash_table_remove (facts, fact);
      else if (row)
        g_hash_table_replace (facts, g_strdup (fact), GUINT_TO_POINTER (count - 1));
    }
  return statement && g_hash_table_size (facts) == 0;
}

/* Whether the study has the late window where it was read now, which depends on the period and what is measured. */
static gboolean
has_window (const Import *import, gboolean *has, GError **error)
{
  const CulpritWindow *outlier = culprit_capture_outlier (import->capture);
  g_autoptr (Statement) statement = statement_new (
      import->study, "SELECT 1 FROM window WHERE capture_id = ? AND kind = 'outlier' AND start_ns = ? AND end_ns = ?",
      error);

  *has = FALSE;
  if (!statement || !outlier)
    return statement != NULL;
  statement_bind (statement, "iuu", import->capture_id, outlier->start_ns, outlier->end_ns);
  return statement_step (import->study, statement, has, error);
}

/* Whether the study has of the capture what was read now: digests can be made to match, and who has a capture can state
 * in a study what he likes of it. FALSE with an error. */
static gboolean
check_content (const Import *import, GError **error)
{
  static const char functions[] =
      "SELECT name || ' ' || module || ' ' || ordinal || ' ' || calls || ' ' || self_ns || ' ' || total_ns "
      "FROM capture_function JOIN function USING (function_id) "
      "WHERE capture_id = ?";
  static const char nodes[] =
      "SELECT IFNULL (name, '') || ' ' || IFNULL (module, '') || ' ' || IFNULL (ordinal, 0) || ' ' || context || ' ' "
      "|| "
      "source || ' ' || depth || ' ' || calls || ' ' || self_ns || ' ' || tracing_ns || ' ' || total_ns "
      "FROM outlier_node JOIN node USING (node_id) LEFT JOIN function USING (function_id) "
      "WHERE window_id = (SELECT window_id FROM window WHERE capture_id = ? AND kind = 'outlier')";
  g_autoptr (GHashTable) of_functions = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) of_nodes = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  GError *problem = NULL;
  gboolean window;
  gboolean same;

  add_function_facts (import->capture, of_functions);
  add_node_facts (import->capture, of_nodes);
  if (!has_window (import, &window, error))
    return FALSE;
  same = has_facts (import, functions, of_functions, &problem) &&
         (!window || has_facts (import, nodes, of_nodes, &problem));
  if (problem)
    g_propagate_error (error, problem);
  else if (!same)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                 "%s: its digest is that of capture %" G_GINT64_FORMAT
                 ", but not its content: one of the two was made to "
                 "pass for the other; remove the one that you do not trust",
                 import->study->path, import->capture_id);
  return same;
}

/* Whether the study has the capture with the windows that were asked for, by the user or else by its log. If it has no
 * window of it at all, it is to be read @again for these, or for a log that has come since. FALSE with an
 * error. */
static gboolean
check_definition (const Import *import, const CulpritImportOptions *options, gboolean *again, GError **error)
{
  const CulpritCycles *log = import->capture->cycles;
  const char *asked = options->window ? options->window : log ? log->measured : NULL;
  guint64 threshold_ns;
  GError *problem = NULL;
  g_autofree char *kind = culprit_query_capture_definition (import->study, import->capture_id, &threshold_ns, &problem);
  g_autofree char *words = NULL;
  gboolean same = kind && (!asked || g_str_equal (kind, asked));
  g_autoptr (Statement) late =
      kind ? statement_new (import->study, "SELECT 1 FROM hit WHERE capture_id = ?", &problem) : NULL;
  gboolean row;

  if (late)
    statement_bind (late, "i", import->capture_id);
  if (!late || !statement_step (import->study, late, &row, &problem))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (!row)
    {
      *again = (log && !import->told) || (asked && (!same || culprit_capture_outlier (import->capture)));
      return TRUE;
    }
  if (same && (options->threshold_ns == 0 || options->threshold_ns == threshold_ns))
    return TRUE;
  words = culprit_window_kind_in_words (kind);
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
               "%s: it is capture %" G_GINT64_FORMAT
               " there, measured %s%s; import it into another study for these windows",
               import->study->path, import->capture_id, words, same ? ", with another threshold" : "");
  return FALSE;
}

/* Stores everything, inside an open transaction. */
static gboolean
rows_store (Import *import, const CulpritImportOptions *options, CulpritImportResult *result, GError **error)
{
  gboolean known;
  gboolean again;

  if (!find_known (import, &again, error))
    return FALSE;
  known = import->capture_id != 0;
  if (known && !again && !(check_content (import, error) && check_definition (import, options, &again, error)))
    return FALSE;
  if (known && !again)
    result->outcome = CULPRIT_IMPORT_KNOWN;
  else if (!(known ? store_again (import, options, error) : store_all (import, options, error)))
    return FALSE;
  else
    result->outcome = known ? CULPRIT_IMPORT_AGAIN : CULPRIT_IMPORT_STORED;
  result->capture = import->capture_id;
  return TRUE;
}

/* Reads a capture and stores it. */

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
culprit_import_is_over (const GError *problem)
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

static void G_GNUC_PRINTF (2, 3) add_note (GStrvBuilder *notes, const char *format, ...)
{
  g_autofree char *note = NULL;
  va_list arguments;

  va_start (arguments, format);
  note = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_strv_builder_add (notes, note);
}

/* What the user should know about @capture, one after the other, and the remedy for the last. NULL: nothing. */
static char *
notes_of (const CulpritCapture *capture, CulpritRemedy *remedy)
{
  const CulpritWindow *outlier = culprit_capture_outlier (capture);
  g_autofree char *missing = culprit_coverage_in_words (capture->coverage.depth, capture->coverage.functions,
                                                        capture->coverage.interrupts == 0);
  g_autoptr (GStrvBuilder) notes = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  if (culprit_capture_is_unnamed (capture))
    add_note (notes, "its kernel symbols are hidden, so functions have no names; record as root with "
                     "kernel.kptr_restrict set to 0 or 1");
  else if (missing)
    add_note (notes, "not traced: %s; their time counts for their caller, or for the task or idle CPU they interrupted",
              missing);
  if (capture->left_out)
    add_note (notes, "it has several buffers with functions, of which only that with the most is read; left out: %s",
              capture->left_out);
  if (capture->folded_calls > 0)
    add_note (notes,
              "%" G_GUINT64_FORMAT " calls came by more paths than are told apart; they are known by function only",
              capture->folded_calls);
  if (capture->doubtful_windows > 0)
    {
      add_note (notes, "%u window%s left out, in which events are missing that may have ended %s",
                capture->doubtful_windows, capture->doubtful_windows == 1 ? " is" : "s are",
                capture->doubtful_windows == 1 ? "it" : "them");
      *remedy = larger_buffer (capture->cycles);
    }
  if (outlier && outlier->not_captured_ns > 0)
    {
      g_autofree char *not_captured = culprit_time_format (outlier->not_captured_ns);

      add_note (notes, "%s of the outlier was not captured", not_captured);
      *remedy = larger_buffer (capture->cycles);
    }
  else if (outlier && capture->windows->len == 1)
    {
      add_note (notes, "no ordinary windows to compare with");
      *remedy = capture->period_ns == 0 && g_strcmp0 (capture->measured, CULPRIT_WINDOWS_OF_CYCLES) == 0
                    ? (CulpritRemedy) { CULPRIT_REMEDY_GIVE_PERIOD }
                    : larger_buffer (capture->cycles);
    }
  all = g_strv_builder_end (notes);
  return *all ? g_strjoinv ("; ", all) : NULL;
}

static void
describe (const CulpritCapture *capture, CulpritImportResult *result)
{
  const CulpritWindow *outlier = culprit_capture_outlier (capture);

  result->latency_ns = outlier ? culprit_window_latency_ns (outlier) : 0;
  result->ordinary_windows = capture->windows->len - (outlier ? 1 : 0);
  if (capture->no_windows)
    result->no_windows = culprit_no_windows_in_words (capture->no_windows, capture->no_windows_number);
  result->warning = notes_of (capture, &result->remedy);
}

/* The period from other captures of the run on the same host, for one that has too few cycles: that with the smallest
 * error. */
static gboolean
find_others_period (CulpritStudy *study,
                    const char *path,
                    const CulpritCapture *capture,
                    const CulpritImportOptions *options,
                    CulpritCaptureOptions *capture_options,
                    GError **error)
{
  g_autofree char *run = run_of_file (study, path, options, CULPRIT_WINDOWS_OF_CYCLES, error);
  g_autoptr (Statement) statement =
      run ? statement_new (study,
                           "SELECT capture.period_ns, period_error_ns "
                           "FROM capture JOIN run USING (run_id) JOIN host ON host.host_id = capture.host_id "
                           "WHERE run.name = ? AND host.name = ? "
                           "AND capture.period_ns > 0 AND period_error_ns >= 0 "
                           "ORDER BY period_error_ns LIMIT 1",
                           error)
          : NULL;
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "tt", run, capture->host);
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
  *capture_options = (CulpritCaptureOptions) { .period_ns = options->period_ns,
                                               .measured = options->window,
                                               .threshold_ns = options->threshold_ns,
                                               .sha256_sizes = g_steal_pointer (&sizes) };
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
  with_others.others_period_ns = options->others_period_ns;
  with_others.others_period_error_ns = options->others_period_error_ns;
  if (options->others_period_ns == 0 && !find_others_period (study, path, *capture, options, &with_others, error))
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

/* Updates captures of older versions: reads from their files what these versions did not store. */

/* A capture that an older version read. */
typedef struct
{
  gint64 capture;
  guint64 period_ns; /* that the user gave; 0: none */
  char *window;      /* what its windows are */
  guint64 threshold_ns;
} Old;

static void
old_clear (gpointer old)
{
  g_free (((Old *) old)->window);
}

static GArray *
find_old (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "old-captures", error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Old));
  gboolean row = statement != NULL;

  g_array_set_clear_func (found, old_clear);
  if (statement)
    statement_bind_named (statement, "i:read_version", (gint64) CULPRIT_READ_VERSION);
  while (row)
    {
      Old old;

      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        break;
      old = (Old) { sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1),
                    g_strdup (statement_text (statement, 2)), sqlite3_column_int64 (statement, 3) };
      g_array_append_val (found, old);
    }
  return statement ? g_steal_pointer (&found) : NULL;
}

/* What only the captures used that were read again, e.g. paths that older versions did not know. Foreign keys would
 * have every row searched for each of them. */
static gboolean
remove_unused_nodes (CulpritStudy *study, GError **error)
{
  gboolean removed =
      study_execute (study, "PRAGMA foreign_keys = OFF", error) && study_execute_named (study, "unused-nodes", error);

  return study_execute (study, "PRAGMA foreign_keys = ON", removed ? error : NULL) && removed;
}

/* A stranger's study may name any file: captures elsewhere are read again when they are imported. */
gboolean
culprit_study_read_again (CulpritStudy *study, GError **error)
{
  g_autoptr (GArray) all = find_old (study, error);
  g_autoptr (CulpritCaptureFiles) files = culprit_capture_files_new (study, CULPRIT_CAPTURES_BESIDE);

  for (guint i = 0; all && i < all->len; i++)
    {
      const Old *old = &g_array_index (all, Old, i);
      g_autofree char *path = culprit_capture_files_find (files, old->capture, NULL);
      CulpritImportOptions options = { .period_ns = old->period_ns,
                                       .window = old->window,
                                       .threshold_ns = old->threshold_ns };
      CulpritImportResult result;
      GError *problem = NULL;

      if (!path)
        continue;
      if (!culprit_study_import (study, path, &options, NULL, &result, &problem) && culprit_import_is_over (problem))
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      g_clear_error (&problem);
      culprit_import_result_clear (&result);
    }
  return all && (all->len == 0 || remove_unused_nodes (study, error));
}
