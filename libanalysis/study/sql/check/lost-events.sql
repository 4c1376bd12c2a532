-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': its lost or overwritten events are not those of its CPUs'
FROM capture
WHERE (lost_events, overwritten_events) <> (SELECT IFNULL (SUM (lost_events), 0), IFNULL (SUM (overwritten_events), 0)
                                            FROM capture_cpu
                                            WHERE capture_cpu.capture_id = capture.capture_id)
