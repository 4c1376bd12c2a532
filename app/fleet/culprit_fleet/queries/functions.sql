-- SPDX-License-Identifier: GPL-3.0-or-later
-- The functions in which late wake-ups spent most time, and on how many hosts.
SELECT function, module, context, COUNT (DISTINCT host) AS hosts, COUNT (DISTINCT capture) AS captures, SUM (calls) AS calls,
       SUM (self_ns - tracing_ns) AS untraced_ns
FROM outlier_cost
GROUP BY function, module, context
ORDER BY untraced_ns DESC, function, module, context
LIMIT 20
