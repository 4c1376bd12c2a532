-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': those who had the CPU in the outlier do not add up to its ' || latency_ns
       || ' ns'
FROM window
JOIN outlier_source USING (window_id)
GROUP BY window_id
HAVING SUM (self_ns) <> latency_ns OR SUM (outlier_source.tracing_ns) <> window.tracing_ns
