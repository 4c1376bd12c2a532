-- SPDX-License-Identifier: GPL-3.0-or-later
-- The runs that :label means: the one of that name, else those with that common name.
SELECT run_id
FROM run
WHERE name = :label
UNION ALL
SELECT run_id
FROM run
JOIN series USING (series_id)
WHERE NOT EXISTS (SELECT 1 FROM run WHERE name = :label) AND {arm} = :label
