-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether :name means something: a run, a series or an arm of one. Without :files, series of other tools' latencies do not
-- count, for such a file may have the name of one.
SELECT 1
FROM run
WHERE name = :name
UNION ALL
SELECT 1
FROM series
LEFT JOIN run USING (series_id)
WHERE series.name IN (:name,
                      IIF (substr (:name, -4) = '/off', substr (:name, 1, length (:name) - 4), :name),
                      IIF (substr (:name, -3) = '/on', substr (:name, 1, length (:name) - 3), :name))
  AND :name IN (series.name, {arm})
  AND (:files OR source <> 'profile')
