-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables that a study has, as views of facts, for Spark. SQL reserves the name of windows.

CREATE OR REPLACE TEMPORARY VIEW capture AS
SELECT * EXCEPT (outcome, commit, reason, capture_cpu, capture_event, capture_function, window, outlier_cost,
  outlier_source, ordinary_cost, ordinary_source, stall, run, run_latency)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW capture_cpu AS
SELECT kernel, host, capture, inline (capture_cpu)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW capture_event AS
SELECT kernel, host, capture, inline (capture_event)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW capture_function AS
SELECT kernel, host, capture, inline (capture_function)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW windows AS
SELECT kernel, host, capture, inline (`window`)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW outlier_cost AS
SELECT kernel, host, capture, inline (outlier_cost)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW outlier_source AS
SELECT kernel, host, capture, inline (outlier_source)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW ordinary_cost AS
SELECT kernel, host, capture, inline (ordinary_cost)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW ordinary_source AS
SELECT kernel, host, capture, inline (ordinary_source)
FROM facts
WHERE outcome = 'capture';

CREATE OR REPLACE TEMPORARY VIEW stall AS
SELECT kernel, host, capture, inline (stall)
FROM facts
WHERE outcome = 'capture';

-- Latency results do not say where they are from: they get host and kernel of the captures beside them.
CREATE OR REPLACE TEMPORARY VIEW place AS
SELECT folder, least.kernel, least.host
FROM (SELECT regexp_replace (file, '/[^/]*$', '') AS folder, MIN (struct (kernel, host)) AS least
      FROM facts
      WHERE outcome = 'capture'
      GROUP BY folder);

CREATE OR REPLACE TEMPORARY VIEW run AS
SELECT place.kernel, place.host, result.*
FROM (SELECT series, file, inline (run) FROM facts WHERE outcome = 'latencies') AS result
LEFT JOIN place ON place.folder = regexp_replace (file, '/[^/]*$', '');

CREATE OR REPLACE TEMPORARY VIEW run_latency AS
SELECT place.kernel, place.host, result.*
FROM (SELECT file, inline (run_latency) FROM facts WHERE outcome = 'latencies') AS result
LEFT JOIN place ON place.folder = regexp_replace (file, '/[^/]*$', '');
