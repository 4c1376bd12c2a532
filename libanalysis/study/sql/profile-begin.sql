-- SPDX-License-Identifier: GPL-3.0-or-later
-- What profiles tell, with their latencies in one text: there may be thousands of one name, each of which is looked up
-- among all others. One that is deleted takes its own along, and what somebody else changed meanwhile all of it.
CREATE TEMP TABLE IF NOT EXISTS told (
  run_id INTEGER PRIMARY KEY,
  cycles INTEGER,
  summary_mean_ns REAL,
  summary_sd_ns REAL,
  summary_samples INTEGER,
  content TEXT NOT NULL,
  name TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS temp.told_by_content
ON told (cycles, summary_mean_ns, summary_sd_ns, summary_samples, content, name);

CREATE TEMP TRIGGER IF NOT EXISTS told_goes
AFTER DELETE ON main.run
BEGIN
  DELETE FROM told WHERE run_id = OLD.run_id;
END;

CREATE TEMP TABLE IF NOT EXISTS told_as_of (version INTEGER PRIMARY KEY);

DELETE FROM told WHERE NOT EXISTS (SELECT 1 FROM told_as_of JOIN pragma_data_version ON data_version = version);

DELETE FROM told_as_of;

INSERT INTO told_as_of SELECT data_version FROM pragma_data_version;
