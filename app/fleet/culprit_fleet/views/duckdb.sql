-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables that a study has, as views of facts, for DuckDB. SQL reserves the name of windows.

CREATE OR REPLACE VIEW capture AS
SELECT * EXCLUDE (outcome, commit, reason, capture_cpu, capture_event, capture_function, "window", node, outlier_node,
  ordinary_node, ordinary_part, stall, run, run_latency)
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

CREATE OR REPLACE VIEW node AS
SELECT kernel, host, capture, UNNEST (node, recursive := true)
FROM facts
WHERE outcome = 'capture';

-- With what is known of each node.
CREATE OR REPLACE VIEW outlier_node AS
SELECT kernel, host, capture, one.*, known.path, known.parent, known.last, known.function, known.module, known.ordinal, known.context,
       known.source, known.depth, known.recursive
FROM (SELECT kernel, host, capture, one, node[one.number + 1] AS known
      FROM (SELECT kernel, host, capture, node, UNNEST (outlier_node) AS one FROM facts WHERE outcome = 'capture'));

CREATE OR REPLACE VIEW ordinary_node AS
SELECT kernel, host, capture, one.*, known.path, known.parent, known.last, known.function, known.module, known.ordinal, known.context,
       known.source, known.depth, known.recursive
FROM (SELECT kernel, host, capture, one, node[one.number + 1] AS known
      FROM (SELECT kernel, host, capture, node, UNNEST (ordinary_node) AS one FROM facts WHERE outcome = 'capture'));

CREATE OR REPLACE VIEW ordinary_part AS
SELECT kernel, host, capture, UNNEST (ordinary_part, recursive := true)
FROM facts
WHERE outcome = 'capture';

-- Sums over nodes.
CREATE OR REPLACE VIEW outlier_cost AS
SELECT kernel, host, capture, function, module, ordinal, context, SUM (calls) AS calls, SUM (self_ns) AS self_ns,
       SUM (tracing_ns) AS tracing_ns, SUM (CASE WHEN recursive = 0 THEN total_ns ELSE 0 END) AS total_ns,
       MAX (longest_stretch_ns) AS longest_stretch_ns, SUM (truncated) AS truncated
FROM outlier_node
WHERE depth > 0
GROUP BY kernel, host, capture, function, module, ordinal, context;

CREATE OR REPLACE VIEW outlier_source AS
SELECT kernel, host, capture, context, source, SUM (self_ns) AS self_ns, SUM (tracing_ns) AS tracing_ns,
       MIN (priority) AS priority
FROM outlier_node
GROUP BY kernel, host, capture, context, source;

CREATE OR REPLACE VIEW ordinary_cost AS
SELECT kernel, host, capture, function, module, ordinal, context, SUM (calls) AS calls, SUM (self_ns) AS self_ns,
       SUM (tracing_ns) AS tracing_ns
FROM ordinary_node
WHERE depth > 0
GROUP BY kernel, host, capture, function, module, ordinal, context;

CREATE OR REPLACE VIEW ordinary_source AS
SELECT kernel, host, capture, context, source, MAX (windows) AS windows, SUM (self_ns) AS self_ns,
       SUM (tracing_ns) AS tracing_ns, MAX (with_callees_max_ns) AS untraced_max_ns
FROM ordinary_node
GROUP BY kernel, host, capture, context, source;

CREATE OR REPLACE VIEW stall AS
SELECT kernel, host, capture, UNNEST (stall, recursive := true)
FROM facts
WHERE outcome = 'capture';

-- Latency results as they were read last: one that is measured again under its name replaces what it said before.
CREATE OR REPLACE VIEW result AS
SELECT *
FROM facts
WHERE outcome = 'latencies'
QUALIFY ROW_NUMBER () OVER (PARTITION BY file ORDER BY commit DESC, modified_utc DESC) = 1;

-- Latency results do not say where they are from: they get host and kernel of the captures beside them, but no kernel
-- where these are of several.
CREATE OR REPLACE VIEW place AS
SELECT folder, CASE WHEN one_kernel THEN least.kernel END AS kernel, least.host
FROM (SELECT regexp_replace (file, '/[^/]*$', '') AS folder, MIN ({'kernel': kernel, 'host': host}) AS least,
             MIN (kernel) = MAX (kernel) AS one_kernel
      FROM facts
      WHERE outcome = 'capture'
      GROUP BY folder);

CREATE OR REPLACE VIEW run AS
SELECT place.kernel, place.host, one.*
FROM (SELECT series, file, UNNEST (run, recursive := true) FROM result) AS one
LEFT JOIN place ON place.folder = regexp_replace (file, '/[^/]*$', '');

CREATE OR REPLACE VIEW run_latency AS
SELECT place.kernel, place.host, one.*
FROM (SELECT file, UNNEST (run_latency, recursive := true) FROM result) AS one
LEFT JOIN place ON place.folder = regexp_replace (file, '/[^/]*$', '');
