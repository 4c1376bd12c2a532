/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit outliers */
#include "print.h"

static const Column columns[] = {
  { "capture", "#", COLUMN_COUNT },         { "file", "file", COLUMN_TEXT },
  { "latency_ns", "latency", COLUMN_TIME }, { "untraced_ns", "untraced", COLUMN_TIME },
  { "cpu", "cpu", COLUMN_COUNT },           { "pid", "pid", COLUMN_COUNT },
  { "comm", "task", COLUMN_TEXT },          { "ordinary_windows", "ordinary", COLUMN_COUNT },
  { "lost_events", "lost", COLUMN_COUNT },  { NULL },
};

gboolean
outliers_add_budget (JsonBuilder *builder, const CulpritTable *table, guint row, gpointer data, GError **error)
{
  g_autoptr (CulpritTable) budget =
      culprit_query_budget (data, culprit_table_integer (table, row, "capture"), 0, error);
  gint64 sum_ns = 0;

  if (!budget)
    return FALSE;
  json_builder_set_member_name (builder, "budget");
  json_builder_begin_array (builder);
  for (guint part = 0; part < culprit_table_rows (budget); part++)
    {
      print_json_row (builder, budget, part);
      sum_ns += culprit_table_integer (budget, part, "self_ns");
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "budget_sum_ns");
  json_builder_add_int_value (builder, sum_ns);
  return TRUE;
}

int
command_outliers (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  int status;

  study = command_begin ("outliers", argc, argv, &options, &filter, &status);
  if (!study)
    return status;
  table = culprit_query_outliers (study, &filter, &error);
  if (!table)
    return command_fail (error);
  if (options.format != FORMAT_JSON)
    print_table (table, options.format, columns,
                 options.run || options.capture || options.where
                     ? "No outliers match."
                     : "No outliers: captures have one where they hold a latency marker (cyclictest -b --tracemark).");
  else if (!print_json (table, outliers_add_budget, study, &error))
    return command_fail (error);
  return EXIT_DONE;
}
