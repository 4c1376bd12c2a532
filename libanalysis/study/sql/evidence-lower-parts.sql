-- SPDX-License-Identifier: GPL-3.0-or-later
-- Of late wake-ups, what evidence-parts.sql has of ordinary ones.
SELECT capture_id, function_id, context, 1, SUM (calls), MAX (longest_stretch_ns),
       SUM (self_ns - outlier_node.tracing_ns)
FROM hit
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
WHERE capture_id BETWEEN :first AND :last AND depth > 0
GROUP BY capture_id, function_id, context
ORDER BY capture_id
