-- SPDX-License-Identifier: GPL-3.0-or-later
-- Which run here is the same as one of the other study. Captures imported under one name belong to one run if their
-- windows are of one kind; one whose captures are all here already is left out. Recorded runs are the same if everything
-- known about them is; a renamed run still begins with its original label, or with what was kept of it. A label is what
-- the user called a measurement: the recording's name, else the run's.

-- Equal configurations have equal numbers. What a series explains may have got another name here.

CREATE TEMP TABLE configuration AS
SELECT own, series_id, DENSE_RANK () OVER (ORDER BY json_remove (configuration, '$.explains')) AS number
FROM (SELECT 1 AS own, series_id, configuration FROM main.series
      UNION ALL
      SELECT 0, series_id, configuration FROM other.series);

CREATE UNIQUE INDEX temp.configuration_of ON configuration (series_id, own);

-- What is known about a run as one row, so that those of one study are looked up among those of the other: there may be
-- thousands, and any one thing may be all that they differ in, so that all of it is in the index.

CREATE TEMP TABLE own_run AS
SELECT r.run_id, r.name, r.source, r.started_utc, r.tracing, IIF (r.source = 'record', r.turn, NULL) AS turn, r.cycles, r.summary_mean_ns, r.summary_sd_ns,
       r.summary_samples, r.told, r.resolution_ns, r.host_id,
       IIF (r.source = 'record', c.number, NULL) AS configuration,
       (SELECT GROUP_CONCAT (cpu || ' ' || latency_ns || ' ' || count)
        FROM (SELECT cpu, latency_ns, count FROM main.run_latency WHERE run_id = r.run_id ORDER BY cpu, latency_ns)) AS latencies
FROM main.run AS r
JOIN configuration AS c ON c.series_id = r.series_id AND c.own
WHERE r.source <> 'captures';

CREATE INDEX temp.own_run_known
ON own_run (source, started_utc, tracing, turn, host_id, cycles, summary_mean_ns, summary_sd_ns, summary_samples,
            resolution_ns, told, configuration, latencies, name);

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
         (SELECT m.run_id
          FROM own_run AS m
          WHERE m.source = run.source
            AND m.started_utc IS run.started_utc
            AND m.tracing IS run.tracing
            AND m.turn IS IIF (run.source = 'record', run.turn, NULL)
            AND m.host_id IS (SELECT host_map.new FROM host_map WHERE host_map.old = run.host_id)
            AND m.cycles IS run.cycles
            AND m.summary_mean_ns IS run.summary_mean_ns
            AND m.summary_sd_ns IS run.summary_sd_ns
            AND m.summary_samples IS run.summary_samples
            AND m.resolution_ns IS run.resolution_ns
            AND m.told IS run.told
            AND m.configuration IS IIF (run.source = 'record', c.number, NULL)
            AND m.latencies IS
                (SELECT GROUP_CONCAT (cpu || ' ' || latency_ns || ' ' || count)
                 FROM (SELECT cpu, latency_ns, count FROM other.run_latency WHERE run_id = run.run_id ORDER BY cpu, latency_ns))
            AND m.name >= substr (IIF (run.source = 'record', series.name, run.name), 1, {kept-characters})
            AND m.name < substr (IIF (run.source = 'record', series.name, run.name), 1, {kept-characters}) || char (0x10ffff)
            AND (run.source = 'record' -- which differ in more than what they measured
                 OR m.name = run.name
                 OR (substr (m.name, 1, length (substr (run.name, 1, {kept-characters})) + 1) =
                     substr (run.name, 1, {kept-characters}) || '-'
                     AND substr (m.name, length (substr (run.name, 1, {kept-characters})) + 2) NOT GLOB '*[^0-9]*'))
          LIMIT 1)
       END AS new
FROM other.run AS run
JOIN other.series AS series USING (series_id)
JOIN configuration AS c ON c.series_id = run.series_id AND NOT c.own
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
