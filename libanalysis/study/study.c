/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens studies: creates new ones from data/schema.sql, and rejects other files. */
#include "study.h"

#include "budgets.h"
#include "capture/capture.h"
#include "journal-private.h"
#include "statement-private.h"
#include "study-resources.h"
#include "study/import/import.h"

#include <glib/gstdio.h>
#include <string.h>

/* Compares a study's schema with that of an empty one: one from outside may have other tables, views in their place
 * that never finish, or triggers. What differs is never run. */

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

/* Words that no column or index of ours uses: functions, and operators that are functions, may take forever, as may
 * comparisons that others' order of texts makes equal. What is no table or index may not call itself one. */
static const char foreign_words[] = "(?<!\\w|TABLE |ON )(?!(?:CHECK|IN|KEY|UNIQUE|json_valid|length)\\b)\\w+\\s*\\("
                                    "|[^\\w\\s'(),=>]|\\b(?i:COLLATE|LIKE|GLOB|MATCH|REGEXP)\\b"
                                    "|^(?!CREATE (?:TABLE|INDEX|UNIQUE INDEX) )";

/* Whether no code that writing to @study runs could take forever, nor a row be longer than in the file, in a study of
 * any version. FALSE with an error. */
static gboolean
study_check_words (CulpritStudy *study, GError **error)
{
  g_autoptr (GRegex) words = g_regex_new (foreign_words, G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, error);
  g_auto (Schema) schema = { 0 };
  g_auto (Schema) defaults = { 0 };

  if (!words || !schema_read (&schema, study, "schema-words", error))
    return FALSE;
  for (guint i = 0; i < schema.texts->len; i++)
    {
      g_autoptr (GError) too_much = NULL;

      if (g_regex_match_full (words, g_ptr_array_index (schema.texts, i), -1, 0, 0, NULL, &too_much) || too_much)
        return refuse (study, g_ptr_array_index (schema.names, i), error);
    }
  return schema_read (&defaults, study, "schema-defaults", error) &&
         (defaults.names->len == 0 || refuse (study, g_ptr_array_index (defaults.names, 0), error));
}

/* Whether @study has exactly the tables, views, indices and triggers of data/schema.sql. FALSE with an error. */
static gboolean
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
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL);
  return TRUE;
}

#define LONGEST_OF_SCHEMA 16384 /* bytes of SQL for a table, view or the like; ours have 1,700 */
#define MOST_COLUMNS 200        /* of a table; ours have 40 */

/* Makes SQLite treat the file as untrusted, before anything in it is read: its schema cannot be written to, the size of
 * values is limited, and no trigger or view runs until the schema was checked, as a view hides what SQLite itself calls
 * by that name. @read_only: the schema may call only harmless functions; json_valid(), which ours calls for what is
 * written, is not considered one. */
static void
study_distrust (CulpritStudy *study, gboolean read_only)
{
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, !read_only, NULL);
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (study->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_limit (study->database, SQLITE_LIMIT_LENGTH, STUDY_LONGEST_VALUE);
}

/* Lets SQLite read the schema, which compares each constraint of a table with all others: half a minute for 1 MB of
 * them. Returns SQLite's code. */
static int
read_schema (CulpritStudy *study)
{
  int longest = sqlite3_limit (study->database, SQLITE_LIMIT_SQL_LENGTH, LONGEST_OF_SCHEMA);
  int most = sqlite3_limit (study->database, SQLITE_LIMIT_COLUMN, MOST_COLUMNS);
  int code = sqlite3_exec (study->database, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);

  sqlite3_limit (study->database, SQLITE_LIMIT_SQL_LENGTH, longest);
  sqlite3_limit (study->database, SQLITE_LIMIT_COLUMN, most);
  return code;
}

#define APPLICATION_ID 0x43756c70 /* "Culp" */
#define SCHEMA_VERSION 7
#define SQL_FUNCTION (SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY)
#define RETRY_US 20000

G_DEFINE_QUARK (culprit - study - error, culprit_study_error)

/* Whoever only reads a study leaves an empty log and its index beside it, which SQLite removes when the last of those
 * who could write goes. */
