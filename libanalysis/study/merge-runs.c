/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells runs of two studies apart. A label is what the user called a measurement: the recording's name, else the run's.
 */
#include "merge-private.h"

#include "statement-private.h"

#define LABEL(run) "IFNULL (" run ".recording, " run ".name)"
#define LATENCIES(schema, run) "SELECT cpu, latency_ns, count FROM " schema ".run_latency WHERE run_id = " run ".run_id"

/* A renamed run begins with its first label still. */
static const char map_sql[] =
    "CREATE TEMP TABLE run_map AS SELECT o.run_id AS old, o.name, o.recording, "
    " CASE o.source WHEN 'captures' THEN "
    "  (SELECT m.run_id FROM main.run AS m WHERE m.source = 'captures' AND m.name = o.name) "
    " ELSE (SELECT m.run_id FROM main.run AS m "
    "  WHERE m.source = o.source AND m.started_utc IS o.started_utc AND m.configuration IS o.configuration "
    "  AND m.tracing IS o.tracing AND m.cycles IS o.cycles AND m.summary_mean_ns IS o.summary_mean_ns "
    "  AND substr (m.name, 1, length (" LABEL ("o") ")) = " LABEL (
        "o") " "
             "  AND NOT EXISTS (" LATENCIES ("main", "m") " EXCEPT " LATENCIES (
                 "other", "o") ") "
                               "  AND NOT EXISTS (" LATENCIES ("other", "o") " EXCEPT " LATENCIES (
                                   "main", "m") ")) END AS new "
                                                "FROM other.run AS o;"
                                                "CREATE UNIQUE INDEX temp.run_map_old ON run_map (old);";

static const char labels_sql[] =
    "SELECT DISTINCT " LABEL ("run_map") " AS label FROM run_map WHERE new IS NULL AND EXISTS ("
                                         " SELECT 1 FROM main.run AS m WHERE m.name = label OR m.recording = label)";

/* The first of LABEL-2, LABEL-3... that is free here and among the runs that come. */
static const char rename_sql[] =
    "WITH RECURSIVE number (k) AS (SELECT 2 UNION ALL SELECT k + 1 FROM number LIMIT 1000000), "
    "free (label) AS (SELECT ?1 || '-' || k FROM number "
    " WHERE NOT EXISTS (SELECT 1 FROM main.run WHERE ?1 || '-' || k IN (name, recording)) "
    " AND NOT EXISTS (SELECT 1 FROM run_map WHERE ?1 || '-' || k IN (name, recording)) LIMIT 1) "
    "UPDATE run_map SET name = (SELECT label FROM free) || substr (name, length (?1) + 1), "
    " recording = (SELECT label FROM free) || substr (recording, length (?1) + 1) "
    "WHERE new IS NULL AND " LABEL ("run_map") " = ?1";

static GPtrArray *
find_taken_labels (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, labels_sql, error);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_ptr_array_add (labels, g_strdup (statement_text (statement, 0)));
    }
  return statement ? g_steal_pointer (&labels) : NULL;
}

gboolean
merge_map_runs (CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) labels = NULL;

  if (!study_execute (study, map_sql, error) || !(labels = find_taken_labels (study, error)))
    return FALSE;
  for (guint i = 0; i < labels->len; i++)
    if (!study_insert (study, NULL, error, rename_sql, "t", g_ptr_array_index (labels, i)))
      return FALSE;
  return TRUE;
}
