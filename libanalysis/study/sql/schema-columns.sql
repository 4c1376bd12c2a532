-- SPDX-License-Identifier: GPL-3.0-or-later
-- The columns of a study's tables. Their order and defaults differ if an older version created the study.
SELECT 'table ' || tables.name,
       printf ('%s %s %d%d %s %s %d%d%d', tables.type, tables.name, tables.wr, tables.strict, columns.name, columns.type,
               columns."notnull", columns.pk, columns.hidden)
FROM pragma_table_list AS tables JOIN pragma_table_xinfo (tables.name) AS columns
WHERE tables.schema = 'main' AND tables.type <> 'view' AND tables.name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY 2
