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
  configuration TEXT CHECK (configuration IS NULL OR json_valid (configuration))
) STRICT;

CREATE TABLE run_latency (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  latency_ns INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (run_id, cpu, latency_ns)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_sample (
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  first_cycle INTEGER NOT NULL,
  latencies_ns BLOB NOT NULL,
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
  marker TEXT,
  trigger_ns INTEGER,
  period_ns INTEGER,
  period_source TEXT CHECK (period_source IN ('given', 'inferred', 'recorded')),
  no_windows TEXT,
  triage TEXT NOT NULL DEFAULT 'new' CHECK (triage IN ('new', 'seen', 'explained', 'ignored')),
  note TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX capture_by_run ON capture (run_id);

-- losses counts the places where events were lost; lost_events counts a loss of unknown size as one.
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

-- kind: outlier is the hit's window, ordinary are the other cycles of the capture.
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
  not_captured_ns INTEGER NOT NULL
) STRICT;

CREATE INDEX window_by_capture ON window (capture_id, kind);

CREATE TABLE outlier_cost (
  window_id INTEGER NOT NULL REFERENCES window ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  context TEXT NOT NULL,
  calls INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  longest_stretch_ns INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  PRIMARY KEY (window_id, function_id, context)
) STRICT, WITHOUT ROWID;

-- Sums over the ordinary windows of a capture. Intrinsic is self less tracing; untraced is latency less tracing.
CREATE TABLE ordinary_cost (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  context TEXT NOT NULL,
  windows INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  calls_squared REAL NOT NULL,
  self_ns INTEGER NOT NULL,
  self_squared REAL NOT NULL,
  self_latency REAL NOT NULL,
  tracing_ns INTEGER NOT NULL,
  intrinsic_squared REAL NOT NULL,
  intrinsic_untraced REAL NOT NULL,
  longest_stretch_ns INTEGER NOT NULL,
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

CREATE INDEX capture_function_by_function ON capture_function (function_id);

CREATE TABLE stall (
  window_id INTEGER PRIMARY KEY REFERENCES window ON DELETE CASCADE,
  cpu INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  length_ns INTEGER NOT NULL,
  context TEXT NOT NULL,
  function_id INTEGER NOT NULL REFERENCES function
) STRICT;
