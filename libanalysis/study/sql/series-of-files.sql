-- SPDX-License-Identifier: GPL-3.0-or-later
-- The series :name if it is one of files that were imported here: something else may have that name.
SELECT series_id
FROM series
WHERE name = :name AND of_files
