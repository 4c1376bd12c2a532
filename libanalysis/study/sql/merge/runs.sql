-- SPDX-License-Identifier: GPL-3.0-or-later
-- Which run here is the same as one of the other study. Captures imported under one name belong to one run. Recorded runs
-- are the same if everything known about them is; a renamed run still begins with its original label. A label is what the
-- user called a measurement: the recording's name, else the run's.

CREATE TEMP TABLE run_map AS
SELECT o.run_id AS old, o.source, o.name, IIF (o.source = 'record', s.name, o.name) AS label, s.name AS series,
       CASE o.source
       WHEN 'captures' THEN
         (SELECT m.run_id FROM main.run AS m WHERE m.source = 'captures' AND m.name = o.name)
       ELSE
         -- By the index of names: there may be thousands of runs.
         (SELECT m.run_id
          FROM main.run AS m
          CROSS JOIN main.series AS t USING (series_id)
          WHERE m.name >= IIF (o.source = 'record', s.name, o.name)
            AND m.name < IIF (o.source = 'record', s.name, o.name) || char (0x10ffff)
            AND m.source = o.source
            AND m.started_utc IS o.started_utc
            AND t.configuration IS s.configuration
            AND m.tracing IS o.tracing
            AND m.cycles IS o.cycles
            AND m.summary_mean_ns IS o.summary_mean_ns
            AND substr (m.name, 1, length (IIF (o.source = 'record', s.name, o.name)))
                = IIF (o.source = 'record', s.name, o.name)
            AND NOT EXISTS (SELECT cpu, latency_ns, count FROM main.run_latency WHERE run_id = m.run_id
                            EXCEPT
                            SELECT cpu, latency_ns, count FROM other.run_latency WHERE run_id = o.run_id)
            AND NOT EXISTS (SELECT cpu, latency_ns, count FROM other.run_latency WHERE run_id = o.run_id
                            EXCEPT
                            SELECT cpu, latency_ns, count FROM main.run_latency WHERE run_id = m.run_id))
       END AS new
FROM other.run AS o
JOIN other.series AS s USING (series_id);

CREATE UNIQUE INDEX temp.run_map_old ON run_map (old);

CREATE INDEX temp.run_map_label ON run_map (label);

CREATE INDEX temp.run_map_name ON run_map (name);

CREATE INDEX temp.run_map_series ON run_map (series);
