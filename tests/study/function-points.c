/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the points of functions of a study as JSON, for test_function_points.py: function-points STUDY MOST RUN
 * FUNCTION... */
#include "study/functions.h"

#include <stdlib.h>

/* Name, module and ordinal are given as name/module/ordinal. */
static void
print_points (const CulpritFunctionPoints *points, const char *function)
{
  g_auto (GStrv) parts = g_strsplit (function, "/", 3);
  const GArray *times = culprit_function_points_of (points, parts[0], parts[1], atoi (parts[2]));

  g_print ("\"%s\": ", function);
  if (!times)
    g_print ("null");
  for (guint i = 0; times && i < times->len; i++)
    g_print ("%s%" G_GINT64_FORMAT, i > 0 ? ", " : "[", g_array_index (times, gint64, i));
  g_print ("%s", times ? "]" : "");
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  g_autoptr (CulpritStudy) study = culprit_study_open (argv[1], CULPRIT_STUDY_READ, &error);
  const CulpritFilter filter = { .run = *argv[3] ? argv[3] : NULL };
  g_autoptr (CulpritFunctionPoints) points =
      study ? culprit_query_function_points (study, &filter, atoi (argv[2]), &error) : NULL;

  if (!points)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  for (int i = 4; i < argc; i++)
    {
      g_print (i > 4 ? ",\n" : "{");
      print_points (points, argv[i]);
    }
  g_print ("}\n");
  return 0;
}
