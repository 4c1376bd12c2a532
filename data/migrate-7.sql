-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 6 of the study to 7: adds which series are of files that were imported here. Of those that exist nobody knows
-- whether they came with another study, so that no further files join them.
-- Adds where interrupts and preemption were disabled, for which captures are read again.

ALTER TABLE series ADD COLUMN of_files INTEGER NOT NULL DEFAULT 0 CHECK (of_files IN (0, 1));

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
