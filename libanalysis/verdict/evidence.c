/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence is read in three passes over the selected captures: how late the wake-ups are; of those that stand out, the
 * nodes and functions with half of the excess or more, which alone can carry them; what these cost in ordinary
 * wake-ups. 1,000 captures take 0.25 s of processor time, most of it in SQLite. */
#include "evidence.h"

#include "capture/windows/measured.h"
#include "compare.h"
#include "names.h"
#include "seeded-hash.h"
#include "study/statement-private.h"
#include "study/triage.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define LEAST_BASE 3 /* With fewer to compare with, nothing can stand out. */
#define SD_OF_MAD 1.4826
#define GATE 5          /* standard deviations above the median: then a wake-up stands out */
#define MOST_PERCENT 95 /* and so many of the ordinary wake-ups must be shorter: the others may be of its cause */
#define NOT_CAPTURED "[not captured]"
#define TIMER_INTERRUPT "timer_interrupt"

/* The wake-ups that cases are compared with, and which are ordinary here: those of a population, or those named. */
typedef struct
{
  GArray *latencies_ns; /* of double */
  double tracing_ns;
  guint captures;    /* that have some of them */
  GHashTable *nodes; /* of CulpritOrdinary, as in a population, and the next */
  GHashTable *functions;
  GHashTable *parts; /* key of a part -> PartFacts */
  gboolean idle;     /* Something idle may carry a late wake-up. */
  double stretch_ns; /* the longest, at any place */
} Pool;

/* What is known of a function in a context over ordinary wake-ups. */
typedef struct
{
  double windows;
  double max_calls;
  CulpritSpread ns; /* without the tracer's time */
  double stretch_ns;
} PartFacts;

/* A capture with ordinary wake-ups. */
typedef struct
{
  gint64 capture;
  guint index; /* of its case; CULPRIT_NOTHING: it was named to compare with */
  guint pool;  /* CULPRIT_NOTHING: it is ignored */
  GArray *latencies_ns;
  double all_ns; /* of these, added up */
  double tracing_ns;
} BaseCapture;

typedef struct
{
  CulpritStudy *study;
  const CulpritEvidenceOptions *options;
  CulpritEvidence *evidence;
  gboolean named;        /* What to compare with was named. */
  GHashTable *kept;      /* texts, each stored once, by themselves */
  GHashTable *labels;    /* of functions, by their number */
  GHashTable *nodes;     /* indices of nodes, plus one, by their number */
  GHashTable *found;     /* indices of functions, plus one, by number, context and task */
  GHashTable *indices;   /* of cases, plus one, by their capture */
  GHashTable *known;     /* of populations, by host, kernel and series */
  GPtrArray *pools;      /* of Pool, by population; or only that of what was named */
  GArray *bases;         /* of BaseCapture, in the order of captures */
  guint not_captured[2]; /* the node of all that was not captured, and its function; CULPRIT_NOTHING: not yet read */
} Reading;

/* The evidence. */

static void
clear_population (gpointer data)
{
  CulpritPopulation *population = data;

  g_clear_pointer (&population->nodes, g_hash_table_unref);
  g_clear_pointer (&population->functions, g_hash_table_unref);
  g_clear_pointer (&population->elsewhere, g_hash_table_unref);
  g_clear_pointer (&population->waits, g_hash_table_unref);
}

static void
free_candidates (gpointer data)
{
  if (data)
    g_array_unref (data);
}

static CulpritEvidence *
evidence_new (void)
{
  CulpritEvidence *evidence = g_new0 (CulpritEvidence, 1);

  evidence->cases = g_array_new (FALSE, FALSE, sizeof (CulpritCase));
  evidence->candidates = g_ptr_array_new_with_free_func (free_candidates);
  evidence->populations = g_array_new (FALSE, FALSE, sizeof (CulpritPopulation));
  g_array_set_clear_func (evidence->populations, clear_population);
  evidence->nodes = g_array_new (FALSE, FALSE, sizeof (CulpritCallNode));
  evidence->functions = g_array_new (FALSE, FALSE, sizeof (CulpritCallFunction));
  evidence->keys = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, g_free);
  evidence->texts = g_string_chunk_new (16 * 1024);
  evidence->paths = g_hash_table_new_full (culprit_hash_direct, NULL, NULL, g_free);
  return evidence;
}

void
culprit_evidence_free (CulpritEvidence *evidence)
{
  g_array_unref (evidence->cases);
  g_ptr_array_unref (evidence->candidates);
  g_array_unref (evidence->populations);
  g_array_unref (evidence->nodes);
  g_array_unref (evidence->functions);
  g_hash_table_unref (evidence->keys);
  g_string_chunk_free (evidence->texts);
  g_hash_table_unref (evidence->paths);
  g_free (evidence);
}

static GHashTable *
numbers_new (void)
{
  return g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);
}

static void
numbers_set (GHashTable *numbers, gint64 key, guint index)
{
  g_hash_table_insert (numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (index + 1));
}

/* CULPRIT_NOTHING: there is none. */
static guint
numbers_get (GHashTable *numbers, gint64 key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (numbers, &key)) - 1;
}

static void
free_facts (gpointer facts)
{
  culprit_spread_clear (&((PartFacts *) facts)->ns);
  g_free (facts);
}

static Pool *
pool_new (void)
{
  Pool *pool = g_new0 (Pool, 1);

  pool->latencies_ns = g_array_new (FALSE, FALSE, sizeof (double));
  pool->nodes = g_hash_table_new_full (culprit_hash_direct, NULL, NULL, g_free);
  pool->functions = g_hash_table_new_full (culprit_hash_direct, NULL, NULL, g_free);
  pool->parts = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, free_facts);
  return pool;
}

static void
pool_free (gpointer data)
{
  Pool *pool = data;

  g_array_unref (pool->latencies_ns);
  g_hash_table_unref (pool->nodes);
  g_hash_table_unref (pool->functions);
  g_hash_table_unref (pool->parts);
  g_free (pool);
}

static void
clear_base_capture (gpointer data)
{
  g_array_unref (((BaseCapture *) data)->latencies_ns);
}

static void
reading_begin (Reading *reading, CulpritStudy *study, const CulpritEvidenceOptions *options)
{
  *reading = (Reading) { .study = study,
                         .options = options,
                         .evidence = evidence_new (),
                         .named = options->base || options->lower,
                         .not_captured = { CULPRIT_NOTHING, CULPRIT_NOTHING } };
  reading->kept = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  reading->labels = numbers_new ();
  reading->nodes = numbers_new ();
  reading->found = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  reading->indices = numbers_new ();
  reading->known = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  reading->pools = g_ptr_array_new_with_free_func (pool_free);
  reading->bases = g_array_new (FALSE, FALSE, sizeof (BaseCapture));
  g_array_set_clear_func (reading->bases, clear_base_capture);
}

