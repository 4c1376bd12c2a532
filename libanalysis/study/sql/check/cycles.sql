-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'run ' || name || ': its latencies and samples do not add up to ' || cycles || ' cycles'
FROM run
WHERE (source = 'record' OR EXISTS (SELECT 1 FROM run_latency WHERE run_latency.run_id = run.run_id))
  AND cycles IS NOT NULL
  AND (cycles <> (SELECT IFNULL (SUM (count), 0) FROM run_latency WHERE run_latency.run_id = run.run_id)
       OR (source = 'record'
           AND period_ns IS NOT NULL
           AND cycles <> (SELECT IFNULL (SUM (run_sample.cycles), 0) FROM run_sample
                          WHERE run_sample.run_id = run.run_id)))
