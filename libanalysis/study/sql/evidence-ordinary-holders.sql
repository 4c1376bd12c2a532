-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, context, source, self_ns, tracing_ns, untraced_spread, untraced_max_ns
FROM ordinary_source
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id, context, source
