-- SPDX-License-Identifier: GPL-3.0-or-later
-- What is in a study beside the statistics that ANALYZE makes; of tables the columns tell more.
SELECT type || ' ' || name, type || ' ' || name || ' ' || tbl_name || ' ' || iif (type = 'table', '', coalesce (sql, ''))
FROM sqlite_schema
WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))
ORDER BY name LIKE 'sqlite%', 2
