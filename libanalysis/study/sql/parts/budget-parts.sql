-- SPDX-License-Identifier: GPL-3.0-or-later
-- The parts of the outlier window of :capture.
SELECT o.context, function.name AS function, module, ordinal, o.calls, o.self_ns, o.tracing_ns,
       o.self_ns - o.tracing_ns AS untraced_ns, o.total_ns, o.longest_stretch_ns, o.truncated,
       IFNULL (b.calls, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_calls,
       IFNULL (b.self_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_self_ns,
       IFNULL (b.tracing_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_tracing_ns
FROM capture
JOIN window USING (capture_id)
JOIN outlier_cost AS o USING (window_id)
JOIN function USING (function_id)
LEFT JOIN ordinary_cost AS b
       ON b.capture_id = capture.capture_id AND b.function_id = o.function_id AND b.context = o.context
WHERE capture.capture_id = :capture AND kind = 'outlier'
