/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the queries of studies: in a study in memory, the fuzzer's bytes decide which cells have another type, are
 * missing or absurd, which rows are moved, and which other bytes are changed. Whatever is in it, commands give a result
 * or a reason.
 *
 * Most of the time went into compiling queries: they are kept, in a study that stays open, except in the runs in which
 * any byte may change, also one of the schema. */
#include "choices.h"
#include "latency/description.h"
#include "study/functions.h"
#include "study/profiles.h"
#include "study/query.h"
#include "study/standing.h"
#include "study/statement-private.h"
#include "study/tree.h"
#include "tables/outliers.h"
#include "verdict/explanation.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define TEMPLATE FUZZ_FOLDER "/small.culprit"
#define STUDY "/proc/self/stat" /* the name under which it is in memory; there must be a file of that name */
#define MOST_COLUMNS 64

#define CHANGES_AT 24 /* in a database's head: how often it was changed, and the same once more */
#define CHANGES_AGAIN_AT 92
#define FUNCTION "qh_completions" /* in each capture of the template */

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* The linker puts these in the place of SQLite's. */
int __real_sqlite3_prepare_v2 (
    sqlite3 *database, const char *sql, int size, sqlite3_stmt **statement, const char **rest);
int __wrap_sqlite3_prepare_v2 (
    sqlite3 *database, const char *sql, int size, sqlite3_stmt **statement, const char **rest);
int __real_sqlite3_finalize (sqlite3_stmt *statement);
int __wrap_sqlite3_finalize (sqlite3_stmt *statement);

/* A record of a table: the positions of its length, the types of its columns and their values. */
typedef struct
{
  gsize types;
  gsize values;
  guint n_columns; /* of a type that takes one byte, as do all after the header's length */
} Cell;

static guint8 *template;
static gsize template_size;
static GArray *cells; /* of Cell */
static sqlite3_file *store;
static guint32 changes;
static CulpritStudy *kept;
static GHashTable *statements; /* text -> sqlite3_stmt of the study that is kept, while nobody uses it */

int
__wrap_sqlite3_prepare_v2 (sqlite3 *database, const char *sql, int size, sqlite3_stmt **statement, const char **rest)
{
  gpointer text;
  gpointer idle;

  if (!kept || database != kept->database || rest || !g_hash_table_steal_extended (statements, sql, &text, &idle))
    return __real_sqlite3_prepare_v2 (database, sql, size, statement, rest);
  g_free (text);
  *statement = idle;
  return SQLITE_OK;
}

int
__wrap_sqlite3_finalize (sqlite3_stmt *statement)
{
  int code;

  if (!statement || !kept || sqlite3_db_handle (statement) != kept->database ||
      g_hash_table_contains (statements, sqlite3_sql (statement)))
    return __real_sqlite3_finalize (statement);
  code = sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  g_hash_table_insert (statements, g_strdup (sqlite3_sql (statement)), statement);
  return code;
}

static guint64
read_varint (gsize *at)
{
  guint64 value = 0;

  for (guint i = 0; i < 9 && *at < template_size; i++)
    {
      guint8 byte = template[(*at)++];

      value = value << 7 | (byte & 0x7f);
      if (!(byte & 0x80))
        break;
    }
  return value;
}

/* The record whose header begins at @at. Wide types are skipped. */
static void
find_cell (gsize at)
{
  gsize start = at;
  gsize header = read_varint (&at);
  Cell cell = { .types = at, .values = start + header };

  while (at < cell.values && at < template_size && !(template[at] & 0x80) && cell.n_columns < MOST_COLUMNS)
    {
      cell.n_columns++;
      at++;
    }
  if (at == cell.values && cell.n_columns > 0)
    g_array_append_val (cells, cell);
}

/* The records in leaves: of tables with a rowid (13), and of those without and of indices (10). */
static void
find_cells (gsize page_size)
{
  for (gsize page = 0; page + page_size <= template_size; page += page_size)
    {
      gsize head = page == 0 ? 100 : page;
      guint type = template[head];
      guint n = template[head + 3] << 8 | template[head + 4];

      for (guint i = 0; (type == 13 || type == 10) && page > 0 && i < n && head + 9 + 2 * i < template_size; i++)
        {
          gsize at = page + (template[head + 8 + 2 * i] << 8 | template[head + 9 + 2 * i]);

          read_varint (&at);
          if (type == 13)
            read_varint (&at);
          find_cell (at);
        }
    }
}

