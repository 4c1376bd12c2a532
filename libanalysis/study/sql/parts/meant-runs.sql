-- SPDX-License-Identifier: GPL-3.0-or-later
-- The runs that :label means: the one of that name, else those with that common name, which is their series', or ends
-- with /on or /off.
SELECT run_id
FROM run
WHERE name = :label
UNION ALL
SELECT run_id
FROM series
CROSS JOIN run USING (series_id)
WHERE NOT EXISTS (SELECT 1 FROM run WHERE name = :label)
  AND series.name IN (:label, substr (:label, 1, length (:label) - 3), substr (:label, 1, length (:label) - 4))
  AND {arm} = :label
