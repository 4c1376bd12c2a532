-- SPDX-License-Identifier: GPL-3.0-or-later
-- The longest late wake-ups, without the tracer's time.
SELECT windows.host, windows.kernel, capture.file, comm, cpu, latency_ns - tracing_ns AS untraced_ns
FROM windows
JOIN capture ON capture.capture = windows.capture
WHERE kind = 'outlier'
ORDER BY untraced_ns DESC, capture.file
LIMIT 20
