-- SPDX-License-Identifier: GPL-3.0-or-later
-- Those of :depth; those above are mapped already.
INSERT INTO main.node (parent_id, function_id, context, source, depth, recursive)
SELECT node_map.new, function_map.new, context, source, depth, recursive
FROM other.node AS o
LEFT JOIN node_map ON node_map.old = parent_id
LEFT JOIN function_map ON function_map.old = function_id
WHERE depth = :depth
ORDER BY node_id
ON CONFLICT DO NOTHING
