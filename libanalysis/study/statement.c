/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns SQLite's results into errors that a user can act on. */
#include "statement-private.h"
#include "study-resources.h"

#include "budgets.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LOG_INDEX_SIZE 32768
#define LONG_LOG_PAGES 1000
#define BLOCK_SIZE 512            /* of st_blocks */
#define ROOM_BESIDE (128 * 1024)  /* that others may take meanwhile, and the file system for itself */
#define READERS_US G_USEC_PER_SEC /* to wait for those who read, each for a moment, */
#define RETRY_US 10000            /* and look again after this time */
#define REST 10 /* times as long as emptying the log took, before it is done again unasked: disks are slow */

/* What is free on @disk for whoever writes, in bytes; without end if it has no size, as ramfs. */
static guint64
free_bytes (const struct statvfs *disk)
{
  return disk->f_blocks > 0 ? disk->f_bavail * disk->f_frsize : G_MAXUINT64;
}

/* SQLite reports a full disk in several ways: as such, or as a failure to create the log's index or to write. */
static gboolean
is_disk_full (const CulpritStudy *study, int code)
{
  g_autofree char *folder = g_path_get_dirname (study->path);
  struct statvfs disk;

  return (code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && statvfs (folder, &disk) == 0 &&
         free_bytes (&disk) < LOG_INDEX_SIZE;
}

/* SQLite's message for @study, in one line, as it may quote a damaged schema. The caller owns it. */
static char *
sqlite_message (const CulpritStudy *study)
{
  g_auto (GStrv) words = g_strsplit_set (sqlite3_errmsg (study->database), "\r\n\t", -1);

  return g_strjoinv (" ", words);
}

/* What is wrong with values of a study if SQLite's @message is about them, else NULL. */
static const char *
damage (const char *message)
{
  static const struct
  {
    const char *begins;
    const char *meaning;
  } known[] = {
    { "integer overflow", "its numbers are too large to add up" },
    { "cannot store REAL value", "its numbers are too large to add up" },
    { "malformed JSON", "what should be JSON in it is not" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_has_prefix (message, known[i].begins))
      return known[i].meaning;
  return NULL;
}

gboolean
study_failed (const CulpritStudy *study, GError **error)
{
  g_autofree char *message = sqlite_message (study);
  int code = sqlite3_errcode (study->database) & 0xff;

  if (study->fault)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                   "%s: damaged (%s); import its captures into a new study", study->path, study->fault);
      return FALSE;
    }
  if (is_disk_full (study, code))
    code = SQLITE_FULL;
  switch (code)
    {
    case SQLITE_FULL:
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
                   "%s: the disk is full; nothing was changed; free some space and try again", study->path);
      break;
    case SQLITE_NOMEM:
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_MEMORY,
                   "%s: there is not enough memory; end other programs, or raise the limit, and try again",
                   study->path);
      break;
    case SQLITE_READONLY:
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
                   "%s: the study is read-only; make it and its folder writable, or copy it", study->path);
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: /* Another program holds locks of the log's index for longer than a program needs. */
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_BUSY,
                   "%s: another program is writing to the study; try again when it is done", study->path);
      break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                   "%s: not a study, or a damaged one (%s)%s; expected a file made by culprit", study->path, message,
                   study->as_is ? ", or one that was written to meanwhile: try again" : "");
      break;
    case SQLITE_INTERRUPT:
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", study->path);
      break;
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN,
                   "%s: cannot be opened, read or written (%s); check that it and its folder exist and are accessible",
                   study->path, message);
      break;
    default:
      if (!study->own && damage (message))
        g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                     "%s: damaged (%s); import its captures into a new study", study->path, damage (message));
      else
        g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_QUERY, "%s: %s", study->path, message);
    }
  return FALSE;
}

gboolean
study_check_name (const CulpritStudy *study, const char *name, GError **error)
{
  if (strlen (name) <= STUDY_LONGEST_NAME && !strchr (name, '\n'))
    return TRUE;
  if (strchr (name, '\n'))
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
                 "%s: the name \"%.40s\" has a line break; choose one without", study->path, name);
  else
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
                 "%s: the name \"%.40s...\" is longer than %d bytes; choose a shorter one", study->path, name,
                 STUDY_LONGEST_NAME);
  return FALSE;
}

