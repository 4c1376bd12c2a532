/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit functions */
#include "print.h"
#include "study/triage.h"
#include "units.h"

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
             " ordinary window%s; columns: see culprit help functions.\n\n",
             culprit_table_integer (table, 0, "outlier.windows"), ordinary, culprit_plural (ordinary));
  else if (culprit_table_rows (table) > 0)
    g_print ("No late or ordinary wake-ups; sums over whole captures:\n\n");
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
  print_table (table, options.format, has_windows (table) ? &culprit_functions : &culprit_functions_whole,
               "No functions match.");
  return EXIT_DONE;
}
