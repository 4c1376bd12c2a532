-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT MAX (told)
FROM run
WHERE run_id IN ({meant-runs})
HAVING COUNT (*) = 1
