-- SPDX-License-Identifier: GPL-3.0-or-later
-- A label with a number, shortened before if it is long, and whether it or an arm of it means something, here or among the
-- new ones.
WITH numbered (label) AS (SELECT substr (:label, 1, {kept-characters}) || '-' || :number),
meaning (name) AS (SELECT label FROM numbered
                   UNION ALL
                   SELECT label || '/off' FROM numbered
                   UNION ALL
                   SELECT label || '/on' FROM numbered)
SELECT n.label,
       EXISTS (SELECT 1
               FROM meaning AS m
               WHERE m.name IN (SELECT name FROM taken)
                  OR EXISTS (SELECT 1 FROM run_map WHERE run_map.name = m.name)
                  OR EXISTS (SELECT 1 FROM run_map WHERE run_map.series = m.name))
FROM numbered AS n
