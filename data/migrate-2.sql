-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 1 of the study to 2: adds recorded runs and their captures. Version 1 had no samples.

ALTER TABLE run ADD COLUMN recording TEXT;
ALTER TABLE run ADD COLUMN deadline_ns INTEGER;
ALTER TABLE run ADD COLUMN facts TEXT CHECK (facts IS NULL OR json_valid (facts));
ALTER TABLE run ADD COLUMN cycles INTEGER;
ALTER TABLE run ADD COLUMN hits INTEGER;
ALTER TABLE run ADD COLUMN missed INTEGER;
ALTER TABLE run ADD COLUMN late INTEGER;
ALTER TABLE run ADD COLUMN page_faults INTEGER;
ALTER TABLE run ADD COLUMN smi_count INTEGER;
ALTER TABLE run ADD COLUMN steal_ns INTEGER;
ALTER TABLE run ADD COLUMN delays TEXT CHECK (delays IS NULL OR json_valid (delays));
ALTER TABLE run ADD COLUMN resolution_ns INTEGER NOT NULL DEFAULT 1;

DROP TABLE run_sample;

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

ALTER TABLE capture ADD COLUMN hit_cycle INTEGER;
ALTER TABLE capture ADD COLUMN needed_kb INTEGER;
ALTER TABLE capture ADD COLUMN smi_count INTEGER;
ALTER TABLE capture ADD COLUMN steal_ns INTEGER;
ALTER TABLE capture ADD COLUMN delays TEXT CHECK (delays IS NULL OR json_valid (delays));
