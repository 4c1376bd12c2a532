-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, latency_ns, tracing_ns, read_version >= :read_version
FROM window
JOIN capture USING (capture_id)
WHERE kind = 'ordinary'
ORDER BY window_id
