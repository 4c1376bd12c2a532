/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that print a table of the study. */
#include "command.h"
#include "flame/flame.h"
#include "fleet/fleet.h"
#include "print.h"
#include "study/triage.h"
#include "tables/stalls.h"
#include "tables/table.h"
#include "units.h"

/* culprit runs */

int
command_runs (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, NULL, &options, &status))
    return status;
  study = command_open (&options);
  if (!study)
    return EXIT_BAD;
  table = culprit_query_runs (study, &error);
  if (!table)
    return command_fail (error);
  print_table (table, options.format, &culprit_runs, "No runs yet; import captures with culprit import.");
  return EXIT_DONE;
}

/* culprit sql */

int
command_sql (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, NULL, &options, &status))
    return status;
  if (options.rest[1])
    return command_complain ("specify one query, in quotes; see culprit help sql");
  study = culprit_study_open (options.study, CULPRIT_STUDY_EXAMINE, &error);
  if (!study)
    return command_fail (error);
  table = culprit_query_sql (study, options.rest[0], &error);
  if (!table)
    return command_fail (error);
  print_table (table, options.format, NULL, NULL);
  return EXIT_DONE;
}

/* culprit check */

typedef struct
{
  gboolean complete;
  const GPtrArray *faults; /* of char * */
} Checked;

static const Member checked[] = {
  MEMBER (Checked, "complete", complete, FLAG),
  MEMBER (Checked, "faults", faults, TEXTS),
  { 0 },
};

int
command_check (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (GPtrArray) faults = NULL;
  GError *error = NULL;
  int status;

  if (!command_parse (command, argc, argv, NULL, &options, &status))
    return status;
  study = culprit_study_open (options.study, CULPRIT_STUDY_EXAMINE, &error);
  if (!study)
    return command_fail (error);
  faults = culprit_study_check (study, &error);
  if (!faults)
    return command_fail (error);
  if (options.format == FORMAT_JSON)
    print_members (checked, &(Checked) { faults->len == 0, faults }, NULL);
  else
    for (guint i = 0; i < faults->len; i++)
      g_print ("%s: %s\n", options.study, (char *) g_ptr_array_index (faults, i));
  if (options.format != FORMAT_JSON && faults->len == 0)
    g_print ("%s: OK.\n", options.study);
  return faults->len == 0 ? EXIT_DONE : EXIT_FOUND;
}

/* culprit functions */

static gboolean
has_windows (const CulpritTable *table)
{
  return culprit_table_rows (table) > 0 && (culprit_table_integer (table, 0, "outlier.windows") > 0 ||
                                            culprit_table_integer (table, 0, "ordinary.windows") > 0);
}

static void
print_ignored (guint ignored)
{
  g_autofree char *left_out = culprit_ignored_in_words (ignored);

  if (left_out)
    g_print ("%s.\n", left_out);
}

static void
print_heading (const CulpritTable *table, guint ignored)
{
  gint64 ordinary = culprit_table_integer (table, 0, "ordinary.windows");

  print_ignored (ignored);
  if (has_windows (table))
    g_print ("Means over %" G_GINT64_FORMAT " outlier and %" G_GINT64_FORMAT
             " ordinary window%s; columns: see culprit help functions.\n\n",
             culprit_table_integer (table, 0, "outlier.windows"), ordinary, culprit_plural (ordinary));
  else if (culprit_table_rows (table) > 0)
    g_print ("No late or ordinary wake-ups; sums over whole captures:\n\n");
}

int
command_functions (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  guint ignored;
  int status;

  study = command_begin (command, argc, argv, &options, &filter, &status);
  if (!study)
    return status;
  table = culprit_query_functions (study, &filter, &error);
  if (!table || !culprit_query_ignored (study, &filter, &ignored, &error))
    return command_fail (error);
  if (options.format == FORMAT_TEXT)
    print_heading (table, ignored);
  print_table (table, options.format, has_windows (table) ? &culprit_functions : &culprit_functions_whole,
               "No functions match.");
  return EXIT_DONE;
}

