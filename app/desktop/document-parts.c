/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the parts of a document in threads, each with a number: an answer to an older question is dropped. */
#include "document-private.h"

#include "charts/swatch.h"
#include "functions/function-cells.h"
#include "seeded-hash.h"
#include "tables/outliers.h"

#define MOST_POINTS 200 /* of a function: more than a cell has pixels */

/* What came of reading a part; only what belongs to it is there. */
typedef struct
{
  CulpritPartKind kind;
  guint generation;
  GError *error; /* NULL: it was read */
  CulpritTable *outliers;
  GArray *run_numbers; /* of guint: of the run in each row of these */
  CulpritVerdict *verdict;
  guint ignored;
  CulpritTable *functions;
  CulpritFunctionPoints *points; /* of the functions in late wake-ups */
  CulpritTable *runs;
  GPtrArray *latencies; /* of CulpritLatencies */
} Part;

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

static void
part_free (gpointer data)
{
  Part *part = data;

  g_clear_error (&part->error);
  g_clear_pointer (&part->outliers, culprit_table_free);
  g_clear_pointer (&part->run_numbers, g_array_unref);
  g_clear_pointer (&part->verdict, culprit_verdict_free);
  g_clear_pointer (&part->functions, culprit_table_free);
  g_clear_pointer (&part->points, culprit_function_points_free);
  g_clear_pointer (&part->runs, culprit_table_free);
  g_clear_pointer (&part->latencies, g_ptr_array_unref);
  g_free (part);
}

/* Captures of a run come one after another. */
static gboolean
read_run_numbers (CulpritStudy *study, Part *part)
{
  const char *last = NULL;
  guint number = 0;

  part->run_numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint row = 0; row < culprit_table_rows (part->outliers); row++)
    {
      const char *run = culprit_table_text (part->outliers, row, "run");

      if (g_strcmp0 (run, last) != 0 && !culprit_study_run_number (study, run, &number, &part->error))
        return FALSE;
      last = run;
      g_array_append_val (part->run_numbers, number);
    }
  return TRUE;
}

static void
read_outliers (CulpritStudy *study, const CulpritFilter *filter, Part *part)
{
  part->outliers = culprit_outliers_unjudged (study, filter, &part->error);
  if (part->outliers && read_run_numbers (study, part))
    culprit_query_ignored (study, filter, &part->ignored, &part->error);
}

static void
read_verdict (CulpritStudy *study, const CulpritFilter *filter, Part *part)
{
  const CulpritEvidenceOptions options = { .filter = filter };

  part->verdict = culprit_verdict_new (study, &options, &part->error);
}

static void
read_functions (CulpritStudy *study, const CulpritFilter *filter, Part *part)
{
  part->functions = culprit_query_functions (study, filter, &part->error);
  if (part->functions)
    part->points = culprit_query_function_points (study, filter, MOST_POINTS, &part->error);
}

/* @row: of the run in @runs. */
static gboolean
read_one (CulpritStudy *study, const char *name, const CulpritTable *runs, guint row, GPtrArray *all, GError **error)
{
  CulpritLatencies *one = g_new0 (CulpritLatencies, 1);

  *one = (CulpritLatencies) { .name = g_strdup (name),
                              .series = g_strdup (culprit_table_text (runs, row, "series")),
                              .arm = g_strdup (culprit_table_text (runs, row, "arm")),
                              .tracing = g_strdup (culprit_table_text (runs, row, "tracing")),
                              .threshold_ns = culprit_table_integer (runs, row, "threshold_ns"),
                              .band_low_ns = culprit_table_integer (runs, row, "band_low_ns"),
                              .band_high_ns = culprit_table_integer (runs, row, "band_high_ns") };
  g_ptr_array_add (all, one);
  if (!culprit_study_run_number (study, name, &one->number, error) ||
      !culprit_study_profile_facts (study, name, &one->facts, error))
    return FALSE;
  if (!one->facts.whole)
    return TRUE;
  one->profile = culprit_study_profile (study, name, CULPRIT_ALL_CPUS, error);
  if (one->profile)
    one->description = culprit_describe_values (one->profile, culprit_quantiles_usual);
  return one->profile != NULL;
}

static void
read_latencies (CulpritStudy *study, Part *part)
{
  g_autoptr (GPtrArray) names = culprit_study_profile_names (study, NULL, &part->error);
  g_autoptr (GHashTable) rows = g_hash_table_new (culprit_hash_text, g_str_equal);

  part->latencies = g_ptr_array_new_with_free_func (latencies_free);
  part->runs = names ? culprit_query_runs (study, &part->error) : NULL;
  for (guint row = 0; part->runs && row < culprit_table_rows (part->runs); row++)
    g_hash_table_insert (rows, (gpointer) culprit_table_text (part->runs, row, "run"), GUINT_TO_POINTER (row));
  for (guint i = 0; part->runs && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (!read_one (study, name, part->runs, GPOINTER_TO_UINT (g_hash_table_lookup (rows, name)), part->latencies,
                     &part->error))
        return;
    }
}

/* Reading. */

typedef struct
{
  CulpritPartKind kind;
  guint generation;
  char *run; /* NULL: all */
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_free (wanted->run);
  g_free (wanted);
}

