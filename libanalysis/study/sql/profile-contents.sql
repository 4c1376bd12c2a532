-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds what :run tells; the first of those that agree in their numbers takes the others along.
INSERT INTO told
SELECT run_id, cycles, summary_mean_ns, summary_sd_ns, summary_samples,
       json_array (resolution_ns, told,
                   (SELECT GROUP_CONCAT (latency_ns || ' ' || count)
                    FROM (SELECT latency_ns, count
                          FROM run_latency
                          WHERE run_id = run.run_id
                          ORDER BY latency_ns, count))),
       name
FROM run
WHERE run_id = :run
   OR run_id IN (SELECT old.run_id
                 FROM run AS new
                 JOIN run AS old ON old.cycles IS new.cycles
                                AND old.summary_mean_ns IS new.summary_mean_ns
                                AND old.summary_sd_ns IS new.summary_sd_ns
                                AND old.summary_samples IS new.summary_samples
                 WHERE new.run_id = :run
                   AND old.source = 'profile'
                   AND NOT EXISTS (SELECT 1
                                   FROM told
                                   WHERE told.cycles IS new.cycles
                                     AND told.summary_mean_ns IS new.summary_mean_ns
                                     AND told.summary_sd_ns IS new.summary_sd_ns
                                     AND told.summary_samples IS new.summary_samples))
