-- SPDX-License-Identifier: GPL-3.0-or-later
-- A name that other rows refer to and that is longer than :most bytes.
SELECT name FROM run WHERE LENGTH (CAST (name AS BLOB)) > :most
UNION ALL
SELECT name FROM series WHERE LENGTH (CAST (name AS BLOB)) > :most OR LENGTH (CAST (window_kind AS BLOB)) > :most
UNION ALL
SELECT no_windows FROM capture WHERE LENGTH (CAST (no_windows AS BLOB)) > :most
UNION ALL
SELECT name FROM host
  WHERE LENGTH (CAST (name AS BLOB)) > :most
     OR LENGTH (CAST (kernel AS BLOB)) > :most
     OR LENGTH (CAST (machine AS BLOB)) > :most
UNION ALL
SELECT name FROM function WHERE LENGTH (CAST (name AS BLOB)) > :most OR LENGTH (CAST (module AS BLOB)) > :most
UNION ALL
SELECT source FROM node WHERE LENGTH (CAST (source AS BLOB)) > :most
UNION ALL
SELECT comm FROM window WHERE kind = 'outlier' AND LENGTH (CAST (comm AS BLOB)) > :most
UNION ALL
SELECT host FROM fleet_population
  WHERE LENGTH (CAST (host AS BLOB)) > :most
     OR LENGTH (CAST (kernel AS BLOB)) > :most
     OR LENGTH (CAST (series AS BLOB)) > :most
UNION ALL
SELECT function FROM fleet_cause WHERE LENGTH (CAST (function AS BLOB)) > :most
LIMIT 1
