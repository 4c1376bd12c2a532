-- SPDX-License-Identifier: GPL-3.0-or-later
INSERT INTO run (name, host_id, source, started_utc, method, policy, priority, cpus, period_ns, threshold_ns,
                 band_low_ns, band_high_ns, tracing, load, series_id, turn, deadline_ns, facts)
VALUES (:name, :host, 'record', datetime (), :method, :policy, :priority, :cpus, NULLIF (:period_ns, 0), NULLIF (:threshold_ns, 0),
        NULLIF (:band_low_ns, -1), NULLIF (:band_high_ns, 0), :tracing, :load, :series, NULLIF (:turn, 0),
        :deadline_ns, :facts)
