-- SPDX-License-Identifier: GPL-3.0-or-later
-- An ordinary window in which the function did not run counts as well, with zero.
SELECT ordinary_windows, IFNULL (o.calls, 0), IFNULL (o.self_ns - o.tracing_ns, 0), IFNULL (b.windows, 0),
       (b.self_ns - b.tracing_ns) * 1.0 / NULLIF (ordinary_windows, 0), b.untraced_max_ns, b.untraced_spread
FROM capture
LEFT JOIN function ON {function-key} = :key
LEFT JOIN window ON window.capture_id = capture.capture_id AND kind = 'outlier'
LEFT JOIN outlier_cost AS o
       ON o.window_id = window.window_id AND o.function_id = function.function_id AND o.context = :context
LEFT JOIN ordinary_cost AS b
       ON b.capture_id = capture.capture_id AND b.function_id = function.function_id AND b.context = :context
WHERE capture.capture_id = :capture
