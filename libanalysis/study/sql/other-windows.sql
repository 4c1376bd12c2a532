-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the windows are in the series of :run, if that is not :kind.
SELECT window_kind_words (window_kind)
FROM run
JOIN series USING (series_id)
WHERE run_id = :run AND window_kind <> :kind
