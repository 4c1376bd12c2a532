-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a label is that of a run or a series, here or among the new ones.
SELECT EXISTS (SELECT 1 FROM main.run WHERE name = :label) OR EXISTS (SELECT 1 FROM main.series WHERE name = :label)
       OR EXISTS (SELECT 1 FROM run_map WHERE name = :label) OR EXISTS (SELECT 1 FROM run_map WHERE series = :label)
