-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'node ' || called.node_id || ': it does not fit below node ' || called.parent_id
FROM node AS called
LEFT JOIN node AS above ON above.node_id = called.parent_id
WHERE called.depth > 0
  AND (called.depth > 64 OR above.node_id >= called.node_id OR above.depth <> called.depth - 1
       OR above.context <> called.context OR above.source <> called.source)
UNION ALL
SELECT 'node ' || called.node_id || ': its function is ' || IIF (called.recursive, 'not ', '') || 'above it, too'
FROM node AS called
LEFT JOIN node AS above ON above.node_id = called.parent_id
WHERE called.recursive <> {is-recursive}
