-- SPDX-License-Identifier: GPL-3.0-or-later
WITH sums AS (
  SELECT run_id, function_id, SUM (captures), SUM (calls), SUM (self_ns), SUM (tracing_ns), SUM (total_ns),
         SUM (off_cpu_ns), SUM (truncated), SUM (outlier_calls), SUM (outlier_self_ns), SUM (outlier_tracing_ns),
         SUM (ordinary_calls), SUM (ordinary_self_ns), SUM (ordinary_tracing_ns)
  FROM capture_sum
  JOIN capture USING (capture_id)
  GROUP BY run_id, function_id
  HAVING SUM (captures + outlier_calls + outlier_self_ns + ordinary_calls + ordinary_self_ns) <> 0),
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
