-- SPDX-License-Identifier: GPL-3.0-or-later
-- The runs that :label means: the one of that name or, where there is none, those numbered so.
SELECT run_id
FROM run
WHERE name = :label
UNION ALL
SELECT run_id
FROM run
WHERE NOT EXISTS (SELECT 1 FROM run WHERE name = :label) AND {is-numbered}
