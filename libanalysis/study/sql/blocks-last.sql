-- SPDX-License-Identifier: GPL-3.0-or-later
-- The last series whose configuration has the text at the path :member: of the name :series, or of :function, which may
-- be named there with its module.
SELECT name, configuration
FROM series
WHERE (:series IS NULL OR name = :series)
  AND json_type (configuration, :member) = 'text'
  AND (:function IS NULL
       OR substr (json_extract (configuration, :member),
                  instr (json_extract (configuration, :member), ':') + 1) = :function)
ORDER BY series_id DESC
LIMIT 1
