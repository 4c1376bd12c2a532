-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': the longest stretch of the outlier is not that of its parts'
FROM hit
WHERE (SELECT IFNULL (MAX (longest_stretch_ns), 0) FROM outlier_node
       WHERE outlier_node.window_id = hit.window_id)
      <> (SELECT IFNULL (MAX (length_ns), 0) FROM stall WHERE stall.window_id = hit.window_id)
