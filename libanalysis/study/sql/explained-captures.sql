-- SPDX-License-Identifier: GPL-3.0-or-later
-- The captures with a late wake-up that may be of peaks of :series: where the peak is that they were recorded for, NULL for
-- those of the series itself.
SELECT capture_id, latency_ns,
       IIF (json_type (configuration, '$.explains.at_ns') = 'integer',
            json_extract (configuration, '$.explains.at_ns'), NULL),
       ordinary_windows
FROM hit
JOIN capture USING (capture_id)
JOIN run USING (run_id)
JOIN series USING (series_id)
WHERE triage <> 'ignored'
  AND ((series.name = :series AND {same-host}) OR {explains})
ORDER BY capture_id
