-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'population ' || host || ', ' || kernel || ', ' || series || ': its days contain ' || days || ' outliers, not '
       || outliers
FROM (SELECT fleet_population.*,
             (SELECT IFNULL (SUM (captures), 0) FROM fleet_day WHERE population_id = fleet_population.population_id) AS days
      FROM fleet_population)
WHERE days <> outliers
UNION ALL
SELECT 'population ' || host || ', ' || kernel || ', ' || series || ': ' || selected || ' of its ' || captures
       || ' captures are here'
FROM (SELECT fleet_population.*,
             (SELECT COUNT (*) FROM capture WHERE capture.run_id = fleet_population.run_id) AS selected
      FROM fleet_population)
WHERE selected > captures
