-- SPDX-License-Identifier: GPL-3.0-or-later
-- What runs when rows are written: a table's words tell what it asks of its columns.
SELECT type || ' ' || name, sql
FROM sqlite_schema
WHERE type IN ('table', 'index') AND sql IS NOT NULL
