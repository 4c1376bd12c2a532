/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queries behind the commands and pages. */
#include "query-private.h"

#include "statement-private.h"

#include <string.h>

/* A study may come from a stranger: a text need not be one. */
static const char *
keep_text (CulpritTable *table, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_string_chunk_insert (table->texts, valid);
}

/* Bytes, in hexadecimal. */
static const char *
keep_blob (CulpritTable *table, const guint8 *bytes, int size)
{
  g_autoptr (GString) text = g_string_sized_new (size * 2);

  for (int i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  return g_string_chunk_insert (table->texts, text->str);
}

static CulpritValue
read_value (CulpritTable *table, Statement *statement, int column)
{
  CulpritValue value = { .type = CULPRIT_VALUE_NULL };

  switch (sqlite3_column_type (statement, column))
    {
    case SQLITE_INTEGER:
      value.type = CULPRIT_VALUE_INTEGER;
      value.integer = sqlite3_column_int64 (statement, column);
      break;
    case SQLITE_FLOAT:
      value.type = CULPRIT_VALUE_REAL;
      value.real = sqlite3_column_double (statement, column);
      break;
    case SQLITE_TEXT:
      value.type = CULPRIT_VALUE_TEXT;
      value.text = keep_text (table, statement_text (statement, column));
      break;
    case SQLITE_BLOB:
      value.type = CULPRIT_VALUE_TEXT;
      value.text = keep_blob (table, sqlite3_column_blob (statement, column), sqlite3_column_bytes (statement, column));
      break;
    default:
      break;
    }
  return value;
}

/* Adds a column; one whose name is there already gets a number behind it. */
static void
add_column (CulpritTable *table, const char *name)
{
  g_autofree char *unique = g_strdup (name);

  for (guint number = 2; g_ptr_array_find_with_equal_func (table->columns, unique, g_str_equal, NULL); number++)
    {
      g_free (unique);
      unique = g_strdup_printf ("%s:%u", name, number);
    }
  g_ptr_array_add (table->columns, g_steal_pointer (&unique));
}

static CulpritTable *
read_table (CulpritStudy *study, Statement *statement, GError **error)
{
  g_autoptr (CulpritTable) table = culprit_table_new ();
  int n_columns = sqlite3_column_count (statement);
  gboolean row;

  for (int i = 0; i < n_columns; i++)
    add_column (table, sqlite3_column_name (statement, i));
  for (;;)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        return g_steal_pointer (&table);
      for (int i = 0; i < n_columns; i++)
        {
          CulpritValue value = read_value (table, statement, i);

          g_array_append_val (table->values, value);
        }
    }
}

CulpritTable *
query_read (CulpritStudy *study, Statement *statement, GError **error)
{
  CulpritTable *table = read_table (study, statement, error);

  if (table)
    table->grouped = TRUE;
  return table;
}

/* Whether the filter's expression, set among other text, could be anything but an expression. */
static gboolean
check_where (CulpritStudy *study, const char *where, GError **error)
{
  int depth = 0;
  char quote = 0;

  for (const char *at = where ? where : ""; *at; at++)
    {
      if (quote)
        quote = *at == quote ? 0 : quote;
      else if (*at == '\'' || *at == '"')
        quote = *at;
      else if (*at == ';' || (*at == '-' && at[1] == '-') || (*at == '/' && at[1] == '*'))
        depth = -1;
      else
        depth += (*at == '(') - (*at == ')');
      if (depth < 0)
        break;
    }
  if (depth == 0 && !quote)
    return TRUE;
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY, "%s: not an expression: %s", study->path, where);
  return FALSE;
}

/* Says which run or capture is missing where a filter names one that is not there. */
static gboolean
check_filter (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  g_autoptr (Statement) statement = NULL;
  gboolean row;

  if (!check_where (study, filter->where, error))
    return FALSE;
  if (!filter->run)
    return TRUE;
  statement = statement_new (study, "SELECT 1 FROM run WHERE name = ?1 OR recording = ?1", error);
  if (!statement)
    return FALSE;
  statement_bind (statement, "t", filter->run);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (!row)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 "%s: there is no run \"%s\"; culprit runs lists them", study->path, filter->run);
  return row;
}

