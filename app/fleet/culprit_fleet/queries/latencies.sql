-- SPDX-License-Identifier: GPL-3.0-or-later
-- The latency profiles of the other tools' results: how many samples each host and kernel has, and the largest.
SELECT run.host, run.kernel, run.name, SUM (count) AS samples, MAX (latency_ns) AS max_ns,
       CAST (ROUND (SUM (latency_ns * 1.0e0 * count) / SUM (count)) AS BIGINT) AS mean_ns
FROM run_latency
JOIN run ON run.file = run_latency.file AND run.name = run_latency.run
GROUP BY run.host, run.kernel, run.name
ORDER BY run.host NULLS FIRST, run.kernel NULLS FIRST, run.name