/* The statements of each database that were prepared and that nobody uses, by their text. A table is used by one thread
 * at a time, as its database is. */
static GHashTable *all_idle;
static GMutex all_idle_lock;

#define MOST_IDLE 100

static GHashTable *
idle_of (sqlite3 *database)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&all_idle_lock);

  return all_idle ? g_hash_table_lookup (all_idle, database) : NULL;
}

static void
idle_begin (sqlite3 *database)
{
  GHashTable *idle =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) (GCallback) sqlite3_finalize);
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&all_idle_lock);

  if (!all_idle)
    all_idle = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_hash_table_insert (all_idle, database, idle);
}

void
statements_end (CulpritStudy *study)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&all_idle_lock);

  if (all_idle)
    g_hash_table_remove (all_idle, study->database);
}

void
statement_free (Statement *statement)
{
  GHashTable *idle = idle_of (sqlite3_db_handle (statement));
  char *sql = (char *) sqlite3_sql (statement);

  if (!idle || g_hash_table_size (idle) >= MOST_IDLE || g_hash_table_contains (idle, sql) ||
      g_str_has_prefix (sql, "PRAGMA") || g_str_has_prefix (sql, "ATTACH"))
    {
      sqlite3_finalize (statement);
      return;
    }
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  g_hash_table_insert (idle, sql, statement);
}

Statement *
statement_new (CulpritStudy *study, const char *sql, GError **error)
{
  GHashTable *idle = idle_of (study->database);
  gpointer statement = NULL;

  if (!idle)
    idle_begin (study->database);
  else if (g_hash_table_steal_extended (idle, sql, NULL, &statement))
    return statement;
  if (sqlite3_prepare_v2 (study->database, sql, -1, (Statement **) &statement, NULL) != SQLITE_OK)
    study_failed (study, error);
  return statement;
}

static const char *
resource_text (const char *name)
{
  g_autofree char *path = g_strdup_printf ("/culprit/sql/%s.sql", name);
  g_autoptr (GBytes) text = g_resource_lookup_data (culprit_study_get_resource (), path, 0, NULL);

  g_return_val_if_fail (text, "");
  return g_bytes_get_data (text, NULL); /* It is part of the program. */
}

static void
append_text (GString *text, const char *name, const char *where)
{
  g_auto (GStrv) pieces = g_strsplit_set (resource_text (name), "{}", -1);

  for (guint i = 0; pieces[i]; i++)
    if (i % 2 == 0)
      g_string_append (text, pieces[i]);
    else if (g_str_equal (pieces[i], "where"))
      g_string_append (text, where ? where : "1");
    else
      {
        g_autofree char *part = g_strconcat ("parts/", pieces[i], NULL);

        append_text (text, part, where);
      }
}

char *
sql_text (const char *name, const char *where)
{
  GString *text = g_string_new (NULL);

  append_text (text, name, where);
  return g_string_free (text, FALSE);
}

Statement *
statement_named (CulpritStudy *study, const char *name, GError **error)
{
  g_autofree char *sql = sql_text (name, NULL);

  return statement_new (study, sql, error);
}

/* SQLite's integers are signed; no valid value is larger. */
static gint64
clamp_to_signed (guint64 value)
{
  return value > G_MAXINT64 ? G_MAXINT64 : (gint64) value;
}