static void
remove_empty_log (const char *path)
{
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  g_autofree char *escaped = journal_uri_path (path);
  g_autofree char *uri = g_strconcat ("file:", escaped, NULL);
  sqlite3 *database = NULL;
  struct stat status;

  if (lstat (log, &status) != 0 || status.st_size > 0)
    return;
  if (sqlite3_open_v2 (uri, &database, SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE, journal_vfs ()) ==
      SQLITE_OK)
    sqlite3_exec (database, "PRAGMA user_version", NULL, NULL, NULL); /* The schema is not read for this. */
  sqlite3_close (database);
}

char *
culprit_study_end (CulpritStudy *study)
{
  char *unsettled;

  g_clear_pointer (&study->parts, statement_free);
  unsettled = study_leave_place (study);
  statements_end (study);
  sqlite3_close (study->database);
  if (study->reads && !study->as_is && !study->fault)
    remove_empty_log (study->path);
  g_clear_pointer (&study->products, g_hash_table_unref);
  g_free (study->path);
  g_free (study->uri);
  g_free (study->fault);
  g_free (study);
  return unsettled;
}

void
culprit_study_close (CulpritStudy *study)
{
  g_free (culprit_study_end (study));
}

void
culprit_study_interrupt (CulpritStudy *study)
{
  sqlite3_interrupt (study->database);
}

const char *
culprit_study_path (const CulpritStudy *study)
{
  return study->path;
}

/* Runs the statements of a resource, after which the study has @version. */
static gboolean
run_resource (CulpritStudy *study, const char *name, gint64 version, GError **error)
{
  g_autoptr (GBytes) text = g_resource_lookup_data (culprit_study_get_resource (), name, 0, NULL);
  g_autofree char *sql = g_strdup_printf ("%s; PRAGMA application_id = %d; PRAGMA user_version = %" G_GINT64_FORMAT ";",
                                          (const char *) g_bytes_get_data (text, NULL), APPLICATION_ID, version);

  return study_execute (study, sql, error);
}

/* Sets an error: @study is older than any version that can be upgraded. */
static void
refuse_older (const CulpritStudy *study, gint64 version, GError **error)
{
  g_clear_error (error);
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
               "%s: damaged (its schema is not that of version %" G_GINT64_FORMAT
               "); import its captures into a new study",
               study->path, version);
}

/* A migration of a study by us takes fewer steps of SQLite for each of its bytes, and a small one not many more. */
#define STEPS_PER_BYTE 20
#define STEPS_OF_ANY 100000000
#define STEPS_BETWEEN 100000
#define MOST_OBJECTS 200 /* of a schema; ours have 50, and what is ours no longer is dropped one by one */

typedef struct
{
  GCancellable *cancellable;
  gint64 steps; /* that are left */
} Patience;

static int
lose_patience (gpointer data)
{
  Patience *patience = data;

  patience->steps -= STEPS_BETWEEN;
  return patience->steps < 0 || g_cancellable_is_cancelled (patience->cancellable);
}

/* Runs the migrations that follow @version. Indices, triggers and views hold no data: all are dropped before, whatever
 * their names, and created after, as they are in the schema of this version. */
static gboolean
migrate (CulpritStudy *study, gint64 version, GError **error)
{
  g_autoptr (CulpritStudy) empty = open_empty (error);
  g_auto (Schema) derived = { 0 };
  g_auto (Schema) old = { 0 };
  gboolean good = empty && schema_read (&derived, empty, "schema-derived", error) &&
                  schema_read (&old, study, "schema-derived", error);

  for (guint i = 0; good && i < old.names->len; i++)
    good = study_execute (study, g_ptr_array_index (old.names, i), error);
  while (good && version < SCHEMA_VERSION)
    {
      g_autofree char *name = g_strdup_printf ("/culprit/migrate-%" G_GINT64_FORMAT ".sql", ++version);

      good = run_resource (study, name, version, error);
    }
  for (guint i = 0; good && i < derived.texts->len; i++)
    good = study_execute (study, g_ptr_array_index (derived.texts, i), error);
  return good;
}

