-- SPDX-License-Identifier: GPL-3.0-or-later
-- How many captures are here already, but without the late window that the other study has of them. Their digests may be of
-- different kinds.
SELECT COUNT (*)
FROM other.capture AS c
JOIN other.window AS w ON w.capture_id = c.capture_id AND w.kind = 'outlier'
JOIN other.run USING (run_id)
JOIN other.series USING (series_id)
WHERE c.capture_id NOT IN (SELECT capture_id FROM new_capture)
  AND (size_bytes, first_ns, last_ns, events, start_ns, end_ns, window_kind) NOT IN
      (SELECT size_bytes, first_ns, last_ns, events, start_ns, end_ns, window_kind
       FROM main.capture
       JOIN main.window USING (capture_id)
       JOIN main.run USING (run_id)
       JOIN main.series USING (series_id)
       WHERE kind = 'outlier')
