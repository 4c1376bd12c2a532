/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit outliers */
#include "outliers.h"

#include "command.h"
#include "fleet/fleet.h"
#include "print.h"
#include "study/triage.h"
#include "tables/table.h"

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

/* The same with one of @data, studies of which each thread uses one at a time. (A GAsyncQueue would do, but the thread
 * sanitizer does not see the locks in GLib.) */
static gboolean
add_budget_in_turn (GString *json, const CulpritTable *table, guint row, gpointer data, GError **error)
{
  const GPtrArray *studies = data;
  CulpritStudy *study = NULL;
  guint i = 0;

  for (; !(study = g_atomic_pointer_exchange (&studies->pdata[i], NULL)); i = (i + 1) % studies->len)
    ;
  gboolean good = outliers_add_budget (json, table, row, study, error);

  g_atomic_pointer_set (&studies->pdata[i], study);
  return good;
}

static gboolean
print_with_budgets (const CulpritTable *table, CulpritStudy *study, GError **error)
{
  g_autoptr (GPtrArray) studies = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_study_close);

  for (guint i = 0; i < g_get_num_processors (); i++)
    {
      CulpritStudy *own = culprit_study_open (culprit_study_path (study), CULPRIT_STUDY_READ, error);

      if (!own)
        return FALSE;
      g_ptr_array_add (studies, own);
    }
  return print_json (table, add_budget_in_turn, studies, error);
}

/* All captures are judged, whichever are shown: the result for one must not depend on which are shown. */
CulpritVerdict *
outliers_judge (CulpritStudy *study, GError **error)
{
  const CulpritEvidenceOptions options = { 0 };

  return culprit_verdict_new (study, &options, error);
}

/* Below the table. */
static gboolean
print_selection (CulpritStudy *study, GError **error)
{
  g_autofree char *words = NULL;

  if (!culprit_fleet_selection (study, &words, error))
    return FALSE;
  if (words)
    g_print ("\n%s.\n", words);
  return TRUE;
}

/* In text output, the state of an ignored capture replaces its class. */
static void
mark_ignored (CulpritTable *table)
{
  for (guint row = 0; row < culprit_table_rows (table); row++)
    if (culprit_triage_ignores (culprit_table_text (table, row, "triage")))
      culprit_table_set_text (table, row, "class", CULPRIT_TRIAGE_IGNORED);
}

/* Those that are not in the table, since they have none. */
static gboolean
print_without_windows (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  g_autoptr (GPtrArray) sentences = culprit_query_without_windows (study, filter, TRUE, error);

  for (guint i = 0; sentences && i < sentences->len; i++)
    {
      g_print ("%s", i == 0 ? "\n" : "");
      print_wrapped (g_ptr_array_index (sentences, i), 0);
    }
  return sentences != NULL;
}

int
command_outliers (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *class = NULL;
  gboolean brief = FALSE;
  const GOptionEntry own[] = {
    { "class", 0, 0, G_OPTION_ARG_STRING, &class, "Only this class, e.g. called-too-often", "CLASS" },
    { "brief", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &brief, "JSON without budgets, which are long", NULL },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritVerdict) verdict = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  int status;

  study = command_begin_with (command, argc, argv, own, &options, &filter, &status);
  if (!study)
    return status;
  if (class && !culprit_class_check (class, &error))
    {
      status = command_complain ("--class \"%s\": %s", class, error->message);
      g_error_free (error);
      return status;
    }
  verdict = outliers_judge (study, &error);
  table = verdict ? culprit_verdict_outliers (study, &filter, verdict, class, &error) : NULL;
  if (!table)
    return command_fail (error);
  if (options.format == FORMAT_TEXT)
    mark_ignored (table);
  if (options.format != FORMAT_JSON)
    print_table (table, options.format, &culprit_outliers,
                 options.run || options.capture || options.where || class ? "No outliers match." : "No outliers.");
  else if (!(brief ? print_json (table, NULL, NULL, &error) : print_with_budgets (table, study, &error)))
    return command_fail (error);
  if (options.format == FORMAT_TEXT &&
      ((!class && !print_without_windows (study, &filter, &error)) || !print_selection (study, &error)))
    return command_fail (error);
  return EXIT_DONE;
}