static void
reading_clear (Reading *reading)
{
  g_clear_pointer (&reading->evidence, culprit_evidence_free);
  g_hash_table_unref (reading->kept);
  g_hash_table_unref (reading->labels);
  g_hash_table_unref (reading->nodes);
  g_hash_table_unref (reading->found);
  g_hash_table_unref (reading->indices);
  g_hash_table_unref (reading->known);
  g_ptr_array_unref (reading->pools);
  g_array_unref (reading->bases);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* Reading rows. */

/* Calls @take with each row; FALSE with an error. */
static gboolean
read_rows (CulpritStudy *study,
           Statement *statement,
           void (*take) (gpointer data, Statement *row),
           gpointer data,
           GError **error)
{
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return FALSE;
      if (row)
        take (data, statement);
    }
  return statement != NULL;
}

static gboolean
read_all_rows (Reading *reading, const char *name, void (*take) (gpointer data, Statement *row), GError **error)
{
  g_autoptr (Statement) statement = statement_named (reading->study, name, error);

  return read_rows (reading->study, statement, take, reading, error);
}

/* Each text is stored once. */
static const char *
keep (Reading *reading, const char *text)
{
  const char *kept = g_hash_table_lookup (reading->kept, text);
  g_autofree char *valid = NULL;

  if (kept)
    return kept;
  valid = g_utf8_make_valid (text, -1);
  kept = g_string_chunk_insert (reading->evidence->texts, valid);
  g_hash_table_insert (reading->kept, g_strdup (text), (gpointer) kept);
  return kept;
}

static const char *
keep_or (Reading *reading, Statement *row, int column, const char *otherwise)
{
  return sqlite3_column_type (row, column) == SQLITE_NULL ? otherwise : keep (reading, statement_text (row, column));
}

static gint64
number_or (Statement *row, int column, gint64 otherwise)
{
  return sqlite3_column_type (row, column) == SQLITE_NULL ? otherwise : sqlite3_column_int64 (row, column);
}

static CulpritContext
context_of (Statement *row, int column)
{
  return culprit_context_named (statement_text (row, column));
}

/* A whole number: anything else in a damaged study, e.g. infinity, is converted to one. */
static double
whole_of (Statement *row, int column)
{
  return sqlite3_column_int64 (row, column);
}

/* A time in the row, and the tracer's part of it in the next column. */
static double
time_of (const Reading *reading, Statement *row, int column)
{
  return whole_of (row, column) - (reading->options->raw ? 0 : whole_of (row, column + 1));
}

/* Functions and nodes. */

static void
take_name (gpointer data, Statement *row)
{
  Reading *reading = data;
  gint64 function = sqlite3_column_int64 (row, 0);
  guint ordinal = sqlite3_column_int64 (row, 3);
  g_autofree char *name = g_utf8_make_valid (statement_text (row, 1), -1);
  g_autofree char *module = g_utf8_make_valid (statement_text (row, 2), -1);
  g_autofree char *label = culprit_function_label (name, ordinal);

  g_hash_table_insert (reading->labels, g_memdup2 (&function, sizeof function),
                       g_string_chunk_insert (reading->evidence->texts, label));
  g_hash_table_insert (reading->evidence->keys, g_memdup2 (&function, sizeof function),
                       culprit_function_key (name, module, ordinal));
}

/* A damaged study may refer to functions that it does not have. */
static const char *
label_of (const Reading *reading, gint64 function)
{
  const char *label = g_hash_table_lookup (reading->labels, &function);

  return label ? label : CULPRIT_UNNAMED;
}

static gint64
part_key (gint64 function, CulpritContext context)
{
  return (guint64) function * CULPRIT_CONTEXTS + context; /* A damaged study may have any number. */
}

/* The index of a function below @source. */
static guint
find_function (Reading *reading, gint64 id, CulpritContext context, guint source)
{
  guint task = culprit_context_is_of_task (context) ? source : CULPRIT_NOTHING;
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT " %u %u", id, context, task);
  gpointer index = g_hash_table_lookup (reading->found, key);
  CulpritCallFunction added = { id, label_of (reading, id), context, task, FALSE };

  if (index)
    return GPOINTER_TO_UINT (index) - 1;
  added.bracket = culprit_name_is_pseudo (added.name);
  g_array_append_val (reading->evidence->functions, added);
  g_hash_table_insert (reading->found, g_steal_pointer (&key), GUINT_TO_POINTER (reading->evidence->functions->len));
  return reading->evidence->functions->len - 1;
}

/* Where the index of @node is kept, if it may be the same as another: what was not captured is one, in all contexts.
 * NULL: it is none of that. */
static guint *
not_captured (Reading *reading, const CulpritCallNode *node)
{
  if (!g_str_equal (node->name, NOT_CAPTURED))
    return NULL;
  if (node->depth == 0)
    return &reading->not_captured[0];
  return node->depth == 1 && node->parent == reading->not_captured[0] ? &reading->not_captured[1] : NULL;
}

/* A node of a damaged study that does not come after its parent, or is too deep, is left out, as is what is below it.
 */
static void
take_node (gpointer data, Statement *row)
{
  Reading *reading = data;
  gboolean source = sqlite3_column_type (row, 1) == SQLITE_NULL;
  CulpritCallNode node = { .context = context_of (row, 3) };
  guint *same;

  if (source)
    node = (CulpritCallNode) { CULPRIT_NOTHING, reading->evidence->nodes->len,          CULPRIT_NOTHING, 0,
                               node.context,    keep (reading, statement_text (row, 4)) };
  else
    {
      node.parent = numbers_get (reading->nodes, sqlite3_column_int64 (row, 1));
      if (node.parent == CULPRIT_NOTHING ||
          culprit_evidence_node (reading->evidence, node.parent)->depth >= CULPRIT_NODES_DEEPEST)
        return;
      node.depth = culprit_evidence_node (reading->evidence, node.parent)->depth + 1;
      node.source = culprit_evidence_node (reading->evidence, node.parent)->source;
      node.function = find_function (reading, sqlite3_column_int64 (row, 2), node.context, node.source);
      node.name = culprit_evidence_function (reading->evidence, node.function)->name;
    }
  same = not_captured (reading, &node);
  numbers_set (reading->nodes, sqlite3_column_int64 (row, 0),
               same && *same != CULPRIT_NOTHING ? *same : reading->evidence->nodes->len);
  if (same && *same != CULPRIT_NOTHING)
    return;
  if (same)
    *same = reading->evidence->nodes->len;
  g_array_append_val (reading->evidence->nodes, node);
}

/* Late wake-ups. */

/* The index of the population of @host, @kernel and @series, which is created if needed. */
static guint
find_population (Reading *reading, const char *host, const char *kernel, const char *series)
{
  CulpritPopulation added = { .host = host, .kernel = kernel, .series = series };
  g_autofree char *key = g_strdup_printf ("%p %p %p", host, kernel, series); /* Each text is stored once. */
  gpointer index = g_hash_table_lookup (reading->known, key);

  if (index)
    return GPOINTER_TO_UINT (index) - 1;
  added.elsewhere = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, g_free);
  added.waits = g_hash_table_new (culprit_hash_direct, NULL);
  g_array_append_val (reading->evidence->populations, added);
  g_hash_table_insert (reading->known, g_steal_pointer (&key), GUINT_TO_POINTER (reading->evidence->populations->len));
  return reading->evidence->populations->len - 1;
}

