-- SPDX-License-Identifier: GPL-3.0-or-later
-- SQL that runs when rows are written: that of a table contains its constraints.
SELECT type || ' ' || name, sql
FROM sqlite_schema
WHERE IFNULL (type, '') NOT IN ('trigger', 'view') AND sql IS NOT NULL
