-- SPDX-License-Identifier: GPL-3.0-or-later
-- The samples of the runs that :label means, in order, with their place among all cycles of these runs: where they
-- begin, and how many cycles there are. Numbers that only strangers' studies contain may not fit into whole ones.
WITH length AS (
  SELECT run_id, MAX (1.0 * first_cycle + cycles) AS cycles
  FROM run_sample
  WHERE run_id IN ({meant-runs})
  GROUP BY run_id
), place AS (
  SELECT run_id, SUM (cycles) OVER (ORDER BY run_id) - cycles AS begin, SUM (cycles) OVER () AS total
  FROM length
)
SELECT begin + first_cycle, total, run_sample.cycles, samples
FROM place
JOIN run_sample USING (run_id)
ORDER BY run_id, first_cycle
