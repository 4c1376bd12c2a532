-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT *
FROM population
ORDER BY host, kernel, series
