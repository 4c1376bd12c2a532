-- SPDX-License-Identifier: GPL-3.0-or-later
-- The Parquet files that have selected captures. Their folders say which need not be looked into.
SELECT DISTINCT written
FROM place
JOIN (SELECT /*+ BROADCAST */ capture, host, kernel FROM selected) AS wanted
  ON place.capture = wanted.capture AND COALESCE (place.host, '') = wanted.host AND COALESCE (place.kernel, '') = wanted.kernel
ORDER BY written
