-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether :name, or an arm of a recording that is called so, is the name of a run, a series or, perhaps, an arm of one.
SELECT 1
FROM run
WHERE name IN (:name, :name || '/off', :name || '/on')
UNION ALL
SELECT 1
FROM series
WHERE name IN (:name, :name || '/off', :name || '/on',
               IIF (substr (:name, -4) = '/off', substr (:name, 1, length (:name) - 4), :name),
               IIF (substr (:name, -3) = '/on', substr (:name, 1, length (:name) - 3), :name))
