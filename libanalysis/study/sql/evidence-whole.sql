-- SPDX-License-Identifier: GPL-3.0-or-later
-- What each function cost in a whole capture, in the order of evidence-parts.
SELECT capture_id, function_id, calls, self_ns, tracing_ns
FROM capture_function
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id, function_id
