-- SPDX-License-Identifier: GPL-3.0-or-later
-- The parts of the outlier window of :capture: its nodes, added up by function and context.
SELECT late.function_id, late.context, function.name AS function, module, ordinal, late.calls, late.self_ns, late.tracing_ns,
       late.self_ns - late.tracing_ns AS untraced_ns, late.total_ns, late.longest_stretch_ns, late.truncated,
       IFNULL (usual.calls, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_calls,
       IFNULL (usual.self_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_self_ns,
       IFNULL (usual.tracing_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_tracing_ns
FROM (SELECT function_id, node.context, SUM (calls) AS calls, SUM (self_ns) AS self_ns,
             SUM (outlier_node.tracing_ns) AS tracing_ns, SUM (IIF (recursive, 0, total_ns)) AS total_ns,
             MAX (longest_stretch_ns) AS longest_stretch_ns, SUM (truncated) AS truncated
      FROM hit
      CROSS JOIN outlier_node USING (window_id)
      CROSS JOIN node USING (node_id)
      WHERE capture_id = :capture AND depth > 0
      GROUP BY function_id, node.context) AS late
JOIN function USING (function_id)
JOIN capture ON capture_id = :capture
LEFT JOIN (SELECT function_id, context, SUM (calls) AS calls, SUM (self_ns) AS self_ns, SUM (tracing_ns) AS tracing_ns
           FROM ordinary_node
           CROSS JOIN node USING (node_id)
           WHERE capture_id = :capture AND depth > 0
           GROUP BY function_id, context) AS usual
       ON usual.function_id = late.function_id AND usual.context = late.context
