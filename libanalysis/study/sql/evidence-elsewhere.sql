-- SPDX-License-Identifier: GPL-3.0-or-later
-- What functions cost outside of late wake-ups.
SELECT run_id, function_id, calls - outlier_calls, self_ns - outlier_self_ns, tracing_ns - outlier_tracing_ns
FROM run_function
WHERE calls > outlier_calls
