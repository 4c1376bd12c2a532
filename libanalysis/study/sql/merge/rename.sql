-- SPDX-License-Identifier: GPL-3.0-or-later
-- The first of LABEL-2, LABEL-3... that is free here and among the new runs.
WITH RECURSIVE number (k) AS (
  SELECT 2
  UNION ALL
  SELECT k + 1 FROM number LIMIT 1000000),
free (label) AS (
  SELECT :label || '-' || k
  FROM number
  WHERE :label || '-' || k NOT IN (SELECT name FROM main.run UNION ALL SELECT name FROM main.series)
    AND :label || '-' || k NOT IN (SELECT name FROM run_map UNION ALL SELECT series FROM run_map)
  LIMIT 1)
UPDATE run_map SET
  name = (SELECT label FROM free) || substr (name, length (:label) + 1),
  series = (SELECT label FROM free)
WHERE new IS NULL AND label = :label