/* What the capture of @row does not show, as CulpritHidden. */
static guint
hidden_of (Statement *row)
{
  return (sqlite3_column_type (row, 15) != SQLITE_NULL ? CULPRIT_HIDDEN_DEEP : 0) |
         (sqlite3_column_type (row, 16) != SQLITE_NULL ? CULPRIT_HIDDEN_FUNCTIONS : 0) |
         (number_or (row, 17, 1) == 0 ? CULPRIT_HIDDEN_INTERRUPTS : 0);
}

static void
take_outlier (gpointer data, Statement *row)
{
  Reading *reading = data;
  guint index = numbers_get (reading->indices, sqlite3_column_int64 (row, 0));
  CulpritPopulation *population;
  CulpritCase *one;

  if (index == CULPRIT_NOTHING)
    return;
  one = culprit_evidence_case (reading->evidence, index);
  one->file = keep (reading, statement_text (row, 1));
  one->run = keep (reading, statement_text (row, 2));
  one->run_id = sqlite3_column_int64 (row, 3);
  one->latency_ns = whole_of (row, 4);
  one->own_ns = time_of (reading, row, 4);
  one->tracing_ns = whole_of (row, 5);
  one->not_captured_ns = whole_of (row, 6);
  one->lost_events = sqlite3_column_int64 (row, 7);
  one->smi_count = number_or (row, 8, -1);
  one->steal_ns = number_or (row, 9, -1);
  one->ignored = culprit_triage_ignores (statement_text (row, 10));
  one->population =
      find_population (reading, keep (reading, statement_text (row, 11)), keep (reading, statement_text (row, 12)),
                       keep (reading, statement_text (row, 13)));
  one->hidden = hidden_of (row);
  population = culprit_evidence_population (reading->evidence, one->population);
  population->virtual_machine |= sqlite3_column_int (row, 14) != 0;
  population->preemption = keep_or (reading, row, 18, strstr (population->kernel, "-rt") ? "rt" : NULL);
  population->idle_states |= sqlite3_column_int (row, 19) > 1;
  population->captures += !one->ignored;
}

static void
take_stall (gpointer data, Statement *row)
{
  Reading *reading = data;
  guint index = numbers_get (reading->indices, sqlite3_column_int64 (row, 0));

  if (index == CULPRIT_NOTHING)
    return;
  culprit_evidence_case (reading->evidence, index)->stretch =
      (CulpritStretch) { .length_ns = whole_of (row, 1),
                         .function = sqlite3_column_int64 (row, 2),
                         .name = label_of (reading, sqlite3_column_int64 (row, 2)),
                         .context = context_of (row, 3),
                         .other_cpus = number_or (row, 4, -1),
                         .silent_cpus = number_or (row, 5, -1),
                         .before = keep_or (reading, row, 6, NULL),
                         .after = keep_or (reading, row, 7, NULL) };
}

/* Finds words for windows of @kind, and for @others that it has words for. */
static void
say_windows (CulpritEvidence *evidence, gboolean others, const char *kind)
{
  const char *late = culprit_late_or_long (kind);
  const char *window = culprit_window_noun (kind);

  evidence->late = others && !g_str_equal (evidence->late, late) ? "long" : late;
  evidence->window = others && !g_str_equal (evidence->window, window) ? "window" : window;
}

/* Makes a case of each outlier of @table, and finds words for all of them. */
static void
begin_cases (Reading *reading, const CulpritTable *table)
{
  CulpritEvidence *evidence = reading->evidence;

  say_windows (evidence, FALSE, NULL);
  for (guint i = 0; i < culprit_table_rows (table); i++)
    {
      CulpritCase one = { .capture = culprit_table_integer (table, i, "capture"),
                          .file = "",
                          .run = "",
                          .priority = -1,
                          .carrier = { .node = CULPRIT_NOTHING, .function = CULPRIT_NOTHING } };

      one.by_timer = culprit_windows_begin_by_timer (culprit_table_text (table, i, "window_kind"));
      say_windows (evidence, i > 0, culprit_table_text (table, i, "window_kind"));
      one.stretch.name = "";
      g_array_append_val (evidence->cases, one);
      g_ptr_array_add (evidence->candidates, NULL);
      numbers_set (reading->indices, one.capture, i);
    }
}

/* What they are compared with. */

static void
add_base (Reading *reading, gint64 capture, guint index, guint pool)
{
  BaseCapture base = { capture, index, pool, g_array_new (FALSE, FALSE, sizeof (double)), 0 };

  g_array_append_val (reading->bases, base);
}

/* The captures whose ordinary wake-ups count: those of the cases, or those named. */
static gboolean
begin_bases (Reading *reading, GError **error)
{
  const CulpritFilter filter = { .run = reading->options->base, .counted = TRUE };
  g_autoptr (CulpritTable) captures = NULL;

  for (guint i = 0; i < (reading->named ? 1 : reading->evidence->populations->len); i++)
    g_ptr_array_add (reading->pools, pool_new ());
  for (guint i = 0; !reading->named && i < reading->evidence->cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (reading->evidence, i);

      add_base (reading, one->capture, i, one->ignored ? CULPRIT_NOTHING : one->population);
    }
  if (!reading->named)
    return TRUE;
  captures = culprit_query_captures (reading->study, reading->options->base ? &filter : reading->options->lower, error);
  for (guint i = 0; captures && i < culprit_table_rows (captures); i++)
    add_base (reading, culprit_table_integer (captures, i, "capture"), CULPRIT_NOTHING, 0);
  reading->evidence->base_captures = reading->bases->len;
  return captures != NULL;
}

static Pool *
pool_of (const Reading *reading, const CulpritCase *one)
{
  return g_ptr_array_index (reading->pools, reading->named ? 0 : one->population);
}

typedef struct
{
  double mean_ns;
  double median_ns;
  double mad_ns;
  double most_ns; /* of MOST_PERCENT of them */
} Usual;

static Usual
usual_of (const GArray *latencies_ns)
{
  guint n = latencies_ns->len;
  const double *values = (const double *) (gpointer) latencies_ns->data;
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));
  Usual usual = { 0 };

  if (n == 0)
    return usual;
  usual.mean_ns = gsl_stats_mean (values, 1, n);
  gsl_sort (sorted, 1, n);
  usual.most_ns = sorted[(MOST_PERCENT * n + 99) / 100 - 1];
  usual.median_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
  for (guint i = 0; i < n; i++)
    sorted[i] = fabs (values[i] - usual.median_ns);
  gsl_sort (sorted, 1, n);
  usual.mad_ns = gsl_stats_median_from_sorted_data (sorted, 1, n);
  return usual;
}

