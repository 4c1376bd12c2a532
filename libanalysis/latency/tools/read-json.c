/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of cyclictest --json, oslat --json and jitterdebugger: a histogram for each thread or CPU. It is parsed by
 * SQLite, which hashes no names: a histogram may have very many, chosen by an attacker. */
#include "budgets.h"
#include "json.h"
#include "read-private.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>

/* ?1 is a JSON text, in MEMBERS_SQL that of a thread. Both tools state "resolution_in_ns", jitterdebugger in "sysinfo".
 * In a histogram, and among the threads, a duplicate member counts twice, like a line of a table. */
#define FILE_SQL                                                                                                       \
  "SELECT json_type (?1, '$.thread'), json_type (?1, '$.cpu'),"                                                        \
  " coalesce (json_type (?1, '$.resolution_in_ns'), json_type (?1, '$.sysinfo.resolution_in_ns')),"                    \
  " coalesce (json_extract (?1, '$.resolution_in_ns'), json_extract (?1, '$.sysinfo.resolution_in_ns'))"
/* What can have one meaning only. */
#define TWICE_SQL                                                                                                      \
  "SELECT key FROM json_each (?1) WHERE key IN ('thread', 'cpu', 'sysinfo', 'resolution_in_ns')"                       \
  " GROUP BY key HAVING COUNT (*) > 1"                                                                                 \
  " UNION ALL"                                                                                                         \
  " SELECT key FROM json_each (?1, '$.sysinfo') WHERE key = 'resolution_in_ns' GROUP BY key HAVING COUNT (*) > 1"
#define THREADS_SQL "SELECT iif (type = 'object', value, '{}') FROM json_each (?1, ?2)"
/* Not by json_tree (): it makes the path of each value, and its key, which may be long, is part of that of all values
 * below. */
#define MEMBERS_SQL                                                                                                    \
  "SELECT 0, key, type, atom FROM json_each (?1)"                                                                      \
  " UNION ALL"                                                                                                         \
  " SELECT 1, row.key, row.type, row.atom FROM json_each (?1) AS member, json_each (member.value) AS row"              \
  " WHERE member.key = 'histogram' AND member.type = 'object'"

typedef sqlite3 Database;
typedef sqlite3_stmt Query;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Database, sqlite3_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Query, sqlite3_finalize)

typedef struct
{
  double latency;
  double count;
} Row;

/* {"histogram": {"7": 12}, "count": 12} */
typedef struct
{
  gboolean has_histogram;
  gboolean is_oslat;
  GArray *rows; /* of Row */
  ThreadFigures figures;
} Thread;

static Query *
query_new (Database *database, const char *sql, const char *text, gsize length)
{
  Query *query = NULL;

  sqlite3_prepare_v2 (database, sql, -1, &query, NULL);
  sqlite3_bind_text (query, 1, text, length, SQLITE_STATIC);
  return query;
}

static gboolean
query_text_is (Query *query, int column, const char *text)
{
  return g_strcmp0 ((const char *) sqlite3_column_text (query, column), text) == 0;
}

/* Advances to the next row; @row: whether there is one. */
static gboolean
query_step (const Reader *reader, Query *query, gboolean *row, GError **error)
{
  int code = sqlite3_step (query);

  *row = code == SQLITE_ROW;
  return code == SQLITE_ROW || code == SQLITE_DONE ||
         reader_damaged (reader, error, "its JSON cannot be read: %s", sqlite3_errstr (code));
}

/* "7": 12 */
static gboolean
take_row (const Reader *reader, Thread *thread, Query *query, GError **error)
{
  const char *name = (const char *) sqlite3_column_text (query, 1);
  Row row = { .count = sqlite3_column_double (query, 3) };
  char *end;

  if (!query_text_is (query, 2, "integer") && !query_text_is (query, 2, "real"))
    return reader_damaged (reader, error, "the count of \"%.40s\" in a histogram is %s, not a number", name,
                           (const char *) sqlite3_column_text (query, 2));
  row.latency = g_ascii_strtod (name, &end);
  if (end == name || *end || strspn (name, "+-.0123456789Ee") < strlen (name))
    return reader_damaged (reader, error, "\"%.40s\" in a histogram is not a valid latency", name);
  g_array_append_val (thread->rows, row);
  return TRUE;
}

static void
take_member (Thread *thread, Query *query)
{
  const char *name = (const char *) sqlite3_column_text (query, 1);
  double number = sqlite3_column_double (query, 3);

  if (g_str_equal (name, "histogram"))
    thread->has_histogram |= query_text_is (query, 2, "object");
  else if (g_str_equal (name, "freq"))
    thread->is_oslat = TRUE;
  else if (!query_text_is (query, 2, "integer") && !query_text_is (query, 2, "real"))
    return;
  else if (g_str_equal (name, "cycles") || g_str_equal (name, "count"))
    thread->figures.n = MAX (thread->figures.n, number);
  else if (g_str_equal (name, "min"))
    thread->figures.min = number;
  else if (g_str_equal (name, "avg"))
    thread->figures.mean = number;
  else if (g_str_equal (name, "max"))
    thread->figures.max = number;
}

