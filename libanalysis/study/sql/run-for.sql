-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether there is a run :wanted for a capture whose windows are of :kind; NULL: it has none. If the user named it, that is
-- :given, whatever it holds; else it holds captures, and none with windows of another kind.
SELECT 1
FROM run
JOIN series USING (series_id)
WHERE run.name = :wanted
  AND (run.name = :given
       OR (source = 'captures'
           AND (:kind IS NULL
                OR window_kind = :kind
                OR NOT EXISTS (SELECT 1
                               FROM run AS one
                               JOIN capture USING (run_id)
                               JOIN hit USING (capture_id)
                               WHERE one.series_id = run.series_id))))
