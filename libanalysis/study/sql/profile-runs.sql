-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT run.name
FROM run
JOIN series USING (series_id)
WHERE EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id)
  AND (run.name = :label OR {arm} = :label)
  AND NOT {too-large}
ORDER BY run_id
