-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT window.capture_id, cost.function_id, context, cost.calls, cost.self_ns, cost.tracing_ns, path,
       longest_stretch_ns
FROM window
CROSS JOIN outlier_cost AS cost USING (window_id)
WHERE kind = 'outlier' AND window.capture_id BETWEEN :first AND :last
ORDER BY window.capture_id, cost.function_id, context
