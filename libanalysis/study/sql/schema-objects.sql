-- SPDX-License-Identifier: GPL-3.0-or-later
-- The objects of a study, except for the statistics of ANALYZE; tables are compared by their columns.
SELECT type || ' ' || name, type || ' ' || name || ' ' || tbl_name || ' ' || iif (type = 'table', '', coalesce (sql, ''))
FROM sqlite_schema
WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))
ORDER BY name LIKE 'sqlite%', 2
