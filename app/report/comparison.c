/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section that compares runs with a baseline: what was recorded without tracing, else the first. Runs that belong
 * together are one side. */
#include "tables/comparison.h"
#include "report-private.h"
#include "seeded-hash.h"
#include "study/profiles.h"
#include "study/sides.h"

#define MOST_SIDES 12

typedef struct
{
  char *name;
  gboolean untraced;
  CulpritCompared compared;
} Side;

static void
side_free (gpointer data)
{
  Side *side = data;

  g_free (side->name);
  culprit_side_clear (&side->compared);
  g_free (side);
}

/* The rows of @runs by the name of their run. */
static GHashTable *
rows_by_name (const CulpritTable *runs)
{
  GHashTable *rows = g_hash_table_new (culprit_hash_text, g_str_equal);

  for (guint row = 0; row < culprit_table_rows (runs); row++)
    g_hash_table_insert (rows, (gpointer) culprit_table_text (runs, row, "run"), GUINT_TO_POINTER (row));
  return rows;
}

/* What runs that belong together have in common. */
static char *
arm_of (const CulpritTable *runs, guint row)
{
  return g_strjoin ("\n", culprit_table_text (runs, row, "series"), culprit_table_text (runs, row, "arm"), NULL);
}

/* How many of the runs @names (of char *) each arm has. */
static GHashTable *
count_arms (const CulpritTable *runs, GHashTable *rows, const GPtrArray *names)
{
  GHashTable *arms = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < names->len; i++)
    {
      char *arm = arm_of (runs, GPOINTER_TO_UINT (g_hash_table_lookup (rows, g_ptr_array_index (names, i))));
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (arms, arm));

      g_hash_table_insert (arms, arm, GUINT_TO_POINTER (count + 1));
    }
  return arms;
}

static gboolean
is_known (const GPtrArray *sides, const char *name)
{
  for (guint i = 0; i < sides->len; i++)
    if (g_str_equal (((const Side *) g_ptr_array_index (sides, i))->name, name))
      return TRUE;
  return FALSE;
}

/* The sides, the baseline first. Those without spread cannot be compared. */
static GPtrArray *
read_sides (CulpritStudy *study, const CulpritTable *runs, const GPtrArray *names, GError **error)
{
  g_autoptr (GPtrArray) sides = g_ptr_array_new_with_free_func (side_free);
  g_autoptr (GHashTable) rows = rows_by_name (runs);
  g_autoptr (GHashTable) arms = count_arms (runs, rows, names);
  gboolean has_base = FALSE;

  for (guint i = 0; i < names->len && sides->len < MOST_SIDES; i++)
    {
      const char *run = g_ptr_array_index (names, i);
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, run));
      g_autofree char *arm = arm_of (runs, row);
      gboolean alone = GPOINTER_TO_UINT (g_hash_table_lookup (arms, arm)) < 2;
      const char *name = alone ? run : culprit_table_text (runs, row, "arm");
      Side *side;

      if (is_known (sides, name))
        continue;
      side = g_new0 (Side, 1);
      side->name = g_strdup (name);
      side->untraced = g_str_equal (culprit_table_text (runs, row, "tracing"), "off");
      if (!culprit_study_side (study, name, alone ? CULPRIT_SIDE_MEANT : CULPRIT_SIDE_RUNS, &side->compared, error))
        {
          side_free (side);
          return NULL;
        }
      if (!culprit_summary_has_spread (&side->compared.summary))
        side_free (side);
      else
        g_ptr_array_insert (sides, side->untraced && !has_base ? 0 : -1, side);
      has_base = sides->len > 0 && ((const Side *) g_ptr_array_index (sides, 0))->untraced;
    }
  return g_steal_pointer (&sides);
}

/* What was found of all but the baseline, of CulpritComparison. */
static GArray *
compare (const GPtrArray *sides)
{
  g_autoptr (GArray) compared = g_array_new (FALSE, FALSE, sizeof (CulpritCompared));
  const CulpritRules rules = CULPRIT_RULES_USUAL;

  for (guint i = 0; i < sides->len; i++)
    g_array_append_val (compared, ((const Side *) g_ptr_array_index (sides, i))->compared);
  return culprit_compare (&g_array_index (compared, CulpritCompared, 0), &g_array_index (compared, CulpritCompared, 1),
                          compared->len - 1, &rules);
}

/* A sentence for each, and the table. */
static void
add_sides (GString *page, const GPtrArray *sides)
{
  g_autoptr (GArray) found = compare (sides);
  g_autoptr (CulpritTable) table = culprit_definition_begin (&culprit_comparisons);
  const char *base = ((const Side *) g_ptr_array_index (sides, 0))->name;

  page_add (page, "<section id=\"comparison\">\n<h2>How runs compare</h2>\n<ul>\n");
  for (guint i = 0; i < sides->len; i++)
    {
      const Side *side = g_ptr_array_index (sides, i);
      const CulpritComparison *one = i > 0 ? &g_array_index (found, CulpritComparison, i - 1) : NULL;
      g_autofree char *words = one ? culprit_comparison_in_words (one, base, side->name) : NULL;

      if (words)
        page_add (page, "<li>%s</li>\n", words);
      culprit_comparison_table_add (table, base, side->name, &side->compared.summary, one, "");
    }
  page_add (page, "</ul>\n");
  page_add_table (page, table, &culprit_comparisons, G_MAXUINT);
  page_add (page, "</section>\n");
}

gboolean
report_add_comparison (GString *page, const ReportContent *content, GError **error)
{
  g_autoptr (GPtrArray) names = culprit_study_profile_names (content->study, content->filter.run, NULL);
  g_autoptr (CulpritTable) runs = names && names->len > 1 ? culprit_query_runs (content->study, error) : NULL;
  g_autoptr (GPtrArray) sides = NULL;

  if (!names || names->len < 2)
    return TRUE;
  sides = runs ? read_sides (content->study, runs, names, error) : NULL;
  if (!sides)
    return FALSE;
  if (sides->len > 1)
    add_sides (page, sides);
  return TRUE;
}
