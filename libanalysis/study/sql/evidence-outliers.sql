-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, file, run.name, run_id, latency_ns, tracing_ns, not_captured_ns, lost_events, capture.smi_count,
       capture.steal_ns, triage, host.name, host.kernel, IFNULL (series.name, run.name),
       IFNULL (json_extract (facts, '$.virtual_machine'), 0), graph_depth, graph_functions, interrupts_traced,
       json_extract (facts, '$.preemption'), IFNULL (json_array_length (facts, '$.idle_states'), 0)
FROM hit
JOIN capture USING (capture_id)
JOIN run USING (run_id)
LEFT JOIN series USING (series_id)
JOIN host ON host.host_id = capture.host_id
ORDER BY capture_id
