-- SPDX-License-Identifier: GPL-3.0-or-later
-- Runs are counted in the order in which they were stored, so that a run keeps its number.
SELECT COUNT (*)
FROM run
WHERE run_id < (SELECT MIN (run_id) FROM ({meant-runs}))
