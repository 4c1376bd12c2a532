-- SPDX-License-Identifier: GPL-3.0-or-later
-- How many captures there are of each host and kernel, and from when.
SELECT host, kernel, COUNT (*) AS captures, MIN (modified_utc) AS first_utc, MAX (modified_utc) AS last_utc
FROM capture
GROUP BY host, kernel
ORDER BY host, kernel
