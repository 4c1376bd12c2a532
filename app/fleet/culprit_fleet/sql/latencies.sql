-- SPDX-License-Identifier: GPL-3.0-or-later
-- The latency profile of each host and kernel, and of all of them (host NULL), from the latency results beside captures.
-- Counts are added up as doubles: a file may say 2^53, and a thousand files then pass 64 bits. Those beyond, above the end of
-- a tool's histogram, are counted, but how long they were is not known, unless a tool told its maximum. Results without
-- captures beside them have no host, which is not all of them. Above the end of the shortest histogram that has such, no rank
-- is known.
WITH figures AS (
  SELECT COALESCE (host, '') AS host, COALESCE (kernel, '') AS kernel,
         TRY_CAST (GET_JSON_OBJECT (told, '$.beyond') AS DOUBLE) AS beyond,
         TRY_CAST (GET_JSON_OBJECT (told, '$.max_ns') AS DOUBLE) AS max_ns,
         COALESCE (TRY_CAST (GET_JSON_OBJECT (told, '$.end_ns') AS BIGINT), last_ns) AS last_ns
  FROM run
  LEFT JOIN (SELECT file, run, MAX (latency_ns) AS last_ns FROM run_latency GROUP BY file, run) AS last
    ON last.file <=> run.file AND last.run = run.name
), missing AS (
  SELECT host, kernel, SUM (CASE WHEN beyond BETWEEN 0 AND 9e15 THEN beyond ELSE 0 END) AS beyond,
         MAX (CASE WHEN max_ns BETWEEN 0 AND 9e15 THEN max_ns END) AS max_ns, COUNT_IF (beyond > 0 AND NOT COALESCE (max_ns BETWEEN 0 AND 9e15, FALSE)) > 0 AS unbounded,
         MIN (CASE WHEN beyond > 0 THEN last_ns END) AS end_ns
  FROM figures
  GROUP BY GROUPING SETS ((host, kernel), ())
), latencies AS (
  SELECT COALESCE (host, '') AS host, COALESCE (kernel, '') AS kernel, latency_ns, CAST (count AS DOUBLE) AS count
  FROM run_latency
), profile AS (
  SELECT host, kernel, latency_ns, SUM (count) AS count
  FROM latencies
  GROUP BY GROUPING SETS ((host, kernel, latency_ns), (latency_ns))
), ranked AS (
  SELECT *, SUM (count) OVER (PARTITION BY host, kernel ORDER BY latency_ns) AS below,
         SUM (count) OVER (PARTITION BY host, kernel) AS n
  FROM profile
)
SELECT ranked.host, ranked.kernel, CAST (LEAST (MAX (n), 9e18) AS BIGINT) AS n,
       CAST (LEAST (MAX (beyond), 9e18) AS BIGINT) AS beyond, MIN (latency_ns) AS min_ns,
       CASE WHEN MAX (beyond) = 0 THEN CAST (ROUND (SUM (latency_ns * count) / MAX (n)) AS BIGINT) END AS mean_ns,
       MIN (CASE WHEN below >= 0.5 * (n + beyond) AND latency_ns <= COALESCE (end_ns, latency_ns) THEN latency_ns END) AS median_ns,
       MIN (CASE WHEN below >= 0.99 * (n + beyond) AND latency_ns <= COALESCE (end_ns, latency_ns) THEN latency_ns END) AS p99_ns,
       MIN (CASE WHEN below >= 0.9999 * (n + beyond) AND latency_ns <= COALESCE (end_ns, latency_ns) THEN latency_ns END) AS p9999_ns,
       CASE WHEN NOT BOOL_OR (unbounded) THEN GREATEST (MAX (latency_ns), CAST (MAX (max_ns) AS BIGINT)) END AS max_ns
FROM ranked
JOIN missing ON ranked.host <=> missing.host AND ranked.kernel <=> missing.kernel
GROUP BY ranked.host, ranked.kernel
ORDER BY ranked.host, ranked.kernel
