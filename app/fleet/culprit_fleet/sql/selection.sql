-- SPDX-License-Identifier: GPL-3.0-or-later
-- The longest late wake-ups, then others in an order that is random but always the same.
WITH ranked AS (
  SELECT *, ROW_NUMBER () OVER (ORDER BY latency_ns DESC, capture) AS place
  FROM judged
)
SELECT host, kernel, series, capture, latency_ns
FROM ranked
ORDER BY CASE WHEN place <= {worst} THEN place ELSE {worst} + 1 END, sha2 (concat ('sample ', capture), 256)
LIMIT {limit}
