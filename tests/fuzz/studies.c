/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the queries of studies: in a study in memory, the fuzzer's bytes decide which cells have another type, are
 * missing or absurd, which rows are moved, and which other bytes are changed. Whatever is in it, commands give a result
 * or a reason. */
#include "choices.h"
#include "latency/description.h"
#include "study/check.h"
#include "study/profiles.h"
#include "study/query.h"
#include "study/tree.h"
#include "tables/outliers.h"
#include "verdict/verdict.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define TEMPLATE FUZZ_FOLDER "/small.culprit"
#define STUDY "/proc/self/stat" /* the name under which it is in memory; there must be a file of that name */
#define MOST_COLUMNS 64

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

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

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  sqlite3 *keeper;

  if (!g_file_get_contents (TEMPLATE, (char **) &template, &template_size, NULL))
    g_error ("%s is missing", TEMPLATE);
  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  find_cells (template[16] << 8 | template[17]);
  sqlite3_initialize ();
  sqlite3_vfs_register (sqlite3_vfs_find ("memdb"), 1);
  if (sqlite3_open_v2 ("file:" STUDY, &keeper, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL) !=
          SQLITE_OK ||
      sqlite3_file_control (keeper, "main", SQLITE_FCNTL_FILE_POINTER, &store) != SQLITE_OK)
    g_error ("no study in memory");
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
ask_check (CulpritStudy *study)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) faults = culprit_study_check (study, &error);

  require_error (faults, &error);
}

/* One of them is asked of each study: all would take ten times as long. */
static void (*const questions[]) (CulpritStudy *study) = { ask_verdict,  ask_runs,      ask_captures,
                                                           ask_outliers, ask_functions, ask_budget,
                                                           ask_tree,     ask_profiles,  ask_check };

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *image = g_memdup2 (template, template_size);
  Choices choices = { data, size };
  g_autoptr (CulpritStudy) study = NULL;
  guint question = choose (&choices, G_N_ELEMENTS (questions));
  GError *error = NULL;

  for (guint i = choose (&choices, 24); i > 0; i--)
    change_cell (&choices, image);
  for (guint i = choose (&choices, 16); i > 12; i--)
    image[choose_number (&choices, 3) % template_size] = choose_byte (&choices);
  if (store->pMethods->xWrite (store, image, template_size, 0) != SQLITE_OK)
    abort ();
  study = culprit_study_open (STUDY, CULPRIT_STUDY_READ, &error);
  require_error (study, &error);
  if (study)
    questions[question](study);
  return 0;
}
