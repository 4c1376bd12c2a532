-- SPDX-License-Identifier: GPL-3.0-or-later
UPDATE run_map SET
  name = :free || substr (name, length (:label) + 1),
  series = :free
WHERE new IS NULL AND label = :label
