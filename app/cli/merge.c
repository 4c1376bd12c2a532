/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit merge */
#include "study/merge.h"
#include "command.h"

int
command_merge (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse ("merge", argc, argv, NULL, &options, &status))
    return status;
  study = culprit_study_open (options.study, CULPRIT_STUDY_CREATE, &error);
  if (!study)
    return command_fail (error);
  for (char **from = options.rest; *from; from++)
    {
      CulpritMergeResult result;

      if (!culprit_study_merge (study, *from, &result, &error))
        return command_fail (error);
      g_print ("%s: %" G_GINT64_FORMAT " captures and %" G_GINT64_FORMAT " runs added to %s, %" G_GINT64_FORMAT
               " captures were there already.\n",
               *from, result.captures, result.runs, options.study, result.known);
    }
  return EXIT_DONE;
}
