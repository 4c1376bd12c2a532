-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT no_windows_words (no_windows, no_windows_number) AS words, capture_id
FROM capture
JOIN run USING (run_id)
WHERE no_windows IS NOT NULL AND {in-run} AND {in-captures} AND {counts}
ORDER BY words, capture_id
