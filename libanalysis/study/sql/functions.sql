-- SPDX-License-Identifier: GPL-3.0-or-later
-- The sums of a run are over all its captures: those that do not count are subtracted. If captures are named, theirs are
-- added up instead.
WITH selected AS (
  SELECT capture.capture_id, ordinary_windows
  FROM capture
  JOIN run USING (run_id)
  WHERE {in-run} AND {in-captures} AND {counts}),
added AS (
  SELECT capture_id, 1 AS sign
  FROM selected
  WHERE :captures IS NOT NULL
  UNION ALL
  SELECT capture.capture_id, -1
  FROM capture
  JOIN run USING (run_id)
  WHERE :captures IS NULL AND {in-run} AND NOT {counts}),
facts AS (
  SELECT function_id, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated, outlier_calls,
         outlier_self_ns, outlier_tracing_ns, ordinary_calls, ordinary_self_ns, ordinary_tracing_ns
  FROM run_function
  JOIN run USING (run_id)
  WHERE :captures IS NULL AND {in-run}
  UNION ALL
  SELECT function_id, sign * captures, sign * calls, sign * self_ns, sign * tracing_ns, sign * total_ns,
         sign * off_cpu_ns, sign * truncated, sign * outlier_calls, sign * outlier_self_ns, sign * outlier_tracing_ns,
         sign * ordinary_calls, sign * ordinary_self_ns, sign * ordinary_tracing_ns
  FROM added
  CROSS JOIN capture_sum USING (capture_id)),
sums AS (
  SELECT function_id, SUM (captures) AS captures, SUM (calls) AS calls, SUM (self_ns) AS self_ns,
         SUM (tracing_ns) AS tracing_ns, SUM (total_ns) AS total_ns, SUM (off_cpu_ns) AS off_cpu_ns,
         SUM (truncated) AS truncated, SUM (outlier_calls) AS outlier_calls,
         SUM (outlier_self_ns) AS outlier_self_ns, SUM (outlier_tracing_ns) AS outlier_tracing_ns,
         SUM (ordinary_calls) AS ordinary_calls, SUM (ordinary_self_ns) AS ordinary_self_ns,
         SUM (ordinary_tracing_ns) AS ordinary_tracing_ns
  FROM facts
  GROUP BY function_id
  HAVING SUM (captures + outlier_calls + outlier_self_ns + ordinary_calls + ordinary_self_ns) > 0),
counts AS (
  SELECT (SELECT COUNT (*) FROM selected JOIN hit USING (capture_id)) AS o,
         (SELECT SUM (ordinary_windows) FROM selected) AS b),
latencies AS (
  SELECT 1.0 * latency_ns - tracing_ns AS own
  FROM window
  WHERE capture_id IN (SELECT capture_id FROM selected)),
latency AS (
  SELECT COUNT (*) AS n, mean, AVG ((own - mean) * (own - mean)) AS variance
  FROM latencies, (SELECT AVG (own) AS mean FROM latencies)),
means AS (
  SELECT *, outlier_calls * 1.0 / o AS co, (outlier_self_ns - outlier_tracing_ns) * 1.0 / o AS so,
         IFNULL (ordinary_calls * 1.0 / b, 0) AS cb,
         IFNULL ((ordinary_self_ns - ordinary_tracing_ns) * 1.0 / b, 0) AS sb,
         (outlier_self_ns - outlier_tracing_ns) * 1.0 / NULLIF (outlier_calls, 0) AS each_o,
         COALESCE ((ordinary_self_ns - ordinary_tracing_ns) * 1.0 / NULLIF (ordinary_calls, 0),
                   (self_ns - tracing_ns - outlier_self_ns + outlier_tracing_ns) * 1.0 /
                   NULLIF (MAX (calls - outlier_calls, 0), 0)) AS each_b
  FROM sums, counts),
costs AS (
  SELECT *, IIF (b > 0, so - sb, NULL) AS excess_ns,
         IIF (b > 0, IFNULL ((co - cb) * (COALESCE (each_o, each_b) + COALESCE (each_b, each_o)) / 2, 0), NULL)
         AS count_part_ns
  FROM means),
shown AS (
  SELECT function.name AS function, module, ordinal, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns,
         truncated, o AS outlier_windows, outlier_calls * 1.0 / NULLIF (o, 0) AS outlier_calls_mean,
         outlier_self_ns * 1.0 / NULLIF (o, 0) AS outlier_self_mean_ns,
         outlier_tracing_ns * 1.0 / NULLIF (o, 0) AS outlier_tracing_mean_ns,
         (outlier_self_ns - outlier_tracing_ns) * 1.0 / NULLIF (o, 0) AS outlier_untraced_mean_ns,
         b AS ordinary_windows, ordinary_calls * 1.0 / NULLIF (b, 0) AS ordinary_calls_mean,
         ordinary_self_ns * 1.0 / NULLIF (b, 0) AS ordinary_self_mean_ns,
         ordinary_tracing_ns * 1.0 / NULLIF (b, 0) AS ordinary_tracing_mean_ns,
         excess_ns, count_part_ns, excess_ns - count_part_ns AS cost_part_ns,
         (product_sum (function_id) -
          mean * (outlier_self_ns - outlier_tracing_ns + ordinary_self_ns - ordinary_tracing_ns))
         / n / NULLIF (variance, 0) AS variance_share
  FROM costs
  JOIN function USING (function_id)
  JOIN latency)
SELECT function, module, ordinal, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated,
       outlier_windows AS "outlier.windows", outlier_calls_mean AS "outlier.calls_mean",
       outlier_self_mean_ns AS "outlier.self_mean_ns", outlier_tracing_mean_ns AS "outlier.tracing_mean_ns",
       outlier_untraced_mean_ns AS "outlier.untraced_mean_ns", ordinary_windows AS "ordinary.windows",
       ordinary_calls_mean AS "ordinary.calls_mean", ordinary_self_mean_ns AS "ordinary.self_mean_ns",
       ordinary_tracing_mean_ns AS "ordinary.tracing_mean_ns", excess_ns, count_part_ns, cost_part_ns, variance_share
FROM shown
WHERE ({where})
ORDER BY IFNULL (variance_share, 0) DESC, IFNULL (outlier_untraced_mean_ns, 0) DESC, self_ns DESC, function, module,
         ordinal
