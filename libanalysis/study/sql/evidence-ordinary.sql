-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, latency_ns, tracing_ns, read_version >= :read_version
FROM window
JOIN capture USING (capture_id)
WHERE kind = 'ordinary' AND capture_id BETWEEN :first AND :last
ORDER BY capture_id, window_id
