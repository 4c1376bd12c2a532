-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, node_id, calls, self_ns, outlier_node.tracing_ns, longest_stretch_ns, priority
FROM hit
CROSS JOIN outlier_node USING (window_id)
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id, node_id
