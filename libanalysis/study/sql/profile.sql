-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT latency_ns, SUM (count), MAX (resolution_ns)
FROM run_latency
JOIN run USING (run_id)
WHERE run_id IN ({meant-runs}) AND :cpu IN (cpu, -1)
GROUP BY latency_ns
