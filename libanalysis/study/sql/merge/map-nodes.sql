-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sources and calls apart, so that each finds its like by an index.
INSERT INTO node_map
SELECT o.node_id, m.node_id
FROM other.node AS o
JOIN used_node USING (node_id)
JOIN main.node AS m ON m.depth = 0 AND m.context = o.context AND m.source = o.source
WHERE :depth = 0 AND o.depth = 0
UNION ALL
SELECT o.node_id, m.node_id
FROM other.node AS o
JOIN used_node USING (node_id)
JOIN node_map AS above ON above.old = o.parent_id
JOIN function_map ON function_map.old = o.function_id
JOIN main.node AS m ON m.depth > 0 AND m.parent_id = above.new AND m.function_id = function_map.new
WHERE :depth > 0 AND o.depth = :depth