/* Stores what SQLite reads from then on; it must not notice that the schema of @study may be another. */
static void
store_study (guint8 *study)
{
  guint32 change = GUINT32_TO_BE (++changes);

  memcpy (study + CHANGES_AT, &change, sizeof change);
  memcpy (study + CHANGES_AGAIN_AT, &change, sizeof change);
  if (store->pMethods->xWrite (store, study, template_size, 0) != SQLITE_OK)
    abort ();
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  sqlite3 *keeper;
  GError *error = NULL;

  if (!g_file_get_contents (TEMPLATE, (char **) &template, &template_size, NULL))
    g_error ("%s is missing", TEMPLATE);
  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  find_cells (template[16] << 8 | template[17]);
  sqlite3_config (SQLITE_CONFIG_LOOKASIDE, 512, 2000);
  sqlite3_initialize ();
  sqlite3_vfs_register (sqlite3_vfs_find ("memdb"), 1);
  if (sqlite3_open_v2 ("file:" STUDY, &keeper, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL) !=
          SQLITE_OK ||
      sqlite3_file_control (keeper, "main", SQLITE_FCNTL_FILE_POINTER, &store) != SQLITE_OK)
    g_error ("no study in memory");
  store_study (template);
  statements = g_hash_table_new (g_str_hash, g_str_equal);
  kept = culprit_study_open (STUDY, CULPRIT_STUDY_READ, &error);
  if (!kept)
    g_error ("%s", error->message);
  return 0;
}

/* The number of bytes of a column of @type. */
static guint
bytes_of (guint type)
{
  static const guint8 sizes[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0 };

  return type < 12 ? sizes[type] : (type - 12) / 2;
}

/* Gives a column of one of the template's records another type, or other bytes. */
static void
change_cell (Choices *choices, guint8 *study)
{
  const Cell *cell = &g_array_index (cells, Cell, choose_number (choices, 2) % cells->len);
  guint column = choose (choices, cell->n_columns);
  gsize at = cell->values;
  guint8 *type = &study[cell->types + column];
  guint bytes = bytes_of (*type);
  guint64 odd;

  for (guint i = 0; i < column; i++)
    at += bytes_of (study[cell->types + i]);
  if (at + bytes > template_size)
    return;
  switch (choose (choices, 5))
    {
    case 0: /* Missing: what follows it takes its bytes. */
      *type = 0;
      break;
    case 1:
      *type = bytes == 8 ? 6 + choose (choices, 2) : bytes == 0 ? 8 + choose (choices, 2) : *type;
      break;
    case 2:
      *type = 12 + 2 * bytes + choose (choices, 2);
      break;
    case 3:
      odd = GUINT64_TO_BE (choose_odd (choices));
      for (guint i = 0; i < bytes; i++)
        study[at + i] = ((guint8 *) &odd)[8 - MIN (bytes, 8) + i % 8];
      break;
    default:
      for (guint i = 0; i < MIN (bytes, 8); i++)
        study[at + i] = choose_byte (choices);
    }
}

static void
require_error (gconstpointer result, GError **error)
{
  if (!result == !*error || (*error && strchr ((*error)->message, '\n')))
    abort ();
  g_clear_error (error);
}

static void
ask (CulpritStudy *study, CulpritTable *(*query) (CulpritStudy *study, const CulpritFilter *filter, GError **error))
{
  const CulpritFilter all = { 0 };
  GError *error = NULL;
  g_autoptr (CulpritTable) table = query (study, &all, &error);

  require_error (table, &error);
}

static void
ask_verdict (CulpritStudy *study)
{
  const CulpritFilter all = { .counted = TRUE };
  const CulpritEvidenceOptions options = { .filter = &all };
  GError *error = NULL;
  g_autoptr (CulpritVerdict) verdict = culprit_verdict_new (study, &options, &error);

  require_error (verdict, &error);
  if (verdict)
    {
      g_ptr_array_unref (culprit_verdict_in_words (verdict));
      g_ptr_array_unref (culprit_verdict_next_steps (verdict));
    }
  for (guint i = 0; verdict && i < verdict->evidence->cases->len; i++)
    g_free (culprit_case_in_words (&g_array_index (verdict->evidence->cases, CulpritCase, i)));
}