/* The excess of a late wake-up, and whether it stands out: it must be @longer than its base by so much of it. */
static void
compare (CulpritCase *one, const Usual *usual, guint ordinary, double tracing_ns, double longer)
{
  one->ordinary = ordinary;
  one->base_ns = usual->mean_ns;
  one->median_ns = usual->median_ns;
  one->mad_ns = usual->mad_ns;
  one->base_tracing_ns = ordinary > 0 ? tracing_ns / ordinary : 0;
  one->excess_ns = one->own_ns - one->base_ns;
  one->stands_out = ordinary >= LEAST_BASE && one->excess_ns > 0 && one->excess_ns >= longer * one->base_ns &&
                    one->own_ns - one->median_ns >= GATE * SD_OF_MAD * one->mad_ns && one->own_ns > usual->most_ns;
}

/* Compares how late the cases are. */
static void
compare_all (Reading *reading)
{
  CulpritEvidence *evidence = reading->evidence;
  const double longer = reading->options->apart ? 0 : CULPRIT_HALF;
  g_autofree Usual *usual = g_new (Usual, reading->pools->len);

  for (guint i = 0; i < reading->bases->len; i++)
    {
      const BaseCapture *base = &g_array_index (reading->bases, BaseCapture, i);
      Pool *pool = base->pool == CULPRIT_NOTHING ? NULL : g_ptr_array_index (reading->pools, base->pool);

      if (!pool)
        continue;
      g_array_append_vals (pool->latencies_ns, base->latencies_ns->data, base->latencies_ns->len);
      pool->tracing_ns += base->tracing_ns;
      pool->captures += base->latencies_ns->len > 0;
    }
  for (guint i = 0; i < reading->pools->len; i++)
    usual[i] = usual_of (((Pool *) g_ptr_array_index (reading->pools, i))->latencies_ns);
  for (guint i = 0; i < evidence->cases->len; i++)
    {
      CulpritCase *one = culprit_evidence_case (evidence, i);
      const BaseCapture *own = reading->named ? NULL : &g_array_index (reading->bases, BaseCapture, i);
      const Pool *pool = pool_of (reading, one);

      one->own_base = own && own->latencies_ns->len >= CULPRIT_LEAST_OWN_BASE;
      if (one->own_base)
        {
          Usual its = usual_of (own->latencies_ns);

          compare (one, &its, own->latencies_ns->len, own->tracing_ns, longer);
        }
      else
        compare (one, &usual[reading->named ? 0 : one->population], pool->latencies_ns->len, pool->tracing_ns, longer);
      culprit_evidence_population (evidence, one->population)->stands_out += one->stands_out && !one->ignored;
    }
}

/* Reading captures one after another. */

/* What a node cost in the wake-ups of one capture. */
typedef struct
{
  gboolean touched;
  double ns;    /* later including what is below it, as are the others */
  double calls; /* its own only */
  double stretch_ns;
  guint place;    /* the function with this stretch */
  double most_ns; /* the most own time of a node, and its function: */
  guint heaviest;
  gint64 priority;
  double windows; /* ordinary ones in which it occurs, and the most in one of them: */
  double max_calls;
  double max_ns;
} NodeCost;

/* And a function. */
typedef struct
{
  gboolean touched;
  double ns;
  double calls;
  double stretch_ns;
  double most_ns; /* by one path, and the node of that: */
  guint node;
} FunctionCost;

/* A pass over the rows of captures, in their order. */
typedef struct
{
  Reading *reading;
  gint64 capture;  /* the one whose rows are read; 0: none yet */
  guint index;     /* of its case, or of its base; the first that is not before it */
  NodeCost *nodes; /* what it has read of it, as the next */
  FunctionCost *functions;
  GArray *touched_nodes; /* of guint */
  GArray *touched_functions;
  gboolean sorted; /* Nodes were touched in ascending order. */
} Pass;

static void
touch (Pass *pass, guint node)
{
  NodeCost *cost = &pass->nodes[node];
  const CulpritCallNode *called = culprit_evidence_node (pass->reading->evidence, node);

  if (cost->touched)
    return;
  if (called->parent != CULPRIT_NOTHING)
    touch (pass, called->parent);
  *cost = (NodeCost) { .touched = TRUE, .place = called->function, .heaviest = called->function, .priority = -1 };
  pass->sorted &=
      pass->touched_nodes->len == 0 || g_array_index (pass->touched_nodes, guint, pass->touched_nodes->len - 1) < node;
  g_array_append_val (pass->touched_nodes, node);
}

static FunctionCost *
touch_function (Pass *pass, guint function)
{
  FunctionCost *cost = &pass->functions[function];

  if (!cost->touched)
    {
      *cost = (FunctionCost) { .touched = TRUE, .node = CULPRIT_NOTHING };
      g_array_append_val (pass->touched_functions, function);
    }
  return cost;
}

/* Adds what the node of @row cost by itself: number, calls, self_ns and tracing_ns from column 1 on. */
static NodeCost *
add_node (Pass *pass, Statement *row, double stretch_ns)
{
  guint node = numbers_get (pass->reading->nodes, sqlite3_column_int64 (row, 1));
  double ns = time_of (pass->reading, row, 3);
  double calls = whole_of (row, 2);
  const CulpritCallNode *called;
  FunctionCost *function;
  NodeCost *cost;

  if (node == CULPRIT_NOTHING)
    return NULL;
  touch (pass, node);
  called = culprit_evidence_node (pass->reading->evidence, node);
  cost = &pass->nodes[node];
  cost->ns += ns;
  cost->calls += calls;
  cost->most_ns = cost->ns;
  cost->stretch_ns = MAX (cost->stretch_ns, stretch_ns);
  if (called->function == CULPRIT_NOTHING)
    return cost;
  function = touch_function (pass, called->function);
  function->ns += ns;
  function->calls += calls;
  function->stretch_ns = MAX (function->stretch_ns, stretch_ns);
  if (function->node == CULPRIT_NOTHING || ns > function->most_ns)
    {
      function->most_ns = ns;
      function->node = node;
    }
  return cost;
}

/* Adds to each node what is below it: a node comes after its parent. */
static void
add_up (Pass *pass)
{
  if (!pass->sorted)
    g_array_sort (pass->touched_nodes, compare_uint);
  for (guint i = pass->touched_nodes->len; i > 0; i--)
    {
      guint node = g_array_index (pass->touched_nodes, guint, i - 1);
      guint parent = culprit_evidence_node (pass->reading->evidence, node)->parent;
      const NodeCost *below = &pass->nodes[node];
      NodeCost *cost = parent != CULPRIT_NOTHING ? &pass->nodes[parent] : NULL;

      if (!cost)
        continue;
      cost->ns += below->ns;
      if (below->stretch_ns > cost->stretch_ns)
        {
          cost->stretch_ns = below->stretch_ns;
          cost->place = below->place;
        }
      if (below->most_ns > cost->most_ns)
        {
          cost->most_ns = below->most_ns;
          cost->heaviest = below->heaviest;
        }
    }
}

