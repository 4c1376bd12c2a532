/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit runs */
#include "print.h"

int
command_runs (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse ("runs", argc, argv, NULL, &options, &status))
    return status;
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  table = culprit_query_runs (study, &error);
  if (!table)
    return command_fail (error);
  print_table (table, options.format, &culprit_runs, "No runs yet; import captures with culprit import.");
  return EXIT_DONE;
}
