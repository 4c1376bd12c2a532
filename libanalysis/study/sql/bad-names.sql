-- SPDX-License-Identifier: GPL-3.0-or-later
-- A name that other rows refer to and that is longer than :most bytes, or has a byte 0, which ends it when it is shown, or a
-- line break, after which it would read as other words; or one by which rows are looked up, and which is shown as another
-- name, as it is not UTF-8.
SELECT name
FROM (SELECT name FROM run UNION ALL
      SELECT name FROM series UNION ALL
      SELECT window_kind FROM series UNION ALL
      SELECT no_windows FROM capture UNION ALL
      SELECT name FROM host UNION ALL
      SELECT kernel FROM host UNION ALL
      SELECT machine FROM host UNION ALL
      SELECT name FROM function UNION ALL
      SELECT module FROM function UNION ALL
      SELECT source FROM node UNION ALL
      SELECT comm FROM window WHERE kind = 'outlier' UNION ALL
      SELECT host FROM fleet_population UNION ALL
      SELECT kernel FROM fleet_population UNION ALL
      SELECT series FROM fleet_population UNION ALL
      SELECT function FROM fleet_cause)
WHERE LENGTH (CAST (name AS BLOB)) > :most OR INSTR (CAST (name AS BLOB), x'00') > 0 OR INSTR (name, CHAR (10)) > 0
UNION ALL
SELECT name
FROM (SELECT name FROM run UNION ALL SELECT name FROM series)
WHERE NOT is_utf8 (name)
LIMIT 1
