-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT DISTINCT cpu
FROM run_latency
JOIN run USING (run_id)
WHERE run_id IN ({meant-runs})
ORDER BY cpu
