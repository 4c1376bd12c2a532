-- SPDX-License-Identifier: GPL-3.0-or-later
-- How often the function :name ran in each late wake-up, and on average in the ordinary ones of the same captures.
WITH part AS (
  SELECT node_id
  FROM function
  JOIN node USING (function_id)
  WHERE function.name = :name AND (:module IS NULL OR function.module = :module)),
late AS (
  SELECT capture_id, ordinary_windows,
         (SELECT TOTAL (calls)
          FROM outlier_node
          WHERE outlier_node.window_id = hit.window_id AND node_id IN part) AS calls,
         (SELECT TOTAL (calls)
          FROM ordinary_node
          WHERE ordinary_node.capture_id = hit.capture_id AND node_id IN part) AS ordinary_calls
  FROM hit
  JOIN capture USING (capture_id)
  WHERE triage <> 'ignored')
SELECT COUNT (*), COUNT (NULLIF (calls, 0)), MIN (NULLIF (calls, 0)), AVG (NULLIF (calls, 0)), MAX (calls),
       SUM (ordinary_calls) / NULLIF (TOTAL (ordinary_windows), 0)
FROM late
