/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit check */
#include "study/check.h"
#include "print.h"

static void
print_faults_json (const GPtrArray *faults)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  print_json_flag (builder, "whole", faults->len == 0);
  print_json_texts (builder, "faults", faults);
  json_builder_end_object (builder);
  print_json_built (builder);
}

int
command_check (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (GPtrArray) faults = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse ("check", argc, argv, NULL, &options, &status))
    return status;
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  faults = culprit_study_check (study, &error);
  if (!faults)
    return command_fail (error);
  if (options.format == FORMAT_JSON)
    print_faults_json (faults);
  else
    for (guint i = 0; i < faults->len; i++)
      g_print ("%s: %s\n", options.study, (char *) g_ptr_array_index (faults, i));
  if (options.format != FORMAT_JSON && faults->len == 0)
    g_print ("%s: OK.\n", options.study);
  return faults->len == 0 ? EXIT_DONE : EXIT_FOUND;
}
