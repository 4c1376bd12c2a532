-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 6 of the study to 7: adds which series are of files that were imported here. Of those that exist nobody knows
-- whether they came with another study, so that no further files join them.

ALTER TABLE series ADD COLUMN of_files INTEGER NOT NULL DEFAULT 0 CHECK (of_files IN (0, 1));
