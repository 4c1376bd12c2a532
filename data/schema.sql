-- SPDX-License-Identifier: GPL-3.0-or-later
-- The study: every fact about a capture is a sum or a row of its own, so that studies merge.
-- Times are nanoseconds, instants are in the capture's own clock. See culprit-study(5).

CREATE TABLE host (
  host_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kernel TEXT NOT NULL,
  machine TEXT NOT NULL,
  UNIQUE (name, kernel, machine)
) STRICT;

-- Runs that belong together: those of one recording, which share its configuration; captures that were imported under one
-- name; latencies of another tool in files whose names differ only in a number at the end. window_kind: what was measured.
-- of_files: whether it began with such a file that was imported here, so that further ones join it.
CREATE TABLE series (
  series_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  configuration TEXT CHECK (configuration IS NULL OR json_valid (configuration)),
  window_kind TEXT NOT NULL DEFAULT 'cyclic',
  of_files INTEGER NOT NULL DEFAULT 0 CHECK (of_files IN (0, 1))
) STRICT;

-- turn: its number among the runs of its series with the same tracing. host_id and the columns after started_utc are set
-- for runs recorded by culprit; imported captures have a host of their own. cycles and the columns after it are set when
-- the run has ended; smi_count is also NULL if the CPU does not count SMIs.
CREATE TABLE run (
  run_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  host_id INTEGER REFERENCES host,
  source TEXT NOT NULL CHECK (source IN ('captures', 'record', 'profile')),
  started_utc TEXT,
  method TEXT,
  policy TEXT,
  priority INTEGER,
  cpus TEXT,
  period_ns INTEGER,
  threshold_ns INTEGER,
  band_low_ns INTEGER,
  band_high_ns INTEGER,
  tracing TEXT CHECK (tracing IN ('off', 'on')),
  load TEXT,
  deadline_ns INTEGER,
  facts TEXT CHECK (facts IS NULL OR json_valid (facts)),
  cycles INTEGER,
  hits INTEGER,
  missed INTEGER,
  late INTEGER,
  page_faults INTEGER,
  smi_count INTEGER,
  steal_ns INTEGER,
  delays TEXT CHECK (delays IS NULL OR json_valid (delays)),
  resolution_ns INTEGER NOT NULL DEFAULT 1,
  summary_mean_ns REAL,
  summary_sd_ns REAL,
  summary_samples INTEGER,
  told TEXT CHECK (told IS NULL OR json_valid (told)),
  series_id INTEGER REFERENCES series,
  turn INTEGER CHECK (turn >= 0)
) STRICT;

CREATE INDEX run_by_series ON run (series_id);
CREATE INDEX run_by_result ON run (cycles, summary_mean_ns, summary_sd_ns, summary_samples, name);

-- A run added without a series gets one of its own. A series is deleted with its last run.
CREATE TRIGGER run_added AFTER INSERT ON run WHEN NEW.series_id IS NULL
BEGIN
  INSERT INTO series (name) VALUES (NEW.name) ON CONFLICT DO NOTHING;
  UPDATE run SET series_id = (SELECT series_id FROM series WHERE name = NEW.name) WHERE run_id = NEW.run_id;
END;

CREATE TRIGGER run_removed AFTER DELETE ON run
BEGIN
  DELETE FROM series
  WHERE series_id = OLD.series_id AND NOT EXISTS (SELECT 1 FROM run WHERE series_id = OLD.series_id);
END;

CREATE TABLE run_latency (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (run_id, cpu, latency_ns)
) STRICT, WITHOUT ROWID;

-- samples: for each cycle two zigzag LEB128 numbers, the time from the previous cycle's expected time to its own, minus
-- the period (0 for the first), and its latency, both in ns.
CREATE TABLE run_sample (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  first_cycle INTEGER NOT NULL,
  cycles INTEGER NOT NULL,
  first_expected_ns INTEGER NOT NULL,
  samples BLOB NOT NULL,
  PRIMARY KEY (run_id, cpu, first_cycle)
) STRICT, WITHOUT ROWID;

