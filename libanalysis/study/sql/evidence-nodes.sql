-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT node_id, parent_id, function_id, context, source, name, ordinal
FROM node
LEFT JOIN function USING (function_id)
ORDER BY node_id
