-- SPDX-License-Identifier: GPL-3.0-or-later
-- The nodes of the outlier of :capture, parents before what is below them.
SELECT node_id, parent_id, node.context, source, function.name, module, ordinal, calls, self_ns,
       outlier_node.tracing_ns, total_ns, truncated, longest_stretch_ns
FROM hit
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
LEFT JOIN function USING (function_id)
WHERE capture_id = :capture
ORDER BY depth, node_id
