-- SPDX-License-Identifier: GPL-3.0-or-later
-- The Parquet files that have selected captures. Their folders say which need not be looked into.
SELECT DISTINCT written
FROM fact_file
JOIN (SELECT /*+ BROADCAST */ capture, host, kernel FROM selected) AS wanted
  ON fact_file.capture = wanted.capture AND COALESCE (fact_file.host, '') = wanted.host AND COALESCE (fact_file.kernel, '') = wanted.kernel
ORDER BY written
