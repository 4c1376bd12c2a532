-- SPDX-License-Identifier: GPL-3.0-or-later
-- A file of another tool's latencies may have the name of a series of such files.
SELECT 1
FROM run
JOIN series USING (series_id)
WHERE run.name = :name OR (series.name = :name AND source <> 'profile')
