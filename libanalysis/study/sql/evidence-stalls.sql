-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture_id, length_ns, function_id, context, other_cpus, silent_cpus, before_event, after_event
FROM hit
CROSS JOIN stall USING (window_id)
