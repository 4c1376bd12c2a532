/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit doctor */
#include "record/doctor.h"

#include "print.h"
#include "record-options.h"
#include "record/session.h"

#include <glib/gprintf.h>
#include <string.h>
#include <unistd.h>

#define INDENT 9

static void
print_finding (const CulpritFinding *finding)
{
  static const char *const colours[] = { "31", "33", "36", "32" };
  const char *name = culprit_severity_name (finding->severity);
  g_autofree char *words = culprit_finding_words (finding, CULPRIT_AT_COMMAND);

  if (isatty (STDOUT_FILENO))
    print_coloured (colours[finding->severity], name);
  else
    g_print ("%s", name);
  g_print ("%*s", (int) (INDENT - strlen (name)), "");
  print_wrapped (words, INDENT);
  if (finding->mend)
    g_print ("%*s# %s\n", INDENT, "", finding->mend);
}

static void
print_json_findings (const char *target, const GPtrArray *findings, const char *facts, gboolean function_graph)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  print_json_text (builder, "target", target);
  print_json_flag (builder, "function_graph", function_graph);
  json_builder_set_member_name (builder, "findings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < findings->len; i++)
    {
      const CulpritFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *words = culprit_finding_words (finding, CULPRIT_AT_COMMAND);

      json_builder_begin_object (builder);
      print_json_text (builder, "severity", culprit_severity_name (finding->severity));
      print_json_text (builder, "key", finding->key);
      print_json_text (builder, "text", words);
      print_json_text (builder, "mend", finding->mend);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "facts");
  json_builder_add_value (builder, json_from_string (facts, NULL));
  json_builder_end_object (builder);
  print_json_built (builder);
}

/* Whether @findings has one with @key that is good. */
static gboolean
is_good (const GPtrArray *findings, const char *key)
{
  for (guint i = 0; i < findings->len; i++)
    {
      const CulpritFinding *finding = g_ptr_array_index (findings, i);

      if (finding->severity == CULPRIT_FINDING_GOOD && g_str_equal (finding->key, key))
        return TRUE;
    }
  return FALSE;
}

int
command_doctor (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (RecordOptions) own;
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (CulpritMessage) facts = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  GError *error = NULL;
  int status;

  record_options_init (&own, FALSE);
  if (!command_parse ("doctor", argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  target = record_options_target (&own, &error);
  facts = target ? culprit_session_examine (target, NULL, &error) : NULL;
  if (!facts)
    return target_fail (target, error);
  findings = culprit_doctor_examine (&facts->facts);
  if (options.format == FORMAT_JSON)
    print_json_findings (target->name, findings, facts->json, is_good (findings, "function-graph"));
  for (guint i = 0; i < findings->len && options.format != FORMAT_JSON; i++)
    print_finding (g_ptr_array_index (findings, i));
  status =
      findings->len > 0 ? ((const CulpritFinding *) g_ptr_array_index (findings, 0))->severity : CULPRIT_FINDING_GOOD;
  return status <= CULPRIT_FINDING_SPOILS ? EXIT_FOUND : EXIT_DONE;
}
