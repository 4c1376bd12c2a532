-- SPDX-License-Identifier: GPL-3.0-or-later
WITH facts AS (
  SELECT run_id, function_id, 1 AS a, calls AS b, self_ns AS c, tracing_ns AS d, total_ns AS e, off_cpu_ns AS f,
         truncated AS g, 0 AS h, 0 AS i, 0 AS j, 0 AS k, 0 AS l, 0 AS m
  FROM capture_function
  JOIN capture USING (capture_id)
  UNION ALL
  SELECT run_id, function_id, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, outlier_cost.tracing_ns, 0, 0, 0
  FROM outlier_cost
  JOIN window USING (window_id)
  JOIN capture USING (capture_id)
  UNION ALL
  SELECT run_id, function_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, tracing_ns
  FROM ordinary_cost
  JOIN capture USING (capture_id)),
sums AS (
  SELECT run_id, function_id, SUM (a), SUM (b), SUM (c), SUM (d), SUM (e), SUM (f), SUM (g), SUM (h), SUM (i),
         SUM (j), SUM (k), SUM (l), SUM (m)
  FROM facts
  GROUP BY run_id, function_id),
kept AS (
  SELECT run_id, function_id, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated, outlier_calls,
         outlier_self_ns, outlier_tracing_ns, ordinary_calls, ordinary_self_ns, ordinary_tracing_ns
  FROM run_function
  WHERE captures + outlier_calls + outlier_self_ns + ordinary_calls + ordinary_self_ns <> 0)
SELECT DISTINCT 'run ' || run.name || ': the sums of ' || function.name || ' are not those of its captures'
FROM (SELECT * FROM (SELECT * FROM sums EXCEPT SELECT * FROM kept)
      UNION ALL
      SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM sums))
JOIN run USING (run_id)
JOIN function USING (function_id)
