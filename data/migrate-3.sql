-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 2 of the study to 3: adds latencies of which only mean, standard deviation and number are known, who held
-- the CPU in the windows, which calls led to a function, what other CPUs did during a stall.

ALTER TABLE run ADD COLUMN summary_mean_ns REAL;
ALTER TABLE run ADD COLUMN summary_sd_ns REAL;
ALTER TABLE run ADD COLUMN summary_samples INTEGER;

ALTER TABLE outlier_cost ADD COLUMN path TEXT;
ALTER TABLE stall ADD COLUMN other_cpus INTEGER;
ALTER TABLE stall ADD COLUMN silent_cpus INTEGER;
ALTER TABLE stall ADD COLUMN before_event TEXT;
ALTER TABLE stall ADD COLUMN after_event TEXT;

-- Who held the CPU in the outlier: a task by its command, an interrupt by the function that it began with. What an
-- interrupt calls in its own context belongs to it, so that these add up to the latency as well.
CREATE TABLE outlier_source (
  window_id INTEGER NOT NULL REFERENCES window ON DELETE CASCADE,
  context TEXT NOT NULL,
  source TEXT NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  path TEXT NOT NULL,
  priority INTEGER,
  PRIMARY KEY (window_id, context, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE ordinary_source (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  context TEXT NOT NULL,
  source TEXT NOT NULL,
  windows INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  PRIMARY KEY (capture_id, context, source)
) STRICT, WITHOUT ROWID;
