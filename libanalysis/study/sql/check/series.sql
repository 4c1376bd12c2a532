-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'run ' || name || ': it belongs to no series'
FROM run
WHERE series_id IS NULL
