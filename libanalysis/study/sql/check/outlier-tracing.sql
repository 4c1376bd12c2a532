-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': the tracing in the outlier''s parts does not add up to ' || tracing_ns || ' ns'
FROM hit
WHERE tracing_ns <> (SELECT IFNULL (SUM (tracing_ns), 0) FROM outlier_node
                     WHERE outlier_node.window_id = hit.window_id)
