-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT name
FROM run
WHERE EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id)
  AND run_id IN ({meant-runs})
  AND NOT {too-large}
ORDER BY run_id