static void
forget_capture (Pass *pass)
{
  for (guint i = 0; i < pass->touched_nodes->len; i++)
    pass->nodes[g_array_index (pass->touched_nodes, guint, i)].touched = FALSE;
  for (guint i = 0; i < pass->touched_functions->len; i++)
    pass->functions[g_array_index (pass->touched_functions, guint, i)].touched = FALSE;
  g_array_set_size (pass->touched_nodes, 0);
  g_array_set_size (pass->touched_functions, 0);
  pass->sorted = TRUE;
}

/* What may carry a late wake-up. */

static void
add_candidate_node (const Pass *pass, guint node, double least_ns, GArray *candidates)
{
  const NodeCost *cost = &pass->nodes[node];
  CulpritCarrier candidate = { .node = node,
                               .function = CULPRIT_NOTHING,
                               .ns = cost->ns,
                               .calls = cost->calls,
                               .stretch_ns = cost->stretch_ns,
                               .place = cost->place,
                               .heaviest = cost->heaviest,
                               .priority = cost->priority };

  if (cost->ns >= least_ns)
    g_array_append_val (candidates, candidate);
}

static void
add_candidate_function (const Pass *pass, guint function, double least_ns, GArray *candidates)
{
  const FunctionCost *cost = &pass->functions[function];
  CulpritCarrier candidate = { .node = cost->node,
                               .function = function,
                               .ns = cost->ns,
                               .calls = cost->calls,
                               .stretch_ns = cost->stretch_ns,
                               .node_ns = cost->most_ns,
                               .place = function,
                               .heaviest = function,
                               .priority = -1 };

  if (cost->ns >= least_ns && !culprit_evidence_function (pass->reading->evidence, function)->bracket)
    g_array_append_val (candidates, candidate);
}

/* The late wake-up whose rows were read; NULL: there is none that stands out. */
static CulpritCase *
late_case (const Pass *pass)
{
  const CulpritEvidence *evidence = pass->reading->evidence;
  CulpritCase *one = pass->index < evidence->cases->len ? culprit_evidence_case (evidence, pass->index) : NULL;

  return one && one->capture == pass->capture && one->stands_out ? one : NULL;
}

static gboolean
calls (const CulpritEvidence *evidence, guint node, const char *part)
{
  return strstr (culprit_evidence_node (evidence, node)->name, part) != NULL;
}

/* Whether it handles timers: their interrupt, or the soft one in which those expire that may be preempted. */
static gboolean
is_of_timers (const CulpritEvidence *evidence, guint node)
{
  return calls (evidence, node, TIMER_INTERRUPT) || calls (evidence, node, "hrtimer_run_softirq");
}

/* Whether a timer of a task expired: it woke somebody, other than for the tick. Where the kernel's timers are not seen
 * any interrupt of the clock may be it. */
static gboolean
timer_rang (const Pass *pass)
{
  const CulpritEvidence *evidence = pass->reading->evidence;
  gboolean interrupted = FALSE;
  gboolean timers_seen = FALSE;

  for (guint i = 0; i < pass->touched_nodes->len; i++)
    {
      guint node = g_array_index (pass->touched_nodes, guint, i);
      guint above = node;

      interrupted |= calls (evidence, node, TIMER_INTERRUPT);
      timers_seen |= calls (evidence, node, "hrtimer_interrupt");
      if (!calls (evidence, node, "wake"))
        continue;
      while (above != CULPRIT_NOTHING && !calls (evidence, above, "tick") && !is_of_timers (evidence, above))
        above = culprit_evidence_node (evidence, above)->parent;
      if (above != CULPRIT_NOTHING && is_of_timers (evidence, above))
        return TRUE;
    }
  return interrupted && !timers_seen;
}

/* Keeps what has half of its excess or more. */
static void
finish_late (Pass *pass)
{
  CulpritCase *one = late_case (pass);

  if (one)
    {
      GArray *candidates = g_array_new (FALSE, FALSE, sizeof (CulpritCarrier));

      add_up (pass);
      for (guint i = 0; i < pass->touched_nodes->len; i++)
        {
          guint node = g_array_index (pass->touched_nodes, guint, i);

          add_candidate_node (pass, node, CULPRIT_HALF * one->excess_ns, candidates);
        }
      one->timer_rang = timer_rang (pass);
      for (guint i = 0; i < pass->touched_functions->len; i++)
        add_candidate_function (pass, g_array_index (pass->touched_functions, guint, i), CULPRIT_HALF * one->excess_ns,
                                candidates);
      pass->reading->evidence->candidates->pdata[pass->index] = candidates;
    }
  forget_capture (pass);
}

static void
take_late (gpointer data, Statement *row)
{
  Pass *pass = data;
  const CulpritEvidence *evidence = pass->reading->evidence;
  gint64 capture = sqlite3_column_int64 (row, 0);
  CulpritCase *one;
  NodeCost *cost;

  if (capture != pass->capture)
    {
      finish_late (pass);
      pass->capture = capture;
      while (pass->index < evidence->cases->len && culprit_evidence_case (evidence, pass->index)->capture < capture)
        pass->index++;
    }
  one = late_case (pass);
  cost = one ? add_node (pass, row, whole_of (row, 5)) : NULL;
  if (!cost)
    return;
  cost->priority = number_or (row, 6, -1);
  if (cost->priority >= 0 && cost->place == CULPRIT_NOTHING &&
      culprit_evidence_node (evidence, numbers_get (pass->reading->nodes, sqlite3_column_int64 (row, 1)))->context ==
          CULPRIT_CONTEXT_MEASURED)
    one->priority = cost->priority;
}

/* What that costs ordinarily. */

static void
add_ordinary (CulpritOrdinary *sum, const CulpritOrdinary *added)
{
  sum->ns += added->ns;
  sum->calls += added->calls;
  sum->windows += added->windows;
  sum->part += added->part;
  sum->max_ns = MAX (sum->max_ns, added->max_ns);
  sum->max_calls = MAX (sum->max_calls, added->max_calls);
}

/* What @ns in the ordinary wake-ups of @base add to the mean part of their time; nothing, if they took none. */
static double
part_of (const Pool *pool, const BaseCapture *base, double ns)
{
  return base->all_ns > 0 ? ns / base->all_ns / pool->captures : 0;
}

/* Adds what @base, whose rows were read, has of all that may carry a wake-up of its pool. */
static void
add_to_pool (const Pass *pass, const BaseCapture *base, const Pool *pool)
{
  GHashTableIter each;
  gpointer key;
  gpointer sum;

  g_hash_table_iter_init (&each, pool->nodes);
  while (g_hash_table_iter_next (&each, &key, &sum))
    {
      const NodeCost *cost = &pass->nodes[GPOINTER_TO_UINT (key)];
      const CulpritOrdinary its = { .ns = cost->ns,
                                    .calls = cost->calls,
                                    .windows = cost->windows,
                                    .part = part_of (pool, base, cost->ns),
                                    .max_ns = cost->max_ns,
                                    .max_calls = cost->max_calls };

      if (cost->touched)
        add_ordinary (sum, &its);
    }
  g_hash_table_iter_init (&each, pool->functions);
  while (g_hash_table_iter_next (&each, &key, &sum))
    {
      const FunctionCost *cost = &pass->functions[GPOINTER_TO_UINT (key)];
      const CulpritOrdinary its = { .ns = cost->ns, .calls = cost->calls, .part = part_of (pool, base, cost->ns) };

      if (cost->touched)
        add_ordinary (sum, &its);
    }
}

