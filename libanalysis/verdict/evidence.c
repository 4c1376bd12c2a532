/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each table is read once, in the order of captures. */
#include "evidence.h"

#include "base-private.h"
#include "excess.h"
#include "names.h"
#include "study/statement-private.h"

#include <math.h>

#define UNNAMED "unnamed"
#define LEAST_OWN_BASE 5 /* A capture with fewer ordinary wake-ups is compared with those of its whole run. */

/* What is put together while reading. */
typedef struct
{
  CulpritStudy *study;
  const CulpritEvidenceOptions *options;
  CulpritEvidence *evidence;
  GHashTable *names;  /* of functions, by their number */
  GHashTable *places; /* of cases, by their capture's number */
  GPtrArray *bases;   /* of Base: each case's own */
} Reading;

typedef void (*TakeRow) (Reading *reading, Statement *row);

static void
clear_case (gpointer data)
{
  CulpritCase *one = data;

  g_array_unref (one->parts);
  g_array_unref (one->holders);
}

void
culprit_evidence_free (CulpritEvidence *evidence)
{
  g_array_unref (evidence->cases);
  g_string_chunk_free (evidence->texts);
  g_free (evidence);
}

static const char *
keep (Reading *reading, Statement *row, int column)
{
  g_autofree char *valid = NULL;

  if (sqlite3_column_type (row, column) == SQLITE_NULL)
    return NULL;
  valid = g_utf8_make_valid (statement_text (row, column), -1);
  return g_string_chunk_insert_const (reading->evidence->texts, valid);
}

static gint64
number_or (Statement *row, int column, gint64 otherwise)
{
  return sqlite3_column_type (row, column) == SQLITE_NULL ? otherwise : sqlite3_column_int64 (row, column);
}

static CulpritContext
context_of (Statement *row, int column)
{
  const char *name = statement_text (row, column);

  for (guint context = 0; context < CULPRIT_CONTEXTS; context++)
    if (g_str_equal (name, culprit_context_name (context)))
      return context;
  return CULPRIT_CONTEXT_TASK;
}

/* A damaged study may speak of functions that it does not have. */
static const char *
name_of (const Reading *reading, gint64 function)
{
  const char *name = g_hash_table_lookup (reading->names, &function);

  return name ? name : UNNAMED;
}

/* The place of the case of the capture in the first column; G_MAXUINT where it is none of those asked for. */
static guint
place_of (const Reading *reading, Statement *row)
{
  gint64 capture = sqlite3_column_int64 (row, 0);
  gpointer place = g_hash_table_lookup (reading->places, &capture);

  return place ? GPOINTER_TO_UINT (place) - 1 : G_MAXUINT;
}

static CulpritCase *
case_at (const Reading *reading, guint place)
{
  return &g_array_index (reading->evidence->cases, CulpritCase, place);
}

/* A time of the row and the tracer's part of it. */
static double
time_of (const Reading *reading, Statement *row, int column, int tracing)
{
  return sqlite3_column_double (row, column) - (reading->options->raw ? 0 : sqlite3_column_double (row, tracing));
}

static void
take_name (Reading *reading, Statement *row)
{
  gint64 *function = g_new (gint64, 1);

  *function = sqlite3_column_int64 (row, 0);
  g_hash_table_insert (reading->names, function, (gpointer) keep (reading, row, 1));
}

static void
take_outlier (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritCase *one = place == G_MAXUINT ? NULL : case_at (reading, place);

  if (!one)
    return;
  one->file = keep (reading, row, 1);
  one->run = keep (reading, row, 2);
  one->latency_ns = sqlite3_column_double (row, 3);
  one->own_ns = time_of (reading, row, 3, 4);
  one->not_captured_ns = sqlite3_column_double (row, 5);
  one->lost_events = sqlite3_column_int64 (row, 6);
  one->smi_count = number_or (row, 7, -1);
  one->steal_ns = number_or (row, 8, -1);
}

static void
take_ordinary (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  double latency_ns = time_of (reading, row, 1, 2);

  if (place != G_MAXUINT)
    g_array_append_val (((Base *) g_ptr_array_index (reading->bases, place))->latencies_ns, latency_ns);
}

