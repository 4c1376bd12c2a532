-- SPDX-License-Identifier: GPL-3.0-or-later
-- What is refused today, but may have been stored by older versions, or by a stranger.
SELECT 'capture ' || capture_id || ': its numbers are too large to add up; import the others into a new study'
FROM capture
WHERE lost_events > 1 << 53 OR overwritten_events > 1 << 53
   OR MAX (events, function_events, truncated_calls) > 1 << 53 OR MIN (events, function_events, truncated_calls) < 0
   OR ordinary_windows NOT BETWEEN 0 AND 1 << 42
   OR capture_id IN (SELECT capture_id FROM capture_cpu
                     WHERE last_ns - first_ns > 1 << 50 OR lost_events > 1 << 53 OR overwritten_events > 1 << 53
                        OR events NOT BETWEEN 0 AND 1 << 53
                     UNION ALL
                     SELECT capture_id FROM capture_event WHERE count NOT BETWEEN 0 AND 1 << 53
                     UNION ALL
                     SELECT capture_id FROM window GROUP BY capture_id HAVING TOTAL (latency_ns) > 1 << 53
                     UNION ALL
                     SELECT capture_id FROM capture_function
                     WHERE MAX (calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated) > 1 << 53
                        OR MIN (calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated) < 0
                     UNION ALL
                     SELECT capture_id FROM section
                     GROUP BY capture_id
                     HAVING MAX (TOTAL (count), TOTAL (held_ns), TOTAL (tracing_ns), MAX (longest_ns), MAX (longest_tracing_ns),
                                 MAX (longest_gap_ns), TOTAL (outlier_ns), TOTAL (outlier_tracing_ns), TOTAL (waits),
                                 MAX (longest_wait_ns), MAX (longest_wait_tracing_ns)) > 1 << 53
                         OR MIN (MIN (count), MIN (held_ns), MIN (tracing_ns), MIN (longest_ns), MIN (longest_tracing_ns),
                                 MIN (longest_gap_ns), MIN (outlier_ns), MIN (outlier_tracing_ns), MIN (waits),
                                 MIN (longest_wait_ns), MIN (longest_wait_tracing_ns)) < 0
                     UNION ALL
                     SELECT capture_id FROM ordinary_node
                     GROUP BY capture_id
                     HAVING MAX (TOTAL (calls), TOTAL (self_ns), TOTAL (tracing_ns), MAX (windows), MAX (calls_max),
                                 MAX (with_callees_max_ns)) > 1 << 53
                         OR MIN (MIN (calls), MIN (self_ns), MIN (tracing_ns)) < 0
                     UNION ALL
                     SELECT capture_id FROM window JOIN outlier_node USING (window_id)
                     GROUP BY capture_id
                     HAVING MAX (TOTAL (calls), TOTAL (self_ns), TOTAL (outlier_node.tracing_ns), TOTAL (truncated), MAX (total_ns),
                                 MAX (longest_stretch_ns)) > 1 << 53
                         OR MIN (MIN (calls), MIN (self_ns), MIN (outlier_node.tracing_ns), MIN (total_ns), MIN (truncated)) < 0)
UNION ALL
SELECT 'run ' || name || ': its numbers are too large to add up; import the others into a new study'
FROM run
WHERE MAX (IFNULL (cycles, 0), IFNULL (hits, 0), IFNULL (late, 0), IFNULL (missed, 0)) > 1 << 53
   OR {too-large}
   OR run_id IN (SELECT run_id FROM run_sample WHERE cycles NOT BETWEEN 0 AND 1 << 53
                 UNION ALL
                 SELECT run_id FROM run_function
                 WHERE MAX (calls, self_ns, tracing_ns, total_ns, off_cpu_ns) > 1 << 62
                    OR MIN (calls, self_ns, tracing_ns, total_ns, off_cpu_ns) < 0)
UNION ALL
SELECT 'host ' || host || ': its numbers are too large to add up; run culprit fleet again'
FROM fleet_population
WHERE MAX (captures, outliers) > 1 << 53 OR excess_ns NOT BETWEEN -(1 << 62) AND 1 << 62
