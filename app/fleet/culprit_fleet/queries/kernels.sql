-- SPDX-License-Identifier: GPL-3.0-or-later
-- Hosts that have run several kernels: how late they were with each.
SELECT host, kernel, COUNT (*) AS outliers, CAST (ROUND (AVG (latency_ns - tracing_ns)) AS BIGINT) AS mean_ns,
       MAX (latency_ns - tracing_ns) AS longest_ns
FROM windows
WHERE kind = 'outlier' AND host IN (SELECT host FROM windows GROUP BY host HAVING COUNT (DISTINCT kernel) > 1)
GROUP BY host, kernel
ORDER BY host, kernel
