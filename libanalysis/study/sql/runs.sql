-- SPDX-License-Identifier: GPL-3.0-or-later
-- The figures that a tool printed itself take precedence over its counts. coarse_ns: the width of bins whose low edges are
-- stored. A run that was recorded before targets were stored was on our virtual machine if its host is a "guest".
WITH found AS (
  SELECT run_id, COUNT (DISTINCT host_id) AS n, MIN (name) AS name, MIN (kernel) AS kernel
  FROM (SELECT run_id, host_id FROM run WHERE host_id IS NOT NULL
        UNION
        SELECT run_id, host_id FROM capture)
  JOIN host USING (host_id)
  GROUP BY run_id),
counted AS (
  SELECT run_id, MIN (latency_ns) AS min_ns, MAX (latency_ns) AS max_ns,
         TOTAL (CAST (latency_ns AS REAL) * count) / TOTAL (count) AS mean_ns
  FROM run_latency
  GROUP BY run_id),
captured AS (
  SELECT run_id, COUNT (*) AS captures, COUNT (window_id) AS outliers, SUM (ordinary_windows) AS ordinary_windows,
         MAX (latency_ns) AS max_ns, SUM (triage = 'ignored') AS ignored
  FROM capture
  LEFT JOIN hit USING (capture_id)
  GROUP BY run_id),
-- Once for each series, of which a file may have many runs: hence the limit of what each run repeats.
requested AS MATERIALIZED (
  SELECT series_id, SUBSTR (json_extract (configuration, '$.target'), 1, 255) AS target,
         IIF (LENGTH (json_extract (configuration, '$.vm')) <= 1024, json_extract (configuration, '$.vm'), NULL) AS vm,
         SUBSTR (json_extract (configuration, '$.explains.series'), 1, 255) AS explains,
         IIF (LENGTH (configuration) <= 8192, configuration, NULL) AS settings
  FROM series),
known AS (
  SELECT run.*, series.name AS series, window_kind, {arm} AS arm, target, vm, explains, settings,
         IIF (resolution_ns IN (1, 1000), 0, resolution_ns) AS coarse_ns,
         CAST (MIN (MAX (IFNULL (json_extract (told, '$.beyond'), 0), 0), 9e15) AS INTEGER) AS beyond -- latencies above the end of the histogram
  FROM run
  JOIN series USING (series_id)
  JOIN requested USING (series_id))
SELECT known.name AS run, IIF (found.n > 1, 'several', found.name) AS host,
       IIF (found.n > 1, 'several', found.kernel) AS kernel, known.source, known.tracing, known.period_ns,
       known.cycles + beyond AS cycles, known.hits, known.missed, known.late,
       IFNULL (CAST (json_extract (known.told, '$.min_ns') AS INTEGER), counted.min_ns) AS latency_min_ns,
       IFNULL (json_extract (known.told, '$.mean_ns'), IIF (beyond > 0, NULL, counted.mean_ns + coarse_ns / 2.0)) AS latency_mean_ns,
       IFNULL (captured.captures, 0) AS captures, IFNULL (captured.outliers, 0) AS outliers,
       captured.ordinary_windows,
       COALESCE (CAST (json_extract (known.told, '$.max_ns') AS INTEGER),
                 IIF (beyond > 0, NULL, counted.max_ns + coarse_ns), captured.max_ns) AS latency_max_ns,
       IIF (known.source = 'record', series, NULL) AS recording, known.started_utc, known.threshold_ns, known.band_low_ns, known.band_high_ns, known.method,
       known.policy, known.priority, known.cpus, known.load, IFNULL (captured.ignored, 0) AS ignored,
       known.series, window_kind_words (window_kind) AS windows, known.turn, known.arm,
       IFNULL (known.target, IIF (found.name = 'guest' AND json_extract (known.facts, '$.virtual_machine'), 'vm', NULL))
         AS target,
       known.vm, known.settings, known.explains
FROM known
LEFT JOIN found USING (run_id)
LEFT JOIN counted USING (run_id)
LEFT JOIN captured USING (run_id)
ORDER BY run
