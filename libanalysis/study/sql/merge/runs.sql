-- SPDX-License-Identifier: GPL-3.0-or-later
-- Which run here is the same as one of the other study. Captures imported under one name belong to one run if their
-- windows are of one kind; one whose captures are all here already is left out. Others are the same if everything known
-- about them is, and they have one name, or a merge, here or there, gave one of them another: a number after its label. A
-- label is what the user called a measurement: the recording's name, else the run's.

-- Equal configurations have equal numbers. What a series explains may have got another name here.

CREATE TEMP TABLE configuration AS
SELECT own, series_id, name, DENSE_RANK () OVER (ORDER BY json_remove (configuration, '$.explains')) AS number
FROM (SELECT 1 AS own, series_id, name, configuration FROM main.series
      UNION ALL
      SELECT 0, series_id, name, configuration FROM other.series);

CREATE UNIQUE INDEX temp.configuration_of ON configuration (series_id, own);

-- Likewise runs, whatever they are called; the root of a label is what merges kept of it.

CREATE TEMP TABLE content AS
SELECT own, run_id, source = 'record' AS recorded, name, series,
       substr (kept, 1, length (stem) + length (rest) - length (ltrim (rest, '0123456789'))) AS root, number
FROM (SELECT *, substr (kept, length (stem) + 1) AS rest
      FROM (SELECT *, rtrim (kept, '-0123456789') AS stem
            FROM (SELECT r.own, run_id, source, r.name, c.name AS series,
                         substr (IIF (source = 'record', c.name, r.name), 1, {kept-characters}) AS kept,
                         DENSE_RANK () OVER (ORDER BY source, started_utc, tracing, IIF (source = 'record', turn, NULL),
                                                      host_id, cycles, summary_mean_ns, summary_sd_ns, summary_samples,
                                                      resolution_ns, told, IIF (source = 'record', c.number, NULL), latencies) AS number
                  FROM (SELECT 1 AS own, run_id, name, source, started_utc, tracing, turn, host_id, cycles, summary_mean_ns,
                               summary_sd_ns, summary_samples, resolution_ns, told, series_id,
                               (SELECT GROUP_CONCAT (cpu || ' ' || latency_ns || ' ' || count)
                                FROM (SELECT cpu, latency_ns, count FROM main.run_latency WHERE run_id = run.run_id
                                      ORDER BY cpu, latency_ns)) AS latencies
                        FROM main.run AS run
                        WHERE source <> 'captures'
                        UNION ALL
                        SELECT 0, run_id, name, source, started_utc, tracing, turn,
                               (SELECT new FROM host_map WHERE old = host_id), cycles, summary_mean_ns,
                               summary_sd_ns, summary_samples, resolution_ns, told, series_id,
                               (SELECT GROUP_CONCAT (cpu || ' ' || latency_ns || ' ' || count)
                                FROM (SELECT cpu, latency_ns, count FROM other.run_latency WHERE run_id = run.run_id
                                      ORDER BY cpu, latency_ns))
                        FROM other.run AS run
                        WHERE source <> 'captures') AS r
                  JOIN configuration AS c ON c.series_id = r.series_id AND c.own = r.own)));

-- Recorded runs differ in more than what they measured.

UPDATE content SET name = root
WHERE recorded;

CREATE INDEX temp.content_named ON content (number, own, name);

-- Imported results without one of the same name in the other study. One of two that are the same was numbered by a merge,
-- which makes those that it numbers a series of their own; else the number is the user's.

CREATE TEMP TABLE renamed AS
SELECT own, run_id, number, root,
       name = series AND name GLOB '*[0-9]' AND rtrim (name, '0123456789') GLOB '*-' AS numbered
FROM content AS c
WHERE NOT recorded
  AND NOT EXISTS (SELECT 1 FROM content AS n WHERE n.number = c.number AND n.own = NOT c.own AND n.name = c.name);

CREATE INDEX temp.renamed_from ON renamed (number, own, root, numbered);

CREATE UNIQUE INDEX temp.renamed_run ON renamed (run_id, own);

CREATE TEMP TABLE same AS
SELECT run_id AS old,
       IFNULL ((SELECT m.run_id
                FROM content AS m
                WHERE m.number = c.number AND m.own = 1 AND m.name = c.name
                ORDER BY m.run_id
                LIMIT 1),
               (SELECT m.run_id
                FROM renamed AS o
                JOIN renamed AS m USING (number, root)
                WHERE o.own = 0 AND o.run_id = c.run_id AND m.own = 1 AND m.numbered >= NOT o.numbered
                LIMIT 1)) AS new
FROM content AS c
WHERE own = 0;

CREATE UNIQUE INDEX temp.same_old ON same (old);

CREATE TEMP TABLE run_map AS
SELECT run.run_id AS old, run.source, run.name, IIF (run.source = 'record', series.name, run.name) AS label,
       series.name AS series, substr ({arm}, length (series.name) + 1) AS arm,
       CASE run.source
       WHEN 'captures' THEN
         (SELECT m.run_id
          FROM main.run AS m
          JOIN main.series AS t USING (series_id)
          WHERE m.source = 'captures' AND m.name = run.name AND t.window_kind = series.window_kind)
       ELSE
         (SELECT new FROM same WHERE same.old = run.run_id)
       END AS new
FROM other.run AS run
JOIN other.series AS series USING (series_id)
WHERE run.source <> 'captures'
   OR run_id IN (SELECT run_id FROM other.capture JOIN new_capture USING (capture_id))
   OR run_id NOT IN (SELECT run_id FROM other.capture);

CREATE UNIQUE INDEX temp.run_map_old ON run_map (old);

CREATE INDEX temp.run_map_label ON run_map (label);

CREATE INDEX temp.run_map_name ON run_map (name);

CREATE INDEX temp.run_map_series ON run_map (series);

-- What means something here: the names of runs, of series and of their arms.

CREATE TEMP TABLE taken (name TEXT PRIMARY KEY) WITHOUT ROWID;

INSERT OR IGNORE INTO taken
SELECT name FROM main.run
UNION ALL
SELECT series.name FROM main.series AS series
UNION ALL
SELECT {arm} FROM main.run AS run JOIN main.series AS series USING (series_id);

-- The series of runs that were imported is their own if its name means something here: another machine's files of that name
-- must not count among them.

UPDATE run_map SET series = name, arm = ''
WHERE new IS NULL
  AND source <> 'record'
  AND (series IN (SELECT name FROM taken) OR series || arm IN (SELECT name FROM taken));
