-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT COUNT (*)
FROM window
JOIN capture USING (capture_id)
JOIN run USING (run_id)
WHERE run_id IN ({meant-runs}) AND triage <> 'ignored' AND kind = 'outlier'
