-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 4 of the study to 5: costs by call path. Captures are read again afterwards if their files exist. For the
-- others only functions are known: their nodes are directly below a source that stands for all of its context, and
-- read_version stays 4 or less.

DROP VIEW budget;
DROP VIEW ordinary;
DROP TRIGGER capture_function_added;
DROP TRIGGER outlier_cost_added;
DROP TRIGGER ordinary_cost_added;
DROP TRIGGER capture_removed;

ALTER TABLE capture ADD COLUMN folded_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE capture ADD COLUMN complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1));

UPDATE capture SET complete = 1;

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

INSERT INTO node (context, source, depth, recursive)
SELECT context, IIF (context = 'idle', 'idle', 'not known'), 0, 0
FROM (SELECT context FROM outlier_cost UNION SELECT context FROM ordinary_cost);

INSERT INTO node (parent_id, function_id, context, source, depth, recursive)
SELECT node_id, cost.function_id, cost.context, source, 1, 0
FROM (SELECT function_id, context FROM outlier_cost UNION SELECT function_id, context FROM ordinary_cost) AS cost
JOIN node ON node.context = cost.context AND depth = 0;

INSERT INTO outlier_node
SELECT window_id, node_id, calls, self_ns, tracing_ns, total_ns, longest_stretch_ns, truncated, NULL
FROM outlier_cost
JOIN node USING (function_id, context)
UNION ALL
SELECT DISTINCT window_id, node_id, 0, 0, 0, 0, 0, 0, NULL
FROM outlier_cost
JOIN node ON node.context = outlier_cost.context AND depth = 0;

INSERT INTO ordinary_node
SELECT capture_id, node_id, windows, calls, self_ns, tracing_ns, IFNULL (calls_max, 0), IFNULL (untraced_max_ns, 0)
FROM ordinary_cost
JOIN node USING (function_id, context)
UNION ALL
SELECT capture_id, node_id, MAX (windows), 0, 0, 0, 0, MAX (IFNULL (untraced_max_ns, 0))
FROM ordinary_cost
JOIN node ON node.context = ordinary_cost.context AND depth = 0
GROUP BY capture_id, node_id;

INSERT INTO ordinary_part
SELECT capture_id, function_id, context, windows, IFNULL (calls_max, 0), IFNULL (stretch_max_ns, 0),
       IFNULL (untraced_max_ns, 0), IFNULL (untraced_spread, x''), intrinsic_squared, intrinsic_untraced
FROM ordinary_cost;

DROP TABLE outlier_cost;
DROP TABLE ordinary_cost;
DROP TABLE outlier_source;
DROP TABLE ordinary_source;

CREATE VIEW capture_sum AS
SELECT capture_id, function_id, 1 AS captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated,
       0 AS outlier_calls, 0 AS outlier_self_ns, 0 AS outlier_tracing_ns,
       0 AS ordinary_calls, 0 AS ordinary_self_ns, 0 AS ordinary_tracing_ns
FROM capture_function
UNION ALL
SELECT capture_id, function_id, 0, 0, 0, 0, 0, 0, 0, calls, self_ns, outlier_node.tracing_ns, 0, 0, 0
FROM window
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
WHERE kind = 'outlier' AND depth > 0
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

CREATE VIEW budget AS
SELECT window.capture_id, node.context, function.name AS function, function.module, SUM (outlier_node.calls) AS calls,
       SUM (outlier_node.self_ns) AS self_ns, SUM (outlier_node.tracing_ns) AS tracing_ns,
       SUM (IIF (recursive, 0, total_ns)) AS total_ns, MAX (longest_stretch_ns) AS longest_stretch_ns,
       SUM (truncated) AS truncated
FROM window
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
JOIN function USING (function_id)
GROUP BY window.capture_id, node.context, function_id;

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
SELECT window.capture_id, node.context, node.source, SUM (outlier_node.self_ns) AS self_ns,
       SUM (outlier_node.tracing_ns) AS tracing_ns, MIN (priority) AS priority
FROM window
CROSS JOIN outlier_node USING (window_id)
CROSS JOIN node USING (node_id)
GROUP BY window.capture_id, node.context, node.source;

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
