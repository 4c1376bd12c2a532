-- SPDX-License-Identifier: GPL-3.0-or-later
-- Maps numbers in the other study to those in this one. Captures with digests of different kinds are the same if their
-- sizes and events agree. Captures and windows are numbered after those that are already here.

CREATE TEMP TABLE map AS
SELECT (SELECT IFNULL (MAX (capture_id), 0) FROM main.capture) AS captures,
       (SELECT IFNULL (MAX (window_id), 0) FROM main.window) AS windows;

CREATE TEMP TABLE new_capture AS
SELECT capture_id
FROM other.capture
WHERE sha256 NOT IN (SELECT sha256 FROM main.capture)
  AND (size_bytes, first_ns, last_ns, events, sha256 LIKE {digest-kind}) NOT IN
      (SELECT size_bytes, first_ns, last_ns, events, sha256 NOT LIKE {digest-kind} FROM main.capture);

CREATE UNIQUE INDEX temp.new_capture_id ON new_capture (capture_id);

INSERT INTO main.host (name, kernel, machine)
SELECT name, kernel, machine
FROM other.host
WHERE 1
ON CONFLICT DO NOTHING;

INSERT INTO main.function (name, module, ordinal)
SELECT name, module, ordinal
FROM other.function
WHERE 1
ON CONFLICT DO NOTHING;

CREATE TEMP TABLE host_map AS
SELECT o.host_id AS old, m.host_id AS new
FROM other.host AS o
JOIN main.host AS m USING (name, kernel, machine);

CREATE TEMP TABLE function_map AS
SELECT o.function_id AS old, m.function_id AS new
FROM other.function AS o
JOIN main.function AS m USING (name, module, ordinal);

CREATE UNIQUE INDEX temp.function_map_old ON function_map (old);

CREATE TEMP TABLE node_map (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);

-- Of the nodes, only those that the new captures use.
CREATE TEMP TABLE used_node (node_id INTEGER PRIMARY KEY);

INSERT OR IGNORE INTO used_node
SELECT node_id
FROM other.outlier_node
JOIN other.window USING (window_id)
JOIN new_capture USING (capture_id);

INSERT OR IGNORE INTO used_node
SELECT node_id
FROM other.ordinary_node
JOIN new_capture USING (capture_id);
