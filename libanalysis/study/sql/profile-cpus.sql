-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT DISTINCT cpu
FROM run_latency
JOIN run USING (run_id)
WHERE run_id IN ({meant-runs})
  AND source <> 'profile' -- of which all are stored as CPU 0
ORDER BY cpu
