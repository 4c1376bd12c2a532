-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT summary_mean_ns IS NULL, IFNULL (summary_mean_ns, 0), IFNULL (summary_sd_ns, 0), IFNULL (summary_samples, 0),
       IFNULL (period_ns, 0), IFNULL (deadline_ns, 0)
FROM run
WHERE run_id IN ({meant-runs})