/* Tells the case of the capture whose rows were read what its candidates cost on average. */
static void
compare_candidates (const Pass *pass, const CulpritCase *one, GArray *candidates)
{
  for (guint i = 0; candidates && i < candidates->len; i++)
    {
      CulpritCarrier *candidate = &g_array_index (candidates, CulpritCarrier, i);
      const NodeCost *node = &pass->nodes[candidate->node];
      const FunctionCost *function =
          candidate->function != CULPRIT_NOTHING ? &pass->functions[candidate->function] : NULL;

      if (function ? !function->touched : !node->touched)
        continue;
      candidate->base_ns = (function ? function->ns : node->ns) / one->ordinary;
    }
}

static const BaseCapture *
usual_base (const Pass *pass)
{
  const GArray *bases = pass->reading->bases;
  const BaseCapture *base = pass->index < bases->len ? &g_array_index (bases, BaseCapture, pass->index) : NULL;

  return base && base->capture == pass->capture ? base : NULL;
}

/* Goes on to the rows of @capture, which come in the order of captures. */
static void
go_to_base (Pass *pass, gint64 capture)
{
  const GArray *bases = pass->reading->bases;

  pass->capture = capture;
  while (pass->index < bases->len && g_array_index (bases, BaseCapture, pass->index).capture < capture)
    pass->index++;
}

/* Of a single wake-up, what the rows of ordinary ones tell of several. */
static void
take_as_one (Pass *pass)
{
  for (guint i = 0; i < pass->touched_nodes->len; i++)
    {
      NodeCost *cost = &pass->nodes[g_array_index (pass->touched_nodes, guint, i)];

      cost->windows = 1;
      cost->max_calls = cost->calls;
      cost->max_ns = cost->ns;
    }
}

static void
finish_usual (Pass *pass)
{
  const CulpritEvidence *evidence = pass->reading->evidence;
  const BaseCapture *base = usual_base (pass);

  if (base)
    {
      add_up (pass);
      if (pass->reading->options->lower)
        take_as_one (pass);
      if (base->index != CULPRIT_NOTHING && culprit_evidence_case (evidence, base->index)->own_base)
        compare_candidates (pass, culprit_evidence_case (evidence, base->index),
                            g_ptr_array_index (evidence->candidates, base->index));
      if (base->pool != CULPRIT_NOTHING)
        add_to_pool (pass, base, g_ptr_array_index (pass->reading->pools, base->pool));
    }
  forget_capture (pass);
}

static void
take_usual (gpointer data, Statement *row)
{
  Pass *pass = data;
  gint64 capture = sqlite3_column_int64 (row, 0);
  NodeCost *cost;

  if (capture != pass->capture)
    {
      finish_usual (pass);
      go_to_base (pass, capture);
    }
  cost = usual_base (pass) ? add_node (pass, row, 0) : NULL;
  if (!cost || pass->reading->options->lower)
    return;
  cost->windows += whole_of (row, 5);
  cost->max_calls = MAX (cost->max_calls, whole_of (row, 6));
  cost->max_ns = MAX (cost->max_ns, whole_of (row, 7));
}

/* Passes. */

static void
pass_clear (Pass *pass)
{
  g_free (pass->nodes);
  g_free (pass->functions);
  g_clear_pointer (&pass->touched_nodes, g_array_unref);
  g_clear_pointer (&pass->touched_functions, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pass, pass_clear)

/* Goes through the rows of study/sql/@name.sql from the capture @first to @last with @take, then calls @finish, unless
 * it is NULL. */
static gboolean
read_pass (Reading *reading,
           const char *name,
           gint64 first,
           gint64 last,
           void (*take) (gpointer data, Statement *row),
           void (*finish) (Pass *pass),
           GError **error)
{
  const CulpritEvidence *evidence = reading->evidence;
  g_autoptr (Statement) statement = statement_named (reading->study, name, error);
  g_auto (Pass) pass = { .reading = reading, .sorted = TRUE };

  pass.nodes = g_new0 (NodeCost, evidence->nodes->len + 1);
  pass.functions = g_new0 (FunctionCost, evidence->functions->len + 1);
  pass.touched_nodes = g_array_new (FALSE, FALSE, sizeof (guint));
  pass.touched_functions = g_array_new (FALSE, FALSE, sizeof (guint));
  if (statement)
    statement_bind_named (statement, "i:first i:last", first, last);
  if (!read_rows (reading->study, statement, take, &pass, error))
    return FALSE;
  if (finish)
    finish (&pass);
  return TRUE;
}

/* The same for the captures that wake-ups are compared with. */
static gboolean
read_bases (Reading *reading,
            const char *name,
            void (*take) (gpointer data, Statement *row),
            void (*finish) (Pass *pass),
            GError **error)
{
  const GArray *bases = reading->bases;

  return bases->len == 0 || read_pass (reading, name, g_array_index (bases, BaseCapture, 0).capture,
                                       g_array_index (bases, BaseCapture, bases->len - 1).capture, take, finish, error);
}

/* And for the late wake-ups. */
static gboolean
read_late (Reading *reading, GError **error)
{
  const CulpritEvidence *evidence = reading->evidence;

  return evidence->cases->len == 0 ||
         read_pass (reading, "evidence-late", culprit_evidence_case (evidence, 0)->capture,
                    culprit_evidence_case (evidence, evidence->cases->len - 1)->capture, take_late, finish_late, error);
}

/* What is known of functions. */

static void
want_part (const Pool *pool, gint64 function, CulpritContext context)
{
  gint64 key = part_key (function, context);

  if (!g_hash_table_contains (pool->parts, &key))
    g_hash_table_insert (pool->parts, g_memdup2 (&key, sizeof key), g_new0 (PartFacts, 1));
}

static void
want_function (const Reading *reading, const Pool *pool, guint index)
{
  const CulpritCallFunction *function;

  if (index == CULPRIT_NOTHING)
    return;
  function = culprit_evidence_function (reading->evidence, index);
  want_part (pool, function->id, function->context);
}

static void
want_costs (GHashTable *wanted, guint index)
{
  gpointer key = GUINT_TO_POINTER (index);

  if (!g_hash_table_contains (wanted, key))
    g_hash_table_insert (wanted, key, g_new0 (CulpritOrdinary, 1));
}

/* Notes of what the pools must know the ordinary costs: what may carry, where stretches are, what the idle task runs
 * where that may matter. */
static void
want_all (Reading *reading)
{
  const CulpritEvidence *evidence = reading->evidence;

  for (guint i = 0; i < evidence->cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (evidence, i);
      const GArray *candidates = g_ptr_array_index (evidence->candidates, i);
      Pool *pool = pool_of (reading, one);

      want_part (pool, one->stretch.function, one->stretch.context);
      for (guint k = 0; candidates && k < candidates->len; k++)
        {
          const CulpritCarrier *candidate = &g_array_index (candidates, CulpritCarrier, k);
          gboolean node = candidate->function == CULPRIT_NOTHING;

          if (!node)
            want_costs (pool->functions, candidate->function);
          pool->idle |= culprit_evidence_node (evidence, candidate->node)->context == CULPRIT_CONTEXT_IDLE;
          for (guint above = candidate->node; above != CULPRIT_NOTHING; /* A cause may be any of them. */
               above = culprit_evidence_node (evidence, above)->parent)
            want_costs (pool->nodes, above);
          want_function (reading, pool, candidate->function);
          want_function (reading, pool, candidate->place);
          if (candidate->place != CULPRIT_NOTHING)
            want_costs (pool->functions, candidate->place);
        }
    }
  for (guint i = 0; i < evidence->functions->len; i++)
    for (guint k = 0;
         k < reading->pools->len && culprit_evidence_function (evidence, i)->context == CULPRIT_CONTEXT_IDLE; k++)
      if (((const Pool *) g_ptr_array_index (reading->pools, k))->idle)
        want_function (reading, g_ptr_array_index (reading->pools, k), i);
}

/* The numbers of functions of which it matters what they cost outside of late wake-ups. */
static GHashTable *
want_elsewhere (const Reading *reading)
{
  GHashTable *wanted = g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < reading->pools->len; i++)
    {
      const Pool *pool = g_ptr_array_index (reading->pools, i);
      GHashTableIter each;
      gpointer key;

      g_hash_table_iter_init (&each, pool->parts);
      while (g_hash_table_iter_next (&each, &key, NULL))
        {
          gint64 function = *(const gint64 *) key / CULPRIT_CONTEXTS;

          g_hash_table_add (wanted, g_memdup2 (&function, sizeof function));
        }
    }
  return wanted;
}

