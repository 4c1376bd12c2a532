-- SPDX-License-Identifier: GPL-3.0-or-later
-- Looks up the function in each late wake-up, which is faster than reading all parts of all of them.
SELECT capture, file, run, latency_ns, latency_untraced_ns, context, module, calls, self_ns, tracing_ns,
       self_ns - tracing_ns AS untraced_ns, usual_calls AS "ordinary.calls_mean",
       usual_ns AS "ordinary.untraced_mean_ns", path
FROM (SELECT capture.capture_id AS capture, file, run.name AS run, window.latency_ns,
             window.latency_ns - window.tracing_ns AS latency_untraced_ns, o.context, function.module, o.calls,
             o.self_ns, o.tracing_ns, o.path,
             IFNULL (b.calls, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_calls,
             (IFNULL (b.self_ns, 0) - IFNULL (b.tracing_ns, 0)) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_ns
      FROM function
      CROSS JOIN window
      CROSS JOIN outlier_cost AS o ON o.window_id = window.window_id AND o.function_id = function.function_id
      JOIN capture USING (capture_id)
      JOIN run USING (run_id)
      LEFT JOIN ordinary_cost AS b
             ON b.capture_id = capture.capture_id AND b.function_id = o.function_id AND b.context = o.context
      WHERE kind = 'outlier' AND {function-key} = :key AND {in-run} AND {in-captures} AND {counts})
WHERE ({where})
ORDER BY untraced_ns DESC, capture
