-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a run is the one that a filter names, or belongs to the series that it names.
(:run IS NULL OR run.name = :run OR run.series_id = (SELECT series_id FROM series WHERE series.name = :run))
