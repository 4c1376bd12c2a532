-- SPDX-License-Identifier: GPL-3.0-or-later
-- The causes in the verdicts of all populations.
WITH verdict AS (
  SELECT host, kernel, series,
         from_json (verdict, 'captures bigint, excess_mean_ns bigint, culprits array<struct<culprit: string,
           class: string, captures: bigint, excess_mean_ns: bigint, weight: double, weight_low: double,
           weight_high: double, confidence: double>>') AS told
  FROM population
)
SELECT host, kernel, series, told.captures * told.excess_mean_ns AS whole_ns, one.culprit AS function, one.class,
       one.captures, one.excess_mean_ns, one.weight, one.weight_low, one.weight_high, one.confidence
FROM verdict LATERAL VIEW OUTER explode (told.culprits) AS one
ORDER BY host, kernel, series, function, class
