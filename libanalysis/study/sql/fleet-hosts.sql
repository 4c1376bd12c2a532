-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT host, SUM (captures) AS captures, SUM (outliers) AS outliers, SUM (excess_ns) AS excess_ns,
       GROUP_CONCAT (DISTINCT kernel) AS kernels
FROM fleet_population
GROUP BY host
ORDER BY host
