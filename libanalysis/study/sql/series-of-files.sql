-- SPDX-License-Identifier: GPL-3.0-or-later
-- The series :name if it is one of other tools' latencies: something else may have that name.
SELECT series_id
FROM series
WHERE name = :name
  AND NOT EXISTS (SELECT 1 FROM run WHERE run.series_id = series.series_id AND source <> 'profile')
