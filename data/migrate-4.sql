-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 3 of the study to 4: how what a function costs is spread over ordinary wake-ups. A capture whose file is
-- there is read again afterwards; of others this is not known, and read_version stays 3.

ALTER TABLE ordinary_cost DROP COLUMN longest_stretch_ns;
ALTER TABLE ordinary_cost ADD COLUMN untraced_max_ns INTEGER;
ALTER TABLE ordinary_cost ADD COLUMN calls_max INTEGER;
ALTER TABLE ordinary_cost ADD COLUMN stretch_max_ns INTEGER;
ALTER TABLE ordinary_cost ADD COLUMN untraced_spread BLOB;
ALTER TABLE ordinary_cost ADD COLUMN calls_spread BLOB;
ALTER TABLE ordinary_cost ADD COLUMN stretch_spread BLOB;

ALTER TABLE ordinary_source ADD COLUMN untraced_max_ns INTEGER;
ALTER TABLE ordinary_source ADD COLUMN untraced_spread BLOB;

ALTER TABLE capture ADD COLUMN read_version INTEGER NOT NULL DEFAULT 3;
