/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the windows of a capture, and what functions and sources cost in them. */
#include "import-rows-private.h"

#include "statement-private.h"

#include <string.h>

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

gboolean
rows_store_windows (Import *import, GError **error)
{
  return store_windows (import, error) && store_outlier_costs (import, error) && store_ordinary_costs (import, error) &&
         store_outlier_sources (import, error) && store_ordinary_sources (import, error) && store_stall (import, error);
}
