-- SPDX-License-Identifier: GPL-3.0-or-later
-- The causes in the verdicts of all populations. Those of one that only differ in their context or calls count as one.
WITH verdict AS (
  SELECT host, kernel, series,
         from_json (verdict, 'stand_out bigint, excess_mean_ns bigint, culprits array<struct<culprit: string,
           class: string, captures: bigint, excess_mean_ns: bigint, weight: double, weight_low: double,
           weight_high: double, confidence: double>>') AS told
  FROM population
), cause AS (
  SELECT host, kernel, series, told.stand_out * told.excess_mean_ns AS whole_ns, one.*
  FROM verdict LATERAL VIEW OUTER inline (told.culprits) one
)
SELECT host, kernel, series, whole_ns, culprit AS function, class, SUM (captures) AS captures,
       CAST (ROUND (SUM (excess_mean_ns * CAST (captures AS DOUBLE)) / SUM (captures)) AS BIGINT) AS excess_mean_ns,
       SUM (weight) AS weight, SUM (weight_low) AS weight_low, LEAST (SUM (weight_high), 1) AS weight_high,
       MAX (confidence) AS confidence
FROM cause
GROUP BY host, kernel, series, whole_ns, culprit, class
ORDER BY host, kernel, series, function, class