/* Upgrades a study of an older version, or creates a new one; inside a transaction. */
static gboolean
update_schema (CulpritStudy *study, gboolean empty, GError **error)
{
  Patience patience = { .cancellable = g_cancellable_get_current () };
  GError *problem = NULL;
  gboolean good;
  gint64 version;
  gint64 size;

  if (empty)
    return run_resource (study, "/culprit/schema.sql", SCHEMA_VERSION, error);
  if (!study_number (study, "PRAGMA user_version", &version, error) || !study_claimed_bytes (study, &size, error))
    return FALSE;
  patience.steps = STEPS_OF_ANY + size * STEPS_PER_BYTE;
  sqlite3_progress_handler (study->database, STEPS_BETWEEN, lose_patience, &patience);
  good = migrate (study, version, &problem);
  study_watch (study);
  if (good)
    return TRUE;
  if (g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY) || patience.steps < 0)
    refuse_older (study, version, &problem);
  g_propagate_error (error, problem);
  return FALSE;
}

/* Whether the open database is a usable study; @empty: it is empty; @old: it is of an older version. */
static gboolean
check_identity (CulpritStudy *study, gboolean *empty, gboolean *old, GError **error)
{
  gint64 objects;
  gint64 application;
  gint64 version;

  if (!study_number (study, "SELECT COUNT (*) FROM sqlite_schema", &objects, error) ||
      !study_number (study, "PRAGMA application_id", &application, error) ||
      !study_number (study, "PRAGMA user_version", &version, error))
    return FALSE;
  *empty = objects == 0 && application == 0;
  *old = application == APPLICATION_ID && version >= 1 && version < SCHEMA_VERSION;
  if (*old && objects > MOST_OBJECTS)
    {
      refuse_older (study, version, error);
      return FALSE;
    }
  if (*empty || *old || (application == APPLICATION_ID && version == SCHEMA_VERSION))
    return TRUE;
  if (application != APPLICATION_ID)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                 "%s: the database of another program; expected a study made by culprit", study->path);
  else
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NEWER,
                 "%s: made by a newer culprit (study version %" G_GINT64_FORMAT ", this one knows %d); update culprit",
                 study->path, version, SCHEMA_VERSION);
  return FALSE;
}

/* Opens @file, which is the study, or a copy of it. In a folder that is not writable there is no place for the
 * write-ahead log; the study is read as it is, since hardly anybody writes to it there. */
static int
open_database (CulpritStudy *study, const char *file, CulpritStudyMode mode)
{
  g_autofree char *real = realpath (file, NULL);
  g_autofree char *log = g_strconcat (real ? real : file, "-wal", NULL);
  g_autofree char *escaped = journal_uri_path (file);
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
              (mode == CULPRIT_STUDY_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  int code;

  study->uri = g_strconcat ("file:", escaped, NULL);
  code = sqlite3_open_v2 (study->uri, &study->database, flags, journal_vfs ());
  if (code == SQLITE_OK)
    {
      study_distrust (study, mode == CULPRIT_STUDY_READ);
      study_watch (study);
      code = read_schema (study);
    }
  code &= 0xff;
  if (mode == CULPRIT_STUDY_READ && (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) &&
      !g_file_test (log, G_FILE_TEST_EXISTS))
    {
      sqlite3_close (study->database);
      g_free (study->uri);
      study->uri = g_strconcat ("file:", escaped, "?immutable=1", NULL);
      study->as_is = TRUE;
      code = sqlite3_open_v2 (study->uri, &study->database, flags, journal_vfs ());
      if (code == SQLITE_OK)
        {
          study_distrust (study, TRUE);
          study_watch (study);
          code = read_schema (study);
        }
    }
  return code;
}

gboolean
study_check_names (CulpritStudy *study, const CulpritStudy *source, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "bad-names", error);
  gboolean row;

  if (!statement)
    return FALSE;
  statement_bind_named (statement, "i:most", (gint64) 2 * STUDY_LONGEST_NAME);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    g_set_error (
        error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
        "%s: damaged (a name is longer than %d bytes, or has a byte 0 or a line break, or is a run's and not UTF-8); "
        "import its captures into a new study",
        source->path, 2 * STUDY_LONGEST_NAME);
  return !row;
}

/* Whether each run and capture belongs to rows that are there. FALSE with an error. */
static gboolean
study_check_references (CulpritStudy *study, GError **error)
{
  g_autoptr (Statement) statement = statement_named (study, "bad-references", error);
  gboolean row;

  if (!statement || !statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                 "%s: damaged (%s); see culprit check, or import its captures into a new study", study->path,
                 statement_text (statement, 0));
  return !row;
}

