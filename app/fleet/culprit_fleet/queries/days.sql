-- SPDX-License-Identifier: GPL-3.0-or-later
-- Late wake-ups by day (UTC) and kernel, and the longest of each day.
SELECT SUBSTR (modified_utc, 1, 10) AS day, windows.kernel, COUNT (*) AS outliers, COUNT (DISTINCT windows.host) AS hosts,
       MAX (latency_ns - tracing_ns) AS longest_ns
FROM windows
JOIN capture ON capture.capture = windows.capture
WHERE kind = 'outlier'
GROUP BY SUBSTR (modified_utc, 1, 10), windows.kernel
ORDER BY day, windows.kernel
