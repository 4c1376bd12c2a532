-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': those who had the CPU in its ordinary windows do not add up'
FROM capture
WHERE capture_id IN (SELECT capture_id FROM ordinary_source)
  AND (SELECT SUM (self_ns) FROM ordinary_source WHERE ordinary_source.capture_id = capture.capture_id)
      <> (SELECT IFNULL (SUM (latency_ns), 0) FROM window
          WHERE window.capture_id = capture.capture_id AND kind = 'ordinary')
