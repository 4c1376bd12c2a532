-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': its truncated calls are not those of its functions'
FROM capture
WHERE truncated_calls <> (SELECT IFNULL (SUM (truncated), 0) FROM capture_function
                          WHERE capture_function.capture_id = capture.capture_id)
