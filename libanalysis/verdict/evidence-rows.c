/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads each table once, and adds each row to the case and the population it belongs to. */
#include "evidence-private.h"

#include "names.h"
#include "study/import.h"
#include "study/statement-private.h"
#include "study/triage.h"

#define USUAL_CYCLES 10000 /* that are taken to have been measured for a capture where nothing tells */

typedef void (*TakeRow) (Reading *reading, Statement *row);

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

  return name ? name : CULPRIT_UNNAMED;
}

/* The place of the case of the capture in the first column; G_MAXUINT where it is none of those asked for. */
static guint
place_of (const Reading *reading, Statement *row)
{
  gint64 capture = sqlite3_column_int64 (row, 0);
  gpointer place = g_hash_table_lookup (reading->places, &capture);

  return place ? GPOINTER_TO_UINT (place) - 1 : G_MAXUINT;
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
  const char *name = keep (reading, row, 1);
  const char *module = keep (reading, row, 2);
  guint ordinal = sqlite3_column_int64 (row, 3);
  g_autofree char *label = culprit_function_label (name, ordinal);
  gint64 function = sqlite3_column_int64 (row, 0);

  g_hash_table_insert (reading->names, g_memdup2 (&function, sizeof function),
                       g_string_chunk_insert_const (reading->evidence->texts, label));
  g_hash_table_insert (reading->evidence->keys, g_memdup2 (&function, sizeof function),
                       culprit_function_key (name, module, ordinal));
}

/* The place of the population of @host, @kernel and @series; a new one where there is none yet. */
static guint
find_population (Reading *reading, const char *host, const char *kernel, const char *series)
{
  CulpritPopulation added = { .host = host, .kernel = kernel, .series = series };

  for (guint i = 0; i < reading->evidence->populations->len; i++)
    {
      const CulpritPopulation *population = &g_array_index (reading->evidence->populations, CulpritPopulation, i);

      /* Each text is kept once. */
      if (population->host == host && population->kernel == kernel && population->series == series)
        return i;
    }
  added.suspects = g_array_new (FALSE, TRUE, sizeof (CulpritSuspect));
  g_array_append_val (reading->evidence->populations, added);
  g_ptr_array_add (reading->pools, base_new ());
  return reading->evidence->populations->len - 1;
}

/* What the capture of @row does not show, of CulpritHidden. */
static guint
hidden_of (Statement *row)
{
  return (sqlite3_column_type (row, 15) != SQLITE_NULL ? CULPRIT_HIDDEN_DEEP : 0) |
         (sqlite3_column_type (row, 16) != SQLITE_NULL ? CULPRIT_HIDDEN_FUNCTIONS : 0) |
         (number_or (row, 17, 1) == 0 ? CULPRIT_HIDDEN_INTERRUPTS : 0);
}

static void
take_outlier (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritCase *one = place == G_MAXUINT ? NULL : reading_case (reading, place);
  CulpritPopulation *population;

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
  one->ignored = culprit_triage_ignores (statement_text (row, 9));
  one->cycles_known = sqlite3_column_type (row, 10) != SQLITE_NULL;
  one->cycles = MAX (number_or (row, 10, USUAL_CYCLES), 1);
  one->population =
      find_population (reading, keep (reading, row, 11), keep (reading, row, 12), keep (reading, row, 13));
  one->hidden = hidden_of (row);
  population = &g_array_index (reading->evidence->populations, CulpritPopulation, one->population);
  population->virtual_machine |= sqlite3_column_int (row, 14) != 0;
  population->captures += !one->ignored;
}

/* The ordinary wake-ups that the case at @place shares with its population; NULL where it is left out of them. */
static Base *
pool_of (const Reading *reading, guint place)
{
  const CulpritCase *one = reading_case (reading, place);

  return one->ignored ? NULL : g_ptr_array_index (reading->pools, one->population);
}

static void
take_ordinary (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  double latency_ns = time_of (reading, row, 1, 2);
  Base *pool = place == G_MAXUINT ? NULL : pool_of (reading, place);

  if (place != G_MAXUINT)
    g_array_append_val (((Base *) g_ptr_array_index (reading->bases, place))->latencies_ns, latency_ns);
  if (!pool)
    return;
  g_array_append_val (pool->latencies_ns, latency_ns);
  pool->spread_windows += sqlite3_column_int (row, 3);
}

static void
take_part (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritPart part = { .function = sqlite3_column_int64 (row, 1),
                       .context = context_of (row, 2),
                       .calls = sqlite3_column_double (row, 3),
                       .self_ns = time_of (reading, row, 4, 5),
                       .untraced_ns = sqlite3_column_double (row, 4) - sqlite3_column_double (row, 5),
                       .path = keep (reading, row, 6),
                       .longest_ns = sqlite3_column_double (row, 10),
                       .suspect = CULPRIT_NO_SUSPECT,
                       .p = 1 };
  double rest_calls = sqlite3_column_double (row, 7);
  Base *pool = place == G_MAXUINT ? NULL : pool_of (reading, place);

  if (place == G_MAXUINT)
    return;
  part.name = name_of (reading, part.function);
  g_array_append_val (reading_case (reading, place)->parts, part);
  if (pool && rest_calls > 0)
    {
      BaseSums *elsewhere = base_elsewhere (pool, part.function);

      elsewhere->calls += rest_calls;
      elsewhere->self_ns += MAX (time_of (reading, row, 8, 9), 0);
    }
}

