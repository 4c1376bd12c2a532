-- SPDX-License-Identifier: GPL-3.0-or-later
-- A label with a number, shortened before if it is long, and whether a run or a series has it, here or among the new ones.
WITH numbered (label) AS (SELECT substr (:label, 1, {kept-characters}) || '-' || :number)
SELECT n.label,
       EXISTS (SELECT 1 FROM main.run AS m WHERE m.name = n.label)
       OR EXISTS (SELECT 1 FROM main.series AS m WHERE m.name = n.label)
       OR EXISTS (SELECT 1 FROM run_map AS m WHERE m.name = n.label)
       OR EXISTS (SELECT 1 FROM run_map AS m WHERE m.series = n.label)
FROM numbered AS n
