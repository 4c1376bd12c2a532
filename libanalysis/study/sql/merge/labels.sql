-- SPDX-License-Identifier: GPL-3.0-or-later
-- The labels of new runs that are taken by runs or series here. Files of other tools' latencies may join an existing
-- series.
SELECT DISTINCT label
FROM run_map
WHERE new IS NULL
  AND (EXISTS (SELECT 1 FROM main.run AS m WHERE m.name = label)
       OR EXISTS (SELECT 1
                  FROM main.series AS s
                  JOIN main.run AS m USING (series_id)
                  WHERE s.name = label AND (m.source, run_map.source) <> ('profile', 'profile')))
