-- SPDX-License-Identifier: GPL-3.0-or-later
-- By kind, context and functions, over all selected captures: the longest first. Times are untraced.
WITH one AS (
  SELECT *, held_ns - section.tracing_ns AS untraced_ns, longest_ns - longest_tracing_ns AS own_ns,
         outlier_ns - outlier_tracing_ns AS late_ns,
         ROW_NUMBER () OVER (PARTITION BY kind, context, opened_id, closed_id
                             ORDER BY longest_ns - longest_tracing_ns DESC, capture_id) AS place
  FROM section
  JOIN capture USING (capture_id)
  JOIN run USING (run_id)
  WHERE {in-run} AND {in-captures} AND {counts}),
shown AS (
  SELECT kind, context, (SELECT {function-key} FROM function WHERE function_id = opened_id) AS opened_by,
         (SELECT {function-key} FROM function WHERE function_id = closed_id) AS closed_by,
         COUNT (*) AS captures, SUM (count) AS count, SUM (untraced_ns) AS untraced_ns, SUM (tracing_ns) AS tracing_ns,
         MAX (own_ns) AS longest_ns, MAX (IIF (place = 1, longest_tracing_ns, NULL)) AS longest_tracing_ns,
         MAX (IIF (place = 1, longest_gap_ns, NULL)) AS longest_gap_ns,
         MAX (IIF (place = 1, capture_id, NULL)) AS longest_capture,
         MAX (IIF (place = 1, longest_cpu, NULL)) AS longest_cpu,
         MAX (IIF (place = 1, longest_start_ns, NULL)) AS longest_start_ns,
         SUM (waits) AS waits, MAX (longest_wait_ns - longest_wait_tracing_ns) AS longest_wait_ns,
         SUM (late_ns > 0) AS outliers, SUM (late_ns) AS outlier_ns
  FROM one
  GROUP BY kind, context, opened_id, closed_id)
SELECT kind, context, opened_by, closed_by, captures, count, untraced_ns, tracing_ns,
       longest_ns AS "longest.untraced_ns", longest_tracing_ns AS "longest.tracing_ns",
       longest_gap_ns AS "longest.gap_ns", longest_capture AS "longest.capture", longest_cpu AS "longest.cpu",
       longest_start_ns AS "longest.start_ns", waits, longest_wait_ns AS "longest_wait.untraced_ns", outliers,
       outlier_ns AS outlier_untraced_ns
FROM (SELECT *, longest_ns AS longest_untraced_ns, longest_wait_ns AS longest_wait_untraced_ns,
             outlier_ns AS outlier_untraced_ns
      FROM shown)
WHERE ({where})
ORDER BY longest_ns DESC, untraced_ns DESC, kind, context, opened_by, closed_by
