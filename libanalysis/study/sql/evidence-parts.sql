-- SPDX-License-Identifier: GPL-3.0-or-later
-- Beside each part what its function cost in the whole capture. Windows of captures come one after the other.
SELECT window.capture_id, cost.function_id, context, cost.calls, cost.self_ns, cost.tracing_ns, path,
       longest_stretch_ns, whole.calls, whole.self_ns, whole.tracing_ns
FROM window
CROSS JOIN outlier_cost AS cost USING (window_id)
LEFT JOIN capture_function AS whole
       ON whole.capture_id = window.capture_id AND whole.function_id = cost.function_id
WHERE kind = 'outlier' AND window.capture_id BETWEEN :first AND :last
ORDER BY window.capture_id, cost.function_id, context
