-- SPDX-License-Identifier: GPL-3.0-or-later
-- Functions that took more than half of a late wake-up, by host.
SELECT outlier_cost.host, function, module, COUNT (DISTINCT outlier_cost.capture) AS captures
FROM outlier_cost
JOIN windows ON windows.capture = outlier_cost.capture AND kind = 'outlier'
WHERE 2 * (outlier_cost.self_ns - outlier_cost.tracing_ns) > windows.latency_ns - windows.tracing_ns
GROUP BY outlier_cost.host, function, module
ORDER BY captures DESC, outlier_cost.host, function, module
