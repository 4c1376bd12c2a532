-- SPDX-License-Identifier: GPL-3.0-or-later
-- The run called :name, perhaps with a number appended, for a capture whose windows are of :kind; NULL: it has none. If the
-- user named it, that is :given, whatever it holds; else it holds captures, and none with windows of another kind.
SELECT run.name
FROM run
JOIN series USING (series_id)
WHERE run.name >= :name
  AND run.name < :name || '.' -- the next of "-"
  AND (run.name = :name
       OR (substr (run.name, 1, length (:name) + 1) = :name || '-'
           AND substr (run.name, length (:name) + 2) NOT GLOB '*[^0-9]*'))
  AND (run.name = :given
       OR (source = 'captures'
           AND (:kind IS NULL
                OR window_kind = :kind
                OR NOT EXISTS (SELECT 1
                               FROM run AS one
                               JOIN capture USING (run_id)
                               JOIN hit USING (capture_id)
                               WHERE one.series_id = run.series_id))))
ORDER BY length (run.name), run.name
LIMIT 1