static void
add_spread (CulpritSpread *spread, Statement *row, int column, int max_column)
{
  culprit_spread_add_packed (spread, sqlite3_column_blob (row, column), sqlite3_column_bytes (row, column));
  spread->max = MAX (spread->max, (guint64) MAX (sqlite3_column_int64 (row, max_column), 0));
}

static void
take_base_part (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  gint64 function = sqlite3_column_int64 (row, 1);
  CulpritContext context = context_of (row, 2);
  Base *pool = place == G_MAXUINT ? NULL : pool_of (reading, place);
  Base *const bases[] = { place == G_MAXUINT ? NULL : g_ptr_array_index (reading->bases, place), pool };

  for (guint i = 0; i < G_N_ELEMENTS (bases) && bases[i]; i++)
    {
      BaseSums *sums = base_part (bases[i], function, context);

      sums->calls += sqlite3_column_double (row, 3);
      sums->self_ns += time_of (reading, row, 4, 5);
      sums->windows += sqlite3_column_double (row, 6);
      if (bases[i] != pool)
        continue;
      add_spread (&sums->untraced_ns, row, 7, 8);
      add_spread (&sums->calls_made, row, 9, 10);
      add_spread (&sums->stretch_ns, row, 11, 12);
    }
}

static void
take_holder (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritHolder holder = { .context = context_of (row, 1),
                           .name = keep (reading, row, 2),
                           .self_ns = time_of (reading, row, 3, 4),
                           .untraced_ns = sqlite3_column_double (row, 3) - sqlite3_column_double (row, 4),
                           .path = keep (reading, row, 5),
                           .priority = number_or (row, 6, -1),
                           .suspect = CULPRIT_NO_SUSPECT,
                           .p = 1 };

  if (place != G_MAXUINT)
    g_array_append_val (reading_case (reading, place)->holders, holder);
}

static void
take_base_holder (Reading *reading, Statement *row)
{
  guint place = place_of (reading, row);
  CulpritContext context = context_of (row, 1);
  Base *pool = place == G_MAXUINT ? NULL : pool_of (reading, place);
  Base *const bases[] = { place == G_MAXUINT ? NULL : g_ptr_array_index (reading->bases, place), pool };

  for (guint i = 0; i < G_N_ELEMENTS (bases) && bases[i]; i++)
    {
      BaseSums *sums = base_holder (bases[i], statement_text (row, 2), context);

      sums->self_ns += time_of (reading, row, 3, 4);
      if (bases[i] == pool)
        add_spread (&sums->untraced_ns, row, 5, 6);
    }
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
    reading_case (reading, place)->stretch = stretch;
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

gboolean
evidence_read_ordinary (Reading *reading, GError **error)
{
  return read_rows (reading,
                    "SELECT capture_id, latency_ns, tracing_ns, read_version >= " G_STRINGIFY (
                        CULPRIT_READ_VERSION) " FROM window JOIN capture USING (capture_id) WHERE kind = 'ordinary'",
                    take_ordinary, error) &&
         read_rows (reading,
                    "SELECT capture_id, function_id, context, calls, self_ns, tracing_ns, windows, untraced_spread, "
                    "untraced_max_ns, calls_spread, calls_max, stretch_spread, stretch_max_ns FROM ordinary_cost",
                    take_base_part, error) &&
         read_rows (reading,
                    "SELECT capture_id, context, source, self_ns, tracing_ns, untraced_spread, untraced_max_ns "
                    "FROM ordinary_source",
                    take_base_holder, error);
}

gboolean
evidence_read_outliers (Reading *reading, GError **error)
{
  return read_rows (reading,
                    "SELECT capture_id, file, run.name, latency_ns, tracing_ns, not_captured_ns, lost_events, "
                    "capture.smi_count, capture.steal_ns, triage, hit_cycle - IFNULL (LAG (hit_cycle) "
                    " OVER (PARTITION BY run_id ORDER BY hit_cycle), 0), host.name, host.kernel, "
                    "IFNULL (recording, run.name), IFNULL (json_extract (facts, '$.virtual_machine'), 0), "
                    "graph_depth, graph_functions, interrupts_traced "
                    "FROM window JOIN capture USING (capture_id) JOIN run USING (run_id) "
                    "JOIN host ON host.host_id = capture.host_id WHERE kind = 'outlier' ORDER BY capture_id",
                    take_outlier, error) &&
         read_rows (reading,
                    "SELECT window.capture_id, cost.function_id, context, cost.calls, cost.self_ns, cost.tracing_ns, "
                    "path, whole.calls - SUM (cost.calls) OVER contexts, "
                    "whole.self_ns - SUM (cost.self_ns) OVER contexts, "
                    "whole.tracing_ns - SUM (cost.tracing_ns) OVER contexts, longest_stretch_ns "
                    "FROM outlier_cost AS cost JOIN window USING (window_id) "
                    "LEFT JOIN capture_function AS whole ON whole.capture_id = window.capture_id "
                    "AND whole.function_id = cost.function_id "
                    "AND cost.context = (SELECT MIN (context) FROM outlier_cost AS same "
                    " WHERE same.window_id = cost.window_id AND same.function_id = cost.function_id) "
                    "WINDOW contexts AS (PARTITION BY cost.window_id, cost.function_id)",
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

gboolean
evidence_read_names (Reading *reading, GError **error)
{
  return read_rows (reading, "SELECT function_id, name, module, ordinal FROM function", take_name, error);
}
