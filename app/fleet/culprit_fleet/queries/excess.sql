-- SPDX-License-Identifier: GPL-3.0-or-later
-- What functions cost in late wake-ups more than in ordinary ones, per wake-up, by kernel.
WITH outlier AS (
  SELECT kernel, function, module, ordinal, context, SUM (self_ns - tracing_ns) AS untraced_ns
  FROM outlier_cost
  GROUP BY kernel, function, module, ordinal, context
), ordinary AS (
  SELECT kernel, function, module, ordinal, context, SUM (self_ns - tracing_ns) AS untraced_ns
  FROM ordinary_cost
  GROUP BY kernel, function, module, ordinal, context
), number AS (
  SELECT kernel, SUM (CASE WHEN kind = 'outlier' THEN 1 ELSE 0 END) AS outliers,
         SUM (CASE WHEN kind = 'ordinary' THEN 1 ELSE 0 END) AS ordinary_windows
  FROM windows
  GROUP BY kernel
)
SELECT outlier.kernel, outlier.function, outlier.module, outlier.context,
       CAST (ROUND (outlier.untraced_ns * 1.0e0 / outliers - COALESCE (ordinary.untraced_ns, 0) * 1.0e0 / ordinary_windows) AS BIGINT)
         AS excess_ns
FROM outlier
JOIN number ON number.kernel = outlier.kernel AND ordinary_windows > 0
LEFT JOIN ordinary ON ordinary.kernel = outlier.kernel AND ordinary.function = outlier.function AND ordinary.module = outlier.module
  AND ordinary.ordinal = outlier.ordinal AND ordinary.context = outlier.context
ORDER BY excess_ns DESC, outlier.kernel, outlier.function, outlier.module, outlier.context
LIMIT 20