static void
take_part (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritPart part = { .function = sqlite3_column_int64 (row, 1),
                       .context = context_of (row, 2),
                       .calls = sqlite3_column_double (row, 3),
                       .self_ns = time_of (reading, row, 4, 5),
                       .path = keep (reading, row, 6) };
  double rest_calls = sqlite3_column_double (row, 7) - part.calls;

  if (place == G_MAXUINT)
    return;
  part.name = name_of (reading, part.function);
  part.rest_per_call_ns = rest_calls > 0 ? MAX (time_of (reading, row, 8, 9) - part.self_ns, 0) / rest_calls : NAN;
  g_array_append_val (case_at (reading, place)->parts, part);
}

static void
take_base_part (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  BaseSums *sums;

  if (place == G_MAXUINT)
    return;
  sums = base_part (g_ptr_array_index (reading->bases, place), sqlite3_column_int64 (row, 1), context_of (row, 2));
  sums->calls += sqlite3_column_double (row, 3);
  sums->self_ns += time_of (reading, row, 4, 5);
  sums->stretch_ns = sqlite3_column_double (row, 6);
  sums->windows += sqlite3_column_double (row, 7);
}

static void
take_holder (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritHolder holder = { .context = context_of (row, 1),
                           .name = keep (reading, row, 2),
                           .self_ns = time_of (reading, row, 3, 4),
                           .path = keep (reading, row, 5),
                           .priority = number_or (row, 6, -1) };

  if (place != G_MAXUINT)
    g_array_append_val (case_at (reading, place)->holders, holder);
}

static void
take_base_holder (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);

  if (place != G_MAXUINT)
    base_holder (g_ptr_array_index (reading->bases, place), statement_text (row, 2), context_of (row, 1))->self_ns +=
        time_of (reading, row, 3, 4);
}

static void
take_stall (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritStretch stretch = { .length_ns = sqlite3_column_double (row, 1),
                             .function = sqlite3_column_int64 (row, 2),
                             .context = context_of (row, 3),
                             .other_cpus = number_or (row, 4, -1),
                             .silent_cpus = number_or (row, 5, -1),
                             .before = keep (reading, row, 6),
                             .after = keep (reading, row, 7) };

  stretch.name = name_of (reading, stretch.function);
  if (place != G_MAXUINT)
    case_at (reading, place)->stretch = stretch;
}

static gboolean
read_rows (Reading *reading, const char *sql, TakeRow take, GError **error)
{
  g_autoptr (Statement) statement = statement_new (reading->study, sql, error);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (reading->study, statement, &row, error))
        return FALSE;
      if (row)
        take (reading, statement);
    }
  return statement != NULL;
}

/* Makes a case of each outlier of @table. */
static void
begin_cases (Reading *reading, const CulpritTable *table)
{
  for (guint i = 0; i < culprit_table_rows (table); i++)
    {
      CulpritCase one = { .capture = culprit_table_integer (table, i, "capture"), .own_base = TRUE };
      gint64 *capture = g_new (gint64, 1);

      one.parts = g_array_new (FALSE, FALSE, sizeof (CulpritPart));
      one.holders = g_array_new (FALSE, FALSE, sizeof (CulpritHolder));
      one.stretch.name = "";
      g_array_append_val (reading->evidence->cases, one);
      g_ptr_array_add (reading->bases, base_new ());
      *capture = one.capture;
      g_hash_table_insert (reading->places, capture, GUINT_TO_POINTER (reading->evidence->cases->len));
    }
}

static gboolean
read_ordinary (Reading *reading, GError **error)
{
  return read_rows (reading, "SELECT capture_id, latency_ns, tracing_ns FROM window WHERE kind = 'ordinary'",
                    take_ordinary, error) &&
         read_rows (reading,
                    "SELECT capture_id, function_id, context, calls, self_ns, tracing_ns, stretch_max_ns, windows "
                    "FROM ordinary_cost",
                    take_base_part, error) &&
         read_rows (reading, "SELECT capture_id, context, source, self_ns, tracing_ns FROM ordinary_source",
                    take_base_holder, error);
}

static gboolean
read_outliers (Reading *reading, GError **error)
{
  return read_rows (reading,
                    "SELECT capture_id, file, run.name, latency_ns, tracing_ns, not_captured_ns, lost_events, "
                    "capture.smi_count, capture.steal_ns FROM window JOIN capture USING (capture_id) "
                    "JOIN run USING (run_id) WHERE kind = 'outlier'",
                    take_outlier, error) &&
         read_rows (reading,
                    "SELECT window.capture_id, cost.function_id, context, cost.calls, cost.self_ns, cost.tracing_ns, "
                    "path, whole.calls, whole.self_ns, whole.tracing_ns "
                    "FROM outlier_cost AS cost JOIN window USING (window_id) "
                    "LEFT JOIN capture_function AS whole ON whole.capture_id = window.capture_id "
                    "AND whole.function_id = cost.function_id",
                    take_part, error) &&
         read_rows (reading,
                    "SELECT capture_id, context, source, self_ns, outlier_source.tracing_ns, path, priority "
                    "FROM outlier_source JOIN window USING (window_id)",
                    take_holder, error) &&
         read_rows (
             reading,
             "SELECT capture_id, length_ns, function_id, context, other_cpus, silent_cpus, before_event, after_event "
             "FROM stall JOIN window USING (window_id)",
             take_stall, error);
}

