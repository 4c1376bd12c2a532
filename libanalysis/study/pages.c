/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of some kilobytes can keep SQLite busy for ever: a few pages that name each other many times have more rows
 * than can ever be read, and any number of rows may have the same pages as their text. Only SQLite's own check of a
 * file notices, which takes 17 s for 1 GB. So a study is checked once it has been open for about as long as that takes,
 * if queries are still running then, and before what cannot be ended. */
#include "journal-private.h"

#include "budgets.h"

#include <pthread.h>
#include <string.h>

#define STEPS_BETWEEN 200
#define MOST_STEPS_OF_SCHEMA 10000000 /* to open a study takes some ten thousand */
#define LEAST_US G_USEC_PER_SEC
#define BYTES_PER_US 50
#define CLAIMED_MORE 65536 /* bytes that a log may add to a file without having them, for SQLite to write it back */
#define LEAST_STACK (1024 * 1024)
#define STACK_PER_PAGE 1024 /* The check calls itself for each page below another; that takes 270 bytes. */

typedef struct
{
  const char *uri;
  char *fault; /* NULL: none */
  int code;    /* of SQLite */
} Check;

/* What is wrong by SQLite's @words, the last line of them; NULL: nothing. */
static char *
read_fault (const char *words)
{
  const char *before = strrchr (words, '\n');

  return g_str_equal (words, "ok") ? NULL : g_strdup (before ? before + 1 : words);
}

static void *
run_check (void *data)
{
  Check *check = data;
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;

  check->code = sqlite3_open_v2 (check->uri, &database, SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY,
                                 journal_vfs ());
  sqlite3_limit (database, SQLITE_LIMIT_LENGTH, STUDY_LONGEST_VALUE);
  if (check->code == SQLITE_OK)
    check->code = sqlite3_prepare_v2 (database, "PRAGMA quick_check (1)", -1, &statement, NULL);
  if (check->code == SQLITE_OK)
    check->code = sqlite3_step (statement);
  if (check->code == SQLITE_ROW)
    check->fault = read_fault ((const char *) sqlite3_column_text (statement, 0));
  if (check->code == SQLITE_CORRUPT || check->code == SQLITE_NOTADB)
    check->fault = g_strdup (sqlite3_errmsg (database));
  sqlite3_finalize (statement);
  sqlite3_close (database);
  return NULL;
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

/* Checks the file of @study, by another connection, as a query may be running. If a program is writing to it, that is
 * not possible now. */
static void
check_file (CulpritStudy *study)
{
  Check check = { .uri = study->uri };
  gint64 began_us = g_get_monotonic_time ();
  /* Pages have 512 bytes at least. What of the stack is not used takes no memory. */
  gsize stack = LEAST_STACK + stored_bytes (study) / 512 * STACK_PER_PAGE;
  pthread_attr_t attributes;
  pthread_t thread;

  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, stack / LEAST_STACK * LEAST_STACK);
  if (pthread_create (&thread, &attributes, run_check, &check) == 0)
    pthread_join (thread, NULL);
  pthread_attr_destroy (&attributes);
  study->fault = check.fault;
  study->check_at_us = check.code == SQLITE_BUSY ? 2 * g_get_monotonic_time () - began_us + LEAST_US : G_MAXINT64;
}

static int
lose_patience (gpointer data)
{
  CulpritStudy *study = data;

  study->steps += STEPS_BETWEEN;
  /* The check itself calls what the schema names. */
  if (study->fault)
    return TRUE;
  if (study->familiar && g_get_monotonic_time () > study->check_at_us)
    check_file (study);
  else if (!study->familiar && study->steps > MOST_STEPS_OF_SCHEMA)
    study->fault = g_strdup ("its schema does not end");
  return study->fault != NULL;
}

void
study_watch (CulpritStudy *study)
{
  study->check_at_us = g_get_monotonic_time () + LEAST_US + stored_bytes (study) / BYTES_PER_US;
  sqlite3_progress_handler (study->database, STEPS_BETWEEN, lose_patience, study);
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
  return study_number (study, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", bytes, error);
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
