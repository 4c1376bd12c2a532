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
  if (finding->fix)
    g_print ("%*s# %s\n", INDENT, "", finding->fix);
}

static void
add_words (JsonBuilder *builder, gconstpointer finding, gconstpointer context)
{
  g_autofree char *words = culprit_finding_words (finding, CULPRIT_AT_COMMAND);

  members_add_text (builder, words);
}

static const Member finding_members[] = {
  MEMBER (CulpritFinding, "severity", severity, NAME, .name_of = culprit_severity_name),
  MEMBER (CulpritFinding, "key", key, TEXT),
  { "text", 0, MEMBER_OWN, .add = add_words },
  MEMBER (CulpritFinding, "remedy", fix, TEXT),
  { 0 },
};

typedef struct
{
  const char *target;
  gboolean function_graph; /* It can trace functions. */
  const GPtrArray *findings;
  const char *facts; /* as JSON */
} Examined;

static const Member examined_members[] = {
  MEMBER (Examined, "target", target, TEXT),
  MEMBER (Examined, "function_graph", function_graph, FLAG),
  MEMBER (Examined, "findings", findings, POINTERS, .of = finding_members),
  MEMBER (Examined, "facts", facts, OBJECT),
  { 0 },
};

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
command_doctor (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (RecordOptions) own;
  g_autoptr (CulpritTarget) target = NULL;
  g_autoptr (CulpritMessage) facts = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  GError *error = NULL;
  int status;

  record_options_init (&own, FALSE);
  if (!command_parse (command, argc, argv, (const GOptionEntry *) (gpointer) own.entries->data, &options, &status))
    return status;
  target = record_options_target (&own, &error);
  facts = target ? culprit_session_examine (target, NULL, &error) : NULL;
  if (!facts)
    return target_fail (target, error);
  findings = culprit_doctor_examine (&facts->facts);
  if (options.format == FORMAT_JSON)
    print_members (examined_members,
                   &(Examined) { target->name, is_good (findings, "function-graph"), findings, facts->json }, NULL);
  for (guint i = 0; i < findings->len && options.format != FORMAT_JSON; i++)
    print_finding (g_ptr_array_index (findings, i));
  status =
      findings->len > 0 ? ((const CulpritFinding *) g_ptr_array_index (findings, 0))->severity : CULPRIT_FINDING_GOOD;
  return status <= CULPRIT_FINDING_SPOILS ? EXIT_FOUND : EXIT_DONE;
}
