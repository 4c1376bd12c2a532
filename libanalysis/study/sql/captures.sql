-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT *
FROM (SELECT capture.capture_id AS capture, file, run.name AS run, window_kind_words (window_kind) AS windows, events, function_events, lost_events,
             overwritten_events, truncated_calls, ordinary_windows, last_ns - first_ns AS length_ns, capture.cpus,
             clock, instance, file_version, host.name AS host, host.kernel, host.machine, marker, trigger_ns,
             capture.period_ns, period_source, period_error_ns,
             no_windows_words (no_windows, no_windows_number) AS no_windows, graph_depth, graph_functions,
             interrupts_traced, triage, note
      FROM capture
      JOIN run USING (run_id)
      JOIN series USING (series_id)
      JOIN host ON host.host_id = capture.host_id
      WHERE {in-run} AND {in-captures} AND (NOT :counted OR {counts}))
WHERE ({where})
ORDER BY capture