static gpointer
read_part (CulpritStudy *study, gpointer data, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;
  const CulpritFilter filter = { .run = wanted->run };
  Part *part = g_new0 (Part, 1);

  part->kind = wanted->kind;
  part->generation = wanted->generation;
  if (part->kind == CULPRIT_PART_OUTLIERS)
    read_outliers (study, &filter, part);
  else if (part->kind == CULPRIT_PART_VERDICT)
    read_verdict (study, &filter, part);
  else if (part->kind == CULPRIT_PART_FUNCTIONS)
    read_functions (study, &filter, part);
  else
    read_latencies (study, part);
  return part;
}

/* Puts a model of @table, which it takes, in the place of another. */
static void
take_rows (CulpritRows **rows, CulpritTable **table)
{
  g_clear_object (rows);
  *rows = culprit_rows_new (g_steal_pointer (table));
}

static void
take_part (CulpritDocument *document, Part *part)
{
  switch (part->kind)
    {
    case CULPRIT_PART_OUTLIERS:
      if (document->verdict)
        culprit_outliers_judge (part->outliers, document->verdict, NULL);
      take_rows (&document->outliers, &part->outliers);
      run_cell_attach (document->outliers, g_steal_pointer (&part->run_numbers));
      document->ignored = part->ignored;
      break;
    case CULPRIT_PART_VERDICT:
      g_clear_pointer (&document->verdict, culprit_verdict_free);
      document->verdict = g_steal_pointer (&part->verdict);
      document->judging = FALSE;
      culprit_outliers_judge (culprit_rows_edit (document->outliers), document->verdict,
                              culprit_class_name (CULPRIT_CLASS_UNEXPLAINED));
      break;
    case CULPRIT_PART_FUNCTIONS:
      take_rows (&document->functions, &part->functions);
      strip_cell_attach (document->functions, g_steal_pointer (&part->points));
      break;
    default:
      take_rows (&document->runs, &part->runs);
      g_clear_pointer (&document->latencies, g_ptr_array_unref);
      document->latencies = g_steal_pointer (&part->latencies);
    }
  document_emit_changed (document, part->kind);
  if (part->kind == CULPRIT_PART_OUTLIERS && !document->verdict)
    document_emit_changed (document, CULPRIT_PART_VERDICT);
}

static void ask_part (CulpritDocument *document, CulpritPartKind part);

/* The late wake-ups have come: now the rest, which shall not take their time. */
static void
ask_rest (CulpritDocument *document)
{
  for (CulpritPartKind part = CULPRIT_PART_OUTLIERS + 1; part < CULPRIT_PARTS; part++)
    ask_part (document, part);
}

/* Of several parts that cannot be read the first is told. */
static void
fail (CulpritDocument *document, const char *why)
{
  gboolean first = !document->failed;

  document->failed = TRUE;
  if (first)
    document_tell (document, TRUE, why);
}

static void
stop_judging (CulpritDocument *document)
{
  document->judging = FALSE;
  document_emit_changed (document, CULPRIT_PART_VERDICT);
}

/* Nothing more will come. */
static void
give_up (CulpritDocument *document, const char *why)
{
  g_cancellable_cancel (document->loading);
  document->generation++;
  document->left = 0;
  fail (document, why);
  stop_judging (document);
}

/* Without its late wake-ups the rest of a study is not asked for; else a part that cannot be read stops no other. */
static void
handle_part (CulpritDocument *document, Part *part)
{
  if (part->error && part->kind == CULPRIT_PART_OUTLIERS)
    {
      give_up (document, part->error->message);
      return;
    }
  document->left--;
  if (part->error)
    fail (document, part->error->message);
  else
    take_part (document, part);
  if (part->error && part->kind == CULPRIT_PART_VERDICT)
    stop_judging (document);
  if (part->kind == CULPRIT_PART_OUTLIERS)
    ask_rest (document);
}

static void
on_part (GObject *owner, gpointer result, const GError *error)
{
  CulpritDocument *document = CULPRIT_DOCUMENT (owner);
  Part *part = result;

  if (error)
    give_up (document, error->message);
  else if (part->generation == document->generation)
    handle_part (document, part);
  g_clear_pointer (&part, part_free);
  if (document->left == 0 && document->again)
    document_read_all (document);
}

static void
ask_part (CulpritDocument *document, CulpritPartKind part)
{
  Wanted *wanted = g_new0 (Wanted, 1);

  *wanted = (Wanted) { part, document->generation, g_strdup (document->run) };
  culprit_document_read (document, G_OBJECT (document), document->loading, read_part, wanted, wanted_free, on_part,
                         part_free);
}

void
document_read_all (CulpritDocument *document)
{
  g_cancellable_cancel (document->loading);
  g_clear_object (&document->loading);
  document->loading = g_cancellable_new ();
  document->generation++;
  document->left = CULPRIT_PARTS;
  document->again = FALSE;
  document->judging = TRUE;
  document->failed = FALSE;
  ask_part (document, CULPRIT_PART_OUTLIERS);
}

gboolean
document_reads_outliers (CulpritDocument *document)
{
  return document->left == CULPRIT_PARTS;
}

void
culprit_document_reload (CulpritDocument *document)
{
  document->again = document->left > 0;
  if (!document->again)
    document_read_all (document);
}