/* Rows are in the order of captures. */
static void
take_part (gpointer data, Statement *row)
{
  Pass *pass = data;
  gint64 key = part_key (sqlite3_column_int64 (row, 1), context_of (row, 2));
  const BaseCapture *base;
  PartFacts *facts;
  Pool *pool;

  go_to_base (pass, sqlite3_column_int64 (row, 0));
  base = usual_base (pass);
  if (!base || base->pool == CULPRIT_NOTHING)
    return;
  pool = g_ptr_array_index (pass->reading->pools, base->pool);
  pool->stretch_ns = MAX (pool->stretch_ns, whole_of (row, 5));
  facts = g_hash_table_lookup (pool->parts, &key);
  if (!facts)
    return;
  facts->windows += whole_of (row, 3);
  facts->max_calls = MAX (facts->max_calls, whole_of (row, 4));
  facts->stretch_ns = MAX (facts->stretch_ns, whole_of (row, 5));
  facts->ns.max = MAX (facts->ns.max, whole_of (row, 6));
  if (pass->reading->options->lower)
    culprit_spread_add (&facts->ns, MAX (whole_of (row, 6), 0));
  else
    culprit_spread_add_packed (&facts->ns, sqlite3_column_blob (row, 7), sqlite3_column_bytes (row, 7));
}

static void
take_latency (gpointer data, Statement *row)
{
  Pass *pass = data;
  GArray *bases = pass->reading->bases;
  double latency_ns = time_of (pass->reading, row, 1);
  BaseCapture *base;

  go_to_base (pass, sqlite3_column_int64 (row, 0));
  if (!usual_base (pass))
    return;
  base = &g_array_index (bases, BaseCapture, pass->index);
  g_array_append_val (base->latencies_ns, latency_ns);
  base->all_ns += latency_ns;
  base->tracing_ns += whole_of (row, 2);
}

/* What a function costs outside of late wake-ups. */
typedef struct
{
  double calls;
  double ns;
} Elsewhere;

/* The populations (of guint) that captures of each run belong to. */
static GHashTable *
find_runs (const Reading *reading)
{
  GHashTable *runs =
      g_hash_table_new_full (culprit_hash_number, g_int64_equal, g_free, (GDestroyNotify) g_hash_table_unref);

  for (guint i = 0; i < reading->evidence->cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (reading->evidence, i);
      GHashTable *populations = g_hash_table_lookup (runs, &one->run_id);

      if (!populations)
        {
          populations = g_hash_table_new (culprit_hash_direct, NULL);
          g_hash_table_insert (runs, g_memdup2 (&one->run_id, sizeof one->run_id), populations);
        }
      g_hash_table_add (populations, GUINT_TO_POINTER (one->population));
    }
  return runs;
}

typedef struct
{
  Reading *reading;
  GHashTable *runs;
  GHashTable *wanted; /* functions */
} ElsewhereReading;

static void
take_elsewhere (gpointer data, Statement *row)
{
  ElsewhereReading *it = data;
  gint64 run = sqlite3_column_int64 (row, 0);
  gint64 function = sqlite3_column_int64 (row, 1);
  GHashTable *populations = g_hash_table_lookup (it->runs, &run);
  GHashTableIter each;
  gpointer index;

  if (!populations || !g_hash_table_contains (it->wanted, &function))
    return;
  g_hash_table_iter_init (&each, populations);
  while (g_hash_table_iter_next (&each, &index, NULL))
    {
      GHashTable *all = culprit_evidence_population (it->reading->evidence, GPOINTER_TO_UINT (index))->elsewhere;
      Elsewhere *sum = g_hash_table_lookup (all, &function);

      if (!sum)
        g_hash_table_insert (all, g_memdup2 (&function, sizeof function), sum = g_new0 (Elsewhere, 1));
      sum->calls += whole_of (row, 2);
      sum->ns += MAX (time_of (it->reading, row, 3), 0);
    }
}

double
culprit_evidence_elsewhere (const CulpritPopulation *population, gint64 function)
{
  const Elsewhere *sum = g_hash_table_lookup (population->elsewhere, &function);

  return sum ? sum->ns / sum->calls : NAN;
}

static const PartFacts *
facts_of (const Reading *reading, const Pool *pool, guint index)
{
  const CulpritCallFunction *function = culprit_evidence_function (reading->evidence, index);
  gint64 key = part_key (function->id, function->context);

  return g_hash_table_lookup (pool->parts, &key);
}

static gboolean
is_called_idle (const CulpritCallFunction *function)
{
  return strstr (function->name, "idle") || strstr (function->name, "halt");
}

/* Where the idle CPU waits, each time longer than an ordinary wake-up takes: what it usually runs with the longest
 * calls, and what is called so, as there may be a function for each way to sleep. */
