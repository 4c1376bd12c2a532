/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit sql */
#include "print.h"

int
command_sql (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse ("sql", argc, argv, NULL, &options, &status))
    return status;
  if (options.rest[1])
    return command_complain ("culprit sql: specify one query, in quotes");
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  table = culprit_query_sql (study, options.rest[0], &error);
  if (!table)
    return command_fail (error);
  print_table (table, options.format, NULL, NULL);
  return EXIT_DONE;
}
