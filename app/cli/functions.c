/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit functions */
#include "print.h"
#include "study/triage.h"
#include "units.h"

static const Column columns[] = {
  { "function", "function", COLUMN_FUNCTION },      { "module", "module", COLUMN_TEXT },
  { "captures", "captures", COLUMN_COUNT },         { "outlier.calls_mean", "calls", COLUMN_MEAN },
  { "ordinary.calls_mean", "usual", COLUMN_MEAN },  { "excess_ns", "excess", COLUMN_TIME },
  { "count_part_ns", "by calls", COLUMN_TIME },     { "cost_part_ns", "by cost", COLUMN_TIME },
  { "variance_share", "variance", COLUMN_PERCENT }, { NULL },
};

/* Where there are no windows to compare. */
static const Column whole_columns[] = {
  { "function", "function", COLUMN_FUNCTION }, { "module", "module", COLUMN_TEXT },
  { "captures", "captures", COLUMN_COUNT },    { "calls", "calls", COLUMN_COUNT },
  { "self_ns", "own", COLUMN_TIME },           { "tracing_ns", "tracing", COLUMN_TIME },
  { "total_ns", "total", COLUMN_TIME },        { NULL },
};

static gboolean
has_windows (const CulpritTable *table)
{
  return culprit_table_rows (table) > 0 && (culprit_table_integer (table, 0, "outlier.windows") > 0 ||
                                            culprit_table_integer (table, 0, "ordinary.windows") > 0);
}

static void
print_heading (const CulpritTable *table, guint ignored)
{
  g_autofree char *left_out = culprit_ignored_in_words (ignored);
  gint64 ordinary = culprit_table_integer (table, 0, "ordinary.windows");

  if (left_out)
    g_print ("%s.\n", left_out);
  if (has_windows (table))
    g_print ("Means over %" G_GINT64_FORMAT " outlier and %" G_GINT64_FORMAT
             " ordinary window%s; usual is that of ordinary ones, excess what outliers\nhave more, without callees and "
             "the tracer's part; variance the share of the latencies' variance:\n\n",
             culprit_table_integer (table, 0, "outlier.windows"), ordinary, culprit_plural (ordinary));
  else if (culprit_table_rows (table) > 0)
    g_print ("There are no windows; sums over whole captures:\n\n");
}

int
command_functions (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  guint ignored;
  int status;

  study = command_begin ("functions", argc, argv, &options, &filter, &status);
  if (!study)
    return status;
  table = culprit_query_functions (study, &filter, &error);
  if (!table || !culprit_query_ignored (study, &filter, &ignored, &error))
    return command_fail (error);
  if (options.format == FORMAT_TEXT)
    print_heading (table, ignored);
  print_table (table, options.format, options.format != FORMAT_TEXT || has_windows (table) ? columns : whole_columns,
               "No functions match.");
  if (options.format == FORMAT_TEXT && has_windows (table))
    print_share_legend (table, "variance_share", "variance");
  return EXIT_DONE;
}