/* culprit sections */

int
command_sections (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  const char *empty = "";
  GError *error = NULL;
  guint ignored;
  int status;

  study = command_begin (command, argc, argv, &options, &filter, &status);
  if (!study)
    return status;
  table = culprit_query_sections (study, &filter, &error);
  if (!table || !culprit_query_ignored (study, &filter, &ignored, &error))
    return command_fail (error);
  if (culprit_table_rows (table) == 0 && !(empty = culprit_query_why_no_sections (study, &filter, &error)))
    return command_fail (error);
  if (options.format == FORMAT_TEXT)
    print_ignored (ignored);
  print_table (table, options.format, &culprit_sections, empty);
  return EXIT_DONE;
}

/* culprit flame */

int
command_flame (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_autofree char *base = NULL;
  const GOptionEntry own[] = {
    { "base", 0, 0, G_OPTION_ARG_STRING, &base, "Compare with the late wake-ups of this run", "RUN" },
    { NULL },
  };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritFlame) flame = NULL;
  g_autoptr (CulpritTable) table = NULL;
  CulpritFilter filter;
  GError *error = NULL;
  int status;

  study = command_begin_with (command, argc, argv, own, &options, &filter, &status);
  if (!study)
    return status;
  filter.counted = TRUE;
  flame = culprit_flame_read (study, &filter, base, &error);
  if (!flame)
    return command_fail (error);
  if (options.format != FORMAT_TEXT)
    {
      table = culprit_flame_table (flame);
      print_table (table, options.format, &culprit_flame_calls, NULL);
      return EXIT_DONE;
    }
  for (guint i = 0; i < flame->nodes->len; i++)
    {
      g_autofree char *path = culprit_flame_node (flame, i)->own_ns > 0 ? culprit_flame_path (flame, i) : NULL;

      if (path)
        g_print ("%s %" G_GUINT64_FORMAT "\n", path, culprit_flame_node (flame, i)->own_ns);
    }
  return EXIT_DONE;
}

/* culprit stalls */

static void
print_place (const CulpritStalls *stalls, const CulpritPlace *place)
{
  g_autofree char *between = culprit_place_between (place);
  g_autofree char *share = culprit_small_part_format (place->share);
  g_autofree char *p = culprit_p_in_words (place->p);
  g_autofree char *words = g_strdup_printf (
      "%s (%s)%s%s: struck in %u of %u; it has %s of ordinary time; blind stalls strike some place "
      "that often with %s; %s: %s",
      place->name, culprit_context_name (place->context), between ? ", always from " : "", between ? between : "",
      place->hits, stalls->candidates, share, p, place->guilty ? "took too long" : "not to blame", place->reason);

  g_print ("  - ");
  print_wrapped (words, 4);
}

/* The test, place by place. */
static void
print_test (const CulpritVerdict *verdict)
{
  const CulpritStalls *stalls = verdict->stalls;
  g_autofree char *tested = culprit_stalls_tested (verdict);
  g_autofree char *finding = culprit_stalls_finding (verdict);

  g_print ("\n");
  print_wrapped (tested, 0);
  for (guint i = 0; i < stalls->places->len; i++)
    print_place (stalls, &g_array_index (stalls->places, CulpritPlace, i));
  if (stalls->candidates > 0)
    print_wrapped (finding, 0);
}

int
command_stalls (const Command *command, int argc, char **argv)
{
  g_auto (Options) options = { 0 };
  g_auto (VerdictOptions) own = { 0 };
  g_autoptr (CulpritStudy) study = NULL;
  g_autoptr (CulpritVerdict) verdict = verdict_begin (command, argc, argv, &options, &own, &study);
  g_autoptr (CulpritTable) table = NULL;

  if (!verdict)
    return own.status;
  table = culprit_stalls_table (verdict);
  print_table (table, options.format, &culprit_stretches, "No late wake-ups to test yet.");
  if (options.format == FORMAT_TEXT && culprit_table_rows (table) > 0)
    print_test (verdict);
  return EXIT_DONE;
}
