-- SPDX-License-Identifier: GPL-3.0-or-later
-- From version 5 of the study to 6: adds what the windows of a series are, and turns the reasons for which captures have none
-- from sentences into codes, one of them with a number.

ALTER TABLE series ADD COLUMN window_kind TEXT NOT NULL DEFAULT 'cyclic';
ALTER TABLE capture ADD COLUMN no_windows_number INTEGER;

UPDATE capture SET
  no_windows = 'cpu-not-traced',
  no_windows_number = CAST (substr (no_windows, length ('its cycle log is for CPU ') + 1) AS INTEGER)
WHERE no_windows GLOB 'its cycle log is for CPU [0-9]*, on which nothing was traced';

UPDATE capture SET no_windows =
  CASE no_windows
  WHEN 'it has no latency marker; cyclictest writes one with -b and --tracemark' THEN 'no-marker'
  WHEN 'its latency marker is not in cyclictest''s format' THEN 'marker-format'
  WHEN 'its latency marker is not in cyclictest''s wording' THEN 'marker-format'
  WHEN 'the measured task''s return from its sleep was not captured' THEN 'no-return'
  WHEN 'its trace clock is not mono, so its cycle log cannot be used' THEN 'not-mono'
  ELSE no_windows
  END
WHERE no_windows IS NOT NULL;
