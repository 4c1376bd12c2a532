-- SPDX-License-Identifier: GPL-3.0-or-later
SELECT 'capture ' || capture_id || ': its CPUs and event counts do not add up to ' || events || ' events'
FROM capture
WHERE events <> (SELECT IFNULL (SUM (events), 0) FROM capture_cpu
                 WHERE capture_cpu.capture_id = capture.capture_id)
   OR events <> (SELECT IFNULL (SUM (count), 0) FROM capture_event
                 WHERE capture_event.capture_id = capture.capture_id)
