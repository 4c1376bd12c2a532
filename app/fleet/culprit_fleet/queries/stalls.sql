-- SPDX-License-Identifier: GPL-3.0-or-later
-- Where time passed without an event, by function.
SELECT function, context, COUNT (*) AS captures, COUNT (DISTINCT host) AS hosts, MAX (length_ns) AS longest_ns
FROM stall
GROUP BY function, context
ORDER BY captures DESC, function, context
