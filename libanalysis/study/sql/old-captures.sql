-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, IIF (period_source = 'given', capture.period_ns, 0), window_kind, trigger_ns
FROM capture
JOIN run USING (run_id)
JOIN series USING (series_id)
WHERE read_version < :read_version
ORDER BY capture_id
