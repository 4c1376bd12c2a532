-- SPDX-License-Identifier: GPL-3.0-or-later
-- Older studies do not know where a histogram ends: then no later than its last latency.
SELECT IIF (COUNT (*) = 1, MAX (told), NULL), TOTAL (beyond),
       IFNULL (MIN (IIF (beyond > 0, IFNULL (end_ns, (SELECT MAX (latency_ns) FROM run_latency
                                                      WHERE run_latency.run_id = meant.run_id)), NULL)), 1e18)
FROM (SELECT run_id, told, MAX (json_extract (told, '$.beyond'), 0) AS beyond,
             CAST (json_extract (told, '$.end_ns') AS INTEGER) AS end_ns
      FROM run
      WHERE run_id IN ({meant-runs})) AS meant
