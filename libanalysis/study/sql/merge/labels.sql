-- SPDX-License-Identifier: GPL-3.0-or-later
-- The labels of new runs that would change what a name means here.
SELECT DISTINCT label
FROM run_map
WHERE new IS NULL
  AND (name IN (SELECT name FROM taken)
       OR (source = 'record'
           AND (series IN (SELECT name FROM taken) OR series || arm IN (SELECT name FROM taken))))
