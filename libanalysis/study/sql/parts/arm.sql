-- SPDX-License-Identifier: GPL-3.0-or-later
-- The common name of the runs of a series with the same tracing.
series.name || IIF (run.turn IS NOT NULL, IFNULL ('/' || run.tracing, ''), '')