char *
query_list_captures (const CulpritFilter *filter)
{
  GString *list;

  if (!filter->capture && filter->n_captures == 0)
    return NULL;
  if (filter->capture)
    return g_strdup_printf ("[%" G_GINT64_FORMAT "]", filter->capture);
  list = g_string_new (NULL);
  for (guint i = 0; i < filter->n_captures; i++)
    g_string_append_printf (list, "%c%" G_GINT64_FORMAT, i > 0 ? ',' : '[', filter->captures[i]);
  g_string_append_c (list, ']');
  return g_string_free (list, FALSE);
}

/* Runs "SELECT @columns FROM (@inner) WHERE filter ORDER BY @order". */
CulpritTable *
query_filtered (CulpritStudy *study,
                const CulpritFilter *filter,
                const char *columns,
                const char *inner,
                const char *order,
                GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM (%s) WHERE (%s) ORDER BY %s", columns, inner,
                                          filter->where ? filter->where : "1", order);
  g_autofree char *captures = query_list_captures (filter);
  g_autoptr (Statement) statement = NULL;

  if (!check_filter (study, filter, error))
    return NULL;
  statement = statement_new (study, sql, filter->where ? NULL : error);
  if (!statement && filter->where)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                 "%s: the expression \"%s\" does not fit this table: %s", study->path, filter->where,
                 sqlite3_errmsg (study->database));
  if (!statement)
    return NULL;
  statement_bind (statement, "tti", filter->run, captures, (gint64) filter->counted);
  return query_read (study, statement, error);
}

/* What the tool told of a run itself, and the width of its bins where their low edges are stored. */
#define TOLD_NS(member) "CAST (json_extract (run.told, '$." member "') AS INTEGER)"
#define COARSE_NS "IIF (run.resolution_ns IN (1, 1000), 0, run.resolution_ns)"

CulpritTable *
culprit_query_runs (CulpritStudy *study, GError **error)
{
  const CulpritFilter all = { 0 };

  return query_filtered (
      study, &all, "*",
      "SELECT run.name AS run, IIF (hosts.n > 1, 'several', hosts.name) AS host, "
      "IIF (hosts.n > 1, 'several', hosts.kernel) AS kernel, run.source, run.tracing, run.period_ns, "
      "run.cycles, run.hits, run.missed, run.late, "
      "IFNULL (" TOLD_NS (
          "min_ns") ", "
                    " (SELECT MIN (latency_ns) FROM run_latency WHERE run_latency.run_id = run.run_id)) AS "
                    "latency_min_ns, "
                    "IFNULL (json_extract (run.told, '$.mean_ns'), (SELECT CAST (SUM (latency_ns * count) AS REAL) / "
                    "SUM (count) "
                    " FROM run_latency WHERE run_latency.run_id = run.run_id) + " COARSE_NS
                    " / 2.0) AS latency_mean_ns, "
                    "(SELECT COUNT (*) FROM capture WHERE capture.run_id = run.run_id) AS captures, "
                    "(SELECT COUNT (*) FROM capture JOIN window USING (capture_id) "
                    " WHERE capture.run_id = run.run_id AND kind = 'outlier') AS outliers, "
                    "(SELECT SUM (ordinary_windows) FROM capture WHERE capture.run_id = run.run_id) AS "
                    "ordinary_windows, "
                    "COALESCE (" TOLD_NS (
                        "max_ns") ", "
                                  " (SELECT MAX (latency_ns) FROM run_latency WHERE run_latency.run_id = run.run_id) "
                                  "+ " COARSE_NS ", "
                                  " (SELECT MAX (latency_ns) FROM capture JOIN window USING (capture_id) "
                                  "  WHERE capture.run_id = run.run_id AND kind = 'outlier')) AS latency_max_ns, "
                                  "run.recording, run.started_utc, run.threshold_ns, run.band_low_ns, "
                                  "run.band_high_ns, run.method, run.policy, "
                                  "run.priority, run.cpus, run.load, "
                                  "(SELECT COUNT (*) FROM capture WHERE capture.run_id = run.run_id AND triage = "
                                  "'" CULPRIT_TRIAGE_IGNORED "') AS ignored "
                                  "FROM run LEFT JOIN (SELECT run_id, COUNT (DISTINCT host_id) AS n, MIN (name) AS "
                                  "name, MIN (kernel) AS kernel "
                                  " FROM (SELECT run_id, host_id FROM run WHERE host_id IS NOT NULL UNION SELECT "
                                  "run_id, host_id FROM capture) "
                                  " JOIN host USING (host_id) GROUP BY run_id) AS hosts USING (run_id)",
      "run", error);
}

