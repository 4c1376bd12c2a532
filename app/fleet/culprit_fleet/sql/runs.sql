-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT *
FROM run
ORDER BY file, name
