/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of functions: what each cost in outliers and in ordinary wake-ups, what that explains of the excess, and
 * how much of the latencies' variance comes with it. */
#include "query-private.h"

#include "statement-private.h"

/* Sums by function: @sign times those of some captures, from their rows. */
#define FROM_CAPTURES(captures, sign)                                                                                  \
  "SELECT function_id, " sign " AS captures, " sign " * calls AS calls, " sign " * self_ns AS self_ns, " sign          \
  " * tracing_ns AS tracing_ns, " sign " * total_ns AS total_ns, " sign " * off_cpu_ns AS off_cpu_ns, " sign           \
  " * truncated AS truncated, 0 AS outlier_calls, 0 AS outlier_self_ns, 0 AS outlier_tracing_ns, "                     \
  "0 AS ordinary_calls, 0 AS ordinary_self_ns, 0 AS ordinary_tracing_ns "                                              \
  "FROM capture_function WHERE capture_id IN (SELECT capture_id FROM " captures ") "                                   \
  "UNION ALL SELECT function_id, 0, 0, 0, 0, 0, 0, 0, " sign " * outlier_cost.calls, " sign                            \
  " * outlier_cost.self_ns, " sign " * outlier_cost.tracing_ns, 0, 0, 0 "                                              \
  "FROM window JOIN outlier_cost USING (window_id) "                                                                   \
  "WHERE capture_id IN (SELECT capture_id FROM " captures ") AND kind = 'outlier' "                                    \
  "UNION ALL SELECT function_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, " sign " * calls, " sign " * self_ns, " sign            \
  " * tracing_ns FROM ordinary_cost WHERE capture_id IN (SELECT capture_id FROM " captures ")"

/* The same from the runs' sums, which are of all captures, less those that do not count. */
#define FROM_RUNS                                                                                                      \
  "SELECT function_id, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated, outlier_calls, "         \
  "outlier_self_ns, outlier_tracing_ns, ordinary_calls, ordinary_self_ns, ordinary_tracing_ns "                        \
  "FROM run_function JOIN run USING (run_id) WHERE " IN_RUN " UNION ALL " FROM_CAPTURES ("ignored", "-1")

