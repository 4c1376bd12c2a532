-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether the latencies of the row of run are more, longer or in wider bins than any reader takes (budgets.h): they cannot
-- be shown or added up.
(IFNULL (run.resolution_ns, 1) NOT BETWEEN 1 AND 1000000000
 OR (SELECT TOTAL (count) > 1 << 53
            OR TOTAL (count < 0 OR latency_ns NOT BETWEEN -1000000000000000000 AND 1000000000000000000) > 0
     FROM run_latency
     WHERE run_latency.run_id = run.run_id))
