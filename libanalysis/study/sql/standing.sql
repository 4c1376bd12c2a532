-- SPDX-License-Identifier: GPL-3.0-or-later
-- An ordinary window in which the function did not run counts as well, with zero.
WITH part AS (
  SELECT function_id, node_id
  FROM function
  JOIN node USING (function_id)
  WHERE {function-key} = :key AND context = :context)
SELECT ordinary_windows, IFNULL (late.calls, 0), IFNULL (late.untraced_ns, 0), IFNULL (b.windows, 0),
       usual.untraced_ns * 1.0 / NULLIF (ordinary_windows, 0), b.untraced_max_ns, b.untraced_spread
FROM capture,
     (SELECT SUM (calls) AS calls, SUM (self_ns - o.tracing_ns) AS untraced_ns
      FROM part
      JOIN outlier_node AS o USING (node_id)
      WHERE window_id = (SELECT window_id FROM hit WHERE capture_id = :capture)) AS late,
     (SELECT SUM (self_ns - tracing_ns) AS untraced_ns
      FROM part
      JOIN ordinary_node USING (node_id)
      WHERE capture_id = :capture) AS usual
LEFT JOIN ordinary_part AS b
       ON b.capture_id = capture.capture_id AND b.function_id = (SELECT function_id FROM part) AND b.context = :context
WHERE capture.capture_id = :capture
