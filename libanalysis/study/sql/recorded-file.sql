-- SPDX-License-Identifier: GPL-3.0-or-later
-- The run that wrote the capture file :name, "RECORDING-001.dat". A killed recording was in its last run. If the names of
-- several recordings make the same names of files, nobody knows which of them wrote it.
SELECT name
FROM (SELECT run.name, MAX (run_id)
      FROM run
      JOIN series USING (series_id)
      WHERE run.source = 'record'
        AND run.tracing = 'on'
        AND substr (:name, 1, length (series.name) + 1) = replace (series.name, '/', '-') || '-'
        AND substr (:name, length (series.name) + 2) GLOB '[0-9][0-9][0-9]*.dat'
        AND substr (:name, length (series.name) + 2) NOT GLOB '*[^0-9]*.dat'
      HAVING COUNT (DISTINCT series_id) = 1)
