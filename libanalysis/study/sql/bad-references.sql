-- SPDX-License-Identifier: GPL-3.0-or-later
-- A run or a capture without a row that it belongs to: most queries would leave it out, and its numbers with it.
SELECT 'row ' || rowid || ' of ' || "table" || ' refers to a row that is not in ' || parent
FROM (SELECT * FROM pragma_foreign_key_check ('run') UNION ALL
      SELECT * FROM pragma_foreign_key_check ('capture'))
UNION ALL
SELECT 'row ' || run_id || ' of run refers to no series'
FROM run
WHERE typeof (series_id) <> 'integer'
UNION ALL
SELECT 'row ' || capture_id || ' of capture refers to no run or no host'
FROM capture
WHERE typeof (run_id) <> 'integer' OR typeof (host_id) <> 'integer' -- SQLite takes it that what is NOT NULL never IS NULL.
LIMIT 1
