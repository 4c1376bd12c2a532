-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tasks and interrupts that held the CPU during late wake-ups.
SELECT context, source, COUNT (DISTINCT host) AS hosts, COUNT (DISTINCT capture) AS captures, SUM (self_ns - tracing_ns) AS untraced_ns
FROM outlier_source
GROUP BY context, source
ORDER BY untraced_ns DESC, context, source
LIMIT 20
