-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': window ' || window_id || ' does not last as long as its latency'
FROM window
WHERE end_ns - start_ns <> latency_ns
