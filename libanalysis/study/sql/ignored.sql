-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT COUNT (*)
FROM capture
JOIN run USING (run_id)
WHERE {in-run} AND NOT {counts}
