-- SPDX-License-Identifier: GPL-3.0-or-later
-- What was recorded for single peaks of :series, the last one last.
SELECT series.name, json_extract (configuration, '$.explains.at_ns'), IFNULL (MAX (turn), COUNT (*))
FROM series
JOIN run USING (series_id)
WHERE {explains}
  AND json_type (configuration, '$.explains.at_ns') = 'integer'
GROUP BY series_id
ORDER BY series_id
