-- SPDX-License-Identifier: GPL-3.0-or-later
-- A profile that is the same as :run and is called :name, optionally with a number appended.
SELECT 1
FROM run AS new
JOIN run AS old ON old.cycles IS new.cycles
               AND old.summary_mean_ns IS new.summary_mean_ns
               AND old.summary_sd_ns IS new.summary_sd_ns
               AND old.summary_samples IS new.summary_samples
               AND old.name >= :name
               AND old.name < :name || '.' -- the next of "-"
WHERE new.run_id = :run
  AND old.run_id <> new.run_id
  AND old.source = 'profile'
  AND (old.name = :name
       OR (substr (old.name, 1, length (:name) + 1) = :name || '-'
           AND substr (old.name, length (:name) + 2) NOT GLOB '*[^0-9]*'))
  AND old.resolution_ns = new.resolution_ns
  AND old.told IS new.told
  AND NOT EXISTS (SELECT latency_ns, count FROM run_latency WHERE run_id = new.run_id
                  EXCEPT
                  SELECT latency_ns, count FROM run_latency WHERE run_id = old.run_id)
  AND NOT EXISTS (SELECT latency_ns, count FROM run_latency WHERE run_id = old.run_id
                  EXCEPT
                  SELECT latency_ns, count FROM run_latency WHERE run_id = new.run_id)
LIMIT 1
