-- SPDX-License-Identifier: GPL-3.0-or-later
-- Runs that were delayed on purpose, and those of trials, are not among all.
SELECT run.name
FROM run
JOIN series USING (series_id)
WHERE (summary_mean_ns IS NOT NULL OR EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id))
  AND NOT {too-large}
  AND ((:label IS NULL AND json_type (configuration, '$.delay_at') IS NULL
        AND json_type (configuration, '$.treat') IS NULL)
       OR run_id IN ({meant-runs})
       OR (series.name = :label AND NOT EXISTS (SELECT 1 FROM run WHERE name = :label)))
ORDER BY run_id
