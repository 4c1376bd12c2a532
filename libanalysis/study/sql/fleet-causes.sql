-- SPDX-License-Identifier: GPL-3.0-or-later
-- The causes in the verdicts of populations. The run is empty if none of the captures is in the study.
SELECT function AS culprit, class, host, kernel, series, IFNULL (run.name, '') AS run, fleet_cause.captures, outliers,
       excess_mean_ns, weight, weight_low, weight_high, confidence
FROM fleet_cause
JOIN fleet_population USING (population_id)
LEFT JOIN run USING (run_id)
ORDER BY fleet_cause.captures DESC, culprit, class, host, kernel, series
