-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 4 of the study to 5: costs by call path. Captures are read again afterwards if their files exist. For the
-- others only functions are known: their nodes are directly below a source that stands for all of its context, and
-- read_version stays 4 or less.

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

-- What version 3 did not have of the greatest of a window is known to be no more than the sum of all windows, and a source to
-- have taken no more than all its functions at their greatest: then no cause is established of what ordinary windows may have
-- had as well.
INSERT INTO ordinary_node
SELECT capture_id, node_id, windows, calls, self_ns, tracing_ns, IFNULL (calls_max, calls), IFNULL (untraced_max_ns, self_ns)
FROM ordinary_cost
JOIN node USING (function_id, context)
UNION ALL
SELECT capture_id, node_id, MAX (windows), 0, 0, 0, 0, SUM (IFNULL (untraced_max_ns, self_ns))
FROM ordinary_cost
JOIN node ON node.context = ordinary_cost.context AND depth = 0
GROUP BY capture_id, node_id;

INSERT INTO ordinary_part
SELECT capture_id, function_id, context, windows, IFNULL (calls_max, calls), IFNULL (stretch_max_ns, self_ns),
       IFNULL (untraced_max_ns, self_ns), IFNULL (untraced_spread, x''), intrinsic_squared, intrinsic_untraced
FROM ordinary_cost;

DROP TABLE outlier_cost;
DROP TABLE ordinary_cost;
DROP TABLE outlier_source;
DROP TABLE ordinary_source;
