-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT latency_ns, SUM (count), MAX (resolution_ns)
FROM run_latency
JOIN run USING (run_id)
WHERE run_id IN ({meant-runs})
  -- A range, for which the primary key is used: :cpu = -1 means all.
  AND cpu BETWEEN IIF (:cpu = -1, -9223372036854775808, :cpu) AND IIF (:cpu = -1, 9223372036854775807, :cpu)
GROUP BY latency_ns
