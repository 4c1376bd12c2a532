-- SPDX-License-Identifier: GPL-3.0-or-later
-- The latency profiles of the other tools' results: how many samples each host and kernel has, and the largest. Bins that are
-- neither of 1 ns nor of 1 us are represented by their middles.
SELECT host, kernel, name, SUM (count) AS samples, MAX (middle_ns) AS max_ns,
       CAST (ROUND (SUM (middle_ns * 1.0e0 * count) / SUM (count)) AS BIGINT) AS mean_ns
FROM (SELECT run.host, run.kernel, run.name, count, latency_ns +
             CASE WHEN resolution_ns IN (1, 1000) THEN 0 ELSE CAST (FLOOR (resolution_ns / 2.0e0) AS BIGINT) END AS middle_ns
      FROM run_latency
      JOIN run ON run.file = run_latency.file AND run.name = run_latency.run) AS known
GROUP BY host, kernel, name
ORDER BY host NULLS FIRST, kernel NULLS FIRST, name
