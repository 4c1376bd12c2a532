/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queries behind commands and pages. */
#include "study/query.h"

#include "statement-private.h"

#include <string.h>

/* Says which captures were stored without windows, and why: they are in no table of late wake-ups. */

#define MOST_NAMED 3 /* captures in a sentence */

/* Captures that have no windows for the same reason. */
typedef struct
{
  char *reason;
  GString *named;
  guint captures;
} Group;

/* "Captures 3, 7, 9 and 2 more have no windows: it has no latency marker."; if they are not @numbered, "5
 * captures have ...". Ends @group. */
static char *
in_words (Group *group, gboolean numbered)
{
  guint more = group->captures - MIN (group->captures, MOST_NAMED);
  g_autofree char *others = more > 0 ? g_strdup_printf (" and %u more", more) : g_strdup ("");
  const char *plural = group->captures > 1 ? "s" : "";
  g_autofree char *which = numbered ? g_strdup_printf ("Capture%s %s%s", plural, group->named->str, others)
                                    : g_strdup_printf ("%u capture%s", group->captures, plural);
  char *words = g_strdup_printf (group->captures > 1 ? "%s have no windows: %s." : "%s has no windows: %s.", which,
                                 group->reason);

  g_free (group->reason);
  g_string_free (group->named, TRUE);
  *group = (Group) { NULL };
  return words;
}

GPtrArray *
culprit_query_without_windows (CulpritStudy *study, const CulpritFilter *filter, gboolean numbered, GError **error)
{
  const CulpritFilter everything = { 0 };
  g_autoptr (Statement) statement = statement_named (study, "without-windows", error);
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);
  Group group = { NULL };
  gboolean row = statement != NULL;

  if (!statement)
    return NULL;
  query_bind_filter (statement, filter ? filter : &everything);
  while (row && !(filter && filter->where))
    {
      gboolean good = statement_step (study, statement, &row, error);

      if (group.reason && (!good || !row || !g_str_equal (group.reason, statement_text (statement, 0))))
        g_ptr_array_add (sentences, in_words (&group, numbered));
      if (!good)
        return NULL;
      if (!row)
        break;
      if (!group.reason)
        group = (Group) { g_strdup (statement_text (statement, 0)), g_string_new (NULL), 0 };
      if (group.captures++ < MOST_NAMED)
        g_string_append_printf (group.named, "%s%" G_GINT64_FORMAT, group.captures > 1 ? ", " : "",
                                (gint64) sqlite3_column_int64 (statement, 1));
    }
  return g_steal_pointer (&sentences);
}

/* A study from outside may have invalid UTF-8. */
static const char *
keep_text (CulpritTable *table, const char *text)
{
  g_autofree char *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);

  return g_string_chunk_insert (table->texts, valid ? valid : text);
}

/* Bytes, in hexadecimal. */
static const char *
keep_blob (CulpritTable *table, const guint8 *bytes, int size)
{
  g_autoptr (GString) text = g_string_sized_new (size * 2);

  for (int i = 0; i < size; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  return g_string_chunk_insert (table->texts, text->str);
}

static CulpritValue
read_value (CulpritTable *table, Statement *statement, int column)
{
  CulpritValue value = { .type = CULPRIT_VALUE_NULL };

  switch (sqlite3_column_type (statement, column))
    {
    case SQLITE_INTEGER:
      value.type = CULPRIT_VALUE_INTEGER;
      value.integer = sqlite3_column_int64 (statement, column);
      break;
    case SQLITE_FLOAT:
      value.type = CULPRIT_VALUE_REAL;
      value.real = sqlite3_column_double (statement, column);
      break;
    case SQLITE_TEXT:
      value.type = CULPRIT_VALUE_TEXT;
      value.text = keep_text (table, statement_text (statement, column));
      break;
    case SQLITE_BLOB:
      value.type = CULPRIT_VALUE_TEXT;
      value.text = keep_blob (table, sqlite3_column_blob (statement, column), sqlite3_column_bytes (statement, column));
      break;
    default:
      break;
    }
  return value;
}

/* Adds a column; if its name is taken, a number is appended. */
static void
add_column (CulpritTable *table, const char *name)
{
  g_autofree char *unique = g_strdup (name);

  for (guint number = 2; g_ptr_array_find_with_equal_func (table->columns, unique, g_str_equal, NULL); number++)
    {
      g_free (unique);
      unique = g_strdup_printf ("%s:%u", name, number);
    }
  g_ptr_array_add (table->columns, g_steal_pointer (&unique));
}

static CulpritTable *
read_table (CulpritStudy *study, Statement *statement, GError **error)
{
  g_autoptr (CulpritTable) table = culprit_table_new ();
  int n_columns = sqlite3_column_count (statement);
  gboolean row;

  for (int i = 0; i < n_columns; i++)
    add_column (table, sqlite3_column_name (statement, i));
  for (;;)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (!row)
        return g_steal_pointer (&table);
      for (int i = 0; i < n_columns; i++)
        {
          CulpritValue value = read_value (table, statement, i);

          g_array_append_val (table->values, value);
        }
    }
}

