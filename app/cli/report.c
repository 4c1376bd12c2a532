/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit report */
#include "report/report.h"

#include "print.h"

#include <string.h>

#define SUFFIX ".html"

/* The report's default name: that of the study, in this folder. */
static char *
name_report (const char *study)
{
  g_autofree char *name = g_path_get_basename (study);

  if (g_str_has_suffix (name, ".culprit"))
    name[strlen (name) - strlen (".culprit")] = 0;
  return g_strconcat (name, SUFFIX, NULL);
}

/* The numbers of the captures @names; NULL with an error if one does not exist. */
static GArray *
find_captures (CulpritStudy *study, char **names, GError **error)
{
  g_autoptr (GArray) captures = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (; *names; names++)
    {
      gint64 capture = culprit_query_capture_id (study, *names, error);

      if (!capture)
        return NULL;
      g_array_append_val (captures, capture);
    }
  return g_steal_pointer (&captures);
}

static const Member members[] = { { "report", 0, MEMBER_TEXT }, { 0 } };

int
command_report (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *out = NULL;
  const GOptionEntry own[] = {
    { "run", 0, 0, G_OPTION_ARG_STRING, &options.run, "Only this run", "NAME" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &out, "Output file (default: the study's name with .html, here)", "FILE" },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (GArray) captures = NULL;
  g_autofree char *shown = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, own, &options, &status))
    return status;
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  if (out && !*out)
    return command_complain ("--out must not be empty");
  if (!out)
    {
      out = name_report (options.study);
      shown = g_filename_display_name (out);
      if (g_file_test (out, G_FILE_TEST_EXISTS) && !culprit_report_is_one (out))
        return command_complain ("%s: exists, and is no report of culprit; name the file to write with --out", shown);
    }
  else
    shown = g_filename_display_name (out);
  captures = find_captures (study, options.rest, &error);
  if (!captures || !culprit_report_write (study, options.run, (const gint64 *) (gpointer) captures->data, captures->len,
                                          out, &error))
    return command_fail (error);
  if (options.format == FORMAT_JSON)
    print_members (members, &shown, NULL);
  else
    g_print ("%s: written.\n", shown);
  return EXIT_DONE;
}
