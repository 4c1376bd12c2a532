-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the runs of a series with the same tracing are called together.
series.name || IIF (run.turn IS NOT NULL, IFNULL ('/' || run.tracing, ''), '')
