-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT IIF (COUNT (*) = 1, MAX (told), NULL), TOTAL (MAX (json_extract (told, '$.beyond'), 0))
FROM run
WHERE run_id IN ({meant-runs})
