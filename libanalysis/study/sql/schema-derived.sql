-- SPDX-License-Identifier: GPL-3.0-or-later
-- Indices, triggers and views, as statements that drop and create them.
SELECT printf ('DROP %s IF EXISTS %s', type, name), sql
FROM sqlite_schema
WHERE type <> 'table' AND sql IS NOT NULL
