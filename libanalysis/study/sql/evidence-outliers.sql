-- SPDX-License-Identifier: GPL-3.0-or-later
-- The number of cycles measured for a capture is that since the previous hit.
SELECT capture_id, file, run.name, latency_ns, tracing_ns, not_captured_ns, lost_events, capture.smi_count,
       capture.steal_ns, triage,
       hit_cycle - IFNULL (LAG (hit_cycle) OVER (PARTITION BY run_id ORDER BY hit_cycle), 0),
       host.name, host.kernel, IFNULL (series.name, run.name), IFNULL (json_extract (facts, '$.virtual_machine'), 0),
       graph_depth, graph_functions, interrupts_traced
FROM window
JOIN capture USING (capture_id)
JOIN run USING (run_id)
LEFT JOIN series USING (series_id)
JOIN host ON host.host_id = capture.host_id
WHERE kind = 'outlier'
ORDER BY capture_id
