-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT COUNT (*)
FROM capture
WHERE run_id IN ({meant-runs}) AND triage = 'ignored'
