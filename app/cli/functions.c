/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit functions */
#include "print.h"

static const Column columns[] = {
  { "function", "function", COLUMN_TEXT },
  { "module", "module", COLUMN_TEXT },
  { "captures", "captures", COLUMN_COUNT },
  { "outlier.calls_mean", "calls", COLUMN_MEAN },
  { "ordinary.calls_mean", "usual", COLUMN_MEAN },
  { "outlier.self_mean_ns", "self", COLUMN_TIME },
  { "outlier.tracing_mean_ns", "tracing", COLUMN_TIME },
  { "ordinary.self_mean_ns", "usual self", COLUMN_TIME },
  { NULL },
};

static void
print_heading (const CulpritTable *table)
{
  if (culprit_table_rows (table) > 0)
    g_print ("Means over %" G_GINT64_FORMAT " outlier and %" G_GINT64_FORMAT " ordinary windows:\n\n",
             culprit_table_integer (table, 0, "outlier.windows"), culprit_table_integer (table, 0, "ordinary.windows"));
}

int
command_functions (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  int status;

  study = command_begin ("functions", argc, argv, &options, &filter, &status);
  if (!study)
    return status;
  table = culprit_query_functions (study, &filter, &error);
  if (!table)
    return command_fail (error);
  if (options.format == FORMAT_TEXT)
    print_heading (table);
  print_table (table, options.format, columns, "No functions.");
  return EXIT_DONE;
}
