-- SPDX-License-Identifier: GPL-3.0-or-later
-- Defaults that are longer than ours: any number of short rows would have such a text, without its bytes in the file.
SELECT 'table ' || tables.name, columns.dflt_value
FROM sqlite_schema AS tables JOIN pragma_table_info (tables.name) AS columns
WHERE tables.type = 'table' AND length (columns.dflt_value) > 16
