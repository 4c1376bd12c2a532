-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT capture, file, run, latency_ns, untraced_ns, tracing_ns, cpu, pid, comm, kernel,
       window_start_ns AS "window.start_ns", window_end_ns AS "window.end_ns", ordinary_windows, lost_events,
       not_captured_ns, uncertain_ns, interrupts_off_ns, preemption_off_ns, window_kind, triage, note
FROM (SELECT outlier.*, outlier.capture_id AS capture, start_ns AS window_start_ns, end_ns AS window_end_ns,
             (SELECT IIF (read_version < 7, NULL, 0) FROM capture WHERE capture.capture_id = outlier.capture_id)
             + (SELECT IFNULL (SUM (outlier_ns - outlier_tracing_ns), 0) FROM section
                WHERE section.capture_id = outlier.capture_id AND kind = 'interrupts') AS interrupts_off_ns,
             (SELECT IIF (read_version < 7, NULL, 0) FROM capture WHERE capture.capture_id = outlier.capture_id)
             + (SELECT IFNULL (SUM (outlier_ns - outlier_tracing_ns), 0) FROM section
                WHERE section.capture_id = outlier.capture_id AND kind = 'preemption') AS preemption_off_ns,
             (SELECT window_kind FROM capture JOIN run USING (run_id) JOIN series USING (series_id)
              WHERE capture.capture_id = outlier.capture_id) AS window_kind
      FROM outlier
      WHERE outlier.capture_id IN (SELECT capture_id FROM capture JOIN run USING (run_id)
                                   WHERE {in-run} AND {in-captures} AND (NOT :counted OR {counts})))
WHERE ({where})
ORDER BY capture
