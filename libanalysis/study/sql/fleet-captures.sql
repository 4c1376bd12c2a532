-- SPDX-License-Identifier: GPL-3.0-or-later
-- The captures of each host that are in the study.
SELECT host, capture_id AS capture
FROM fleet_population
JOIN capture USING (run_id)
ORDER BY host, capture_id
