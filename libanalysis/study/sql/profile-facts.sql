-- SPDX-License-Identifier: GPL-3.0-or-later
-- A summary stands for all that :label means only if that is one run.
SELECT summary_mean_ns IS NULL OR COUNT (*) OVER () > 1, IFNULL (summary_mean_ns, 0), IFNULL (summary_sd_ns, 0),
       IFNULL (summary_samples, 0), IFNULL (period_ns, 0), IFNULL (deadline_ns, 0)
FROM run
WHERE run_id IN ({meant-runs})
ORDER BY run_id
