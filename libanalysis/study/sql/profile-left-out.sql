-- SPDX-License-Identifier: GPL-3.0-or-later
-- The runs among those of :label, or of all, whose latencies cannot be shown.
SELECT name
FROM run
WHERE {too-large} AND (:label IS NULL OR run_id IN ({meant-runs}))
ORDER BY run_id
