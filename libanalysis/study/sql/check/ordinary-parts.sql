-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': what ran in the ordinary windows does not add up to these'
FROM capture
WHERE (SELECT IFNULL (SUM (self_ns), 0) FROM ordinary_node WHERE ordinary_node.capture_id = capture.capture_id)
      <> (SELECT IFNULL (SUM (latency_ns), 0) FROM window
          WHERE window.capture_id = capture.capture_id AND kind = 'ordinary')
