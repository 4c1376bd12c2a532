-- SPDX-License-Identifier: GPL-3.0-or-later
-- Notes what became of the calls that a run delayed, with the configuration of its series.
UPDATE series
SET configuration = json_set (json_insert (configuration, '$.delayed', json ('[]')), '$.delayed[#]',
                              json_object ('turn', (SELECT turn FROM run WHERE run_id = :run),
                                           'calls', :calls, 'spun_ns', :spun_ns, 'withheld', :withheld))
WHERE series_id = (SELECT series_id FROM run WHERE run_id = :run)
