-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, latency_ns, tracing_ns
FROM window
WHERE kind = 'ordinary' AND capture_id BETWEEN :first AND :last
ORDER BY capture_id, window_id
