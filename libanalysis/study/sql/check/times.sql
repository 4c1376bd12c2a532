-- SPDX-License-Identifier: GPL-3.0-or-later
-- Most captures that are refused today, but were stored by older versions.
SELECT 'capture ' || capture_id || ': its times are too long to add up; import the others into a new study'
FROM capture
WHERE capture_id IN (SELECT capture_id FROM capture_cpu WHERE last_ns - first_ns > 1 << 50
                     UNION ALL
                     SELECT capture_id FROM window GROUP BY capture_id HAVING TOTAL (latency_ns) > 1 << 50
                     UNION ALL
                     SELECT capture_id FROM capture_function
                     WHERE MAX (self_ns, total_ns, off_cpu_ns) > 1 << 53)