CREATE TABLE capture (
  capture_id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  host_id INTEGER NOT NULL REFERENCES host,
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL UNIQUE CHECK (length (sha256) = 64),
  size_bytes INTEGER NOT NULL,
  imported_utc TEXT NOT NULL,
  file_version INTEGER NOT NULL,
  instance TEXT NOT NULL,
  clock TEXT NOT NULL,
  cpus INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  events INTEGER NOT NULL,
  function_events INTEGER NOT NULL,
  lost_events INTEGER NOT NULL,
  overwritten_events INTEGER NOT NULL,
  truncated_calls INTEGER NOT NULL,
  ordinary_windows INTEGER NOT NULL,
  marker TEXT,
  trigger_ns INTEGER,
  period_ns INTEGER,
  period_source TEXT CHECK (period_source IN ('given', 'inferred', 'recorded')),
  no_windows TEXT,
  triage TEXT NOT NULL DEFAULT 'new' CHECK (triage IN ('new', 'seen', 'explained', 'ignored')),
  note TEXT NOT NULL DEFAULT '',
  hit_cycle INTEGER,
  needed_kb INTEGER,
  smi_count INTEGER,
  steal_ns INTEGER,
  delays TEXT CHECK (delays IS NULL OR json_valid (delays)),
  read_version INTEGER NOT NULL DEFAULT 7,
  period_error_ns INTEGER,
  graph_depth INTEGER,
  graph_functions TEXT,
  interrupts_traced INTEGER CHECK (interrupts_traced IN (0, 1)),
  folded_calls INTEGER NOT NULL DEFAULT 0,
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  no_windows_number INTEGER
) STRICT;

CREATE INDEX capture_by_run ON capture (run_id);

-- losses is how many times events were lost; lost_events counts a loss of unknown size as one.
CREATE TABLE capture_cpu (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  events INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  lost_events INTEGER NOT NULL,
  overwritten_events INTEGER NOT NULL,
  entry_entry_floor_ns INTEGER NOT NULL,
  entry_exit_floor_ns INTEGER NOT NULL,
  exit_entry_floor_ns INTEGER NOT NULL,
  exit_exit_floor_ns INTEGER NOT NULL,
  PRIMARY KEY (capture_id, cpu)
) STRICT, WITHOUT ROWID;

