-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': the times without ' || kind || ' do not add up'
FROM section
WHERE count < 1
   OR held_ns / count < 20000
   OR longest_ns NOT BETWEEN 20000 AND held_ns
   OR tracing_ns NOT BETWEEN longest_tracing_ns AND held_ns
   OR longest_tracing_ns > longest_ns
   OR outlier_ns NOT BETWEEN outlier_tracing_ns AND held_ns
   OR waits NOT BETWEEN 0 AND count
   OR (waits = 0) <> (longest_wait_ns = 0)
   OR longest_wait_ns NOT BETWEEN longest_wait_tracing_ns AND held_ns
   OR longest_wait_tracing_ns < 0
GROUP BY capture_id, kind
UNION ALL
SELECT 'capture ' || capture_id || ': its outlier was longer without ' || kind || ' than it is'
FROM section
LEFT JOIN hit USING (capture_id)
GROUP BY capture_id, kind
HAVING SUM (outlier_ns) > MAX (IFNULL (latency_ns, 0))