/* The ordinary wake-ups of all captures of the run @name, which may be none of the cases. */
static Base *
read_base_run (Reading *reading, const char *name, GError **error)
{
  const CulpritFilter filter = { .run = name };
  const CulpritEvidenceOptions options = { .filter = &filter, .raw = reading->options->raw };
  Reading other = *reading;
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func ((GDestroyNotify) base_free);
  g_autoptr (CulpritTable) captures = culprit_query_captures (reading->study, &filter, error);
  g_autoptr (Base) sum = base_new ();

  if (!captures)
    return NULL;
  other.options = &options;
  other.places = places;
  other.bases = bases;
  for (guint i = 0; i < culprit_table_rows (captures); i++)
    {
      gint64 *capture = g_new (gint64, 1);

      *capture = culprit_table_integer (captures, i, "capture");
      g_ptr_array_add (bases, base_new ());
      g_hash_table_insert (places, capture, GUINT_TO_POINTER (bases->len));
    }
  if (!read_ordinary (&other, error))
    return NULL;
  reading->evidence->base_captures = bases->len;
  for (guint i = 0; i < bases->len; i++)
    base_add (sum, g_ptr_array_index (bases, i));
  return g_steal_pointer (&sum);
}

/* The ordinary wake-ups of all cases of the run @name. */
static Base *
add_up_run (const Reading *reading, const char *name)
{
  Base *sum = base_new ();

  for (guint i = 0; i < reading->bases->len; i++)
    if (g_str_equal (case_at (reading, i)->run, name))
      base_add (sum, g_ptr_array_index (reading->bases, i));
  return sum;
}

/* Holds each case against the base that was named, its own ordinary wake-ups, or where they are too few its run's. */
static void
apply_bases (Reading *reading, const Base *named)
{
  g_autoptr (GHashTable) of_runs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) base_free);

  for (guint i = 0; i < reading->bases->len; i++)
    {
      CulpritCase *one = case_at (reading, i);
      const Base *base = named ? named : g_ptr_array_index (reading->bases, i);

      one->own_base = !named && base->latencies_ns->len >= LEAST_OWN_BASE;
      if (!named && !one->own_base)
        {
          if (!g_hash_table_contains (of_runs, one->run))
            g_hash_table_insert (of_runs, (gpointer) one->run, add_up_run (reading, one->run));
          base = g_hash_table_lookup (of_runs, one->run);
        }
      base_apply (base, one, reading->names, reading->evidence->texts);
      culprit_case_explain (one);
    }
}

static gboolean
read_all (Reading *reading, GError **error)
{
  const CulpritEvidenceOptions *options = reading->options;
  const CulpritFilter everything = { 0 };
  g_autoptr (CulpritTable) table =
      culprit_query_outliers (reading->study, options->filter ? options->filter : &everything, error);
  g_autoptr (Base) named = NULL;

  if (!table)
    return FALSE;
  begin_cases (reading, table);
  if (!read_rows (reading, "SELECT function_id, name FROM function", take_name, error) ||
      !read_outliers (reading, error) || !read_ordinary (reading, error))
    return FALSE;
  if (options->base && !(named = read_base_run (reading, options->base, error)))
    return FALSE;
  apply_bases (reading, named);
  return TRUE;
}

CulpritEvidence *
culprit_evidence_read (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error)
{
  g_autoptr (CulpritEvidence) evidence = g_new0 (CulpritEvidence, 1);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func ((GDestroyNotify) base_free);
  Reading reading = { study, options, evidence, names, places, bases };

  evidence->cases = g_array_new (FALSE, FALSE, sizeof (CulpritCase));
  g_array_set_clear_func (evidence->cases, clear_case);
  evidence->texts = g_string_chunk_new (16 * 1024);
  return read_all (&reading, error) ? g_steal_pointer (&evidence) : NULL;
}
