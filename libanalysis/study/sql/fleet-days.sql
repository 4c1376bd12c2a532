-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT day, kernel, function AS culprit, class, SUM (fleet_day.captures) AS captures
FROM fleet_day
JOIN fleet_population USING (population_id)
GROUP BY day, kernel, culprit, class
ORDER BY day, kernel
