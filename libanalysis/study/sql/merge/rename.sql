-- SPDX-License-Identifier: GPL-3.0-or-later
-- The first of LABEL-2, LABEL-3... that is free here and among the runs that come.
WITH RECURSIVE number (k) AS (
  SELECT 2
  UNION ALL
  SELECT k + 1 FROM number LIMIT 1000000),
free (label) AS (
  SELECT :label || '-' || k
  FROM number
  WHERE NOT EXISTS (SELECT 1 FROM main.run WHERE :label || '-' || k IN (name, recording))
    AND NOT EXISTS (SELECT 1 FROM run_map WHERE :label || '-' || k IN (name, recording))
  LIMIT 1)
UPDATE run_map SET
  name = (SELECT label FROM free) || substr (name, length (:label) + 1),
  recording = (SELECT label FROM free) || substr (recording, length (:label) + 1)
WHERE new IS NULL AND IFNULL (run_map.recording, run_map.name) = :label
