-- SPDX-License-Identifier: GPL-3.0-or-later
-- A name that other rows refer to and that is longer than :most.
SELECT name FROM run WHERE LENGTH (name) > :most
UNION ALL
SELECT name FROM series WHERE LENGTH (name) > :most OR LENGTH (window_kind) > :most
UNION ALL
SELECT no_windows FROM capture WHERE LENGTH (no_windows) > :most
UNION ALL
SELECT name FROM host WHERE LENGTH (name) > :most OR LENGTH (kernel) > :most OR LENGTH (machine) > :most
UNION ALL
SELECT name FROM function WHERE LENGTH (name) > :most OR LENGTH (module) > :most
UNION ALL
SELECT host FROM fleet_population WHERE LENGTH (host) > :most OR LENGTH (kernel) > :most OR LENGTH (series) > :most
UNION ALL
SELECT function FROM fleet_cause WHERE LENGTH (function) > :most
LIMIT 1
