-- SPDX-License-Identifier: GPL-3.0-or-later
-- The latency profile of each host and kernel, and of all of them (host NULL), from the latency results beside captures.
-- As in a study, bins that are neither of 1 ns nor of 1 us are represented by their middles, within the minimum and maximum that
-- the tool told, else the edges of the bins, and a mean that it told counts. Latencies of the timer's interrupt and of the return to user mode, which rtla
-- timerlat measures as well, in runs called like their file with -irq and -user, are of the same wake-ups and do not count.
-- Counts are added up as doubles: a file may say 2^53, and a thousand files then pass 64 bits. Those beyond, above the end of
-- a tool's histogram, are counted, but how long they were is not known, unless a tool told its maximum. Results without
-- captures beside them have no host, which is not all of them. Above the end of the shortest histogram that has such, no rank
-- is known.
WITH printed AS (
  SELECT file, REGEXP_EXTRACT (file, '([^/]+?)([.][^./]*)?$', 1) AS stem, name AS run, COALESCE (host, '') AS host, COALESCE (kernel, '') AS kernel,
         CASE WHEN resolution_ns IN (1, 1000) THEN 0 ELSE resolution_ns END AS width_ns,
         TRY_CAST (GET_JSON_OBJECT (told, '$.beyond') AS DOUBLE) AS beyond, TRY_CAST (GET_JSON_OBJECT (told, '$.min_ns') AS DOUBLE) AS min_ns,
         TRY_CAST (GET_JSON_OBJECT (told, '$.mean_ns') AS DOUBLE) AS mean_ns, TRY_CAST (GET_JSON_OBJECT (told, '$.max_ns') AS DOUBLE) AS max_ns,
         TRY_CAST (GET_JSON_OBJECT (told, '$.end_ns') AS BIGINT) AS end_ns
  FROM run
), figures AS (
  SELECT file, run, host, kernel, width_ns, width_ns DIV 2 AS middle_ns, end_ns, CASE WHEN beyond BETWEEN 0 AND 9e15 THEN beyond ELSE 0 END AS beyond,
         CASE WHEN min_ns BETWEEN -9e15 AND 9e15 THEN min_ns END AS min_ns, CASE WHEN mean_ns BETWEEN -9e15 AND 9e15 THEN mean_ns END AS mean_ns,
         CASE WHEN max_ns BETWEEN 0 AND 9e15 THEN max_ns END AS max_ns
  FROM printed
  WHERE run NOT IN (CONCAT (stem, '-irq'), CONCAT (stem, '-user'))
), latencies AS (
  SELECT figures.host, figures.kernel, figures.file, figures.run, CAST (count AS DOUBLE) AS count, latency_ns AS from_ns,
         latency_ns + width_ns AS to_ns, CAST (GREATEST (LEAST (latency_ns + middle_ns, max_ns), min_ns) AS BIGINT) AS latency_ns
  FROM run_latency
  JOIN figures ON figures.file = run_latency.file AND figures.run = run_latency.run
), runs AS (
  SELECT host, kernel, file, run, SUM (count) AS n, SUM (latency_ns * count) / SUM (count) AS mean_ns, MIN (from_ns) AS min_ns, MAX (to_ns) AS max_ns,
         MAX (latency_ns) AS last_ns
  FROM latencies
  GROUP BY host, kernel, file, run
), sums AS (
  SELECT figures.host, figures.kernel, SUM (beyond) AS beyond, MIN (COALESCE (figures.min_ns, runs.min_ns)) AS min_ns,
         MAX (COALESCE (figures.max_ns, runs.max_ns)) AS max_ns, COUNT_IF (beyond > 0 AND figures.max_ns IS NULL) > 0 AS unbounded,
         MIN (CASE WHEN beyond > 0 THEN COALESCE (end_ns + middle_ns, last_ns) END) AS end_ns,
         CASE WHEN COUNT_IF (beyond > 0 AND figures.mean_ns IS NULL) = 0
              THEN SUM (COALESCE (figures.mean_ns, runs.mean_ns) * (COALESCE (n, 0) + beyond)) / SUM (COALESCE (n, 0) + beyond) END AS mean_ns
  FROM figures
  LEFT JOIN runs ON runs.file = figures.file AND runs.run = figures.run
  GROUP BY GROUPING SETS ((figures.host, figures.kernel), ())
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
       CAST (LEAST (MAX (beyond), 9e18) AS BIGINT) AS beyond, CAST (MIN (min_ns) AS BIGINT) AS min_ns, CAST (ROUND (MAX (mean_ns)) AS BIGINT) AS mean_ns,
       MIN (CASE WHEN below >= 0.5 * (n + beyond) AND latency_ns <= COALESCE (end_ns, latency_ns) THEN latency_ns END) AS median_ns,
       MIN (CASE WHEN below >= 0.99 * (n + beyond) AND latency_ns <= COALESCE (end_ns, latency_ns) THEN latency_ns END) AS p99_ns,
       MIN (CASE WHEN below >= 0.9999 * (n + beyond) AND latency_ns <= COALESCE (end_ns, latency_ns) THEN latency_ns END) AS p9999_ns,
       CASE WHEN NOT BOOL_OR (unbounded) THEN CAST (MAX (max_ns) AS BIGINT) END AS max_ns
FROM ranked
JOIN sums ON ranked.host <=> sums.host AND ranked.kernel <=> sums.kernel
GROUP BY ranked.host, ranked.kernel
ORDER BY ranked.host, ranked.kernel