static void
ask_explanation (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (CulpritExplanation) explanation = culprit_study_explanation (study, NULL, NULL, &error);

  require_error (explanation, &error);
}

static void
ask_profiles (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) names = culprit_study_profile_names (study, NULL, &error);

  require_error (names, &error);
  for (guint i = 0; names && i < MIN (names->len, 3); i++)
    {
      g_autoptr (CulpritProfile) profile =
          culprit_study_profile (study, g_ptr_array_index (names, i), CULPRIT_ALL_CPUS, &error);

      require_error (profile, &error);
    }
}

static void
ask_runs (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (CulpritTable) runs = culprit_query_runs (study, &error);

  require_error (runs, &error);
}

static void
ask_captures (CulpritStudy *study)
{
  ask (study, culprit_query_captures);
}

static void
ask_outliers (CulpritStudy *study)
{
  ask (study, culprit_query_outliers);
}

static void
ask_functions (CulpritStudy *study)
{
  ask (study, culprit_query_functions);
}

static void
ask_budget (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (CulpritTable) budget = culprit_query_budget (study, 1, CULPRIT_TIMES_UNTRACED, 1000, &error);

  require_error (budget, &error);
}

static void
ask_tree (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (CulpritTree) tree = culprit_query_tree (study, 1, &error);

  require_error (tree, &error);
}

static void
ask_function (CulpritStudy *study)
{
  const CulpritFilter all = { 0 };
  GError *error = NULL;
  g_autoptr (CulpritTable) function = culprit_query_function (study, &all, FUNCTION, &error);

  require_error (function, &error);
}

static void
ask_points (CulpritStudy *study)
{
  const CulpritFilter all = { 0 };
  GError *error = NULL;
  g_autoptr (CulpritFunctionPoints) points = culprit_query_function_points (study, &all, 50, &error);

  require_error (points, &error);
}

static void
ask_parts (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (CulpritTable) parts = culprit_query_parts (study, 1, &error);

  require_error (parts, &error);
}

static void
ask_standing (CulpritStudy *study)
{
  GError *error = NULL;
  CulpritStanding standing;
  gboolean known = culprit_query_standing (study, 1, FUNCTION, CULPRIT_CONTEXT_HARDIRQ, &standing, &error);

  require_error (known ? &standing : NULL, &error);
  if (known)
    g_free (culprit_standing_in_words (&standing));
}

static void
ask_side (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (CulpritSide) side = culprit_side_read (study, "traced", CULPRIT_SIDE_CAPTURED, "traced", &error);

  require_error (side, &error);
}

static void
ask_check (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) faults = culprit_study_check (study, &error);

  require_error (faults, &error);
}

/* One of them is asked of each study: all would take ten times as long. */
static void (*const questions[]) (CulpritStudy *study) = { ask_verdict,   ask_runs,     ask_captures,   ask_outliers,
                                                           ask_functions, ask_budget,   ask_tree,       ask_profiles,
                                                           ask_check,     ask_function, ask_points,     ask_parts,
                                                           ask_standing,  ask_side,     ask_explanation };

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static guint8 *image;
  Choices choices = { data, size };
  guint question = choose (&choices, G_N_ELEMENTS (questions));
  gboolean any_byte = XXH3_64bits (data, size) % 64 == 0; /* not a choice, for which the fuzzer has a preference */

  image = g_realloc (image, template_size);
  memcpy (image, template, template_size);
  for (guint i = choose (&choices, 24); i > 0; i--)
    change_cell (&choices, image);
  for (guint i = any_byte ? choose (&choices, 4) : 0; i > 0; i--)
    image[choose_number (&choices, 3) % template_size] = choose_byte (&choices);
  store_study (image);
  if (any_byte)
    {
      GError *error = NULL;
      g_autoptr (CulpritStudy) study = culprit_study_open (STUDY, CULPRIT_STUDY_READ, &error);

      require_error (study, &error);
      if (study)
        questions[question](study);
    }
  else
    {
      questions[question](kept);
      g_clear_pointer (&kept->fault, g_free); /* The next study is another one. */
    }
  return 0;
}
