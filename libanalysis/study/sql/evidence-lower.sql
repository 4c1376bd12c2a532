-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, latency_ns, tracing_ns
FROM hit
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id