CREATE TABLE capture_event (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  event TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (capture_id, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE function (
  function_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  module TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  UNIQUE (name, module, ordinal)
) STRICT;

-- kind: outlier for the hit's window, ordinary for those of the other cycles.
CREATE TABLE window (
  window_id INTEGER PRIMARY KEY,
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('outlier', 'ordinary')),
  cpu INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  comm TEXT NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  not_captured_ns INTEGER NOT NULL,
  uncertain_ns INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX window_by_capture ON window (capture_id);
CREATE UNIQUE INDEX outlier_window ON window (capture_id) WHERE kind = 'outlier';

-- The window of the hit: everything that assumes one outlier in a capture reads it here.
CREATE VIEW hit AS
SELECT window_id, capture_id, cpu, pid, comm, start_ns, end_ns, latency_ns, tracing_ns, not_captured_ns, uncertain_ns
FROM window
WHERE kind = 'outlier';

-- The tree of calls that ran in windows, one for the whole study. A node without a parent is a source, which had the CPU:
-- a task by its command, an interrupt by the function that it began with. A node below is the calls of one function by one
-- path; context and source are those of its source.
CREATE TABLE node (
  node_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES node,
  function_id INTEGER REFERENCES function,
  context TEXT NOT NULL,
  source TEXT NOT NULL,
  depth INTEGER NOT NULL CHECK (depth >= 0),
  recursive INTEGER NOT NULL CHECK (recursive IN (0, 1)),
  CHECK ((parent_id IS NULL) = (depth = 0)),
  CHECK ((function_id IS NULL) = (depth = 0))
) STRICT;

CREATE UNIQUE INDEX node_below ON node (parent_id, function_id) WHERE depth > 0;
CREATE UNIQUE INDEX node_source ON node (context, source) WHERE depth = 0;

-- What each node cost in the outlier, without what is below it. These add up to the latency.
CREATE TABLE outlier_node (
  window_id INTEGER NOT NULL REFERENCES window ON DELETE CASCADE,
  node_id INTEGER NOT NULL REFERENCES node,
  calls INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  longest_stretch_ns INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  priority INTEGER,
  PRIMARY KEY (window_id, node_id)
) STRICT, WITHOUT ROWID;

-- Sums over the ordinary windows of a capture, likewise, and the most in one of them; with_callees_max_ns is untraced.
CREATE TABLE ordinary_node (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  node_id INTEGER NOT NULL REFERENCES node,
  windows INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  calls_max INTEGER NOT NULL,
  with_callees_max_ns INTEGER NOT NULL,
  PRIMARY KEY (capture_id, node_id)
) STRICT, WITHOUT ROWID;

-- What is known of a function, in a context, over the ordinary windows of a capture, apart from the sums of its nodes.
-- Intrinsic is self minus tracing; untraced is latency minus tracing.
CREATE TABLE ordinary_part (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  context TEXT NOT NULL,
  windows INTEGER NOT NULL,
  calls_max INTEGER NOT NULL,
  stretch_max_ns INTEGER NOT NULL,
  untraced_max_ns INTEGER NOT NULL,
  untraced_spread BLOB NOT NULL,
  intrinsic_squared REAL NOT NULL,
  intrinsic_untraced REAL NOT NULL,
  PRIMARY KEY (capture_id, function_id, context)
) STRICT, WITHOUT ROWID;

CREATE TABLE capture_function (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  calls INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  off_cpu_ns INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  PRIMARY KEY (capture_id, function_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE stall (
  window_id INTEGER PRIMARY KEY REFERENCES window ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  length_ns INTEGER NOT NULL,
  context TEXT NOT NULL,
  function_id INTEGER NOT NULL REFERENCES function,
  other_cpus INTEGER,
  silent_cpus INTEGER,
  before_event TEXT,
  after_event TEXT
) STRICT;

-- The times of 20 us or more in which a CPU had interrupts, or preemption, disabled, over whole captures, by the functions
-- in which they were disabled and enabled.
CREATE TABLE section (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('interrupts', 'preemption')),
  context TEXT NOT NULL,
  opened_id INTEGER NOT NULL REFERENCES function,
  closed_id INTEGER NOT NULL REFERENCES function,
  count INTEGER NOT NULL,
  held_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  longest_ns INTEGER NOT NULL,
  longest_tracing_ns INTEGER NOT NULL,
  longest_gap_ns INTEGER NOT NULL,
  longest_start_ns INTEGER NOT NULL,
  longest_cpu INTEGER NOT NULL,
  outlier_ns INTEGER NOT NULL,
  outlier_tracing_ns INTEGER NOT NULL,
  waits INTEGER NOT NULL,
  longest_wait_ns INTEGER NOT NULL,
  longest_wait_tracing_ns INTEGER NOT NULL,
  PRIMARY KEY (capture_id, kind, context, opened_id, closed_id)
) STRICT, WITHOUT ROWID;

-- Sums by run, so that a table of functions over a thousand captures takes milliseconds. Maintained by the triggers
-- below; not to be written otherwise.
CREATE TABLE run_function (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  captures INTEGER NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  self_ns INTEGER NOT NULL DEFAULT 0,
  tracing_ns INTEGER NOT NULL DEFAULT 0,
  total_ns INTEGER NOT NULL DEFAULT 0,
  off_cpu_ns INTEGER NOT NULL DEFAULT 0,
  truncated INTEGER NOT NULL DEFAULT 0,
  outlier_calls INTEGER NOT NULL DEFAULT 0,
  outlier_self_ns INTEGER NOT NULL DEFAULT 0,
  outlier_tracing_ns INTEGER NOT NULL DEFAULT 0,
  ordinary_calls INTEGER NOT NULL DEFAULT 0,
  ordinary_self_ns INTEGER NOT NULL DEFAULT 0,
  ordinary_tracing_ns INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, function_id)
) STRICT, WITHOUT ROWID;

-- What a capture adds to the sums of its run, when its last row is there.
CREATE VIEW capture_sum AS
SELECT capture_id, function_id, 1 AS captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated,
       0 AS outlier_calls, 0 AS outlier_self_ns, 0 AS outlier_tracing_ns,
       0 AS ordinary_calls, 0 AS ordinary_self_ns, 0 AS ordinary_tracing_ns
FROM capture_function
UNION ALL
SELECT capture_id, function_id, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, outlier_node.tracing_ns, 0, 0, 0
FROM hit
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
WHERE depth > 0
UNION ALL
SELECT capture_id, function_id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, tracing_ns
FROM ordinary_node
CROSS JOIN node USING (node_id)
WHERE depth > 0;

CREATE TRIGGER capture_completed AFTER UPDATE OF complete ON capture WHEN NEW.complete > OLD.complete
BEGIN
  INSERT INTO run_function
  SELECT NEW.run_id, function_id, SUM (captures), SUM (calls), SUM (self_ns), SUM (tracing_ns), SUM (total_ns),
         SUM (off_cpu_ns), SUM (truncated), SUM (outlier_calls), SUM (outlier_self_ns), SUM (outlier_tracing_ns),
         SUM (ordinary_calls), SUM (ordinary_self_ns), SUM (ordinary_tracing_ns)
  FROM capture_sum
  WHERE capture_id = NEW.capture_id
  GROUP BY function_id
  ON CONFLICT DO UPDATE SET
    captures = captures + excluded.captures,
    calls = calls + excluded.calls,
    self_ns = self_ns + excluded.self_ns,
    tracing_ns = tracing_ns + excluded.tracing_ns,
    total_ns = total_ns + excluded.total_ns,
    off_cpu_ns = off_cpu_ns + excluded.off_cpu_ns,
    truncated = truncated + excluded.truncated,
    outlier_calls = outlier_calls + excluded.outlier_calls,
    outlier_self_ns = outlier_self_ns + excluded.outlier_self_ns,
    outlier_tracing_ns = outlier_tracing_ns + excluded.outlier_tracing_ns,
    ordinary_calls = ordinary_calls + excluded.ordinary_calls,
    ordinary_self_ns = ordinary_self_ns + excluded.ordinary_self_ns,
    ordinary_tracing_ns = ordinary_tracing_ns + excluded.ordinary_tracing_ns;
END;

CREATE TRIGGER capture_removed BEFORE DELETE ON capture WHEN OLD.complete = 1
BEGIN
  UPDATE run_function SET
    captures = run_function.captures - gone.captures,
    calls = run_function.calls - gone.calls,
    self_ns = run_function.self_ns - gone.self_ns,
    tracing_ns = run_function.tracing_ns - gone.tracing_ns,
    total_ns = run_function.total_ns - gone.total_ns,
    off_cpu_ns = run_function.off_cpu_ns - gone.off_cpu_ns,
    truncated = run_function.truncated - gone.truncated,
    outlier_calls = run_function.outlier_calls - gone.outlier_calls,
    outlier_self_ns = run_function.outlier_self_ns - gone.outlier_self_ns,
    outlier_tracing_ns = run_function.outlier_tracing_ns - gone.outlier_tracing_ns,
    ordinary_calls = run_function.ordinary_calls - gone.ordinary_calls,
    ordinary_self_ns = run_function.ordinary_self_ns - gone.ordinary_self_ns,
    ordinary_tracing_ns = run_function.ordinary_tracing_ns - gone.ordinary_tracing_ns
  FROM (SELECT function_id, SUM (captures) AS captures, SUM (calls) AS calls, SUM (self_ns) AS self_ns,
               SUM (tracing_ns) AS tracing_ns, SUM (total_ns) AS total_ns, SUM (off_cpu_ns) AS off_cpu_ns,
               SUM (truncated) AS truncated, SUM (outlier_calls) AS outlier_calls,
               SUM (outlier_self_ns) AS outlier_self_ns, SUM (outlier_tracing_ns) AS outlier_tracing_ns,
               SUM (ordinary_calls) AS ordinary_calls, SUM (ordinary_self_ns) AS ordinary_self_ns,
               SUM (ordinary_tracing_ns) AS ordinary_tracing_ns
        FROM capture_sum
        WHERE capture_id = OLD.capture_id
        GROUP BY function_id) AS gone
  WHERE run_function.run_id = OLD.run_id
    AND run_function.function_id = gone.function_id;
END;

-- What culprit fleet found on many machines, of whose captures the study contains a selection. A population is a host with
-- one kernel and one series of runs; run_id has those of its captures that are here.
CREATE TABLE fleet_population (
  population_id INTEGER PRIMARY KEY,
  run_id INTEGER REFERENCES run ON DELETE SET NULL,
  host TEXT NOT NULL,
  kernel TEXT NOT NULL,
  series TEXT NOT NULL,
  captures INTEGER NOT NULL,
  outliers INTEGER NOT NULL,
  excess_ns INTEGER NOT NULL,
  verdict TEXT NOT NULL CHECK (json_valid (verdict)),
  UNIQUE (host, kernel, series)
) STRICT;

CREATE INDEX fleet_population_by_run ON fleet_population (run_id);

-- The causes in a population's verdict.
CREATE TABLE fleet_cause (
  population_id INTEGER NOT NULL REFERENCES fleet_population ON DELETE CASCADE,
  function TEXT NOT NULL,
  class TEXT NOT NULL,
  captures INTEGER NOT NULL,
  excess_mean_ns INTEGER NOT NULL,
  weight REAL,
  weight_low REAL,
  weight_high REAL,
  confidence REAL,
  PRIMARY KEY (population_id, function, class)
) STRICT, WITHOUT ROWID;

-- Outliers of a day (UTC, YYYY-MM-DD) by class and culprit, as culprit outliers gives them.
CREATE TABLE fleet_day (
  population_id INTEGER NOT NULL REFERENCES fleet_population ON DELETE CASCADE,
  day TEXT NOT NULL,
  function TEXT NOT NULL,
  class TEXT NOT NULL,
  captures INTEGER NOT NULL,
  excess_ns INTEGER NOT NULL,
  PRIMARY KEY (population_id, day, function, class)
) STRICT, WITHOUT ROWID;

-- Causes that are more frequent with a kernel than with the one before, on the hosts that ran both.
CREATE TABLE fleet_new (
  kernel TEXT NOT NULL,
  kernel_before TEXT NOT NULL,
  function TEXT NOT NULL,
  class TEXT NOT NULL,
  hosts INTEGER NOT NULL,
  captures INTEGER NOT NULL,
  outliers INTEGER NOT NULL,
  captures_before INTEGER NOT NULL,
  outliers_before INTEGER NOT NULL,
  p_value REAL NOT NULL,
  PRIMARY KEY (kernel, function, class)
) STRICT, WITHOUT ROWID;

-- Sums over whole captures, of all captures of a population.
CREATE TABLE fleet_function (
  population_id INTEGER NOT NULL REFERENCES fleet_population ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  captures INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  PRIMARY KEY (population_id, function_id)
) STRICT, WITHOUT ROWID;

-- Views for common questions.

CREATE VIEW outlier AS
SELECT capture.capture_id, capture.file, run.name AS run, hit.latency_ns,
       hit.latency_ns - hit.tracing_ns AS untraced_ns, hit.tracing_ns, hit.not_captured_ns, hit.cpu, hit.pid, hit.comm,
       host.name AS host, host.kernel, hit.window_id, hit.start_ns, hit.end_ns, capture.ordinary_windows,
       capture.period_ns, capture.lost_events, capture.truncated_calls, capture.triage, capture.note, hit.uncertain_ns
FROM hit
JOIN capture USING (capture_id)
JOIN run USING (run_id)
JOIN host ON host.host_id = capture.host_id;

CREATE VIEW budget AS
SELECT hit.capture_id, node.context, function.name AS function, function.module, SUM (outlier_node.calls) AS calls,
       SUM (outlier_node.self_ns) AS self_ns, SUM (outlier_node.tracing_ns) AS tracing_ns,
       SUM (IIF (recursive, 0, total_ns)) AS total_ns, MAX (longest_stretch_ns) AS longest_stretch_ns,
       SUM (truncated) AS truncated
FROM hit
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
JOIN function USING (function_id)
GROUP BY hit.capture_id, node.context, function_id;

CREATE VIEW ordinary AS
SELECT ordinary_node.capture_id, node.context, function.name AS function, function.module, capture.ordinary_windows,
       ordinary_part.windows,
       SUM (ordinary_node.calls) * 1.0 / capture.ordinary_windows AS calls_mean,
       SUM (ordinary_node.self_ns) * 1.0 / capture.ordinary_windows AS self_mean_ns,
       SUM (ordinary_node.tracing_ns) * 1.0 / capture.ordinary_windows AS tracing_mean_ns
FROM ordinary_node
CROSS JOIN node USING (node_id)
JOIN capture USING (capture_id)
JOIN function USING (function_id)
LEFT JOIN ordinary_part ON ordinary_part.capture_id = ordinary_node.capture_id
                       AND ordinary_part.function_id = node.function_id
                       AND ordinary_part.context = node.context
GROUP BY ordinary_node.capture_id, node.context, node.function_id;

CREATE VIEW source AS
SELECT hit.capture_id, node.context, node.source, SUM (outlier_node.self_ns) AS self_ns,
       SUM (outlier_node.tracing_ns) AS tracing_ns, MIN (priority) AS priority
FROM hit
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
GROUP BY hit.capture_id, node.context, node.source;

CREATE VIEW path AS
WITH RECURSIVE below (node_id, depth, path) AS (
  SELECT node_id, 0, source
  FROM node
  WHERE depth = 0
  UNION ALL
  SELECT node.node_id, node.depth, below.path || ' > ' || function.name
  FROM below
  JOIN node ON node.parent_id = below.node_id AND node.depth = below.depth + 1
  JOIN function USING (function_id)
)
SELECT node_id, path
FROM below;

CREATE VIEW function_total AS
SELECT function.function_id, function.name AS function, function.module, function.ordinal,
       SUM (captures) AS captures, SUM (calls) AS calls, SUM (self_ns) AS self_ns, SUM (tracing_ns) AS tracing_ns,
       SUM (total_ns) AS total_ns, SUM (off_cpu_ns) AS off_cpu_ns, SUM (truncated) AS truncated,
       SUM (outlier_calls) AS outlier_calls, SUM (outlier_self_ns) AS outlier_self_ns,
       SUM (ordinary_calls) AS ordinary_calls, SUM (ordinary_self_ns) AS ordinary_self_ns
FROM run_function
JOIN function USING (function_id)
GROUP BY function_id;
