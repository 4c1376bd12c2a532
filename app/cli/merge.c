/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit merge */
#include "study/import/merge.h"
#include "print.h"
#include "units.h"

/* What was merged from which study. */
typedef struct
{
  const char *from;
  CulpritMergeResult result;
} Merged;

static const Member members[] = {
  MEMBER (Merged, "from", from, TEXT),
  MEMBER (Merged, "captures", result.captures, NUMBER),
  MEMBER (Merged, "runs", result.runs, NUMBER),
  MEMBER (Merged, "known", result.known, NUMBER),
  MEMBER (Merged, "windows_left_out", result.otherwise, NUMBER),
  MEMBER (Merged, "notes_left_out", result.notes, NUMBER),
  MEMBER (Merged, "populations_left_out", result.populations, NUMBER),
  { 0 },
};

static void
print_result (const Merged *merged, const Options *options)
{
  const CulpritMergeResult *result = &merged->result;

  if (options->format == FORMAT_JSON)
    {
      print_members (members, merged, NULL);
      return;
    }
  g_print ("%s: %" G_GINT64_FORMAT " capture%s and %" G_GINT64_FORMAT " run%s added to %s, %" G_GINT64_FORMAT
           " capture%s already in the study.\n",
           merged->from, result->captures, culprit_plural (result->captures), result->runs,
           culprit_plural (result->runs), options->study, result->known, culprit_plural (result->known));
  if (result->otherwise > 0)
    g_print ("%s: %" G_GINT64_FORMAT " of these captures ha%s other windows there, which are not added; merge it into "
             "another study for them.\n",
             merged->from, result->otherwise, result->otherwise == 1 ? "s" : "ve");
  if (result->notes > 0)
    g_print ("%s: %" G_GINT64_FORMAT " of these captures ha%s another state or note there, which %s not taken.\n",
             merged->from, result->notes, result->notes == 1 ? "s" : "ve", result->notes == 1 ? "is" : "are");
  if (result->populations > 0)
    g_print ("%s: what culprit fleet found in all captures is not added, only the captures.\n", merged->from);
}

/* Closes @study. Returns the exit status. */
static int
merge_all (CulpritStudy *study, const Options *options)
{
  g_autofree char *unsettled = NULL;
  GError *error = NULL;
  guint merged = 0;

  for (char **from = options->rest; *from; from++)
    {
      Merged result = { .from = *from };

      if (!culprit_study_merge (study, *from, &result.result, &error))
        break;
      print_result (&result, options);
      merged++;
    }
  unsettled = culprit_study_end (study);
  if (unsettled && merged > 0)
    command_complain ("%s", unsettled);
  return error ? command_fail (error) : EXIT_DONE;
}

int
command_merge (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  CulpritStudy *study;
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, NULL, &options, &status))
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
  return merge_all (study, &options);
}