CulpritTable *
culprit_query_captures (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  return query_filtered (
      study, filter, "*",
      "SELECT capture.capture_id AS capture, file, run.name AS run, events, function_events, lost_events, "
      "overwritten_events, truncated_calls, ordinary_windows, last_ns - first_ns AS length_ns, capture.cpus, clock, "
      "instance, file_version, host.name AS host, host.kernel, host.machine, marker, trigger_ns, "
      "capture.period_ns, period_source, period_error_ns, no_windows, graph_depth, graph_functions, "
      "interrupts_traced, triage, note "
      "FROM capture JOIN run USING (run_id) JOIN host ON host.host_id = capture.host_id "
      "WHERE " IN_RUN " AND " IN_CAPTURE " AND (NOT ?3 OR " COUNTS ("triage") ")",
      "capture", error);
}

gboolean
culprit_query_ignored (CulpritStudy *study, const CulpritFilter *filter, guint *ignored, GError **error)
{
  g_autofree char *captures = query_list_captures (filter);
  g_autoptr (Statement) statement = statement_new (study,
                                                   "SELECT COUNT (*) FROM capture JOIN run USING (run_id) "
                                                   "WHERE " IN_RUN " AND NOT " COUNTS ("triage"),
                                                   error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind (statement, "tt", filter->run, captures);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *ignored = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

CulpritTable *
culprit_query_outliers (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  return query_filtered (
      study, filter,
      "capture, file, run, latency_ns, untraced_ns, tracing_ns, cpu, pid, comm, kernel, window_start_ns AS "
      "\"window.start_ns\", window_end_ns AS \"window.end_ns\", ordinary_windows, lost_events, "
      "not_captured_ns, uncertain_ns, triage, note",
      "SELECT outlier.*, outlier.capture_id AS capture, start_ns AS window_start_ns, end_ns AS window_end_ns "
      "FROM outlier "
      "WHERE (?1 IS NULL OR outlier.run IN (SELECT name FROM run WHERE " IN_RUN
      ")) AND " IN_CAPTURES ("outlier.capture_id") " AND (NOT ?3 OR " COUNTS ("triage") ")",
      "capture", error);
}

gint64
culprit_query_capture_id (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study,
      "SELECT capture_id FROM capture WHERE CAST (capture_id AS TEXT) = ?1 OR file = ?1 "
      "OR substr (file, -length (?1) - 1) = '/' || ?1 OR (length (?1) >= 8 AND substr (sha256, 1, length (?1)) = ?1) "
      "ORDER BY capture_id",
      error);
  gint64 id;
  gboolean row;

  if (!statement)
    return 0;
  statement_bind (statement, "t", name);
  if (!statement_step (study, statement, &row, error))
    return 0;
  id = row ? sqlite3_column_int64 (statement, 0) : 0;
  if (!row)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 "%s: there is no capture \"%s\"; culprit sql 'SELECT capture_id, file FROM capture' lists them",
                 study->path, name);
  else if (statement_step (study, statement, &row, error) && row)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "%s: several captures are called \"%s\"; name one by its number", study->path, name);
      id = 0;
    }
  return id;
}

CulpritTable *
culprit_query_sql (CulpritStudy *study, const char *sql, GError **error)
{
  g_autoptr (Statement) statement = NULL;
  const char *rest = NULL;

  if (sqlite3_prepare_v2 (study->database, sql, -1, &statement, &rest) != SQLITE_OK)
    {
      study_failed (study, error);
      return NULL;
    }
  if (!statement || !sqlite3_stmt_readonly (statement) || sqlite3_column_count (statement) == 0 ||
      strspn (rest, " \t\r\n;") != strlen (rest))
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                   "%s: expected one query that only reads (SELECT ...)", study->path);
      return NULL;
    }
  return read_table (study, statement, error);
}
