-- SPDX-License-Identifier: GPL-3.0-or-later
-- Which run here is the same as one of the other study. Captures imported under one name belong to one run if their
-- windows are of one kind. Recorded runs
-- are the same if everything known about them is; a renamed run still begins with its original label, or with what was
-- kept of it. A label is what the
-- user called a measurement: the recording's name, else the run's.

-- What is known about a run as one row, so that those of one study are looked up among those of the other: there may be
-- thousands, and only their latencies may differ.

CREATE TEMP TABLE configuration (text TEXT UNIQUE);

INSERT OR IGNORE INTO configuration SELECT configuration FROM main.series UNION SELECT configuration FROM other.series;

CREATE TEMP TABLE own_run AS
SELECT r.run_id, r.name, r.source, r.started_utc, r.tracing, r.cycles, r.summary_mean_ns,
       (SELECT c.rowid FROM configuration AS c WHERE c.text = s.configuration) AS configuration,
       (SELECT GROUP_CONCAT (cpu || ' ' || latency_ns || ' ' || count)
        FROM (SELECT cpu, latency_ns, count FROM main.run_latency WHERE run_id = r.run_id ORDER BY cpu, latency_ns)) AS latencies
FROM main.run AS r
JOIN main.series AS s USING (series_id)
WHERE r.source <> 'captures';

CREATE INDEX temp.own_run_known
ON own_run (source, started_utc, tracing, cycles, summary_mean_ns, configuration, latencies, name);

CREATE TEMP TABLE run_map AS
SELECT o.run_id AS old, o.source, o.name, IIF (o.source = 'record', s.name, o.name) AS label, s.name AS series,
       CASE o.source
       WHEN 'captures' THEN
         (SELECT m.run_id
          FROM main.run AS m
          JOIN main.series AS t USING (series_id)
          WHERE m.source = 'captures' AND m.name = o.name AND t.window_kind = s.window_kind)
       ELSE
         (SELECT m.run_id
          FROM own_run AS m
          WHERE m.source = o.source
            AND m.started_utc IS o.started_utc
            AND m.tracing IS o.tracing
            AND m.cycles IS o.cycles
            AND m.summary_mean_ns IS o.summary_mean_ns
            AND m.configuration IS (SELECT c.rowid FROM configuration AS c WHERE c.text = s.configuration)
            AND m.latencies IS
                (SELECT GROUP_CONCAT (cpu || ' ' || latency_ns || ' ' || count)
                 FROM (SELECT cpu, latency_ns, count FROM other.run_latency WHERE run_id = o.run_id ORDER BY cpu, latency_ns))
            AND m.name >= substr (IIF (o.source = 'record', s.name, o.name), 1, {kept-characters})
            AND m.name < substr (IIF (o.source = 'record', s.name, o.name), 1, {kept-characters}) || char (0x10ffff)
          LIMIT 1)
       END AS new
FROM other.run AS o
JOIN other.series AS s USING (series_id);

CREATE UNIQUE INDEX temp.run_map_old ON run_map (old);

CREATE INDEX temp.run_map_label ON run_map (label);

CREATE INDEX temp.run_map_name ON run_map (name);

CREATE INDEX temp.run_map_series ON run_map (series);
