/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries and the verdict, one part after the other. */
#include "document-load.h"

#include "verdict/outliers.h"

#define MOST_POINTS 200 /* of a function: more than a cell has pixels */

static void
latencies_free (gpointer data)
{
  CulpritLatencies *latencies = data;

  g_free (latencies->name);
  g_free (latencies->series);
  g_free (latencies->arm);
  g_free (latencies->tracing);
  g_clear_pointer (&latencies->profile, culprit_profile_free);
  g_clear_pointer (&latencies->description, culprit_description_free);
  g_free (latencies);
}

void
document_part_free (DocumentPart *part)
{
  g_clear_pointer (&part->outliers, culprit_table_free);
  g_clear_pointer (&part->captures, culprit_table_free);
  g_clear_pointer (&part->verdict, culprit_verdict_free);
  g_clear_pointer (&part->functions, culprit_table_free);
  g_clear_pointer (&part->points, culprit_function_points_free);
  g_clear_pointer (&part->runs, culprit_table_free);
  g_clear_pointer (&part->latencies, g_ptr_array_unref);
  g_free (part);
}

static gboolean
read_outliers (CulpritStudy *study, const CulpritFilter *filter, DocumentPart *part, GError **error)
{
  const CulpritEvidenceOptions options = { .filter = filter };

  part->captures = culprit_query_captures (study, filter, error);
  part->verdict = part->captures ? culprit_verdict_new (study, &options, error) : NULL;
  part->outliers = part->verdict ? culprit_verdict_outliers (study, filter, part->verdict, NULL, error) : NULL;
  return part->outliers && culprit_query_ignored (study, filter, &part->ignored, error);
}

static gboolean
read_functions (CulpritStudy *study, const CulpritFilter *filter, DocumentPart *part, GError **error)
{
  part->functions = culprit_query_functions (study, filter, error);
  part->points = part->functions ? culprit_query_function_points (study, filter, MOST_POINTS, error) : NULL;
  return part->points != NULL;
}

/* @row: of the run in @runs. */
static gboolean
read_one (CulpritStudy *study, const char *name, const CulpritTable *runs, guint row, GPtrArray *all, GError **error)
{
  CulpritLatencies *one = g_new0 (CulpritLatencies, 1);

  *one = (CulpritLatencies) { .name = g_strdup (name),
                              .series = g_strdup (culprit_table_text (runs, row, "series")),
                              .arm = g_strdup (culprit_table_text (runs, row, "arm")),
                              .tracing = g_strdup (culprit_table_text (runs, row, "tracing")) };
  g_ptr_array_add (all, one);
  if (!culprit_study_profile_facts (study, name, &one->facts, error))
    return FALSE;
  if (!one->facts.whole)
    return TRUE;
  one->profile = culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
  if (one->profile)
    one->description = culprit_describe_values (one->profile, culprit_quantiles_usual);
  return one->profile != NULL;
}

static gboolean
read_latencies (CulpritStudy *study, DocumentPart *part, GError **error)
{
  g_autoptr (GPtrArray) names = culprit_study_profile_names (study, NULL, error);
  g_autoptr (GHashTable) rows = g_hash_table_new (g_str_hash, g_str_equal);

  part->latencies = g_ptr_array_new_with_free_func (latencies_free);
  part->runs = names ? culprit_query_runs (study, error) : NULL;
  for (guint row = 0; part->runs && row < culprit_table_rows (part->runs); row++)
    g_hash_table_insert (rows, (gpointer) culprit_table_text (part->runs, row, "run"), GUINT_TO_POINTER (row));
  for (guint i = 0; part->runs && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (!read_one (study, name, part->runs, GPOINTER_TO_UINT (g_hash_table_lookup (rows, name)), part->latencies,
                     error))
        return FALSE;
    }
  return part->runs != NULL;
}

DocumentPart *
document_part_read (CulpritStudy *study, CulpritPartKind kind, const char *run, GError **error)
{
  g_autoptr (DocumentPart) part = g_new0 (DocumentPart, 1);
  const CulpritFilter filter = { .run = run };
  gboolean good;

  switch (kind)
    {
    case CULPRIT_PART_OUTLIERS:
      good = read_outliers (study, &filter, part, error);
      break;
    case CULPRIT_PART_FUNCTIONS:
      good = read_functions (study, &filter, part, error);
      break;
    default:
      good = read_latencies (study, part, error);
    }
  return good ? g_steal_pointer (&part) : NULL;
}
