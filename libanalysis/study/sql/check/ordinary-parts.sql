-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': the parts of the ordinary windows do not add up'
FROM capture
WHERE (SELECT IFNULL (SUM (self_ns), 0) FROM ordinary_cost WHERE ordinary_cost.capture_id = capture.capture_id)
      <> (SELECT IFNULL (SUM (latency_ns), 0) FROM window
          WHERE window.capture_id = capture.capture_id AND kind = 'ordinary')
