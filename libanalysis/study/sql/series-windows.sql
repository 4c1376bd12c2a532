-- SPDX-License-Identifier: GPL-3.0-or-later
UPDATE series SET window_kind = :kind
WHERE series_id = (SELECT series_id FROM run WHERE run_id = :run)
  AND NOT EXISTS (SELECT 1 FROM run JOIN capture USING (run_id) JOIN hit USING (capture_id)
                  WHERE run.series_id = series.series_id)
