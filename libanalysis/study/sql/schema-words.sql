-- SPDX-License-Identifier: GPL-3.0-or-later
-- SQL that runs when rows are written: that of a table contains its constraints. What is called as a pragma hides what
-- SQLite answers by that name; as SQL, that name is no word of ours.
SELECT type || ' ' || name, iif (name LIKE 'pragma\_%' ESCAPE '\', name, sql)
FROM sqlite_schema
WHERE (IFNULL (type, '') NOT IN ('trigger', 'view') OR name LIKE 'pragma\_%' ESCAPE '\') AND sql IS NOT NULL
