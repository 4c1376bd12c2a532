-- SPDX-License-Identifier: GPL-3.0-or-later
-- What culprit outliers says of every late wake-up, by day (UTC).
SELECT host, kernel, series, day, function, class, COUNT (*) AS captures, SUM (excess_ns) AS excess_ns
FROM judged
GROUP BY host, kernel, series, day, function, class
ORDER BY host, kernel, series, day, function, class
