-- SPDX-License-Identifier: GPL-3.0-or-later
-- The labels of new runs that runs here have as well.
SELECT DISTINCT IFNULL (run_map.recording, run_map.name) AS label
FROM run_map
WHERE new IS NULL
  AND EXISTS (SELECT 1 FROM main.run AS m WHERE m.name = label OR m.recording = label)
