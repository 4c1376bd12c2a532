-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rows of which some are duplicates; of these, only the file is told.
SELECT IF (double, 'duplicate', outcome) AS outcome, {columns}
FROM (SELECT spoiled.*, duplicate.file IS NOT NULL AS double FROM spoiled LEFT JOIN duplicate ON duplicate.file = spoiled.file)
