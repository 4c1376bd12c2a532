-- SPDX-License-Identifier: GPL-3.0-or-later
-- How many of the sums over the whole study come near the end of 64 bits.
SELECT COUNT (*)
FROM (SELECT MAX (TOTAL (calls), TOTAL (self_ns), TOTAL (tracing_ns), TOTAL (total_ns), TOTAL (off_cpu_ns),
                  TOTAL (truncated), TOTAL (outlier_calls), TOTAL (outlier_self_ns), TOTAL (outlier_tracing_ns),
                  TOTAL (ordinary_calls), TOTAL (ordinary_self_ns), TOTAL (ordinary_tracing_ns)) AS most
      FROM run_function
      GROUP BY function_id
      UNION ALL
      SELECT MAX (TOTAL (count), TOTAL (held_ns), TOTAL (tracing_ns), TOTAL (waits))
      FROM section
      UNION ALL
      SELECT TOTAL (count)
      FROM run_latency
      UNION ALL
      SELECT MAX (TOTAL (captures), TOTAL (outliers), TOTAL (ABS (excess_ns)))
      FROM fleet_population)
WHERE most > 1 << 62
