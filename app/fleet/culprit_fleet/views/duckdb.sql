-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables that a study has, as views of facts, for DuckDB. SQL reserves the name of windows.

CREATE OR REPLACE VIEW capture AS
SELECT * EXCLUDE (outcome, commit, reason, capture_cpu, capture_event, capture_function, "window", outlier_cost,
  outlier_source, ordinary_cost, ordinary_source, stall, run, run_latency)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW capture_cpu AS
SELECT kernel, host, capture, UNNEST (capture_cpu, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW capture_event AS
SELECT kernel, host, capture, UNNEST (capture_event, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW capture_function AS
SELECT kernel, host, capture, UNNEST (capture_function, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW windows AS
SELECT kernel, host, capture, UNNEST ("window", recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW outlier_cost AS
SELECT kernel, host, capture, UNNEST (outlier_cost, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW outlier_source AS
SELECT kernel, host, capture, UNNEST (outlier_source, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW ordinary_cost AS
SELECT kernel, host, capture, UNNEST (ordinary_cost, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW ordinary_source AS
SELECT kernel, host, capture, UNNEST (ordinary_source, recursive := true)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE VIEW stall AS
SELECT kernel, host, capture, UNNEST (stall, recursive := true)
FROM facts
WHERE outcome = 'capture';

-- Latency results do not say where they are from: they get host and kernel of the captures beside them.
CREATE OR REPLACE VIEW place AS
SELECT folder, least.kernel, least.host
FROM (SELECT regexp_replace (file, '/[^/]*$', '') AS folder, MIN ({'kernel': kernel, 'host': host}) AS least
      FROM facts
      WHERE outcome = 'capture'
      GROUP BY folder);

CREATE OR REPLACE VIEW run AS
SELECT place.kernel, place.host, result.*
FROM (SELECT series, file, UNNEST (run, recursive := true) FROM facts WHERE outcome = 'latencies') AS result
LEFT JOIN place ON place.folder = regexp_replace (file, '/[^/]*$', '');

CREATE OR REPLACE VIEW run_latency AS
SELECT place.kernel, place.host, result.*
FROM (SELECT file, UNNEST (run_latency, recursive := true) FROM facts WHERE outcome = 'latencies') AS result
LEFT JOIN place ON place.folder = regexp_replace (file, '/[^/]*$', '');