static void
find_waits (const Reading *reading, CulpritPopulation *population, const Pool *pool)
{
  double longest_ns = population->ordinary > 0 ? population->ordinary_ns / population->ordinary : INFINITY;
  const double least_ns = longest_ns;
  guint longest = CULPRIT_NOTHING;

  for (guint i = 0; i < reading->evidence->functions->len; i++)
    {
      const CulpritCallFunction *function = culprit_evidence_function (reading->evidence, i);
      const PartFacts *facts = function->context == CULPRIT_CONTEXT_IDLE ? facts_of (reading, pool, i) : NULL;
      double each_ns = facts && !function->bracket ? culprit_evidence_elsewhere (population, function->id) : NAN;

      if (each_ns > least_ns && is_called_idle (function))
        g_hash_table_add (population->waits, GUINT_TO_POINTER (i));
      if (!(each_ns > longest_ns) || facts->windows < CULPRIT_HALF * population->ordinary)
        continue;
      longest_ns = each_ns;
      longest = i;
    }
  if (longest != CULPRIT_NOTHING)
    g_hash_table_add (population->waits, GUINT_TO_POINTER (longest));
}

gboolean
culprit_evidence_waits (const CulpritEvidence *evidence, const CulpritPopulation *population, guint function)
{
  const CulpritCallFunction *it = function != CULPRIT_NOTHING ? culprit_evidence_function (evidence, function) : NULL;

  return it && it->context == CULPRIT_CONTEXT_IDLE &&
         (it->bracket || g_hash_table_contains (population->waits, GUINT_TO_POINTER (function)));
}

/* Tells a population what is known of its pool. Of a node, it is not known in which wake-ups it takes longest: the same
 * in each. */
static void
describe_population (const Reading *reading, CulpritPopulation *population, Pool *pool)
{
  const guint few = pool->latencies_ns->len * (100 - MOST_PERCENT) / 100;
  GHashTableIter each;
  gpointer index;
  gpointer costs;

  population->ordinary = pool->latencies_ns->len;
  population->ordinary_ns = 0;
  for (guint i = 0; i < pool->latencies_ns->len; i++)
    population->ordinary_ns += g_array_index (pool->latencies_ns, double, i);
  g_hash_table_iter_init (&each, pool->functions);
  while (g_hash_table_iter_next (&each, &index, &costs))
    {
      const PartFacts *facts = facts_of (reading, pool, GPOINTER_TO_UINT (index));
      CulpritOrdinary *ordinary = costs;

      ordinary->windows = facts->windows;
      ordinary->max_ns = facts->ns.max;
      ordinary->rare_ns = MIN (culprit_spread_largest (&facts->ns, few), ordinary->ns);
      ordinary->max_calls = facts->max_calls;
    }
  g_hash_table_iter_init (&each, pool->nodes);
  while (g_hash_table_iter_next (&each, NULL, &costs))
    {
      CulpritOrdinary *ordinary = costs;

      ordinary->rare_ns = ordinary->windows > few ? ordinary->ns * few / ordinary->windows : ordinary->ns;
    }
  population->nodes = g_hash_table_ref (pool->nodes);
  population->functions = g_hash_table_ref (pool->functions);
  find_waits (reading, population, pool);
}

/* Tells a case what it was compared with, where that is its population, and what is known of its stretches. */
static void
describe_case (const Reading *reading, guint index)
{
  CulpritCase *one = culprit_evidence_case (reading->evidence, index);
  const CulpritPopulation *population = culprit_evidence_population (reading->evidence, one->population);
  GArray *candidates = g_ptr_array_index (reading->evidence->candidates, index);
  const Pool *pool = pool_of (reading, one);
  gint64 key = part_key (one->stretch.function, one->stretch.context);

  one->usual_stretch_ns = pool->stretch_ns;
  one->stretch.ordinary_ns = ((const PartFacts *) g_hash_table_lookup (pool->parts, &key))->stretch_ns;
  for (guint i = 0; candidates && i < candidates->len; i++)
    {
      CulpritCarrier *candidate = &g_array_index (candidates, CulpritCarrier, i);
      const CulpritOrdinary *ordinary = culprit_evidence_ordinary (population, candidate);

      if (candidate->place != CULPRIT_NOTHING)
        candidate->ordinary_stretch_ns = facts_of (reading, pool, candidate->place)->stretch_ns;
      if (one->own_base || population->ordinary == 0)
        continue;
      candidate->base_ns = ordinary->ns / population->ordinary;
    }
}

const CulpritOrdinary *
culprit_evidence_ordinary (const CulpritPopulation *population, const CulpritCarrier *carrier)
{
  gboolean node = carrier->function == CULPRIT_NOTHING;

  return g_hash_table_lookup (node ? population->nodes : population->functions,
                              GUINT_TO_POINTER (node ? carrier->node : carrier->function));
}

static gboolean
read_elsewhere (Reading *reading, GError **error)
{
  g_autoptr (GHashTable) runs = find_runs (reading);
  g_autoptr (GHashTable) wanted = want_elsewhere (reading);
  g_autoptr (Statement) statement = statement_named (reading->study, "evidence-elsewhere", error);
  ElsewhereReading elsewhere = { reading, runs, wanted };

  return read_rows (reading->study, statement, take_elsewhere, &elsewhere, error);
}

static gboolean
read_all (Reading *reading, GError **error)
{
  const CulpritEvidenceOptions *options = reading->options;
  const CulpritFilter everything = { 0 };
  CulpritEvidence *evidence = reading->evidence;
  const gboolean late = options->lower != NULL;
  g_autoptr (CulpritTable) table =
      culprit_query_outliers (reading->study, options->filter ? options->filter : &everything, error);

  if (!table)
    return FALSE;
  evidence->lower = late;
  evidence->apart = options->apart;
  begin_cases (reading, table);
  if (!read_all_rows (reading, "evidence-names", take_name, error) ||
      !read_all_rows (reading, "evidence-nodes", take_node, error) ||
      !read_all_rows (reading, "evidence-outliers", take_outlier, error) ||
      !read_all_rows (reading, "evidence-stalls", take_stall, error) || !begin_bases (reading, error) ||
      !read_bases (reading, late ? "evidence-lower" : "evidence-ordinary", take_latency, NULL, error))
    return FALSE;
  compare_all (reading);
  if (!read_late (reading, error))
    return FALSE;
  want_all (reading);
  if (!read_bases (reading, late ? "evidence-late" : "evidence-usual", take_usual, finish_usual, error) ||
      !read_bases (reading, late ? "evidence-lower-parts" : "evidence-parts", take_part, NULL, error) ||
      !read_elsewhere (reading, error))
    return FALSE;
  for (guint i = 0; i < evidence->populations->len; i++)
    describe_population (reading, culprit_evidence_population (evidence, i),
                         g_ptr_array_index (reading->pools, reading->named ? 0 : i));
  for (guint i = 0; i < evidence->cases->len; i++)
    describe_case (reading, i);
  return TRUE;
}

CulpritEvidence *
culprit_evidence_read (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error)
{
  g_auto (Reading) reading;

  reading_begin (&reading, study, options);
  return read_all (&reading, error) ? g_steal_pointer (&reading.evidence) : NULL;
}
