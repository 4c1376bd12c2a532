-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether a run is of the run or the recording that a filter names.
(:run IS NULL OR run.name = :run OR run.recording = :run)