/* The last row of oslat's histogram also counts anything longer. Returns that row, or -1: there is nothing longer. */
static gssize
find_last_row (const Thread *thread)
{
  gssize last = 0;

  if (!thread->is_oslat || thread->rows->len == 0)
    return -1;
  for (guint i = 1; i < thread->rows->len; i++)
    if (g_array_index (thread->rows, Row, i).latency > g_array_index (thread->rows, Row, last).latency)
      last = i;
  return thread->figures.max > g_array_index (thread->rows, Row, last).latency ? last : -1;
}

static gboolean
add_thread (Reader *reader, Thread *thread, GError **error)
{
  guint64 before = reader->threads->profile->n;
  gssize above = find_last_row (thread);

  if (!thread->has_histogram)
    return reader_without_histogram (reader, READ_ADVICE, error);
  if (thread->is_oslat)
    reader->file->format = "oslat JSON";
  for (guint i = 0; i < thread->rows->len; i++)
    {
      const Row *row = &g_array_index (thread->rows, Row, i);

      if (i != above && !reader_add (reader, reader->threads, row->latency, row->count, error))
        return FALSE;
    }
  if (above >= 0)
    thread->figures.n = reader->threads->profile->n - before + g_array_index (thread->rows, Row, above).count;
  thread->figures.above = thread->figures.n - (reader->threads->profile->n - before);
  reader_add_figures (reader, reader->threads, &thread->figures);
  return TRUE;
}

/* @members: those of one thread. */
static gboolean
read_thread (Reader *reader, Query *members, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  Thread thread = { .rows = rows, .figures = { .min = NAN, .mean = NAN, .max = NAN } };
  gboolean row = TRUE;

  while (row)
    {
      if (!query_step (reader, members, &row, error))
        return FALSE;
      if (row && sqlite3_column_int (members, 0))
        {
          if (!take_row (reader, &thread, members, error))
            return FALSE;
        }
      else if (row)
        take_member (&thread, members);
    }
  return add_thread (reader, &thread, error);
}

static gboolean
read_threads (Reader *reader, Database *database, Query *threads, GError **error)
{
  g_autoptr (Query) members = query_new (database, MEMBERS_SQL, NULL, 0);
  gboolean row = TRUE;

  while (row)
    {
      if (!query_step (reader, threads, &row, error))
        return FALSE;
      if (!row)
        break;
      sqlite3_reset (members);
      sqlite3_bind_value (members, 1, sqlite3_column_value (threads, 0));
      if (!read_thread (reader, members, error))
        return FALSE;
    }
  return reader->threads->profile->n > 0 || reader_without_histogram (reader, READ_ADVICE, error);
}

/* cyclictest states 0 for us, older versions nothing. */
static gboolean
read_resolution (Reader *reader, Query *file, GError **error)
{
  gint64 unit_ns = 0;

  if (sqlite3_column_type (file, 2) != SQLITE_NULL)
    unit_ns = query_text_is (file, 2, "integer") ? sqlite3_column_int64 (file, 3) : -1;
  if (unit_ns < 0 || unit_ns > MAX_WIDTH_NS)
    return reader_damaged (reader, error, "\"resolution_in_ns\" is not a number of ns up to one second");
  reader->unit_ns = reader->threads->profile->width_ns = unit_ns > 0 ? unit_ns : NS_PER_US;
  return TRUE;
}

/* FALSE with an error: a member is there twice that can have one meaning only. */
static gboolean
check_unique (const Reader *reader, Database *database, const char *text, gsize length, GError **error)
{
  g_autoptr (Query) twice = query_new (database, TWICE_SQL, text, length);
  gboolean row;

  if (!query_step (reader, twice, &row, error))
    return FALSE;
  return !row || reader_damaged (reader, error, "its JSON has \"%s\" twice", sqlite3_column_text (twice, 0));
}

gboolean
read_json (Reader *reader, const char *text, gsize length, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (Database) database = NULL;
  g_autoptr (Query) file = NULL;
  g_autoptr (Query) threads = NULL;
  gboolean of_cyclictest;

  if (!json_check_bounded (text, length, JSON_LONGEST_FILE, &problem))
    return g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE) &&
           reader_damaged (reader, error, "%s", problem->message);
  sqlite3_open (":memory:", &database);
  file = query_new (database, FILE_SQL, text, length);
  if (sqlite3_step (file) != SQLITE_ROW)
    return sqlite3_errcode (database) == SQLITE_NOMEM &&
           reader_damaged (reader, error, "its JSON cannot be read: %s", sqlite3_errstr (SQLITE_NOMEM));
  of_cyclictest = sqlite3_column_type (file, 0) != SQLITE_NULL;
  reader->file->format = of_cyclictest ? "cyclictest JSON" : "jitterdebugger JSON";
  if (!query_text_is (file, of_cyclictest ? 0 : 1, "object"))
    return FALSE;
  if (!check_unique (reader, database, text, length, error) || !read_resolution (reader, file, error))
    return FALSE;
  threads = query_new (database, THREADS_SQL, text, length);
  sqlite3_bind_text (threads, 2, of_cyclictest ? "$.thread" : "$.cpu", -1, SQLITE_STATIC);
  return read_threads (reader, database, threads, error);
}
