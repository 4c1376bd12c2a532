-- SPDX-License-Identifier: GPL-3.0-or-later
-- The latency profile of each host and kernel, and of all of them (host NULL), from the latency results beside captures.
-- Counts are added up as doubles: a file may say 2^53, and a thousand files then pass 64 bits.
WITH profile AS (
  SELECT host, kernel, latency_ns, SUM (CAST (count AS DOUBLE)) AS count
  FROM run_latency
  GROUP BY GROUPING SETS ((host, kernel, latency_ns), (latency_ns))
), ranked AS (
  SELECT *, SUM (count) OVER (PARTITION BY host, kernel ORDER BY latency_ns) AS below,
         SUM (count) OVER (PARTITION BY host, kernel) AS n
  FROM profile
)
SELECT host, kernel, CAST (LEAST (MAX (n), 9e18) AS BIGINT) AS n, MIN (latency_ns) AS min_ns,
       CAST (ROUND (SUM (latency_ns * count) / MAX (n)) AS BIGINT) AS mean_ns,
       MIN (CASE WHEN below >= 0.5 * n THEN latency_ns END) AS median_ns,
       MIN (CASE WHEN below >= 0.99 * n THEN latency_ns END) AS p99_ns,
       MIN (CASE WHEN below >= 0.9999 * n THEN latency_ns END) AS p9999_ns, MAX (latency_ns) AS max_ns
FROM ranked
GROUP BY host, kernel
ORDER BY host, kernel
