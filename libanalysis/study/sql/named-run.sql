-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 1
FROM run
WHERE name = :run
UNION ALL
SELECT 1
FROM series
WHERE name = :run
