-- SPDX-License-Identifier: GPL-3.0-or-later
-- The longest late wake-ups, then others in an order that is random but always the same; beyond these, those that somebody
-- gave a state or a note.
WITH ranked AS (
  SELECT *, ROW_NUMBER () OVER (ORDER BY latency_ns DESC, capture) AS place
  FROM judged
),
ordered AS (
  SELECT *, ROW_NUMBER () OVER (ORDER BY LEAST (place, {worst} + 1), sha2 (concat ('sample ', capture), 256)) AS turn
  FROM ranked
)
SELECT host, kernel, series, capture, latency_ns
FROM ordered
WHERE turn <= {limit} OR capture IN (SELECT capture FROM decided)
ORDER BY turn
