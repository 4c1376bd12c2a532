-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, function_id, context, windows, calls_max, stretch_max_ns, untraced_max_ns,
       untraced_spread
FROM ordinary_part
WHERE capture_id BETWEEN :first AND :last
ORDER BY capture_id
