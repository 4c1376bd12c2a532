-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT window_id, function_id, SUM (self_ns - tracing_ns)
FROM outlier_node
CROSS JOIN node USING (node_id)
WHERE window_id IN (SELECT window_id
                    FROM capture
                    JOIN run USING (run_id)
                    JOIN hit USING (capture_id)
                    WHERE {in-run} AND {in-captures} AND {counts})
  AND depth > 0
GROUP BY window_id, function_id
