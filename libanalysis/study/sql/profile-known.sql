-- SPDX-License-Identifier: GPL-3.0-or-later
-- A profile that tells the same as :run and is called :name, optionally with a number appended.
SELECT 1
FROM told AS new
JOIN told AS old ON old.cycles IS new.cycles
                AND old.summary_mean_ns IS new.summary_mean_ns
                AND old.summary_sd_ns IS new.summary_sd_ns
                AND old.summary_samples IS new.summary_samples
                AND old.content = new.content
                AND old.name >= :name
                AND old.name < :name || '.' -- the next of "-"
WHERE new.run_id = :run
  AND old.run_id <> new.run_id
  AND (old.name = :name
       OR (substr (old.name, 1, length (:name) + 1) = :name || '-'
           AND substr (old.name, length (:name) + 2) NOT GLOB '*[^0-9]*'))
LIMIT 1
