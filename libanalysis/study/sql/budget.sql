-- SPDX-License-Identifier: GPL-3.0-or-later
-- :smallest_ns: the smallest part that has a row of its own. :traced: whether times include the tracer's.
WITH part AS ({budget-parts}),
cost AS (
  SELECT function_id, node.context, source, node_id, self_ns
  FROM hit
  CROSS JOIN outlier_node USING (window_id)
  CROSS JOIN node USING (node_id)
  WHERE capture_id = :capture AND node.context IN ('task', 'blocked') AND function_id IS NOT NULL),
who AS ( -- the source with most of a part, and the node with most of that
  SELECT function_id, context, source, node_id,
         ROW_NUMBER () OVER (PARTITION BY function_id, context ORDER BY of_source_ns DESC, source, self_ns DESC, node_id) AS place
  FROM (SELECT *, SUM (self_ns) OVER (PARTITION BY function_id, context, source) AS of_source_ns FROM cost)),
shown AS (
  SELECT part.*, IIF (:traced, self_ns, untraced_ns) AS part_ns,
         IIF (:traced, usual_self_ns, usual_self_ns - usual_tracing_ns) AS usual_ns, late.source AS who, late.node_id
  FROM part
  LEFT JOIN who AS late ON late.function_id = part.function_id AND late.context = part.context AND place = 1)
SELECT kind, who, path, context, function, module, ordinal, calls, part_ns,
       part_ns * 1.0 / NULLIF (SUM (part_ns) OVER (), 0) AS share, self_ns, tracing_ns, longest_stretch_ns,
       usual_calls AS "ordinary.calls_mean", usual_ns AS "ordinary.part_mean_ns",
       usual_tracing_ns AS "ordinary.tracing_mean_ns"
FROM (SELECT 0 AS place, 'part' AS kind, context, function, module, ordinal, calls, part_ns, self_ns,
             tracing_ns, longest_stretch_ns, usual_calls, usual_ns, usual_tracing_ns, who,
             IIF (context = 'blocked', {node-path}, NULL) AS path
      FROM shown AS late
      WHERE part_ns >= :smallest_ns
      UNION ALL
      SELECT 1, 'rest', '', '(' || COUNT (*) || ' smaller part' || IIF (COUNT (*) = 1, '', 's') || ')', '', NULL,
             SUM (calls), SUM (part_ns), SUM (self_ns), SUM (tracing_ns), MAX (longest_stretch_ns),
             SUM (usual_calls), SUM (usual_ns), SUM (usual_tracing_ns), NULL, NULL
      FROM shown
      WHERE part_ns < :smallest_ns
      HAVING COUNT (*) > 0
      UNION ALL
      SELECT 2, 'tracing', '', '[tracing]', '', NULL, NULL, SUM (tracing_ns), NULL, SUM (tracing_ns), NULL, NULL,
             SUM (usual_tracing_ns), SUM (usual_tracing_ns), NULL, NULL
      FROM shown
      WHERE NOT :traced
      HAVING COUNT (*) > 0)
ORDER BY place, part_ns DESC, function, context
