-- SPDX-License-Identifier: GPL-3.0-or-later
-- A name that other rows refer to and that is longer than :most bytes, or is no UTF-8 or has a byte 0, so that what is shown
-- of it is another name, or has a line break, after which it would read as other words.
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
WHERE LENGTH (CAST (name AS BLOB)) > :most OR NOT is_utf8 (name) OR INSTR (name, CHAR (10)) > 0
LIMIT 1
