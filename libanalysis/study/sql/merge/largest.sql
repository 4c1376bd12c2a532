-- SPDX-License-Identifier: GPL-3.0-or-later
-- The largest number that the other study adds to the sums of this one.
SELECT MAX (most)
FROM (SELECT MAX (MAX (calls), MAX (self_ns), MAX (total_ns), MAX (off_cpu_ns)) AS most FROM other.capture_function
      UNION ALL
      SELECT MAX (MAX (count), MAX (held_ns), MAX (tracing_ns), MAX (waits)) FROM other.section
      UNION ALL
      SELECT MAX (count) FROM other.run_latency
      UNION ALL
      SELECT MAX (MAX (captures), MAX (outliers), MAX (ABS (excess_ns))) FROM other.fleet_population)
