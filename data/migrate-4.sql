-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 3 of the study to 4: adds the spread of each function's cost over ordinary wake-ups, the uncertainty of
-- windows and periods, what a capture did not trace, what a tool itself printed about its latencies, which runs belong
-- together, and what was found on many machines. Captures are read again afterwards if their files exist; for others this is
-- not known, and read_version stays 3.

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

CREATE TABLE series (
  series_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  configuration TEXT CHECK (configuration IS NULL OR json_valid (configuration))
) STRICT;

ALTER TABLE run ADD COLUMN series_id INTEGER REFERENCES series;
ALTER TABLE run ADD COLUMN turn INTEGER CHECK (turn >= 0);

-- So far, only names showed this. Recordings: NAME, or NAME/off-1, NAME/on-1, NAME/off-2 if tracing alternated.

INSERT INTO series (name, configuration)
SELECT recording, MAX (configuration)
FROM run
WHERE recording IS NOT NULL
GROUP BY recording
ORDER BY MIN (run_id);

UPDATE run SET
  series_id = (SELECT series_id FROM series WHERE series.name = recording),
  turn = IIF (substr (name, 1, length (recording || tracing) + 2) = recording || '/' || tracing || '-',
              CAST (substr (name, length (recording || tracing) + 3) AS INTEGER), NULL)
WHERE recording IS NOT NULL;

-- Latencies of other tools: STEM-1, STEM-2, unless there is a STEM, after which they may have been numbered.

CREATE TEMP TABLE numbered AS
SELECT run_id, substr (rtrim (name, '0123456789'), 1, length (rtrim (name, '0123456789')) - 1) AS stem,
       CAST (substr (name, length (rtrim (name, '0123456789')) + 1) AS INTEGER) AS turn
FROM run
WHERE source = 'profile' AND name GLOB '?*-[0-9]*' AND rtrim (name, '0123456789') GLOB '*-';

DELETE FROM numbered
WHERE stem IN (SELECT name FROM run UNION SELECT name FROM series);

INSERT INTO series (name)
SELECT stem
FROM numbered
GROUP BY stem
ORDER BY MIN (run_id);

UPDATE run SET
  series_id = (SELECT series_id FROM series WHERE series.name = stem),
  turn = numbered.turn
FROM numbered
WHERE numbered.run_id = run.run_id;

DROP TABLE numbered;

INSERT INTO series (name)
SELECT name
FROM run
WHERE series_id IS NULL
ON CONFLICT DO NOTHING;

UPDATE run SET series_id = (SELECT series_id FROM series WHERE series.name = run.name)
WHERE series_id IS NULL;

ALTER TABLE run DROP COLUMN recording;
ALTER TABLE run DROP COLUMN configuration;

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
