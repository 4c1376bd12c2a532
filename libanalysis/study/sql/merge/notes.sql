-- SPDX-License-Identifier: GPL-3.0-or-later
-- How many captures are here already, but with another state or note than the other study gives them. Their digests may be of
-- different kinds.
SELECT COUNT (*)
FROM other.capture
WHERE capture_id NOT IN (SELECT capture_id FROM new_capture)
  AND (triage, note) <> ('new', '')
  AND (size_bytes, first_ns, last_ns, events, triage, note) NOT IN
      (SELECT size_bytes, first_ns, last_ns, events, triage, note FROM main.capture)
