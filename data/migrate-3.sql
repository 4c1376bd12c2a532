-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 2 of the study to 3: latencies of which only mean, standard deviation and number are known.

ALTER TABLE run ADD COLUMN summary_mean_ns REAL;
ALTER TABLE run ADD COLUMN summary_sd_ns REAL;
ALTER TABLE run ADD COLUMN summary_samples INTEGER;
