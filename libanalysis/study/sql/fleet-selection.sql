-- SPDX-License-Identifier: GPL-3.0-or-later
-- How many captures of a fleet are here, of how many, from how many hosts. No row if the study is not one of a fleet.
SELECT (SELECT COUNT (*) FROM capture WHERE run_id IN (SELECT run_id FROM fleet_population)), SUM (captures),
       COUNT (DISTINCT host)
FROM fleet_population
HAVING COUNT (*) > 0
