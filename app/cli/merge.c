/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit merge */
#include "study/merge.h"
#include "print.h"
#include "units.h"

static void
print_result (const char *from, const CulpritMergeResult *result, const Options *options)
{
  if (options->format == FORMAT_JSON)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();

      json_builder_begin_object (builder);
      print_json_text (builder, "from", from);
      print_json_int (builder, "captures", result->captures);
      print_json_int (builder, "runs", result->runs);
      print_json_int (builder, "known", result->known);
      print_json_int (builder, "populations_left_out", result->populations);
      json_builder_end_object (builder);
      print_json_built (builder);
    }
  else
    g_print ("%s: %" G_GINT64_FORMAT " capture%s and %" G_GINT64_FORMAT " run%s added to %s, %" G_GINT64_FORMAT
             " capture%s already in the study.\n",
             from, result->captures, culprit_plural (result->captures), result->runs, culprit_plural (result->runs),
             options->study, result->known, culprit_plural (result->known));
  if (result->populations > 0 && options->format != FORMAT_JSON)
    g_print ("%s: what culprit fleet found in all captures is not added, only the captures.\n", from);
}

int
command_merge (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse ("merge", argc, argv, NULL, &options, &status))
    return status;
  for (char **from = options.rest; *from; from++)
    {
      /* Fail before a new study is created. */
      g_autoptr (CulpritStudy) other = culprit_study_open (*from, CULPRIT_STUDY_READ, &error);

      if (!other)
        return command_fail (error);
    }
  study = culprit_study_open (options.study, CULPRIT_STUDY_CREATE, &error);
  if (!study)
    return command_fail (error);
  for (char **from = options.rest; *from; from++)
    {
      CulpritMergeResult result;

      if (!culprit_study_merge (study, *from, &result, &error))
        return command_fail (error);
      print_result (*from, &result, &options);
    }
  return EXIT_DONE;
}
