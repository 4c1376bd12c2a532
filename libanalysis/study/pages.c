/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of some kilobytes can keep SQLite busy for ever: a few pages that name each other many times have more rows
 * than can ever be read, and any number of rows may have the same pages as their text. Only SQLite's own check of a
 * file notices, which takes 17 s for 1 GB. So a study is checked once it has been open for about as long as that takes,
 * if queries are still running then, and before what cannot be ended. */
#include "journal-private.h"

#include "budgets.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#define STEPS_BETWEEN 200
#define MOST_STEPS_OF_SCHEMA 10000000 /* to open a study takes some ten thousand */
#define LEAST_US G_USEC_PER_SEC
#define BYTES_PER_US 50
#define CLAIMED_MORE 65536 /* bytes that a log may add to a file without having them, for SQLite to write it back */
#define LEAST_STACK (1024 * 1024)
#define MOST_COMPRESSED 8
#define STACK_PER_PAGE 1024 /* The check calls itself for each page below another; that takes 270 bytes. */

typedef struct
{
  sqlite3_stmt *statement;
  int code; /* of SQLite */
} Check;

static void *
run_check (void *data)
{
  Check *check = data;

  check->code = sqlite3_step (check->statement);
  return NULL;
}

/* What is wrong by SQLite's @words, the last line of them; NULL: nothing. The caller owns it. */
static char *
read_fault (const char *words)
{
  const char *before = strrchr (words, '\n');

  return g_str_equal (words, "ok") ? NULL : g_strdup (before ? before + 1 : words);
}

/* Runs @check where there is a stack for @pages. */
static gboolean
run_deep (Check *check, gint64 pages)
{
  gsize stack = LEAST_STACK + pages * STACK_PER_PAGE; /* What is not used takes no memory. */
  pthread_attr_t attributes;
  pthread_t thread;
  gboolean good;

  pthread_attr_init (&attributes);
  good = pthread_attr_setstacksize (&attributes, stack / LEAST_STACK * LEAST_STACK) == 0 &&
         pthread_create (&thread, &attributes, run_check, check) == 0;
  if (good)
    pthread_join (thread, NULL);
  pthread_attr_destroy (&attributes);
  return good;
}

/* How long the file of @study and its log are, in bytes. */
static gint64
stored_bytes (const CulpritStudy *study)
{
  static const int kinds[] = { SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER };
  gint64 all = 0;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      sqlite3_file *file = NULL;
      sqlite3_int64 size = 0;

      sqlite3_file_control (study->database, "main", kinds[i], &file);
      if (file && file->pMethods && file->pMethods->xFileSize (file, &size) == SQLITE_OK)
        all += size;
    }
  return all;
}

/* The same without what is missing of it, so that no hole makes us patient. A file system may compress it. */
static gint64
bytes_on_disk (const CulpritStudy *study)
{
  struct stat status;

  return stat (study->path, &status) == 0 ? (gint64) status.st_blocks * 512 * MOST_COMPRESSED : 0;
}

/* Checks the file of @study by another connection, as a query may be running. */
static int
check_with (CulpritStudy *study, sqlite3 *database)
{
  Check check = { .code = SQLITE_OK };
  sqlite3_stmt *count = NULL;

  sqlite3_limit (database, SQLITE_LIMIT_LENGTH, STUDY_LONGEST_VALUE);
  check.code = sqlite3_prepare_v2 (database, "PRAGMA page_count", -1, &count, NULL);
  if (check.code == SQLITE_OK)
    check.code = sqlite3_step (count);
  if (check.code == SQLITE_ROW)
    check.code = sqlite3_prepare_v2 (database, "PRAGMA quick_check (1)", -1, &check.statement, NULL);
  if (check.code == SQLITE_OK && !run_deep (&check, sqlite3_column_int64 (count, 0)))
    study->fault = g_strdup ("it is too large to be checked");
  if (check.code == SQLITE_ROW)
    study->fault = read_fault ((const char *) sqlite3_column_text (check.statement, 0));
  if (check.code == SQLITE_CORRUPT || check.code == SQLITE_NOTADB)
    study->fault = g_strdup (sqlite3_errmsg (database));
  sqlite3_finalize (count);
  sqlite3_finalize (check.statement);
  return check.code;
}

/* If a program is writing to the study, that may not be possible now. */
static void
check_file (CulpritStudy *study)
{
  gint64 began_us = g_get_monotonic_time ();
  sqlite3 *database = NULL;
  int code = sqlite3_open_v2 (study->uri, &database, SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY,
                              journal_vfs ());

  g_clear_pointer (&study->fault, g_free);
  if (code == SQLITE_OK)
    code = check_with (study, database);
  sqlite3_close (database);
  study->check_at_us = code == SQLITE_ROW ? G_MAXINT64 : 2 * g_get_monotonic_time () - began_us + LEAST_US;
}

static int
end_endless (gpointer data)
{
  CulpritStudy *study = data;

  study->steps += STEPS_BETWEEN;
  if (study->fault)
    return TRUE;
  /* The check itself calls what the schema names. */
  if (study->familiar && g_get_monotonic_time () > study->check_at_us)
    check_file (study);
  else if (!study->familiar && study->steps > MOST_STEPS_OF_SCHEMA)
    study->fault = g_strdup ("its schema does not end");
  return study->fault != NULL;
}

void
study_watch (CulpritStudy *study)
{
  study->check_at_us =
      g_get_monotonic_time () + LEAST_US + MIN (stored_bytes (study), bytes_on_disk (study)) / BYTES_PER_US;
  sqlite3_progress_handler (study->database, STEPS_BETWEEN, end_endless, study);
}

gboolean
study_check_pages (CulpritStudy *study, GError **error)
{
  check_file (study);
  return !study->fault || study_failed (study, error);
}

gboolean
study_claimed_bytes (CulpritStudy *study, gint64 *bytes, GError **error)
{
  gint64 pages;
  gint64 page_size;

  if (!study_number (study, "PRAGMA page_count", &pages, error) ||
      !study_number (study, "PRAGMA page_size", &page_size, error))
    return FALSE;
  *bytes = pages * page_size;
  return TRUE;
}

gboolean
study_check_size (CulpritStudy *study, GError **error)
{
  gint64 bytes;

  if (!study_claimed_bytes (study, &bytes, error))
    return FALSE;
  if (bytes <= stored_bytes (study) + CLAIMED_MORE)
    return TRUE;
  study->fault = g_strdup ("it says that it has more pages than there are");
  return study_failed (study, error);
}
