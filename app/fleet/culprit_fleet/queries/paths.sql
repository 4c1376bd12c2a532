-- SPDX-License-Identifier: GPL-3.0-or-later
-- Call paths on which late wake-ups took more time than ordinary ones, per wake-up, by kernel.
WITH outlier AS (
  SELECT kernel, path, COUNT (DISTINCT capture) AS captures, MIN (capture) AS example, SUM (self_ns - tracing_ns) AS untraced_ns
  FROM outlier_node
  GROUP BY kernel, path
), ordinary AS (
  SELECT kernel, path, SUM (self_ns - tracing_ns) AS untraced_ns
  FROM ordinary_node
  GROUP BY kernel, path
), number AS (
  SELECT kernel, SUM (CASE WHEN kind = 'outlier' THEN 1 ELSE 0 END) AS outliers,
         SUM (CASE WHEN kind = 'ordinary' THEN 1 ELSE 0 END) AS ordinary_windows
  FROM windows
  GROUP BY kernel
), most AS (
  SELECT outlier.kernel, outlier.path, captures, example,
         CAST (ROUND (outlier.untraced_ns * 1.0e0 / outliers - COALESCE (ordinary.untraced_ns, 0) * 1.0e0 / ordinary_windows) AS BIGINT)
           AS excess_ns
  FROM outlier
  JOIN number ON number.kernel = outlier.kernel AND ordinary_windows > 0
  LEFT JOIN ordinary ON ordinary.kernel = outlier.kernel AND ordinary.path = outlier.path
  ORDER BY excess_ns DESC, outlier.kernel, outlier.path
  LIMIT 20
), named AS (
  SELECT most.*, node.context, node.depth AS depth, above.depth AS above_depth,
         array_agg (COALESCE (above.function, above.source)) OVER (PARTITION BY most.kernel, most.path ORDER BY above.depth) AS names
  FROM most
  JOIN node ON node.capture = most.example AND node.path = most.path
  JOIN node AS above ON above.capture = most.example AND above.number <= node.number AND above.last >= node.number
)
SELECT kernel, excess_ns, captures, context, concat_ws (' > ', names) AS calls
FROM named
WHERE above_depth = depth
ORDER BY excess_ns DESC, kernel, path
