-- SPDX-License-Identifier: GPL-3.0-or-later
WITH counted AS (
  SELECT capture_id, ordinary_windows,
         (SELECT COUNT (*) FROM window
          WHERE window.capture_id = capture.capture_id AND kind = 'ordinary') AS there
  FROM capture)
SELECT 'capture ' || capture_id || ': ' || ordinary_windows || ' ordinary windows are counted, ' || there
       || ' are there'
FROM counted
WHERE ordinary_windows <> there
