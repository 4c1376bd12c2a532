-- SPDX-License-Identifier: GPL-3.0-or-later
-- Those of :depth; those above are mapped already. What a node is follows from those above it here, whatever the other
-- study says, since captures that are imported later share it.
INSERT INTO main.node (parent_id, function_id, context, source, depth, recursive)
SELECT above.node_id, called.function_id, IFNULL (above.context, o.context), IFNULL (above.source, o.source),
       IFNULL (above.depth + 1, 0), {is-recursive}
FROM other.node AS o
JOIN used_node USING (node_id)
LEFT JOIN node_map ON node_map.old = o.parent_id
LEFT JOIN main.node AS above ON above.node_id = node_map.new
LEFT JOIN function_map ON function_map.old = o.function_id
LEFT JOIN main.function AS called ON called.function_id = function_map.new
WHERE o.depth = :depth
ORDER BY o.node_id
ON CONFLICT DO NOTHING
