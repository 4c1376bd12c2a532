/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads each table once, and adds each row to the case and the population it belongs to. */
#include "evidence-private.h"

#include "study/import.h"
#include "study/statement-private.h"
#include "study/triage.h"

#define LEAST_OWN_BASE 5   /* A capture with fewer ordinary wake-ups is compared with those of its population. */
#define USUAL_CYCLES 10000 /* assumed per capture if their number is not known */

typedef void (*TakeRow) (Reading *reading, Statement *row, CulpritCase *one);

/* Each text is stored once. */
static const char *
keep (Reading *reading, Statement *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);
  const char *kept = text ? g_hash_table_lookup (reading->kept, text) : NULL;
  g_autofree char *valid = NULL;

  if (kept || !text)
    return kept;
  valid = g_utf8_make_valid (text, -1);
  kept = g_string_chunk_insert (reading->texts, valid);
  g_hash_table_insert (reading->kept, g_strdup (text), (gpointer) kept);
  return kept;
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
    if (*name == *culprit_context_name (context) && g_str_equal (name, culprit_context_name (context)))
      return context;
  return CULPRIT_CONTEXT_TASK;
}

/* A damaged study may refer to functions that it does not have. */
static const char *
name_of (const Reading *reading, gint64 function)
{
  const char *name = g_hash_table_lookup (reading->names, &function);

  return name ? name : CULPRIT_UNNAMED;
}

/* Goes to the case of @capture, if it is in this portion: a damaged study may also return rows of others. */
static void
go_to_case (Reading *reading, gint64 capture)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (reading->indices, &capture)) - 1;

  reading->capture = capture;
  reading->index = index >= reading->from && index < reading->to ? index : G_MAXUINT;
  if (reading->index == G_MAXUINT)
    return;
  reading->cursor = (PartCursor) { reading_case (reading, index)->parts->len, 0 };
  reading->holders = reading_case (reading, index)->holders->len;
}

/* A whole number: anything else in a damaged study, e.g. infinity, is converted to one. */
static double
whole_of (Statement *row, int column)
{
  return sqlite3_column_int64 (row, column);
}

/* A time in the row, and the tracer's part of it. */
static double
time_of (const Reading *reading, Statement *row, int column, int tracing)
{
  return whole_of (row, column) - (reading->options->raw ? 0 : whole_of (row, tracing));
}

