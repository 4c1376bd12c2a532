-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a run is of the machine and the kernel of :series, if these are known.
(run.host_id IN (SELECT own.host_id
                 FROM series AS explained
                 JOIN run AS own USING (series_id)
                 WHERE explained.name = :series)
 OR NOT EXISTS (SELECT 1
                FROM series AS explained
                JOIN run AS own USING (series_id)
                WHERE explained.name = :series AND own.host_id IS NOT NULL))
