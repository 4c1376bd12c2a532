-- SPDX-License-Identifier: GPL-3.0-or-later
-- What each run had when it was stored, and keeps as the study grows. Latencies of another tool come at once, all others
-- one after the other.
SELECT printf ('%s, %s, %s', name, source, started_utc)
       || iif (source = 'profile',
               printf (', %s, %s, %s, %s, %s, %s, %s', cycles, summary_mean_ns, summary_sd_ns, summary_samples,
                       substr (told, 1, 200),
                       (SELECT printf ('%d: %d', latency_ns, count) FROM run_latency WHERE run_latency.run_id = run.run_id
                        ORDER BY cpu, latency_ns LIMIT 1),
                       (SELECT printf ('%d: %d', latency_ns, count) FROM run_latency WHERE run_latency.run_id = run.run_id
                        ORDER BY cpu DESC, latency_ns DESC LIMIT 1)),
               '')
FROM run
ORDER BY run_id
