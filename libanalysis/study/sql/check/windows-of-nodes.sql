-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT DISTINCT 'capture ' || capture_id || ': something ran in more ordinary windows than it has'
FROM ordinary_node
JOIN capture USING (capture_id)
WHERE windows > ordinary_windows
