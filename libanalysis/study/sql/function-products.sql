-- SPDX-License-Identifier: GPL-3.0-or-later
-- The sum of the products of each function's untraced time with the latency, in parts: grouping millions of rows by
-- function would sort them all.
WITH selected AS (
  SELECT capture.capture_id
  FROM capture
  JOIN run USING (run_id)
  WHERE {in-run} AND {in-captures} AND {counts})
SELECT function_id, intrinsic_untraced
FROM ordinary_part
WHERE capture_id IN (SELECT capture_id FROM selected)
UNION ALL
SELECT function_id, (outlier_node.self_ns - outlier_node.tracing_ns) * (1.0 * latency_ns - hit.tracing_ns)
FROM hit
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
WHERE capture_id IN (SELECT capture_id FROM selected) AND depth > 0
