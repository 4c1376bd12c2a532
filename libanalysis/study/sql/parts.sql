-- SPDX-License-Identifier: GPL-3.0-or-later
WITH part AS ({budget-parts})
SELECT context, function, module, ordinal, calls, self_ns, tracing_ns, untraced_ns, total_ns, longest_stretch_ns, truncated,
       usual_calls AS "ordinary.calls_mean", usual_self_ns AS "ordinary.self_mean_ns",
       usual_tracing_ns AS "ordinary.tracing_mean_ns",
       usual_self_ns - usual_tracing_ns AS "ordinary.untraced_mean_ns"
FROM part
ORDER BY untraced_ns DESC, self_ns DESC, function, context
