/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a study's schema with that of an empty one: one from outside may have other tables, views in their place
 * that never finish, or triggers. What differs is never run. */
#include "schema-private.h"

#include "study-resources.h"

#include <string.h>

/* What is compared, in this order: columns are only queried once the objects are known to be ours. */
static const char *const queries[] = { "schema-objects", "schema-columns" };

typedef struct
{
  GPtrArray *names; /* "view outlier" */
  GPtrArray *texts; /* everything that matters about it */
} Schema;

static void
schema_clear (Schema *schema)
{
  g_clear_pointer (&schema->names, g_ptr_array_unref);
  g_clear_pointer (&schema->texts, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Schema, schema_clear)

static gboolean
schema_read (Schema *schema, CulpritStudy *study, const char *query, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, query, error);
  gboolean row = statement != NULL;

  schema->names = g_ptr_array_new_with_free_func (g_free);
  schema->texts = g_ptr_array_new_with_free_func (g_free);
  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return FALSE;
      if (!row)
        break;
      g_ptr_array_add (schema->names, g_strdup (statement_text (statement, 0)));
      g_ptr_array_add (schema->texts, g_strdup (statement_text (statement, 1)));
    }
  return statement != NULL;
}

/* An empty study in memory, as created by this version. */
static CulpritStudy *
open_empty (GError **error)
{
  g_autoptr (CulpritStudy) study = g_new0 (CulpritStudy, 1);
  g_autoptr (GBytes) schema = g_resource_lookup_data (culprit_study_get_resource (), "/culprit/schema.sql", 0, NULL);

  study->path = g_strdup (":memory:");
  if (sqlite3_open (study->path, &study->database) != SQLITE_OK)
    study_failed (study, error);
  else if (study_execute (study, g_bytes_get_data (schema, NULL), error))
    return g_steal_pointer (&study);
  return NULL;
}

/* Our own schema, read once. */
static const Schema *
own_schema (guint query, GError **error)
{
  static Schema own[G_N_ELEMENTS (queries)];
  static gboolean known;
  static GMutex lock;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  g_autoptr (CulpritStudy) empty = known ? NULL : open_empty (error);

  if (!known && !empty)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (queries) && !known; i++)
    {
      schema_clear (&own[i]);
      if (!schema_read (&own[i], empty, queries[i], error))
        return NULL;
    }
  known = TRUE;
  return &own[query];
}

/* Sets @error: the object @name is not ours. Returns FALSE. SQLite believes whatever the tables of its statistics say,
 * and chooses how to answer a query by that. */
static gboolean
refuse (const CulpritStudy *study, const char *name, GError **error)
{
  if (g_str_has_prefix (name, "table sqlite_stat"))
    {
      g_set_error (
          error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
          "%s: has statistics of SQLite's ANALYZE, which may be wrong; drop its %s, which culprit does not need",
          study->path, name);
      return FALSE;
    }
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
               "%s: its schema is not that of a study (see its %s); expected a file made by culprit, without tables, "
               "views, indices or triggers of other programs",
               study->path, name);
  return FALSE;
}

/* The name of the first object that differs between @schema and @own; NULL: none. */
static const char *
find_difference (const Schema *schema, const Schema *own)
{
  for (guint i = 0; i < MAX (schema->texts->len, own->texts->len); i++)
    {
      const char *text = i < schema->texts->len ? g_ptr_array_index (schema->texts, i) : NULL;
      const char *own_text = i < own->texts->len ? g_ptr_array_index (own->texts, i) : NULL;

      if (!own_text || (text && strcmp (text, own_text) < 0))
        return g_ptr_array_index (schema->names, i);
      if (!text || !g_str_equal (text, own_text))
        return g_ptr_array_index (own->names, i);
    }
  return NULL;
}

/* Words that no column or index of ours uses: functions, and operators that are functions, may take forever. */
static const char foreign_words[] = "(?<!\\w|TABLE |ON )(?!(?:CHECK|IN|KEY|UNIQUE|json_valid|length)\\b)\\w+\\s*\\("
                                    "|[^\\w\\s'(),=>]|\\b(?i:LIKE|GLOB|MATCH|REGEXP)\\b";

gboolean
study_check_words (CulpritStudy *study, GError **error)
{
  g_autoptr (GRegex) words = g_regex_new (foreign_words, G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, error);
  g_auto (Schema) schema = { 0 };

  if (!words || !schema_read (&schema, study, "schema-words", error))
    return FALSE;
  for (guint i = 0; i < schema.texts->len; i++)
    {
      g_autoptr (GError) too_much = NULL;

      if (g_regex_match_full (words, g_ptr_array_index (schema.texts, i), -1, 0, 0, NULL, &too_much) || too_much)
        return refuse (study, g_ptr_array_index (schema.names, i), error);
    }
  return TRUE;
}

gboolean
study_check_schema (CulpritStudy *study, GError **error)
{
  for (guint query = 0; query < G_N_ELEMENTS (queries); query++)
    {
      const Schema *own = own_schema (query, error);
      g_auto (Schema) schema = { 0 };
      const char *difference;

      if (!own || !schema_read (&schema, study, queries[query], error))
        return FALSE;
      difference = find_difference (&schema, own);
      if (difference)
        return refuse (study, difference, error);
    }
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, NULL);
  return TRUE;
}

void
study_distrust (CulpritStudy *study, gboolean read_only)
{
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, !read_only, NULL);
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_limit (study->database, SQLITE_LIMIT_LENGTH, STUDY_LONGEST_VALUE);
}
