-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': the outlier''s part that was not captured is not ' || not_captured_ns || ' ns'
FROM hit
WHERE not_captured_ns <> (SELECT IFNULL (SUM (self_ns), 0)
                          FROM outlier_node
                          JOIN node USING (node_id)
                          JOIN function USING (function_id)
                          WHERE outlier_node.window_id = hit.window_id AND name = '[not captured]')
