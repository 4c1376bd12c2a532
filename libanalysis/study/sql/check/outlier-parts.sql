-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': what ran in the outlier adds up to ' || IFNULL (SUM (self_ns), 0)
       || ' ns, not to its ' || latency_ns || ' ns'
FROM hit
LEFT JOIN outlier_node USING (window_id)
GROUP BY window_id
HAVING IFNULL (SUM (self_ns), 0) <> latency_ns
