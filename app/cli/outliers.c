/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit outliers */
#include "outliers.h"
#include "print.h"
#include "study/triage.h"
#include "tables/table-text.h"

gboolean
outliers_add_budget (GString *json, const CulpritTable *table, guint row, gpointer data, GError **error)
{
  g_autoptr (CulpritTable) budget = culprit_query_parts (data, culprit_table_integer (table, row, "capture"), error);
  gint64 sum_ns = 0;

  if (!budget)
    return FALSE;
  g_string_append (json, ",\"budget\":[");
  for (guint part = 0; part < culprit_table_rows (budget); part++)
    {
      g_string_append (json, part > 0 ? ",{" : "{");
      culprit_table_add_members (budget, part, json);
      g_string_append_c (json, '}');
      sum_ns += culprit_table_integer (budget, part, "self_ns");
    }
  g_string_append_printf (json, "],\"budget_sum_ns\":%" G_GINT64_FORMAT, sum_ns);
  return TRUE;
}

/* All captures are judged, whichever are shown: the result for one must not depend on which are shown. */
CulpritVerdict *
outliers_judge (CulpritStudy *study, GError **error)
{
  const CulpritEvidenceOptions options = { 0 };

  return culprit_verdict_new (study, &options, error);
}

/* In text output, the state of an ignored capture replaces its class. */
static void
mark_ignored (CulpritTable *table)
{
  for (guint row = 0; row < culprit_table_rows (table); row++)
    if (culprit_triage_ignores (culprit_table_text (table, row, "triage")))
      culprit_table_set_text (table, row, "class", CULPRIT_TRIAGE_IGNORED);
}

int
command_outliers (int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *class = NULL;
  const GOptionEntry own[] = {
    { "class", 0, 0, G_OPTION_ARG_STRING, &class, "Only this class, e.g. called-too-often", "CLASS" },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritVerdict) verdict = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  int status;

  study = command_begin_with ("outliers", argc, argv, own, &options, &filter, &status);
  if (!study)
    return status;
  if (class && !culprit_class_exists (class))
    return command_complain ("culprit outliers: --class \"%s\": must be called-too-often, took-too-long, mixed, "
                             "interference, blind-stall, late-timer or unexplained",
                             class);
  verdict = outliers_judge (study, &error);
  table = verdict ? culprit_verdict_outliers (study, &filter, verdict, class, &error) : NULL;
  if (!table)
    return command_fail (error);
  if (options.format == FORMAT_TEXT)
    mark_ignored (table);
  if (options.format != FORMAT_JSON)
    print_table (
        table, options.format, &culprit_outliers,
        options.run || options.capture || options.where || class ? "No outliers match."
                                                                 : "No outliers: a capture has one if it contains a "
                                                                   "latency marker (cyclictest -b --tracemark).");
  else if (!print_json (table, outliers_add_budget, study, &error))
    return command_fail (error);
  return EXIT_DONE;
}
