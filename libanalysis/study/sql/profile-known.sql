-- SPDX-License-Identifier: GPL-3.0-or-later
-- The profiles that are the same as :run and are called :name, optionally with a number appended. Older versions did not
-- store told.
SELECT COUNT (*)
FROM run AS new
JOIN run AS old ON old.run_id != new.run_id
WHERE new.run_id = :run
  AND old.source = 'profile'
  AND (old.name = :name
       OR (substr (old.name, 1, length (:name) + 1) = :name || '-'
           AND substr (old.name, length (:name) + 2) NOT GLOB '*[^0-9]*'))
  AND old.resolution_ns = new.resolution_ns
  AND old.summary_mean_ns IS new.summary_mean_ns
  AND old.summary_sd_ns IS new.summary_sd_ns
  AND old.summary_samples IS new.summary_samples
  AND old.cycles IS new.cycles
  AND IFNULL (old.told, new.told) IS new.told
  AND NOT EXISTS (SELECT latency_ns, count FROM run_latency WHERE run_id = new.run_id
                  EXCEPT
                  SELECT latency_ns, count FROM run_latency WHERE run_id = old.run_id)