/* Whether @study may be written to, though nothing of it is written here. */
static gboolean
check_read_only (CulpritStudy *study, gboolean *empty, gboolean *old, GError **error)
{
  study->familiar =
      check_identity (study, empty, old, error) && study_check_size (study, error) && study_check_words (study, error);
  return study->familiar && (!*old || study_check_pages (study, error)) &&
         (*empty || *old || (study_check_schema (study, error) && study_check_names (study, study, error)));
}

static gboolean
prepare_for_writing (CulpritStudy *study, GError **error)
{
  gboolean empty;
  gboolean old;
  gboolean good;

  if (!check_read_only (study, &empty, &old, error))
    return FALSE;
  if (!empty && !old)
    return TRUE;
  /* An old one has it, and stays as it is if it is refused. */
  if ((empty && !study_execute (study, "PRAGMA journal_mode = WAL", error)) || !study_begin (study, error))
    return FALSE;
  good = check_identity (study, &empty, &old, error) && update_schema (study, empty, error) &&
         study_check_schema (study, error) && study_check_names (study, study, error) && study_commit (study, error);
  if (!good)
    study_roll_back (study);
  return good && (empty || culprit_study_read_again (study, error));
}

/* SQL functions: what is stored as codes, in words, and whether a text is valid. */

static void
window_kind_words (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  const char *key = (const char *) sqlite3_value_text (arguments[0]);

  if (key)
    sqlite3_result_text (context, culprit_window_kind_in_words (key), -1, g_free);
}

static void
no_windows_words (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  const char *code = (const char *) sqlite3_value_text (arguments[0]);

  if (code)
    sqlite3_result_text (context, culprit_no_windows_in_words (code, sqlite3_value_int64 (arguments[1])), -1, g_free);
}

static void
is_utf8 (sqlite3_context *context, int n_arguments, sqlite3_value **arguments)
{
  const char *text = (const char *) sqlite3_value_text (arguments[0]);

  if (text)
    sqlite3_result_int (context, g_utf8_validate (text, sqlite3_value_bytes (arguments[0]), NULL));
}

/* Connects to @file, which is the study called @path, or a copy of it. */
static CulpritStudy *
connect_to (const char *path, const char *file, CulpritStudyMode mode, GError **error)
{
  g_autoptr (CulpritStudy) study = g_new0 (CulpritStudy, 1);

  study->path = g_strdup (path);
  study->reads = mode == CULPRIT_STUDY_READ && g_str_equal (path, file);
  if (open_database (study, file, mode) != SQLITE_OK)
    {
      study_failed (study, error);
      return NULL;
    }
  if (mode != CULPRIT_STUDY_READ)
    study_remember_place (study, file);
  sqlite3_busy_timeout (study->database, BUSY_MS);
  sqlite3_create_function (study->database, "window_kind_words", 1, SQL_FUNCTION, NULL, window_kind_words, NULL, NULL);
  sqlite3_create_function (study->database, "is_utf8", 1, SQL_FUNCTION, NULL, is_utf8, NULL, NULL);
  sqlite3_create_function (study->database, "no_windows_words", 2, SQL_FUNCTION, NULL, no_windows_words, NULL, NULL);
  /* What was committed must survive a power cut: the user was told that it is stored. */
  if (!study_execute (study, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON", error))
    return NULL;
  return g_steal_pointer (&study);
}

/* Whether what the journal of the study @path restores is a study too, by a copy. */
static gboolean
check_journal (const char *path, GError **error)
{
  JournalCopy copy;
  gboolean copied = journal_copy (path, &copy, error);
  CulpritStudy *study = copied ? connect_to (path, copy.path, CULPRIT_STUDY_CREATE, error) : NULL;
  gboolean empty;
  gboolean old;
  gboolean good = study && check_read_only (study, &empty, &old, error);

  g_clear_pointer (&study, culprit_study_close);
  if (copied)
    journal_remove_copy (&copy);
  return good;
}

/* Rolls the journal of the study @path back, which a program left that was killed, or a machine that lost its power. */
static gboolean
roll_back_journal (const char *path, GError **error)
{
  g_autoptr (CulpritStudy) study = NULL;
  gboolean hot = TRUE;

  if (check_journal (path, error))
    study = connect_to (path, path, CULPRIT_STUDY_CREATE, error);
  else if (journal_check (path, &hot, NULL) && !hot)
    {
      g_clear_error (error);
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_BUSY, "%s: another program rolled its journal back",
                   path);
    }
  return study != NULL;
}

static gboolean
is_study_path (const char *path, CulpritStudyMode mode, GError **error)
{
  if (!*path || *path == ':')
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN,
                 "\"%s\" is not a valid study path; specify one with --study FILE", path);
  else if (mode != CULPRIT_STUDY_CREATE && !g_file_test (path, G_FILE_TEST_EXISTS))
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN,
                 "%s: no such study; check the name, or create it with culprit import", path);
  else if (g_file_test (path, G_FILE_TEST_IS_SYMLINK) && !g_file_test (path, G_FILE_TEST_EXISTS))
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN, "%s: a link to nothing; remove it", path);
  else if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                 "%s: not a regular file; expected a study made by culprit", path);
  else
    return TRUE;
  return FALSE;
}

