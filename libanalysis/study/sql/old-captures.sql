-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, IIF (period_source = 'given', period_ns, 0)
FROM capture
WHERE read_version < :read_version
ORDER BY capture_id
