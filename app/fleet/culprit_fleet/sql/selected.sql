-- SPDX-License-Identifier: GPL-3.0-or-later
-- All facts of selected captures, in the order in which their study numbers them.
SELECT chosen.*
FROM chosen
JOIN (SELECT /*+ BROADCAST */ capture FROM selected) AS wanted ON chosen.capture = wanted.capture
WHERE outcome = 'capture'
ORDER BY split (chosen.file, '/'), chosen.capture