static void
bind_value (Statement *statement, int parameter, char type, va_list *values)
{
  switch (type)
    {
    case 'i':
      sqlite3_bind_int64 (statement, parameter, va_arg (*values, gint64));
      break;
    case 'u':
      sqlite3_bind_int64 (statement, parameter, clamp_to_signed (va_arg (*values, guint64)));
      break;
    case 'r':
      sqlite3_bind_double (statement, parameter, va_arg (*values, double));
      break;
    case 't':
      sqlite3_bind_text (statement, parameter, va_arg (*values, const char *), -1, SQLITE_TRANSIENT);
      break;
    case 'l':
      {
        g_autofree char *line = g_strdelimit (g_strdup (va_arg (*values, const char *)), "\n", ' ');

        sqlite3_bind_text (statement, parameter, line, -1, SQLITE_TRANSIENT);
      }
      break;
    case 'b':
      {
        const GByteArray *bytes = va_arg (*values, const GByteArray *);

        sqlite3_bind_blob (statement, parameter, bytes->len > 0 ? bytes->data : (const guint8 *) "", bytes->len,
                           SQLITE_TRANSIENT);
      }
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
bind_values (Statement *statement, const char *types, va_list *values)
{
  for (int i = 0; types[i]; i++)
    bind_value (statement, i + 1, types[i], values);
}

void
statement_bind (Statement *statement, const char *types, ...)
{
  va_list values;

  va_start (values, types);
  bind_values (statement, types, &values);
  va_end (values);
}

static void
bind_named_values (Statement *statement, const char *parameters, va_list *values)
{
  g_auto (GStrv) each = g_strsplit (parameters, " ", -1);

  for (guint i = 0; each[i]; i++)
    {
      int parameter = sqlite3_bind_parameter_index (statement, each[i] + 1);

      g_return_if_fail (parameter > 0);
      bind_value (statement, parameter, each[i][0], values);
    }
}

void
statement_bind_named (Statement *statement, const char *parameters, ...)
{
  va_list values;

  va_start (values, parameters);
  bind_named_values (statement, parameters, &values);
  va_end (values);
}

gboolean
statement_step (CulpritStudy *study, Statement *statement, gboolean *row, GError **error)
{
  int code = sqlite3_step (statement);

  *row = code == SQLITE_ROW;
  return code == SQLITE_ROW || code == SQLITE_DONE || study_failed (study, error);
}

gboolean
statement_run (CulpritStudy *study, Statement *statement, GError **error)
{
  gboolean row;
  gboolean good = statement_step (study, statement, &row, error);

  sqlite3_reset (statement);
  return good;
}

gboolean
study_execute (CulpritStudy *study, const char *sql, GError **error)
{
  return sqlite3_exec (study->database, sql, NULL, NULL, NULL) == SQLITE_OK || study_failed (study, error);
}

gboolean
study_execute_named (CulpritStudy *study, const char *name, GError **error)
{
  g_autofree char *sql = sql_text (name, NULL);

  return study_execute (study, sql, error);
}

gboolean
study_change (CulpritStudy *study, GError **error, const char *name, const char *parameters, ...)
{
  g_autoptr (Statement) statement = statement_named (study, name, error);
  va_list values;

  if (!statement)
    return FALSE;
  va_start (values, parameters);
  bind_named_values (statement, parameters, &values);
  va_end (values);
  return statement_run (study, statement, error);
}

gboolean
study_number (CulpritStudy *study, const char *sql, gint64 *number, GError **error)
{
  g_autoptr (Statement) statement = statement_new (study, sql, error);
  gboolean row;

  if (!statement || !statement_step (study, statement, &row, error))
    return FALSE;
  *number = row ? sqlite3_column_int64 (statement, 0) : 0;
  return TRUE;
}

gboolean
study_check_sums (CulpritStudy *study, guint64 largest, GError **error)
{
  g_autofree char *sql = sql_text ("study-sums", NULL);
  gint64 too_large = 0;

  if (largest > STUDY_SMALL_SUM && !study_number (study, sql, &too_large, error))
    return FALSE;
  if (too_large > 0)
    g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_STUDY,
                 "%s: its numbers and the new ones are too large to add up; use another study for them", study->path);
  return too_large == 0;
}

/* Whether the file that was opened has lost its name in its folder, wherever that is now. */
static gboolean
is_moved (const CulpritStudy *study)
{
  struct stat status;

  return study->name && (fstatat (study->folder, study->name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
                         status.st_dev != study->device || status.st_ino != study->inode);
}

/* The size of the study's log, 0 if it is not to be written to. */
static goffset
log_size (const CulpritStudy *study)
{
  g_autofree char *log = study->name ? g_strconcat (study->name, "-wal", NULL) : NULL;
  struct stat status;

  return log && fstatat (study->folder, log, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_size : 0;
}

/* Whether the disk has room for what the log would add to the study: at most all that the log has, and what the study
 * does not have yet. On one that fills up meanwhile, only some of its pages would be new, and without its log, which
 * has them all, the study would be damaged. */
static gboolean
has_room (CulpritStudy *study)
{
  goffset log = log_size (study);
  struct stat file;
  struct statvfs disk;
  gint64 whole;
  goffset more;

  if (log == 0 || !study_claimed_bytes (study, &whole, NULL) ||
      fstatat (study->folder, study->name, &file, AT_SYMLINK_NOFOLLOW) != 0 || fstatvfs (study->folder, &disk) != 0)
    return TRUE;
  more = MIN (log, whole - file.st_blocks * BLOCK_SIZE);
  return more <= 0 || free_bytes (&disk) >= (guint64) more + ROOM_BESIDE;
}

/* As SQLite does of itself, but only where there is room, and only into the file that has the name. */
static int
empty_long_log (gpointer study, sqlite3 *database, const char *name, int n_pages)
{
  if (n_pages >= LONG_LOG_PAGES && !is_moved (study) && has_room (study))
    sqlite3_wal_checkpoint_v2 (database, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  return SQLITE_OK;
}

void
study_remember_place (CulpritStudy *study, const char *file)
{
  g_autofree char *real = realpath (file, NULL);
  g_autofree char *folder = real ? g_path_get_dirname (real) : NULL;
  struct stat status;

  if (!real || stat (real, &status) != 0)
    return;
  study->folder = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (study->folder < 0)
    return;
  study->name = g_path_get_basename (real);
  study->device = status.st_dev;
  study->inode = status.st_ino;
  sqlite3_wal_hook (study->database, empty_long_log, study);
}

/* Waits for those who read, but not with the lock of those who write, which SQLite's own waiting would hold. FALSE: the
 * log keeps what it has until the next time. */
static gboolean
empty_log (CulpritStudy *study)
{
  gint64 begun_us = g_get_monotonic_time ();
  int code = SQLITE_BUSY;

  if (log_size (study) == 0)
    return TRUE;
  if (!has_room (study))
    return FALSE;
  sqlite3_busy_timeout (study->database, 0);
  while (!is_moved (study) &&
         (code = sqlite3_wal_checkpoint_v2 (study->database, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL)) ==
             SQLITE_BUSY &&
         g_get_monotonic_time () < begun_us + READERS_US)
    g_usleep (RETRY_US);
  sqlite3_busy_timeout (study->database, BUSY_MS);
  study->rests_until_us = g_get_monotonic_time () + REST * (g_get_monotonic_time () - begun_us);
  return code == SQLITE_OK;
}

void
culprit_study_settle (CulpritStudy *study, gboolean at_once)
{
  if (at_once || g_get_monotonic_time () >= study->rests_until_us)
    empty_log (study);
}

char *
study_leave_place (CulpritStudy *study)
{
  gboolean emptied = empty_log (study);
  gboolean room = has_room (study);
  g_autofree char *real = realpath (study->path, NULL);
  char *why = NULL;

  if (!room)
    sqlite3_db_config (study->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  if (!emptied && !is_moved (study) && real)
    why = g_strdup_printf ("%s: what was stored is in %s-wal for now, as %s; keep both together", study->path, real,
                           room ? "another program has the study open" : "the disk has no room for it twice");
  if (study->name)
    close (study->folder);
  g_clear_pointer (&study->name, g_free);
  return why;
}

/* Others who write to the file under the name that it has now keep another log. */
static gboolean
check_place (const CulpritStudy *study, GError **error)
{
  if (!is_moved (study))
    return TRUE;
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_WRITE,
               "%s: was removed, moved or replaced while it was open; nothing more is stored in it", study->path);
  return FALSE;
}

gboolean
study_begin (CulpritStudy *study, GError **error)
{
  return check_place (study, error) && study_execute (study, "BEGIN IMMEDIATE", error);
}

gboolean
study_commit (CulpritStudy *study, GError **error)
{
  return check_place (study, error) && study_execute (study, "COMMIT", error);
}

void
study_roll_back (CulpritStudy *study)
{
  if (!sqlite3_get_autocommit (study->database))
    sqlite3_exec (study->database, "ROLLBACK", NULL, NULL, NULL);
}

gboolean
study_run (CulpritStudy *study, gint64 *id, GError **error, const char *sql, const char *types, ...)
{
  g_autoptr (Statement) statement = statement_new (study, sql, error);
  va_list values;

  if (!statement)
    return FALSE;
  va_start (values, types);
  bind_values (statement, types, &values);
  va_end (values);
  if (!statement_run (study, statement, error))
    return FALSE;
  if (id)
    *id = sqlite3_last_insert_rowid (study->database);
  return TRUE;
}
