-- SPDX-License-Identifier: GPL-3.0-or-later
-- A name that other rows refer to and that is longer than :most bytes, or has a byte 0, which ends it when it is shown, or a
-- line break, after which it would read as other words; or one by which rows are looked up, and which is shown as another
-- name, as it is not UTF-8.
SELECT name
FROM (SELECT name, TRUE AS looked_up FROM run UNION ALL
      SELECT name, TRUE FROM series UNION ALL
      SELECT window_kind, FALSE FROM series UNION ALL
      SELECT no_windows, FALSE FROM capture UNION ALL
      SELECT name, FALSE FROM host UNION ALL
      SELECT kernel, FALSE FROM host UNION ALL
      SELECT machine, FALSE FROM host UNION ALL
      SELECT name, FALSE FROM function UNION ALL
      SELECT module, FALSE FROM function UNION ALL
      SELECT source, FALSE FROM node UNION ALL
      SELECT comm, FALSE FROM window WHERE kind = 'outlier' UNION ALL
      SELECT host, FALSE FROM fleet_population UNION ALL
      SELECT kernel, FALSE FROM fleet_population UNION ALL
      SELECT series, FALSE FROM fleet_population UNION ALL
      SELECT function, FALSE FROM fleet_cause)
WHERE LENGTH (CAST (name AS BLOB)) > :most OR INSTR (CAST (name AS BLOB), x'00') > 0 OR INSTR (name, CHAR (10)) > 0
  OR (looked_up AND NOT is_utf8 (name))
LIMIT 1