CulpritTable *
culprit_query_functions (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  g_autofree char *inner = g_strdup_printf (
      "WITH selected AS (SELECT capture.capture_id, ordinary_windows FROM capture JOIN run USING (run_id) "
      " WHERE " IN_RUN " AND " IN_CAPTURE
      " AND " COUNTS ("triage") "), "
                                "ignored AS (SELECT capture.capture_id FROM capture JOIN run USING (run_id) "
                                " WHERE " IN_RUN " AND NOT " COUNTS (
                                    "triage") "), "
                                              "counts AS (SELECT (SELECT COUNT (*) FROM selected JOIN window USING "
                                              "(capture_id) WHERE kind = 'outlier') AS o, "
                                              " (SELECT SUM (ordinary_windows) FROM selected) AS b), "
                                              "sums AS (SELECT function_id, SUM (captures) AS captures, SUM (calls) AS "
                                              "calls, SUM (self_ns) AS self_ns, "
                                              " SUM (tracing_ns) AS tracing_ns, SUM (total_ns) AS total_ns, SUM "
                                              "(off_cpu_ns) AS off_cpu_ns, "
                                              " SUM (truncated) AS truncated, SUM (outlier_calls) AS outlier_calls, "
                                              "SUM (outlier_self_ns) AS outlier_self_ns, "
                                              " SUM (outlier_tracing_ns) AS outlier_tracing_ns, SUM (ordinary_calls) "
                                              "AS ordinary_calls, "
                                              " SUM (ordinary_self_ns) AS ordinary_self_ns, SUM (ordinary_tracing_ns) "
                                              "AS ordinary_tracing_ns "
                                              " FROM (%s) GROUP BY function_id "
                                              " HAVING SUM (captures + outlier_calls + outlier_self_ns + "
                                              "ordinary_calls + ordinary_self_ns) > 0), "
                                              "late AS (SELECT window_id, capture_id, kind, 1.0 * latency_ns - "
                                              "tracing_ns AS own FROM window "
                                              " WHERE capture_id IN (SELECT capture_id FROM selected)), "
                                              "spread AS (SELECT COUNT (*) AS n, mean, AVG ((own - mean) * (own - "
                                              "mean)) AS variance "
                                              " FROM late, (SELECT AVG (own) AS mean FROM late)), "
                                              "products AS (SELECT function_id, SUM (product) AS product FROM ("
                                              " SELECT function_id, intrinsic_untraced AS product FROM ordinary_cost "
                                              "  WHERE capture_id IN (SELECT capture_id FROM selected) "
                                              " UNION ALL SELECT function_id, (self_ns - tracing_ns) * own FROM "
                                              "outlier_cost JOIN late USING (window_id) "
                                              "  WHERE kind = 'outlier') GROUP BY function_id), "
                                              "means AS (SELECT *, outlier_calls * 1.0 / o AS co, (outlier_self_ns - "
                                              "outlier_tracing_ns) * 1.0 / o AS so, "
                                              " IFNULL (ordinary_calls * 1.0 / b, 0) AS cb, IFNULL ((ordinary_self_ns "
                                              "- ordinary_tracing_ns) * 1.0 / b, 0) AS "
                                              "sb, "
                                              " (outlier_self_ns - outlier_tracing_ns) * 1.0 / NULLIF (outlier_calls, "
                                              "0) AS each_o, "
                                              " COALESCE ((ordinary_self_ns - ordinary_tracing_ns) * 1.0 / NULLIF "
                                              "(ordinary_calls, 0), "
                                              "  (self_ns - tracing_ns - outlier_self_ns + outlier_tracing_ns) * 1.0 / "
                                              "NULLIF (MAX (calls - outlier_calls, 0), "
                                              "0)) "
                                              "  AS each_b FROM sums, counts), "
                                              "parts AS (SELECT *, IIF (b > 0, so - sb, NULL) AS excess, "
                                              " IIF (b > 0, IFNULL ((co - cb) * (COALESCE (each_o, each_b) + COALESCE "
                                              "(each_b, each_o)) / 2, 0), NULL) AS "
                                              "count_part "
                                              " FROM means) "
                                              "SELECT function.name AS function, module, ordinal, captures, calls, "
                                              "self_ns, tracing_ns, total_ns, off_cpu_ns, "
                                              "truncated, o AS outlier_windows, outlier_calls * 1.0 / NULLIF (o, 0) AS "
                                              "outlier_calls_mean, "
                                              "outlier_self_ns * 1.0 / NULLIF (o, 0) AS outlier_self_mean_ns, "
                                              "outlier_tracing_ns * 1.0 / NULLIF (o, 0) AS outlier_tracing_mean_ns, "
                                              "(outlier_self_ns - outlier_tracing_ns) * 1.0 / NULLIF (o, 0) AS "
                                              "outlier_untraced_mean_ns, b AS "
                                              "ordinary_windows, "
                                              "ordinary_calls * 1.0 / NULLIF (b, 0) AS ordinary_calls_mean, "
                                              "ordinary_self_ns * 1.0 / NULLIF (b, 0) AS ordinary_self_mean_ns, "
                                              "ordinary_tracing_ns * 1.0 / NULLIF (b, 0) AS ordinary_tracing_mean_ns, "
                                              "excess AS excess_ns, count_part AS count_part_ns, excess - count_part "
                                              "AS cost_part_ns, "
                                              "(IFNULL (product, 0) - mean * (outlier_self_ns - outlier_tracing_ns + "
                                              "ordinary_self_ns - ordinary_tracing_ns)) "
                                              " / n / NULLIF (variance, 0) AS variance_share "
                                              "FROM parts JOIN function USING (function_id) LEFT JOIN products USING "
                                              "(function_id), spread",
      filter->capture || filter->n_captures > 0 ? FROM_CAPTURES ("selected", "1") : FROM_RUNS);

  return query_filtered (
      study, filter,
      "function, module, ordinal, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated, "
      "outlier_windows AS \"outlier.windows\", outlier_calls_mean AS \"outlier.calls_mean\", "
      "outlier_self_mean_ns AS \"outlier.self_mean_ns\", "
      "outlier_tracing_mean_ns AS \"outlier.tracing_mean_ns\", "
      "outlier_untraced_mean_ns AS \"outlier.untraced_mean_ns\", "
      "ordinary_windows AS \"ordinary.windows\", ordinary_calls_mean AS \"ordinary.calls_mean\", "
      "ordinary_self_mean_ns AS \"ordinary.self_mean_ns\", "
      "ordinary_tracing_mean_ns AS \"ordinary.tracing_mean_ns\", "
      "excess_ns, count_part_ns, cost_part_ns, variance_share",
      inner,
      "IFNULL (variance_share, 0) DESC, IFNULL (outlier_untraced_mean_ns, 0) DESC, self_ns DESC, function, module, "
      "ordinal",
      error);
}

CulpritTable *
culprit_query_function (CulpritStudy *study, const CulpritFilter *filter, const char *key, GError **error)
{
  char *inner = sqlite3_mprintf (
      "SELECT capture.capture_id AS capture, file, run.name AS run, window.latency_ns, "
      " window.latency_ns - window.tracing_ns AS latency_untraced_ns, o.context, function.module, o.calls, o.self_ns, "
      " o.tracing_ns, o.path, IFNULL (b.calls, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_calls, "
      " (IFNULL (b.self_ns, 0) - IFNULL (b.tracing_ns, 0)) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_ns "
      "FROM function JOIN outlier_cost AS o USING (function_id) JOIN window USING (window_id) "
      "JOIN capture USING (capture_id) JOIN run USING (run_id) "
      "LEFT JOIN ordinary_cost AS b ON b.capture_id = capture.capture_id AND b.function_id = o.function_id "
      " AND b.context = o.context "
      "WHERE function_id = (SELECT function_id FROM function WHERE " FUNCTION_KEY (
          "function") " = %Q) AND " IN_RUN " AND " IN_CAPTURE " AND " COUNTS ("triage"),
      key);
  CulpritTable *table = query_filtered (
      study, filter,
      "capture, file, run, latency_ns, latency_untraced_ns, context, module, calls, self_ns, tracing_ns, "
      "self_ns - tracing_ns AS untraced_ns, usual_calls AS \"ordinary.calls_mean\", "
      "usual_ns AS \"ordinary.untraced_mean_ns\", path",
      inner, "untraced_ns DESC, capture", error);

  sqlite3_free (inner);
  return table;
}
