-- SPDX-License-Identifier: GPL-3.0-or-later
-- The function in each late wake-up, with the path by which most of its time came.
WITH part AS (
  SELECT node_id, context, function.module
  FROM function
  JOIN node USING (function_id)
  WHERE {function-key} = :key),
late AS (
  SELECT capture_id, hit.window_id, latency_ns, hit.tracing_ns AS latency_tracing_ns, part.context, module,
         SUM (calls) AS calls, SUM (self_ns) AS self_ns, SUM (o.tracing_ns) AS tracing_ns,
         MAX (o.self_ns - o.tracing_ns), o.node_id
  FROM part
  CROSS JOIN hit
  CROSS JOIN outlier_node AS o ON o.window_id = hit.window_id AND o.node_id = part.node_id
  GROUP BY capture_id, part.context),
usual AS (
  SELECT capture_id, part.context, SUM (calls) AS calls, SUM (self_ns - tracing_ns) AS untraced_ns
  FROM part
  CROSS JOIN capture
  CROSS JOIN ordinary_node USING (capture_id, node_id)
  GROUP BY capture_id, part.context)
SELECT capture, file, run, latency_ns, latency_untraced_ns, context, module, calls, self_ns, tracing_ns,
       self_ns - tracing_ns AS untraced_ns, usual_calls AS "ordinary.calls_mean",
       usual_ns AS "ordinary.untraced_mean_ns", path
FROM (SELECT capture.capture_id AS capture, file, run.name AS run, latency_ns,
             latency_ns - latency_tracing_ns AS latency_untraced_ns, late.context, module, late.calls, self_ns,
             tracing_ns, {node-path} AS path,
             IFNULL (usual.calls, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_calls,
             IFNULL (usual.untraced_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_ns
      FROM late
      JOIN capture USING (capture_id)
      JOIN run USING (run_id)
      LEFT JOIN usual ON usual.capture_id = late.capture_id AND usual.context = late.context
      WHERE {in-run} AND {in-captures} AND {counts})
WHERE ({where})
ORDER BY untraced_ns DESC, capture
