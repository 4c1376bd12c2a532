-- SPDX-License-Identifier: GPL-3.0-or-later
-- Indices, triggers and views, as statements that drop and create them. What calls itself something else is no word of
-- such a statement.
SELECT printf ('DROP %s "%w"', type, name), sql
FROM sqlite_schema
WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL
ORDER BY type
