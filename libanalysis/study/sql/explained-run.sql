-- SPDX-License-Identifier: GPL-3.0-or-later
-- The last run without tracing that :run names, or a series of which it does; of all recorded ones if it is NULL. Those
-- recorded for another purpose are not among them.
SELECT run.name, series.name, IFNULL (period_ns, 0),
       json_extract (configuration, '$.target'), configuration
FROM run
JOIN series USING (series_id)
WHERE IFNULL (tracing, 'off') = 'off'
  AND series.name IS NOT NULL
  AND (run.name = :run OR series.name = :run OR (:run IS NULL AND tracing = 'off'))
  AND json_type (configuration, '$.delay_at') IS NULL
  AND json_type (configuration, '$.treat') IS NULL
  AND EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id)
  AND NOT {too-large}
ORDER BY run.name = :run DESC, run_id DESC
LIMIT 1
