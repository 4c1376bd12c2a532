-- SPDX-License-Identifier: GPL-3.0-or-later
-- The objects of a study; tables are compared by their columns.
SELECT type || ' ' || name, type || ' ' || name || ' ' || tbl_name || ' ' || iif (type = 'table', '', coalesce (sql, ''))
FROM sqlite_schema
ORDER BY name LIKE 'sqlite%', 2
