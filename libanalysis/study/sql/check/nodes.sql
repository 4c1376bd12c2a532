-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'node ' || node.node_id || ': it does not fit below node ' || node.parent_id
FROM node
LEFT JOIN node AS above ON above.node_id = node.parent_id
WHERE node.depth > 0
  AND (node.depth > 64 OR above.node_id >= node.node_id OR above.depth <> node.depth - 1 OR above.context <> node.context
       OR above.source <> node.source)