/* The rows of @statement, whose columns may be grouped. */
static CulpritTable *
read_grouped (CulpritStudy *study, Statement *statement, GError **error)
{
  CulpritTable *table = read_table (study, statement, error);

  if (table)
    table->grouped = TRUE;
  return table;
}

/* Whether the filter's expression, inserted into other text, could be anything but an expression. */
static gboolean
check_where (CulpritStudy *study, const char *where, GError **error)
{
  int depth = 0;
  char quote = 0;

  for (const char *at = where ? where : ""; *at; at++)
    {
      if (quote)
        quote = *at == quote ? 0 : quote;
      else if (*at == '\'' || *at == '"')
        quote = *at;
      else if (*at == ';' || (*at == '-' && at[1] == '-') || (*at == '/' && at[1] == '*'))
        depth = -1;
      else
        depth += (*at == '(') - (*at == ')');
      if (depth < 0)
        break;
    }
  if (depth == 0 && !quote)
    return TRUE;
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY, "%s: incomplete expression:  %s", study->path,
               where);
  return FALSE;
}

/* Sets an error if the filter names a run or capture that does not exist. */
static gboolean
check_filter (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  g_autoptr (Statement) statement = NULL;
  gboolean row;

  if (!check_where (study, filter->where, error))
    return FALSE;
  if (!filter->run)
    return TRUE;
  statement = statement_named (study, "named-run", error);
  if (!statement)
    return FALSE;
  statement_bind_named (statement, "t:run", filter->run);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (!row)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND, "%s: no run \"%s\"; see culprit runs",
                 study->path, filter->run);
  return row;
}

/* The captures that @filter selects, as a JSON list; NULL: all. The caller owns it. */
static char *
list_captures (const CulpritFilter *filter)
{
  GString *list;

  if (!filter->capture && filter->n_captures == 0)
    return NULL;
  if (filter->capture)
    return g_strdup_printf ("[%" G_GINT64_FORMAT "]", filter->capture);
  list = g_string_new (NULL);
  for (guint i = 0; i < filter->n_captures; i++)
    g_string_append_printf (list, "%c%" G_GINT64_FORMAT, i > 0 ? ',' : '[', filter->captures[i]);
  g_string_append_c (list, ']');
  return g_string_free (list, FALSE);
}

void
query_bind_filter (Statement *statement, const CulpritFilter *filter)
{
  g_autofree char *captures = list_captures (filter);

  statement_bind_named (statement, "t:run t:captures", filter->run, captures);
  if (sqlite3_bind_parameter_index (statement, ":counted") > 0)
    statement_bind_named (statement, "i:counted", (gint64) filter->counted);
}

/* Prepares study/sql/@name.sql for @filter. */
static Statement *
prepare_filtered (CulpritStudy *study, const char *name, const CulpritFilter *filter, GError **error)
{
  g_autofree char *sql = sql_text (name, filter->where);
  g_autoptr (Statement) statement = NULL;

  if (!check_filter (study, filter, error))
    return NULL;
  statement = statement_new (study, sql, filter->where ? NULL : error);
  if (!statement && filter->where)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                 "%s: the expression \"%s\" is not valid for this table (%s); --csv shows its columns", study->path,
                 filter->where, sqlite3_errmsg (study->database));
  if (statement)
    query_bind_filter (statement, filter);
  return g_steal_pointer (&statement);
}

CulpritTable *
query_read_filtered (CulpritStudy *study, const char *name, const CulpritFilter *filter, GError **error)
{
  g_autoptr (Statement) statement = prepare_filtered (study, name, filter, error);

  return statement ? read_grouped (study, statement, error) : NULL;
}

CulpritTable *
culprit_query_runs (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "runs", error);

  return statement ? read_grouped (study, statement, error) : NULL;
}

CulpritTable *
culprit_query_captures (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  return query_read_filtered (study, "captures", filter, error);
}

