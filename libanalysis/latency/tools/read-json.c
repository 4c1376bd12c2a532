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
/* oslat's command line and version; the colons are in its names. */
#define OSLAT_SQL "SELECT json_extract (?1, '$.\"cmdline:\"'), json_extract (?1, '$.\"rt_test_version:\"')"
#define LONGEST_COMMAND (128 * 1024) /* bytes, as of an argument; a list of CPUs may be long */
/* What can have one meaning only. */
#define TWICE_SQL                                                                                                      \
  "SELECT key FROM json_each (?1)"                                                                                     \
  " WHERE key IN ('thread', 'cpu', 'sysinfo', 'resolution_in_ns', 'cmdline:', 'rt_test_version:')"                     \
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
  gboolean is_in_ns; /* the minimum and maximum of oslat */
  GArray *rows;      /* of Row */
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
  thread->is_in_ns |= strchr (name, '.') != NULL;
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

/* Lets the rows of oslat's histogram, which only has those with latencies, begin where their bins do, and @above be the
 * last one if it also counts anything longer. If they have decimals, the minimum and maximum are in ns, not us. */
static gboolean
take_oslat (Reader *reader, Thread *thread, gssize *above, GError **error)
{
  gssize last = 0;
  double lowest;
  double width_us;

  reader->file->format = "oslat JSON";
  if (thread->rows->len == 0)
    return TRUE;
  if (thread->is_in_ns)
    {
      thread->figures.min /= NS_PER_US;
      thread->figures.max /= NS_PER_US;
    }
  lowest = g_array_index (thread->rows, Row, 0).latency;
  thread->figures.n = 0;
  for (guint i = 0; i < thread->rows->len; i++)
    {
      const Row *row = &g_array_index (thread->rows, Row, i);

      thread->figures.n += row->count;
      lowest = fmin (lowest, row->latency);
      if (row->latency > g_array_index (thread->rows, Row, last).latency)
        last = i;
    }
  /* A minimum beyond the only row tells nothing. */
  if ((thread->rows->len > 1 || !(thread->figures.min >= lowest)) &&
      !reader_take_oslat_core (reader, lowest, thread->figures.min, error))
    return FALSE;
  for (guint i = 0; i < thread->rows->len; i++)
    {
      Row *row = &g_array_index (thread->rows, Row, i);

      if (!reader_begin_oslat_bin (reader, row->latency, &row->latency, error))
        return FALSE;
    }
  width_us = (double) reader_oslat_width (reader) / NS_PER_US;
  if (thread->figures.max >= g_array_index (thread->rows, Row, last).latency + width_us)
    *above = last;
  thread->figures.mean = reader_oslat_mean (reader, thread->figures.mean);
  reader->threads->profile->width_ns = reader_oslat_width (reader);
  return TRUE;
}

static gboolean
add_thread (Reader *reader, Thread *thread, GError **error)
{
  guint64 before = reader->threads->profile->n;
  gssize above = -1;

  if (!thread->has_histogram)
    return reader_without_histogram (reader, READ_ADVICE, error);
  if (thread->is_oslat && !take_oslat (reader, thread, &above, error))
    return FALSE;
  for (guint i = 0; i < thread->rows->len; i++)
    {
      const Row *row = &g_array_index (thread->rows, Row, i);

      if (i != above && !reader_add (reader, reader->threads, row->latency, row->count, error))
        return FALSE;
    }
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

/* Takes what oslat's command line and version tell, which are to stay. The last -W holds. */
static void
take_command (Reader *reader, Query *command)
{
  static const char width[] = "^(?:.* )?(?:-[Bqsz]*W *|--bucket-w[a-z]*[= ] *)([0-9]+)";
  const char *line = (const char *) sqlite3_column_text (command, 0);
  g_autoptr (GRegex) regex = g_regex_new (width, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *number = NULL;

  reader->oslat.version = (const char *) sqlite3_column_text (command, 1);
  if (!line || strlen (line) > LONGEST_COMMAND)
    return;
  if (g_regex_match (regex, line, 0, &match))
    number = g_match_info_fetch (match, 1);
  reader->oslat.width_ns = number ? g_ascii_strtoll (number, NULL, 10) : NS_PER_US;
  reader->oslat.is_biased = g_regex_match_simple ("(^| )(-[qsz]*B|--bi)", line, G_REGEX_RAW, 0);
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
  g_autoptr (Query) command = NULL;
  g_autoptr (Query) threads = NULL;
  gboolean of_cyclictest;
  gboolean row;

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
  command = query_new (database, OSLAT_SQL, text, length);
  if (!query_step (reader, command, &row, error))
    return FALSE;
  take_command (reader, command);
  threads = query_new (database, THREADS_SQL, text, length);
  sqlite3_bind_text (threads, 2, of_cyclictest ? "$.thread" : "$.cpu", -1, SQLITE_STATIC);
  if (!read_threads (reader, database, threads, error))
    return FALSE;
  if (reader->oslat.names != OSLAT_UNKNOWN)
    reader->unit_ns = reader_oslat_unit (reader);
  return TRUE;
}
