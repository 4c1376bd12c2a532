-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT turn, run.name, IFNULL (missed, 0),
       EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id)
FROM run
JOIN series USING (series_id)
WHERE series.name = :series
  AND NOT {too-large}
ORDER BY turn