CulpritTable *
culprit_query_outliers (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  return query_read_filtered (study, "outliers", filter, error);
}

CulpritTable *
culprit_query_sections (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  return query_read_filtered (study, "sections", filter, error);
}

const char *
culprit_query_why_no_sections (CulpritStudy *study, const CulpritFilter *filter, GError **error)
{
  const CulpritFilter chosen = { .run = filter->run, .capture = filter->capture, .counted = filter->counted };
  g_autoptr (CulpritTable) all = culprit_query_captures (study, &(CulpritFilter) { 0 }, error);
  g_autoptr (CulpritTable) captures = all ? culprit_query_captures (study, &chosen, error) : NULL;
  g_autoptr (CulpritTable) sections = captures ? culprit_query_sections (study, &chosen, error) : NULL;

  if (!sections)
    return NULL;
  if (culprit_table_rows (all) == 0)
    return "There are no captures yet: record or import some.";
  if (culprit_table_rows (captures) == 0)
    return "No captures match: choose other runs or captures, or count ignored ones again.";
  if (culprit_table_rows (sections) > 0)
    return "No sections match the condition: choose another one.";
  return "No CPU had interrupts or preemption disabled for 20 us or more.";
}

CulpritTable *
culprit_query_function (CulpritStudy *study, const CulpritFilter *filter, const char *key, GError **error)
{
  g_autoptr (Statement) statement = prepare_filtered (study, "function", filter, error);

  if (!statement)
    return NULL;
  statement_bind_named (statement, "t:key", key);
  return read_grouped (study, statement, error);
}

CulpritTable *
culprit_query_parts (CulpritStudy *study, gint64 capture, GError **error)
{
  CulpritTable *parts;

  if (!study->parts && !(study->parts = statement_named (study, "parts", error)))
    return NULL;
  statement_bind_named (study->parts, "i:capture", capture);
  parts = read_grouped (study, study->parts, error);
  sqlite3_reset (study->parts);
  return parts;
}

CulpritTable *
culprit_query_budget (CulpritStudy *study, gint64 capture, CulpritTimes times, gint64 smallest_ns, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "budget", error);

  if (!statement)
    return NULL;
  statement_bind_named (statement, "i:capture i:smallest_ns i:traced", capture, smallest_ns,
                        (gint64) (times == CULPRIT_TIMES_TRACED));
  return read_grouped (study, statement, error);
}

gboolean
culprit_query_ignored (CulpritStudy *study, const CulpritFilter *filter, guint *ignored, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "ignored", error);
  gboolean row;

  if (!statement)
    return FALSE;
  query_bind_filter (statement, filter);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  *ignored = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

char *
culprit_query_origin (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "origin", error);
  g_autoptr (GString) origin = g_string_new (NULL);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_string_append_printf (origin, "%s\n", statement_text (statement, 0));
    }
  return statement ? g_string_free (g_steal_pointer (&origin), FALSE) : NULL;
}

gint64
culprit_query_capture_id (CulpritStudy *study, const char *name, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "capture-id", error);
  gint64 id;
  gboolean row;

  if (!statement)
    return 0;
  statement_bind_named (statement, "t:name", name);
  if (!statement_step (study, statement, &row, error))
    return 0;
  id = row ? sqlite3_column_int64 (statement, 0) : 0;
  if (!row)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                 "%s: no capture \"%s\"; list them with: culprit sql 'SELECT capture_id, file FROM capture'",
                 study->path, name);
  else if (statement_step (study, statement, &row, error) && row)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "%s: several captures are named \"%s\"; use a capture number", study->path, name);
      id = 0;
    }
  return id;
}

CulpritTable *
culprit_query_sql (CulpritStudy *study, const char *sql, GError **error)
{
  g_autoptr (Statement) statement = NULL;
  g_autoptr (CulpritTable) table = NULL;
  const char *rest = NULL;

  if (sqlite3_prepare_v2 (study->database, sql, -1, &statement, &rest) != SQLITE_OK)
    {
      study_failed (study, error);
      return NULL;
    }
  if (!statement || !sqlite3_stmt_readonly (statement) || sqlite3_column_count (statement) == 0 ||
      strspn (rest, " \t\r\n;") != strlen (rest))
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY,
                   "%s: expected one query that only reads (SELECT ...)", study->path);
      return NULL;
    }
  study->own = TRUE;
  table = read_table (study, statement, error);
  study->own = FALSE;
  return g_steal_pointer (&table);
}
