-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, node_id, calls, self_ns, tracing_ns, windows, calls_max, with_callees_max_ns
FROM ordinary_node
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id, node_id
