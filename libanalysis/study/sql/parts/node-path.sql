-- SPDX-License-Identifier: GPL-3.0-or-later
-- The calls by which late.node_id came, the outermost first; of a path that no capture can have, the innermost ones, and of
-- names that no kernel has, the first 256 characters.
(WITH RECURSIVE above (parent_id, path, depth, steps) AS (
   SELECT node.parent_id, SUBSTR (function.name, 1, 256), depth, 1
   FROM node
   JOIN function USING (function_id)
   WHERE node_id = late.node_id
   UNION ALL
   SELECT node.parent_id, SUBSTR (function.name, 1, 256) || ' > ' || path, node.depth, steps + 1
   FROM above
   JOIN node ON node.node_id = above.parent_id AND node.depth = above.depth - 1
   JOIN function USING (function_id)
   WHERE steps < 64)
 SELECT path
 FROM above
 ORDER BY depth
 LIMIT 1)
