/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the windows of a capture, and what was called in them. */
#include "import-rows-private.h"

#include "statement-private.h"

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
  g_clear_pointer (&store->find_source, sqlite3_finalize);
  g_clear_pointer (&store->find_below, sqlite3_finalize);
  g_clear_pointer (&store->add, sqlite3_finalize);
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
    statement_bind (find, "tt", context, node->source);
  if (!statement_step (study, find, &row, error))
    return 0;
  store->ids[index] = row ? sqlite3_column_int64 (find, 0) : 0;
  sqlite3_reset (find);
  if (row)
    return store->ids[index];
  statement_bind (store->add, "iittuu", parent, function, context, node->source, (guint64) node->depth,
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
  const CulpritWindow *outlier = culprit_capture_outlier (import->capture);

  if (stall->length_ns == 0)
    return TRUE;
  return study_run (import->study, NULL, error, "INSERT INTO stall VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iuuutiuutt",
                    import->outlier_id, (guint64) outlier->cpu, stall->start_ns, stall->length_ns,
                    culprit_context_name (stall->context), import->function_ids[stall->function],
                    (guint64) stall->other_cpus, (guint64) stall->silent_cpus, stall->before, stall->after);
}

gboolean
rows_store_windows (Import *import, GError **error)
{
  return store_windows (import, error) && store_nodes (import, error) && store_ordinary_parts (import, error) &&
         store_stall (import, error);
}
