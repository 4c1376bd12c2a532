-- SPDX-License-Identifier: GPL-3.0-or-later
-- What version 4 of the study had in place of the tree of calls, filled from that as far as it goes.

DROP VIEW budget;
DROP VIEW ordinary;
DROP VIEW source;
DROP VIEW path;
DROP TRIGGER capture_completed;
DROP TRIGGER capture_removed;
DROP VIEW capture_sum;

CREATE TABLE outlier_cost (
  window_id INTEGER NOT NULL REFERENCES window ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  context TEXT NOT NULL,
  calls INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  tracing_ns INTEGER NOT NULL,
  total_ns INTEGER NOT NULL,
  longest_stretch_ns INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  path TEXT,
  PRIMARY KEY (window_id, function_id, context)
) STRICT, WITHOUT ROWID;

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
  untraced_max_ns INTEGER,
  untraced_spread BLOB,
  PRIMARY KEY (capture_id, context, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE ordinary_cost (
  capture_id INTEGER NOT NULL REFERENCES capture ON DELETE CASCADE,
  function_id INTEGER NOT NULL REFERENCES function,
  context TEXT NOT NULL,
  windows INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  calls_squared REAL NOT NULL,
  self_ns INTEGER NOT NULL,
  self_squared REAL NOT NULL,
  self_latency REAL NOT NULL,
  tracing_ns INTEGER NOT NULL,
  intrinsic_squared REAL NOT NULL,
  intrinsic_untraced REAL NOT NULL,
  untraced_max_ns INTEGER,
  calls_max INTEGER,
  stretch_max_ns INTEGER,
  untraced_spread BLOB,
  calls_spread BLOB,
  stretch_spread BLOB,
  PRIMARY KEY (capture_id, function_id, context)
) STRICT, WITHOUT ROWID;

INSERT INTO outlier_cost
SELECT window_id, function_id, context, SUM (calls), SUM (self_ns), SUM (tracing_ns), SUM (IIF (recursive, 0, total_ns)),
       MAX (longest_stretch_ns), SUM (truncated), NULL
FROM outlier_node
JOIN node USING (node_id)
WHERE depth > 0
GROUP BY window_id, function_id, context;

INSERT INTO outlier_source
SELECT window_id, context, source, SUM (self_ns), SUM (tracing_ns), '', MIN (priority)
FROM outlier_node
JOIN node USING (node_id)
GROUP BY window_id, context, source;

INSERT INTO ordinary_cost
SELECT capture_id, function_id, context, ordinary_part.windows, SUM (calls), 0, SUM (self_ns), 0, 0, SUM (tracing_ns),
       intrinsic_squared, intrinsic_untraced, untraced_max_ns, ordinary_part.calls_max, stretch_max_ns, untraced_spread,
       x'', x''
FROM ordinary_node
JOIN node USING (node_id)
JOIN ordinary_part USING (capture_id, function_id, context)
GROUP BY capture_id, function_id, context;

INSERT INTO ordinary_source
SELECT capture_id, context, source, MAX (windows), SUM (self_ns), SUM (tracing_ns), MAX (with_callees_max_ns), x''
FROM ordinary_node
JOIN node USING (node_id)
GROUP BY capture_id, context, source;

DROP TABLE outlier_node;
DROP TABLE ordinary_node;
DROP TABLE ordinary_part;
DROP TABLE node;

CREATE TRIGGER capture_function_added AFTER INSERT ON capture_function
BEGIN
  INSERT INTO run_function (run_id, function_id, captures, calls, self_ns, tracing_ns, total_ns, off_cpu_ns, truncated)
  SELECT run_id, NEW.function_id, 1, NEW.calls, NEW.self_ns, NEW.tracing_ns, NEW.total_ns, NEW.off_cpu_ns,
         NEW.truncated
  FROM capture
  WHERE capture_id = NEW.capture_id
  ON CONFLICT DO UPDATE SET
    captures = captures + 1,
    calls = calls + excluded.calls,
    self_ns = self_ns + excluded.self_ns,
    tracing_ns = tracing_ns + excluded.tracing_ns,
    total_ns = total_ns + excluded.total_ns,
    off_cpu_ns = off_cpu_ns + excluded.off_cpu_ns,
    truncated = truncated + excluded.truncated;
END;

CREATE TRIGGER outlier_cost_added AFTER INSERT ON outlier_cost
BEGIN
  INSERT INTO run_function (run_id, function_id, outlier_calls, outlier_self_ns, outlier_tracing_ns)
  SELECT capture.run_id, NEW.function_id, NEW.calls, NEW.self_ns, NEW.tracing_ns
  FROM window JOIN capture USING (capture_id)
  WHERE window_id = NEW.window_id
  ON CONFLICT DO UPDATE SET
    outlier_calls = outlier_calls + excluded.outlier_calls,
    outlier_self_ns = outlier_self_ns + excluded.outlier_self_ns,
    outlier_tracing_ns = outlier_tracing_ns + excluded.outlier_tracing_ns;
END;

CREATE TRIGGER ordinary_cost_added AFTER INSERT ON ordinary_cost
BEGIN
  INSERT INTO run_function (run_id, function_id, ordinary_calls, ordinary_self_ns, ordinary_tracing_ns)
  SELECT run_id, NEW.function_id, NEW.calls, NEW.self_ns, NEW.tracing_ns
  FROM capture
  WHERE capture_id = NEW.capture_id
  ON CONFLICT DO UPDATE SET
    ordinary_calls = ordinary_calls + excluded.ordinary_calls,
    ordinary_self_ns = ordinary_self_ns + excluded.ordinary_self_ns,
    ordinary_tracing_ns = ordinary_tracing_ns + excluded.ordinary_tracing_ns;
END;

CREATE TRIGGER capture_removed BEFORE DELETE ON capture
BEGIN
  UPDATE run_function SET
    captures = captures - 1,
    calls = run_function.calls - gone.calls,
    self_ns = run_function.self_ns - gone.self_ns,
    tracing_ns = run_function.tracing_ns - gone.tracing_ns,
    total_ns = run_function.total_ns - gone.total_ns,
    off_cpu_ns = run_function.off_cpu_ns - gone.off_cpu_ns,
    truncated = run_function.truncated - gone.truncated
  FROM capture_function AS gone
  WHERE gone.capture_id = OLD.capture_id
    AND run_function.run_id = OLD.run_id
    AND run_function.function_id = gone.function_id;
  UPDATE run_function SET
    outlier_calls = outlier_calls - gone.calls,
    outlier_self_ns = outlier_self_ns - gone.self_ns,
    outlier_tracing_ns = outlier_tracing_ns - gone.tracing_ns
  FROM (SELECT function_id, SUM (calls) AS calls, SUM (self_ns) AS self_ns, SUM (tracing_ns) AS tracing_ns
        FROM outlier_cost
        WHERE window_id = (SELECT window_id FROM window WHERE capture_id = OLD.capture_id AND kind = 'outlier')
        GROUP BY function_id) AS gone
  WHERE run_function.run_id = OLD.run_id
    AND run_function.function_id = gone.function_id;
  UPDATE run_function SET
    ordinary_calls = ordinary_calls - gone.calls,
    ordinary_self_ns = ordinary_self_ns - gone.self_ns,
    ordinary_tracing_ns = ordinary_tracing_ns - gone.tracing_ns
  FROM (SELECT function_id, SUM (calls) AS calls, SUM (self_ns) AS self_ns, SUM (tracing_ns) AS tracing_ns
        FROM ordinary_cost
        WHERE capture_id = OLD.capture_id
        GROUP BY function_id) AS gone
  WHERE run_function.run_id = OLD.run_id
    AND run_function.function_id = gone.function_id;
END;

CREATE VIEW budget AS
SELECT window.capture_id, outlier_cost.context, function.name AS function, function.module, outlier_cost.calls,
       outlier_cost.self_ns, outlier_cost.tracing_ns, outlier_cost.total_ns, outlier_cost.longest_stretch_ns,
       outlier_cost.truncated
FROM outlier_cost
JOIN window USING (window_id)
JOIN function USING (function_id);

CREATE VIEW ordinary AS
SELECT ordinary_cost.capture_id, ordinary_cost.context, function.name AS function, function.module,
       capture.ordinary_windows, ordinary_cost.windows,
       ordinary_cost.calls * 1.0 / capture.ordinary_windows AS calls_mean,
       ordinary_cost.self_ns * 1.0 / capture.ordinary_windows AS self_mean_ns,
       ordinary_cost.tracing_ns * 1.0 / capture.ordinary_windows AS tracing_mean_ns
FROM ordinary_cost
JOIN capture USING (capture_id)
JOIN function USING (function_id);
