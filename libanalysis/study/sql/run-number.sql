-- SPDX-License-Identifier: GPL-3.0-or-later
-- Runs are counted in the order in which they were stored, so that a run keeps its number.
SELECT COUNT (*)
FROM run
WHERE run_id < (SELECT run_id
                FROM run
                JOIN series USING (series_id)
                WHERE run.name = :label OR {arm} = :label
                ORDER BY run.name <> :label, run_id
                LIMIT 1)
