-- SPDX-License-Identifier: GPL-3.0-or-later
-- The runs of :series with :tracing, and those recorded with it beside that series, for all its peaks.
SELECT run.name
FROM run
JOIN series USING (series_id)
WHERE IFNULL (tracing, 'off') = :tracing
  AND ((series.name = :series AND {same-host})
       OR ({explains}
           AND json_type (configuration, '$.explains.at_ns') IS NULL))
  AND EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id)
  AND NOT {too-large}
ORDER BY run_id