/* The index of the population of @host, @kernel and @series, which is created if needed. */
static guint
find_population (Reading *reading, const char *host, const char *kernel, const char *series)
{
  CulpritPopulation added = { .host = host, .kernel = kernel, .series = series };
  g_autofree char *key = g_strdup_printf ("%p %p %p", host, kernel, series); /* Each text is stored once. */
  gpointer index = g_hash_table_lookup (reading->known, key);

  if (index)
    return GPOINTER_TO_UINT (index) - 1;
  added.suspects = g_array_new (FALSE, TRUE, sizeof (CulpritSuspect));
  g_array_append_val (reading->evidence->populations, added);
  g_ptr_array_add (reading->pools, base_new ());
  g_hash_table_insert (reading->known, g_steal_pointer (&key), GUINT_TO_POINTER (reading->pools->len));
  return reading->pools->len - 1;
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
take_outlier (Reading *reading, Statement *row, CulpritCase *one)
{
  CulpritPopulation *population;

  one->file = keep (reading, row, 1);
  one->run = keep (reading, row, 2);
  one->latency_ns = whole_of (row, 3);
  one->own_ns = time_of (reading, row, 3, 4);
  one->not_captured_ns = whole_of (row, 5);
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

/* The ordinary wake-ups that @one shares with its population; NULL if they do not count. */
static Base *
pool_of (const Reading *reading, const CulpritCase *one)
{
  return one->ignored ? NULL : g_ptr_array_index (reading->pools, one->population);
}

static void
take_ordinary (Reading *reading, Statement *row, CulpritCase *one)
{
  double latency_ns = time_of (reading, row, 1, 2);
  Base *pool = pool_of (reading, one);

  g_array_append_val ((GArray *) g_ptr_array_index (reading->own, reading->index), latency_ns);
  if (!pool)
    return;
  g_array_append_val (pool->latencies_ns, latency_ns);
  pool->spread_windows += sqlite3_column_int (row, 3);
}

/* Adds what a function of the outlier, all of whose parts were read, did outside of it. */
static void
take_whole (Reading *reading, Statement *row, CulpritCase *one)
{
  PartCursor *cursor = &reading->cursor;
  gint64 function = sqlite3_column_int64 (row, 1);
  Base *pool = pool_of (reading, one);
  double calls;
  double self_ns;

  while (cursor->at < cursor->own && culprit_case_part (one, cursor->at)->function < function)
    cursor->at++;
  if (!pool || cursor->at == cursor->own || culprit_case_part (one, cursor->at)->function != function)
    return;
  calls = whole_of (row, 2);
  self_ns = time_of (reading, row, 3, 4);
  for (guint i = cursor->at; i < cursor->own && culprit_case_part (one, i)->function == function; i++)
    {
      calls -= culprit_case_part (one, i)->calls;
      self_ns -= culprit_case_part (one, i)->self_ns;
    }
  if (calls > 0)
    {
      BaseSums *elsewhere = base_elsewhere (pool, function);

      elsewhere->calls += calls;
      elsewhere->self_ns += MAX (self_ns, 0);
    }
}

static void
take_part (Reading *reading, Statement *row, CulpritCase *one)
{
  CulpritPart part = { .function = sqlite3_column_int64 (row, 1),
                       .context = context_of (row, 2),
                       .calls = whole_of (row, 3),
                       .self_ns = time_of (reading, row, 4, 5),
                       .untraced_ns = whole_of (row, 4) - whole_of (row, 5),
                       .path = keep (reading, row, 6),
                       .longest_ns = whole_of (row, 7),
                       .suspect = CULPRIT_NO_SUSPECT,
                       .p = 1 };

  part.name = name_of (reading, part.function);
  g_array_append_val (one->parts, part);
}

/* The spread in @column, the maximum of which is in the next one. */
static Packed
packed_of (Statement *row, int column)
{
  return (Packed) { .bytes = sqlite3_column_blob (row, column),
                    .n_bytes = sqlite3_column_bytes (row, column),
                    .max = MAX (sqlite3_column_int64 (row, column + 1), 0) };
}

static void
take_ordinary_part (Reading *reading, Statement *row, CulpritCase *one)
{
  CulpritPart like = { .function = sqlite3_column_int64 (row, 1), .context = context_of (row, 2) };
  double calls = whole_of (row, 3);
  double self_ns = time_of (reading, row, 4, 5);
  Base *pool = pool_of (reading, one);
  BaseSums *sums = pool ? base_part (pool, like.function, like.context) : NULL;

  if (one->own_base)
    {
      CulpritPart *part = usual_apply_part (one, &reading->cursor, &like, calls, self_ns);

      part->name = part->name ? part->name : name_of (reading, part->function);
    }
  if (!sums)
    return;
  sums->calls += calls;
  sums->self_ns += self_ns;
  sums->windows += whole_of (row, 6);
  base_keep (sums, (Packed[]) { packed_of (row, 7), packed_of (row, 9), packed_of (row, 11) }, reading->room);
}

/* A damaged study may lack the name. */
static const char *
holder_name (Reading *reading, Statement *row, int column)
{
  const char *name = keep (reading, row, column);

  return name ? name : CULPRIT_UNNAMED;
}

static void
take_holder (Reading *reading, Statement *row, CulpritCase *one)
{
  CulpritHolder holder = { .context = context_of (row, 1),
                           .name = holder_name (reading, row, 2),
                           .self_ns = time_of (reading, row, 3, 4),
                           .untraced_ns = whole_of (row, 3) - whole_of (row, 4),
                           .path = keep (reading, row, 5),
                           .priority = number_or (row, 6, -1),
                           .suspect = CULPRIT_NO_SUSPECT,
                           .p = 1 };

  g_array_append_val (one->holders, holder);
}

static void
take_ordinary_holder (Reading *reading, Statement *row, CulpritCase *one)
{
  CulpritContext context = context_of (row, 1);
  const char *name = holder_name (reading, row, 2);
  double self_ns = time_of (reading, row, 3, 4);
  Base *pool = pool_of (reading, one);
  BaseSums *sums = pool ? base_holder (pool, name, context) : NULL;

  if (one->own_base)
    usual_apply_holder (one, reading->holders, name, context, self_ns);
  if (!sums)
    return;
  sums->self_ns += self_ns;
  base_keep (sums, (Packed[BASE_SPREADS]) { packed_of (row, 5) }, reading->room);
}

static void
take_stall (Reading *reading, Statement *row, CulpritCase *one)
{
  one->stretch = (CulpritStretch) { .length_ns = whole_of (row, 1),
                                    .function = sqlite3_column_int64 (row, 2),
                                    .context = context_of (row, 3),
                                    .other_cpus = number_or (row, 4, -1),
                                    .silent_cpus = number_or (row, 5, -1),
                                    .before = keep (reading, row, 6),
                                    .after = keep (reading, row, 7) };
  one->stretch.name = name_of (reading, one->stretch.function);
}

/* Processes the rows of @statement, each of which begins with its capture. */
static gboolean
read_rows (Reading *reading, Statement *statement, TakeRow take, GError **error)
{
  gboolean row = statement != NULL;
  gboolean first = TRUE;

  while (row)
    {
      if (g_atomic_int_get (reading->stop) || !statement_step (reading->study, statement, &row, error))
        return FALSE;
      if (!row)
        break;
      if (first || sqlite3_column_int64 (statement, 0) != reading->capture)
        go_to_case (reading, sqlite3_column_int64 (statement, 0));
      if (reading->index != G_MAXUINT)
        take (reading, statement, reading_case (reading, reading->index));
      first = FALSE;
    }
  return statement != NULL;
}

/* Prepares study/sql/@name.sql for the captures of a portion. */
static Statement *
prepare (Reading *reading, const char *name, GError **error)
{
  Statement *statement = statement_named (reading->study, name, error);

  if (statement)
    statement_bind_named (statement, "i:first i:last", reading_case (reading, reading->from)->capture,
                          reading_case (reading, reading->to - 1)->capture);
  return statement;
}

static gboolean
read_named (Reading *reading, const char *name, TakeRow take, GError **error)
{
  g_autoptr (Statement) statement = prepare (reading, name, error);

  return read_rows (reading, statement, take, error);
}

static gboolean
read_latencies (Reading *reading, GError **error)
{
  g_autoptr (Statement) statement = prepare (reading, "evidence-ordinary", error);

  if (statement)
    statement_bind_named (statement, "i:read_version", (gint64) CULPRIT_READ_VERSION);
  return read_rows (reading, statement, take_ordinary, error);
}

/* Which cases are compared with their own ordinary wake-ups, and the latencies of these. */
static void
find_own_bases (Reading *reading)
{
  for (guint i = reading->from; i < reading->to; i++)
    {
      CulpritCase *one = reading_case (reading, i);
      Usual usual = usual_of (g_ptr_array_index (reading->own, i));

      one->own_base = !reading->options->base && usual.n >= LEAST_OWN_BASE;
      if (one->own_base)
        usual_apply (&usual, one);
    }
}

gboolean
evidence_read_ordinary (Reading *reading, GError **error)
{
  if (!read_latencies (reading, error))
    return FALSE;
  find_own_bases (reading);
  return read_named (reading, "evidence-ordinary-parts", take_ordinary_part, error) &&
         read_named (reading, "evidence-ordinary-holders", take_ordinary_holder, error);
}

gboolean
evidence_read_late (Reading *reading, GError **error)
{
  return read_named (reading, "evidence-parts", take_part, error) &&
         read_named (reading, "evidence-whole", take_whole, error) &&
         read_named (reading, "evidence-holders", take_holder, error) &&
         read_named (reading, "evidence-stalls", take_stall, error);
}

gboolean
evidence_read_outliers (Reading *reading, GError **error)
{
  g_autoptr (Statement) statement = statement_named (reading->study, "evidence-outliers", error);

  return read_rows (reading, statement, take_outlier, error);
}
