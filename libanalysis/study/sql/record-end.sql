-- SPDX-License-Identifier: GPL-3.0-or-later
UPDATE run SET
  cycles = :cycles,
  hits = :hits,
  missed = NULLIF (:missed, -1),
  late = NULLIF (:late, -1),
  page_faults = :page_faults,
  smi_count = NULLIF (:smi_count, -1),
  steal_ns = NULLIF (:steal_ns, -1),
  delays = :delays
WHERE run_id = :run
