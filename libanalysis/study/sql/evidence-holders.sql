-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, context, source, self_ns, outlier_source.tracing_ns, path, priority
FROM window
CROSS JOIN outlier_source USING (window_id)
WHERE kind = 'outlier' AND capture_id BETWEEN :first AND :last
ORDER BY capture_id, context, source
