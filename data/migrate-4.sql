-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 3 of the study to 4: how what a function costs is spread over ordinary wake-ups, how far a window and a
-- period may be off, what a capture did not trace, and what a tool itself said of its latencies. A capture whose file is there is read again afterwards; of others
-- this is not known, and read_version stays 3.

ALTER TABLE ordinary_cost DROP COLUMN longest_stretch_ns;
ALTER TABLE ordinary_cost ADD COLUMN untraced_max_ns INTEGER;
ALTER TABLE ordinary_cost ADD COLUMN calls_max INTEGER;
ALTER TABLE ordinary_cost ADD COLUMN stretch_max_ns INTEGER;
ALTER TABLE ordinary_cost ADD COLUMN untraced_spread BLOB;
ALTER TABLE ordinary_cost ADD COLUMN calls_spread BLOB;
ALTER TABLE ordinary_cost ADD COLUMN stretch_spread BLOB;

ALTER TABLE ordinary_source ADD COLUMN untraced_max_ns INTEGER;
ALTER TABLE ordinary_source ADD COLUMN untraced_spread BLOB;

ALTER TABLE capture ADD COLUMN read_version INTEGER NOT NULL DEFAULT 3;

ALTER TABLE window ADD COLUMN uncertain_ns INTEGER NOT NULL DEFAULT 0;

ALTER TABLE capture ADD COLUMN period_error_ns INTEGER;
ALTER TABLE capture ADD COLUMN graph_depth INTEGER;
ALTER TABLE capture ADD COLUMN graph_functions TEXT;
ALTER TABLE capture ADD COLUMN interrupts_traced INTEGER CHECK (interrupts_traced IN (0, 1));

ALTER TABLE run ADD COLUMN told TEXT CHECK (told IS NULL OR json_valid (told));

DROP VIEW outlier;
CREATE VIEW outlier AS
SELECT capture.capture_id, capture.file, run.name AS run, window.latency_ns,
       window.latency_ns - window.tracing_ns AS untraced_ns, window.tracing_ns, window.not_captured_ns,
       window.cpu, window.pid, window.comm, host.name AS host, host.kernel, window.window_id, window.start_ns,
       window.end_ns, capture.ordinary_windows, capture.period_ns, capture.lost_events, capture.truncated_calls,
       capture.triage, capture.note, window.uncertain_ns
FROM window
JOIN capture USING (capture_id)
JOIN run USING (run_id)
JOIN host ON host.host_id = capture.host_id
WHERE window.kind = 'outlier';
