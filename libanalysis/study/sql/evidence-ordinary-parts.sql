-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, function_id, context, calls, self_ns, tracing_ns, windows, untraced_spread, untraced_max_ns,
       calls_spread, calls_max, stretch_spread, stretch_max_ns
FROM ordinary_cost
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id, function_id, context
