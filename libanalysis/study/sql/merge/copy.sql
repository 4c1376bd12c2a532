-- SPDX-License-Identifier: GPL-3.0-or-later
-- Every fact of a capture is a row of its own: only numbers change.

-- A series that is explained by another one may have got another name; it explains none that was here before.
CREATE TEMP TABLE explained AS
SELECT series.name, MIN (run_map.series) AS new
FROM run_map
JOIN other.run ON run_id = old
JOIN other.series AS series USING (series_id)
WHERE run_map.new IS NULL AND run_map.series NOT IN (SELECT name FROM main.series)
GROUP BY series_id;

CREATE UNIQUE INDEX temp.explained_name ON explained (name);

-- Where nothing is explained, null hides a second member of that name.
INSERT INTO main.series (name, configuration, window_kind)
SELECT new_series.name,
       CASE
         WHEN run.source <> 'record' THEN NULL
         WHEN json_type (configuration, '$.explains') IS NULL THEN configuration
         ELSE IFNULL ((SELECT json_set (configuration, '$.explains.series', new)
                       FROM explained
                       WHERE name = json_extract (configuration, '$.explains.series')),
                      json_set (configuration, '$.explains', NULL))
       END,
       window_kind
FROM (SELECT series AS name, MIN (old) AS old FROM run_map WHERE new IS NULL GROUP BY series) AS new_series
JOIN other.run AS run ON run_id = old
JOIN other.series USING (series_id)
ORDER BY old
ON CONFLICT DO NOTHING;

INSERT INTO main.run (name, host_id, source, started_utc, method, policy, priority, cpus, period_ns, threshold_ns,
                      band_low_ns, band_high_ns, tracing, load, series_id, turn, deadline_ns, facts, cycles,
                      hits, missed, late, page_faults, smi_count, steal_ns, delays, resolution_ns, summary_mean_ns,
                      summary_sd_ns, summary_samples, told)
SELECT run_map.name, host_map.new, run.source, started_utc, method, policy, priority, cpus, period_ns, threshold_ns,
       band_low_ns, band_high_ns, tracing, load, s.series_id,
       IIF (run.source <> 'record' AND run_map.series = run_map.name, NULL, turn), deadline_ns, facts, cycles, hits,
       missed, late, page_faults, smi_count, steal_ns, delays, resolution_ns, summary_mean_ns, summary_sd_ns,
       summary_samples, told
FROM other.run AS run
JOIN run_map ON run_map.old = run_id
JOIN main.series AS s ON s.name = run_map.series
LEFT JOIN host_map ON host_map.old = host_id
WHERE run_map.new IS NULL
ORDER BY run_id;

CREATE TEMP TABLE new_run AS
SELECT old, run_id AS new
FROM run_map
JOIN main.run USING (name)
WHERE run_map.new IS NULL;

CREATE UNIQUE INDEX temp.new_run_old ON new_run (old);

UPDATE run_map SET new = (SELECT new FROM new_run WHERE new_run.old = run_map.old)
WHERE new IS NULL;

INSERT INTO main.run_latency
SELECT new, cpu, latency_ns, count
FROM other.run_latency
JOIN new_run ON old = run_id;

INSERT INTO main.run_sample
SELECT new, cpu, first_cycle, run_sample.cycles, first_expected_ns, samples
FROM other.run_sample
JOIN new_run ON old = run_id;

INSERT INTO main.capture
SELECT capture_id + map.captures, run_map.new, host_map.new, file_from_other (file), sha256, size_bytes, imported_utc,
       file_version, instance, clock, cpus, first_ns, last_ns, events, function_events, lost_events,
       overwritten_events, truncated_calls, ordinary_windows, marker, trigger_ns, period_ns, period_source, no_windows,
       triage, note, hit_cycle, needed_kb, smi_count, steal_ns, delays, read_version, period_error_ns, graph_depth,
       graph_functions, interrupts_traced, folded_calls, 0, no_windows_number
FROM other.capture
JOIN new_capture USING (capture_id)
JOIN run_map ON run_map.old = run_id
JOIN host_map ON host_map.old = host_id, map
ORDER BY capture_id;

INSERT INTO main.capture_cpu
SELECT capture_id + map.captures, cpu, events, first_ns, last_ns, losses, lost_events, overwritten_events,
       entry_entry_floor_ns, entry_exit_floor_ns, exit_entry_floor_ns, exit_exit_floor_ns
FROM other.capture_cpu
JOIN new_capture USING (capture_id), map;

INSERT INTO main.capture_event
SELECT capture_id + map.captures, event, count
FROM other.capture_event
JOIN new_capture USING (capture_id), map;

INSERT INTO main.capture_function
SELECT capture_id + map.captures, new, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated
FROM other.capture_function
JOIN new_capture USING (capture_id)
JOIN function_map ON old = function_id, map;

INSERT INTO main.window
SELECT window_id + map.windows, capture_id + map.captures, kind, cpu, pid, comm, start_ns, end_ns, latency_ns,
       tracing_ns, not_captured_ns, uncertain_ns
FROM other.window
JOIN new_capture USING (capture_id), map;

INSERT INTO main.outlier_node
SELECT window_id + map.windows, new, calls, self_ns, outlier_node.tracing_ns, total_ns, longest_stretch_ns, truncated,
       priority
FROM other.outlier_node
JOIN other.window USING (window_id)
JOIN new_capture USING (capture_id)
LEFT JOIN node_map ON old = node_id, map;

INSERT INTO main.ordinary_node
SELECT capture_id + map.captures, new, node.windows, calls, self_ns, tracing_ns, calls_max, with_callees_max_ns
FROM other.ordinary_node AS node
JOIN new_capture USING (capture_id)
LEFT JOIN node_map ON old = node_id, map;

INSERT INTO main.ordinary_part
SELECT capture_id + map.captures, new, context, part.windows, calls_max, stretch_max_ns, untraced_max_ns, untraced_spread,
       intrinsic_squared, intrinsic_untraced
FROM other.ordinary_part AS part
JOIN new_capture USING (capture_id)
JOIN function_map ON old = function_id, map;

INSERT INTO main.stall
SELECT window_id + map.windows, stall.cpu, stall.start_ns, length_ns, context, new, other_cpus, silent_cpus,
       before_event, after_event
FROM other.stall
JOIN other.window USING (window_id)
JOIN new_capture USING (capture_id)
JOIN function_map ON old = function_id, map;

INSERT INTO main.section
SELECT capture_id + map.captures, kind, context, opened.new, closed.new, count, held_ns, tracing_ns, longest_ns,
       longest_tracing_ns, longest_gap_ns, longest_start_ns, longest_cpu, outlier_ns, outlier_tracing_ns, waits, longest_wait_ns,
       longest_wait_tracing_ns
FROM other.section
JOIN new_capture USING (capture_id)
JOIN function_map AS opened ON opened.old = opened_id
JOIN function_map AS closed ON closed.old = closed_id, map;

UPDATE main.capture SET complete = 1
WHERE complete = 0;