/* Opens the study to read it. @old: it is of an older version. */
static CulpritStudy *
open_to_read (const char *path, gboolean *old, GError **error)
{
  g_autoptr (CulpritStudy) study = connect_to (path, path, CULPRIT_STUDY_READ, error);
  gboolean empty;

  if (!study || !check_read_only (study, &empty, old, error))
    return NULL;
  if (empty)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                   "%s: not a study (it is empty); create one with culprit import", path);
      return NULL;
    }
  if (*old && study->as_is)
    {
      g_set_error (
          error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
          "%s: made by an older culprit, and cannot be updated where it is; copy it to a folder that is writable",
          path);
      return NULL;
    }
  return g_steal_pointer (&study);
}

/* Opens the study to write to it, once it has been checked without. */
static CulpritStudy *
open_to_write (const char *path, GError **error)
{
  g_autoptr (CulpritStudy) study = NULL;
  GStatBuf status;
  gboolean empty;
  gboolean old;

  if (g_stat (path, &status) != 0)
    status = (GStatBuf) { 0 };
  if (status.st_nlink > 1) /* Whoever writes to it under another name keeps another log. */
    {
      g_set_error (
          error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
          "%s: has another name, too (a hard link), under which others may be writing to it; remove that name, or "
          "copy the study",
          path);
      return NULL;
    }
  if (status.st_size > 0)
    {
      study = connect_to (path, path, CULPRIT_STUDY_READ, error);
      if (!study || !check_read_only (study, &empty, &old, error))
        return NULL;
      g_clear_pointer (&study, culprit_study_close);
    }
  study = connect_to (path, path, CULPRIT_STUDY_CREATE, error);
  return study && prepare_for_writing (study, error) ? g_steal_pointer (&study) : NULL;
}

static CulpritStudy *
open_once (const char *path, CulpritStudyMode mode, GError **error)
{
  g_autoptr (CulpritStudy) study = NULL;
  gboolean hot;
  gboolean old;

  if (!is_study_path (path, mode, error) || !journal_check (path, &hot, error) ||
      (hot && !roll_back_journal (path, error)))
    return NULL;
  study = mode == CULPRIT_STUDY_CREATE ? open_to_write (path, error) : open_to_read (path, &old, error);
  if (study && mode != CULPRIT_STUDY_CREATE && old)
    {
      g_clear_pointer (&study, culprit_study_close);
      study = open_to_write (path, error);
      if (!study)
        return NULL;
      g_clear_pointer (&study, culprit_study_close);
      study = open_to_read (path, &old, error);
    }
  if (study && mode != CULPRIT_STUDY_EXAMINE && !study_check_references (study, error))
    return NULL;
  return g_steal_pointer (&study);
}

/* SQLite itself does not wait if two programs create the same study at once, or if one of them switches its journal. */
CulpritStudy *
culprit_study_open (const char *path, CulpritStudyMode mode, GError **error)
{
  gint64 give_up = g_get_monotonic_time () + BUSY_MS * 1000;

  for (;;)
    {
      GError *problem = NULL;
      CulpritStudy *study = open_once (path, mode, &problem);

      if (study)
        return study;
      if (!g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_BUSY) ||
          g_get_monotonic_time () > give_up)
        {
          g_propagate_error (error, problem);
          return NULL;
        }
      g_error_free (problem);
      g_usleep (RETRY_US);
    }
}
