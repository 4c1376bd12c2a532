/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The promises of a study, each as a query for what breaks it. */
#include "check.h"

#include "statement-private.h"

/* Each query gives a row for each fault: texts, put together to a sentence. */
static const char *const checks[] = {
  "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",

  "SELECT DISTINCT IFNULL ('row ' || rowid, 'a row') || ' of ' || \"table\" || ' refers to a row that is not in ' "
  "|| parent "
  "FROM pragma_foreign_key_check",

  "SELECT 'capture ' || capture_id || ': the parts of the outlier add up to ' || IFNULL (SUM (self_ns), 0) || ' ns, "
  "not to its ' "
  "|| latency_ns || ' ns' "
  "FROM window LEFT JOIN outlier_cost USING (window_id) WHERE kind = 'outlier' "
  "GROUP BY window_id HAVING IFNULL (SUM (self_ns), 0) <> latency_ns",

  "SELECT 'capture ' || capture_id || ': those who had the CPU in the outlier do not add up to its ' || latency_ns || "
  "' "
  "ns' FROM window JOIN outlier_source USING (window_id) GROUP BY window_id HAVING SUM (self_ns) <> latency_ns "
  "OR SUM (outlier_source.tracing_ns) <> window.tracing_ns",

  "SELECT 'capture ' || capture_id || ': those who had the CPU in its ordinary windows do not add up' FROM capture "
  "WHERE capture_id IN (SELECT capture_id FROM ordinary_source) "
  "AND (SELECT SUM (self_ns) FROM ordinary_source WHERE ordinary_source.capture_id = capture.capture_id) <> "
  "(SELECT IFNULL (SUM (latency_ns), 0) FROM window "
  " WHERE window.capture_id = capture.capture_id AND kind = 'ordinary')",

  "SELECT 'capture ' || capture_id || ': window ' || window_id || ' does not last as long as its latency' "
  "FROM window WHERE end_ns - start_ns <> latency_ns",

  "SELECT 'capture ' || capture_id || ': ' || ordinary_windows || ' ordinary windows are counted, ' || "
  "(SELECT COUNT (*) FROM window WHERE window.capture_id = capture.capture_id AND kind = 'ordinary') || ' are there' "
  "FROM capture WHERE ordinary_windows <> "
  "(SELECT COUNT (*) FROM window WHERE window.capture_id = capture.capture_id AND kind = 'ordinary')",

  "SELECT 'capture ' || capture_id || ': the parts of the ordinary windows do not add up' FROM capture "
  "WHERE (SELECT IFNULL (SUM (self_ns), 0) FROM ordinary_cost WHERE ordinary_cost.capture_id = capture.capture_id) <> "
  "(SELECT IFNULL (SUM (latency_ns), 0) FROM window "
  " WHERE window.capture_id = capture.capture_id AND kind = 'ordinary')",

  "SELECT 'capture ' || capture_id || ': its CPUs and event counts do not add up to ' || events || ' events' "
  "FROM capture "
  "WHERE events <> (SELECT IFNULL (SUM (events), 0) FROM capture_cpu WHERE capture_cpu.capture_id = "
  "capture.capture_id) "
  "OR events <> (SELECT IFNULL (SUM (count), 0) FROM capture_event WHERE capture_event.capture_id = "
  "capture.capture_id)",

  "SELECT 'capture ' || capture_id || ': its lost or overwritten events are not those of its CPUs' FROM capture "
  "WHERE (lost_events, overwritten_events) <> (SELECT IFNULL (SUM (lost_events), 0), "
  "IFNULL (SUM (overwritten_events), 0) FROM capture_cpu WHERE capture_cpu.capture_id = capture.capture_id)",

  "SELECT 'capture ' || capture_id || ': its truncated calls are not those of its functions' FROM capture "
  "WHERE truncated_calls <> (SELECT IFNULL (SUM (truncated), 0) FROM capture_function "
  "WHERE capture_function.capture_id = capture.capture_id)",

  "SELECT 'capture ' || capture_id || ': the tracing in the outlier''s parts does not add up to ' || tracing_ns || ' "
  "ns' "
  "FROM window WHERE kind = 'outlier' AND tracing_ns <> "
  "(SELECT IFNULL (SUM (tracing_ns), 0) FROM outlier_cost WHERE outlier_cost.window_id = window.window_id)",

  "SELECT 'capture ' || capture_id || ': the outlier''s part that was not captured is not ' || not_captured_ns || ' "
  "ns' "
  "FROM window WHERE kind = 'outlier' AND not_captured_ns <> "
  "(SELECT IFNULL (SUM (self_ns), 0) FROM outlier_cost JOIN function USING (function_id) "
  "WHERE outlier_cost.window_id = window.window_id AND name = '[not captured]')",

  "SELECT 'capture ' || capture_id || ': the longest stretch of the outlier is not that of its parts' FROM window "
  "WHERE kind = 'outlier' AND "
  "(SELECT IFNULL (MAX (longest_stretch_ns), 0) FROM outlier_cost WHERE outlier_cost.window_id = window.window_id) <> "
  "(SELECT IFNULL (MAX (length_ns), 0) FROM stall WHERE stall.window_id = window.window_id)",

  "SELECT 'run ' || name || ': its latencies and samples do not add up to ' || cycles || ' cycles' FROM run "
  "WHERE source = 'record' AND cycles IS NOT NULL "
  "AND (cycles <> (SELECT IFNULL (SUM (count), 0) FROM run_latency WHERE run_latency.run_id = run.run_id) "
  "OR cycles <> (SELECT IFNULL (SUM (run_sample.cycles), 0) FROM run_sample WHERE run_sample.run_id = run.run_id))",

  "WITH facts AS ("
  " SELECT run_id, function_id, 1 AS a, calls AS b, self_ns AS c, tracing_ns AS d, total_ns AS e, off_cpu_ns AS f, "
  "  truncated AS g, 0 AS h, 0 AS i, 0 AS j, 0 AS k, 0 AS l, 0 AS m FROM capture_function JOIN capture USING "
  "(capture_id) "
  " UNION ALL SELECT run_id, function_id, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, outlier_cost.tracing_ns, 0, 0, 0 "
  "  FROM outlier_cost JOIN window USING (window_id) JOIN capture USING (capture_id) "
  " UNION ALL SELECT run_id, function_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, tracing_ns "
  "  FROM ordinary_cost JOIN capture USING (capture_id)), "
  "sums AS (SELECT run_id, function_id, SUM (a), SUM (b), SUM (c), SUM (d), SUM (e), SUM (f), SUM (g), SUM (h), "
  " SUM (i), SUM (j), SUM (k), SUM (l), SUM (m) FROM facts GROUP BY run_id, function_id), "
  "kept AS (SELECT run_id, function_id, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated, "
  " outlier_calls, outlier_self_ns, outlier_tracing_ns, ordinary_calls, ordinary_self_ns, ordinary_tracing_ns "
  " FROM run_function WHERE captures + outlier_calls + outlier_self_ns + ordinary_calls + ordinary_self_ns <> 0) "
  "SELECT DISTINCT 'run ' || run.name || ': the sums of ' || function.name || ' are not those of its captures' "
  "FROM (SELECT * FROM (SELECT * FROM sums EXCEPT SELECT * FROM kept) "
  " UNION ALL SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM sums)) "
  "JOIN run USING (run_id) JOIN function USING (function_id)",
};

GPtrArray *
culprit_study_check (CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      g_autoptr (Statement) statement = statement_new (study, checks[i], error);
      gboolean row = statement != NULL;

      while (row)
        {
          if (!statement_step (study, statement, &row, error))
            return NULL;
          if (row)
            g_ptr_array_add (faults, g_strdup (statement_text (statement, 0)));
        }
      if (!statement)
        return NULL;
    }
  return g_steal_pointer (&faults);
}
