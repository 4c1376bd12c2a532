-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT latency_ns - tracing_ns AS untraced_ns, COUNT (*), 1
FROM window
JOIN capture USING (capture_id)
JOIN run USING (run_id)
WHERE run_id IN ({meant-runs}) AND triage <> 'ignored'
GROUP BY untraced_ns
