-- SPDX-License-Identifier: GPL-3.0-or-later
-- The series :series that delayed a function, or the last one.
SELECT name, configuration
FROM series
WHERE (:series IS NULL OR name = :series)
  AND json_type (configuration, '$.delay_at') = 'text'
ORDER BY series_id DESC
LIMIT 1
