/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time of one late wake-up went: as it is stored, and as it is shown. */
#include "query-private.h"

/* The parts of the outlier window of the capture ?1. */
#define PARTS                                                                                                          \
  "part AS (SELECT o.context, function.name AS function, module, ordinal, o.calls, o.self_ns, o.tracing_ns, "          \
  " o.self_ns - o.tracing_ns AS untraced_ns, o.total_ns, o.longest_stretch_ns, o.truncated, "                          \
  " IFNULL (b.calls, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_calls, "                                         \
  " IFNULL (b.self_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_self_ns, "                                     \
  " IFNULL (b.tracing_ns, 0) * 1.0 / NULLIF (ordinary_windows, 0) AS usual_tracing_ns "                                \
  " FROM capture JOIN window USING (capture_id) JOIN outlier_cost AS o USING (window_id) "                             \
  " JOIN function USING (function_id) "                                                                                \
  " LEFT JOIN ordinary_cost AS b ON b.capture_id = capture.capture_id "                                                \
  "  AND b.function_id = o.function_id AND b.context = o.context "                                                     \
  " WHERE capture.capture_id = ?1 AND kind = 'outlier') "

CulpritTable *
culprit_query_parts (CulpritStudy *study, gint64 capture, GError **error)
{
  g_autoptr (Statement) statement =
      statement_new (study,
                     "WITH " PARTS "SELECT context, function, module, ordinal, calls, self_ns, tracing_ns, "
                                   "untraced_ns, total_ns, longest_stretch_ns, "
                     "truncated, usual_calls AS \"ordinary.calls_mean\", usual_self_ns AS \"ordinary.self_mean_ns\", "
                     "usual_tracing_ns AS \"ordinary.tracing_mean_ns\", "
                     "usual_self_ns - usual_tracing_ns AS \"ordinary.untraced_mean_ns\" "
                     "FROM part ORDER BY untraced_ns DESC, self_ns DESC, function, context",
                     error);

  if (!statement)
    return NULL;
  statement_bind (statement, "i", capture);
  return query_read (study, statement, error);
}

/* ?2: the smallest part that has a row of its own; ?3: whether times are traced. */
CulpritTable *
culprit_query_budget (CulpritStudy *study, gint64 capture, CulpritTimes times, gint64 smallest_ns, GError **error)
{
  g_autoptr (Statement) statement = statement_new (
      study,
      "WITH " PARTS ", "
      "shown AS (SELECT *, IIF (?3, self_ns, untraced_ns) AS part_ns, "
      " IIF (?3, usual_self_ns, usual_self_ns - usual_tracing_ns) AS usual_ns FROM part) "
      "SELECT kind, context, function, module, ordinal, calls, part_ns, self_ns, tracing_ns, longest_stretch_ns, "
      "usual_calls AS \"ordinary.calls_mean\", usual_ns AS \"ordinary.part_mean_ns\", "
      "usual_tracing_ns AS \"ordinary.tracing_mean_ns\" "
      "FROM (SELECT 0 AS place, 'part' AS kind, context, function, module, ordinal, calls, part_ns, self_ns, "
      "tracing_ns, "
      "  longest_stretch_ns, usual_calls, usual_ns, usual_tracing_ns "
      " FROM shown WHERE part_ns >= ?2 "
      " UNION ALL SELECT 1, 'rest', '', '(' || COUNT (*) || ' smaller part' || IIF (COUNT (*) = 1, '', 's') || ')', "
      "  '', NULL, SUM (calls), SUM (part_ns), SUM (self_ns), SUM (tracing_ns), MAX (longest_stretch_ns), SUM "
      "(usual_calls), "
      "  SUM (usual_ns), SUM (usual_tracing_ns) "
      " FROM shown WHERE part_ns < ?2 HAVING COUNT (*) > 0 "
      " UNION ALL SELECT 2, 'tracing', '', '[tracing]', '', NULL, NULL, SUM (tracing_ns), NULL, SUM (tracing_ns), "
      "NULL, "
      "NULL, "
      "  SUM (usual_tracing_ns), SUM (usual_tracing_ns) "
      " FROM shown WHERE NOT ?3 HAVING COUNT (*) > 0) "
      "ORDER BY place, part_ns DESC, function, context",
      error);

  if (!statement)
    return NULL;
  statement_bind (statement, "iii", capture, smallest_ns, (gint64) (times == CULPRIT_TIMES_TRACED));
  return query_read (study, statement, error);
}
