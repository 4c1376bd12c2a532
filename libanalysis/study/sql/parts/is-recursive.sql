-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether the function of the node that `called` belongs to is above it, too: at `above` or one above that.
EXISTS (WITH RECURSIVE up (parent_id, function_id, level) AS (
          SELECT above.parent_id, above.function_id, 1
          UNION ALL
          SELECT node.parent_id, node.function_id, level + 1
          FROM up
          JOIN main.node ON node.node_id = up.parent_id
          WHERE level < 64)
        SELECT 1 FROM up WHERE up.function_id = called.function_id)
