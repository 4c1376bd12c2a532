-- SPDX-License-Identifier: GPL-3.0-or-later
-- The last series that delayed a function: of the name :series, of :function, which may be named with its module.
SELECT name, configuration
FROM series
WHERE (:series IS NULL OR name = :series)
  AND json_type (configuration, '$.delay_at') = 'text'
  AND (:function IS NULL
       OR substr (json_extract (configuration, '$.delay_at'),
                  instr (json_extract (configuration, '$.delay_at'), ':') + 1) = :function)
ORDER BY series_id DESC
LIMIT 1
