/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is not a capture may be a latency result; anything else is skipped. */
#include "import-files.h"

#include "capture/capture.h"
#include "capture/error.h"
#include "files.h"
#include "import-private.h"
#include "seeded-hash.h"
#include "study/profiles.h"
#include "study/statement-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct _Seen Seen;

static void seen_close (Seen *seen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Seen, seen_close)

typedef struct _ReadAhead ReadAhead;

static void read_ahead_free (ReadAhead *ahead);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReadAhead, read_ahead_free)

/* A file is the one that was read if its device, inode, size and change time are the same: the system updates the
 * change time whenever a file is written to or renamed, and nobody can choose it. Paths and modification times do not
 * count, since another file can have the same. The cache alone is never trusted: the study must know the digest; and
 * only the study that the file was read for, since what another one states of it may have been made up. */

#define NS_PER_S 1000000000

struct _Seen
{
  char *path;
  char *study; /* the path of the study */
  gboolean damaged;
  sqlite3 *database;
  sqlite3_stmt *find;
  sqlite3_stmt *add;
};

/* Above 128 MB, about a million files, everything is forgotten. */
#define MOST_PAGES "32768"

static const char schema[] = "PRAGMA journal_mode = WAL;"
                             "PRAGMA synchronous = OFF;"
                             "DROP TABLE IF EXISTS seen;" /* of earlier versions */
                             "CREATE TABLE IF NOT EXISTS seen_for ("
                             "  study BLOB NOT NULL,"
                             "  device INTEGER NOT NULL,"
                             "  inode INTEGER NOT NULL,"
                             "  size_bytes INTEGER NOT NULL,"
                             "  changed_ns INTEGER NOT NULL,"
                             "  digest TEXT NOT NULL,"
                             "  PRIMARY KEY (study, device, inode)"
                             ") STRICT, WITHOUT ROWID;"
                             "DELETE FROM seen_for WHERE (SELECT page_count - freelist_count "
                             "                        FROM pragma_page_count, pragma_freelist_count) > " MOST_PAGES ";";

/* A damaged cache, e.g. after a power cut, is created again next time. */
static void
remove_files (const char *path)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *file = g_strconcat (path, suffixes[i], NULL);

      unlink (file);
    }
}

static void
seen_close (Seen *seen)
{
  sqlite3_finalize (seen->find);
  sqlite3_finalize (seen->add);
  sqlite3_close (seen->database);
  if (seen->damaged)
    remove_files (seen->path);
  g_free (seen->path);
  g_free (seen->study);
  g_free (seen);
}

/* Whether the result @code of SQLite for @seen is @expected. */
static gboolean
answers (Seen *seen, int code, int expected)
{
  seen->damaged |= (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
  return code == expected;
}

/* The cache for the study at @study; NULL if there is none. */
static Seen *
seen_open (const char *study)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "culprit", NULL);
  g_autoptr (Seen) seen = g_new0 (Seen, 1);

  seen->path = g_build_filename (folder, "seen.sqlite", NULL);
  seen->study = g_canonicalize_filename (study, NULL);
  if (g_mkdir_with_parents (folder, 0700) == 0 && sqlite3_open (seen->path, &seen->database) == SQLITE_OK &&
      answers (seen, sqlite3_exec (seen->database, schema, NULL, NULL, NULL), SQLITE_OK) &&
      sqlite3_prepare_v2 (seen->database,
                          "SELECT digest FROM seen_for WHERE study = ? AND device = ? AND inode = ? AND size_bytes = ? "
                          "AND changed_ns = ?",
                          -1, &seen->find, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2 (seen->database, "INSERT OR REPLACE INTO seen_for VALUES (?, ?, ?, ?, ?, ?)", -1, &seen->add,
                          NULL) == SQLITE_OK)
    return g_steal_pointer (&seen);
  return NULL;
}

static void
bind (const Seen *seen, sqlite3_stmt *statement, const CulpritFileIdentity *file)
{
  sqlite3_bind_blob (statement, 1, seen->study, strlen (seen->study), SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 2, file->device);
  sqlite3_bind_int64 (statement, 3, file->inode);
  sqlite3_bind_int64 (statement, 4, file->size_bytes);
  sqlite3_bind_int64 (statement, 5, file->changed_ns);
}

/* The digest of the file at @path, if it was read and has not been written to since; NULL otherwise. The caller owns
 * it. @seen may be NULL. */
static char *
seen_digest (Seen *seen, const char *path)
{
  struct stat status;
  CulpritFileIdentity file;
  char *digest = NULL;

  if (!seen || stat (path, &status) != 0)
    return NULL;
  file = (CulpritFileIdentity) { status.st_dev, status.st_ino, status.st_size,
                                 (gint64) status.st_ctim.tv_sec * NS_PER_S + status.st_ctim.tv_nsec };
  bind (seen, seen->find, &file);
  if (answers (seen, sqlite3_step (seen->find), SQLITE_ROW))
    digest = g_strdup ((const char *) sqlite3_column_text (seen->find, 0));
  sqlite3_reset (seen->find);
  return digest;
}

/* Remembers the file that @capture was read from. @seen may be NULL. */
static void
seen_add (Seen *seen, const CulpritCapture *capture)
{
  if (!seen || capture->identity.changed_ns == 0)
    return;
  bind (seen, seen->add, &capture->identity);
  sqlite3_bind_text (seen->add, 6, capture->digest, -1, SQLITE_TRANSIENT);
  answers (seen, sqlite3_step (seen->add), SQLITE_DONE);
  sqlite3_reset (seen->add);
}

static void
leftover_free (CulpritLeftover *leftover)
{
  g_free (leftover->path);
  g_free (leftover->run);
  g_free (leftover);
}

/* Paths of the files of all captures, as stored in the study. */
static GHashTable *
find_stored (CulpritStudy *study, GError **error)
{
  g_autoptr (GHashTable) stored = g_hash_table_new_full (culprit_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (Statement) statement = statement_new (study, "SELECT file FROM capture", error);
  gboolean row = statement != NULL;

  while (row)
    {
      if (!statement_step (study, statement, &row, error))
        return NULL;
      if (row)
        g_hash_table_add (stored, g_strdup (statement_text (statement, 0)));
    }
  return statement ? g_steal_pointer (&stored) : NULL;
}

/* Adds the file at @path to @found if a recording of the study wrote it. */
static gboolean
add_recorded (CulpritStudy *study, Statement *statement, const char *path, GPtrArray *found, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  gboolean row;

  statement_bind_named (statement, "t:name", name);
  if (!statement_step (study, statement, &row, error))
    return FALSE;
  if (row)
    {
      CulpritLeftover *leftover = g_new (CulpritLeftover, 1);

      *leftover = (CulpritLeftover) { g_strdup (path), g_strdup (statement_text (statement, 0)) };
      g_ptr_array_add (found, leftover);
    }
  sqlite3_reset (statement);
  return TRUE;
}

GPtrArray *
culprit_study_leftovers (CulpritStudy *study, const char *folder, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) leftover_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GHashTable) stored = find_stored (study, error);
  g_autoptr (Statement) statement = stored ? statement_named (study, "recorded-file", error) : NULL;
  const char *name;

  while (dir && statement && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *file = rows_file_name (study, path);

      if (g_utf8_validate (name, -1, NULL) && !g_hash_table_contains (stored, file) &&
          !g_file_test (path, G_FILE_TEST_IS_SYMLINK) && !add_recorded (study, statement, path, found, error))
        return NULL;
    }
  return statement ? g_steal_pointer (&found) : NULL;
}

/* Finds captures below a folder by their content, not by their names; and jitterdebugger's results, whose folder has
 * other files that look like tables. */

/* A file that a recording has not finished is not one. One that is called like a capture is, if its content does not
 * say otherwise, and so may be what cannot be looked at: the import tells why it cannot be read. */
static gboolean
is_capture (const char *path)
{
  char start[CULPRIT_CAPTURE_MAGIC_SIZE];
  struct stat status;
  int fd = culprit_open_regular (path, &status);
  gssize n = fd >= 0 ? read (fd, start, sizeof start) : -1;
  gboolean hidden = n < 0 && (errno == EACCES || errno == EPERM || errno == ENAMETOOLONG || errno == EIO);

  if (fd >= 0)
    close (fd);
  if (n == CULPRIT_CAPTURE_MAGIC_SIZE)
    return !g_str_has_suffix (path, CULPRIT_PART_SUFFIX) &&
           memcmp (start, CULPRIT_CAPTURE_MAGIC, CULPRIT_CAPTURE_MAGIC_SIZE) == 0;
  return hidden || g_str_has_suffix (path, ".dat");
}

static gboolean
is_result (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_str_equal (name, CULPRIT_JITTERDEBUGGER_FILE);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Links to folders are not followed, as they may form a cycle. A subfolder that cannot be read or reached is returned
 * itself, so that importing it reports the reason. */
static gboolean
find_below (const char *folder, GPtrArray *found, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GError *problem = NULL;
  GDir *dir = g_dir_open (folder, 0, &problem);
  const char *name;

  if (!dir)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      const char *path = g_ptr_array_index (names, i);

      if (!g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (is_capture (path) || is_result (path))
            g_ptr_array_add (found, g_strdup (path));
        }
      else if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK) && !find_below (path, found, NULL))
        g_ptr_array_add (found, g_strdup (path));
    }
  return TRUE;
}

static GPtrArray *
find_files (const char *path, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    g_ptr_array_add (found, g_strdup (path));
  else if (!find_below (path, found, error))
    return NULL;
  if (found->len == 0)
    {
      g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND,
                   "%s: no captures in this folder; expected files saved by trace-cmd or culprit, or "
                   "jitterdebugger's " CULPRIT_JITTERDEBUGGER_FILE,
                   path);
      return NULL;
    }
  return g_steal_pointer (&found);
}

/* A few small captures are read ahead, each by one thread; a large one, which takes memory and is itself read by
 * several threads, only when its turn comes. */

#define SMALL_BYTES (4 * 1024 * 1024)

typedef struct
{
  CulpritCapture *capture;
  GError *error;
  gboolean done;
} Result;

struct _ReadAhead
{
  const GPtrArray *files;
  const CulpritCaptureOptions *options;
  GCancellable *cancellable;
  GPtrArray *threads;
  GMutex lock;
  GCond changed;
  Result *results; /* by file */
  guint next;      /* next to be read */
  guint taken;     /* number delivered, including the one being waited for */
  gboolean stop;
};

static gboolean
is_small (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && status.st_size <= SMALL_BYTES;
}

/* Whether the next file may be read now. Called with the lock held. */
static gboolean
may_read (const ReadAhead *ahead)
{
  if (ahead->next < ahead->taken)
    return TRUE;
  return ahead->next < ahead->taken + 2 * ahead->threads->len &&
         is_small (g_ptr_array_index (ahead->files, ahead->next));
}

static gpointer
read_files (gpointer data)
{
  ReadAhead *ahead = data;

  g_mutex_lock (&ahead->lock);
  while (!ahead->stop && ahead->next < ahead->files->len)
    {
      Result result = { .done = TRUE };
      guint i = ahead->next;

      if (!may_read (ahead))
        {
          g_cond_wait (&ahead->changed, &ahead->lock);
          continue;
        }
      ahead->next++;
      g_mutex_unlock (&ahead->lock);
      result.capture =
          culprit_capture_read (g_ptr_array_index (ahead->files, i), ahead->options, ahead->cancellable, &result.error);
      g_mutex_lock (&ahead->lock);
      ahead->results[i] = result;
      g_cond_broadcast (&ahead->changed);
    }
  g_mutex_unlock (&ahead->lock);
  return NULL;
}

/* Begins to read @files (of char *). They and @options must remain valid until read_ahead_free(). */
static ReadAhead *
read_ahead_new (const GPtrArray *files, const CulpritCaptureOptions *options, GCancellable *cancellable)
{
  ReadAhead *ahead = g_new0 (ReadAhead, 1);
  guint n = MIN (files->len, g_get_num_processors ());

  ahead->files = files;
  ahead->options = options;
  ahead->cancellable = cancellable;
  ahead->results = g_new0 (Result, files->len + 1);
  ahead->threads = g_ptr_array_new ();
  g_mutex_init (&ahead->lock);
  g_cond_init (&ahead->changed);
  g_mutex_lock (&ahead->lock);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (ahead->threads, g_thread_new ("culprit-ahead", read_files, ahead));
  g_mutex_unlock (&ahead->lock);
  return ahead;
}

/* Waits for the next file, of which there must be one, and returns the result of culprit_capture_read(). */
static CulpritCapture *
read_ahead_next (ReadAhead *ahead, GError **error)
{
  Result *result = &ahead->results[ahead->taken];
  Result handed;

  g_mutex_lock (&ahead->lock);
  ahead->taken++;
  g_cond_broadcast (&ahead->changed);
  while (!result->done)
    g_cond_wait (&ahead->changed, &ahead->lock);
  handed = *result;
  *result = (Result) { 0 };
  g_mutex_unlock (&ahead->lock);
  if (handed.error)
    g_propagate_error (error, handed.error);
  return handed.capture;
}

/* Waits for files that are being read, and discards what was not used. */
static void
read_ahead_free (ReadAhead *ahead)
{
  g_mutex_lock (&ahead->lock);
  ahead->stop = TRUE;
  g_cond_broadcast (&ahead->changed);
  g_mutex_unlock (&ahead->lock);
  for (guint i = 0; i < ahead->threads->len; i++)
    g_thread_join (g_ptr_array_index (ahead->threads, i));
  for (guint i = 0; i < ahead->files->len; i++)
    {
      g_clear_pointer (&ahead->results[i].capture, culprit_capture_free);
      g_clear_error (&ahead->results[i].error);
    }
  g_ptr_array_unref (ahead->threads);
  g_mutex_clear (&ahead->lock);
  g_cond_clear (&ahead->changed);
  g_free (ahead->results);
  g_free (ahead);
}

/* Shared by all files of an import. */
typedef struct
{
  const char *study_path;
  CulpritStudy *study; /* NULL: not created yet */
  const CulpritImportOptions *options;
  const CulpritCaptureOptions *capture_options;
  gint64 unit_ns;
  GCancellable *cancellable;
  CulpritImportTally *tally;
  Seen *seen;
} Importing;

void
culprit_import_tally_init (CulpritImportTally *tally)
{
  *tally = (CulpritImportTally) { .known_files = g_ptr_array_new_with_free_func (g_free),
                                  .unread = g_ptr_array_new_with_free_func (g_free),
                                  .problems = g_ptr_array_new_with_free_func (g_free),
                                  .warnings = g_ptr_array_new_with_free_func (culprit_problem_free),
                                  .read_as = g_ptr_array_new_with_free_func (g_free) };
}

void
culprit_import_tally_clear (CulpritImportTally *tally)
{
  g_clear_pointer (&tally->known_files, g_ptr_array_unref);
  g_clear_pointer (&tally->unread, g_ptr_array_unref);
  g_clear_pointer (&tally->problems, g_ptr_array_unref);
  g_clear_pointer (&tally->warnings, g_ptr_array_unref);
  g_clear_pointer (&tally->read_as, g_ptr_array_unref);
}

GPtrArray *
culprit_import_find_all (char **paths, CulpritImportTally *tally)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);

  for (char **path = paths; *path; path++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) found = find_files (*path, &error);

      if (found)
        g_ptr_array_extend_and_steal (all, g_steal_pointer (&found));
      else
        g_ptr_array_add (tally->problems, g_strdup (error->message));
    }
  tally->files = all->len + tally->problems->len;
  return all;
}

static void
report_known (const char *path, guint known, CulpritImportTally *tally)
{
  tally->known += known;
  g_ptr_array_add (tally->known_files, g_strdup (path));
}

/* Of @files, those from @first on that were not in the study. */
static void
report_unread (const GPtrArray *files, guint first, CulpritImportTally *tally)
{
  for (guint i = first; i < files->len; i++)
    if (!g_ptr_array_find_with_equal_func (tally->known_files, g_ptr_array_index (files, i), g_str_equal, NULL))
      g_ptr_array_add (tally->unread, g_strdup (g_ptr_array_index (files, i)));
}

/* Adds to @error how many files were not stored. */
static void
tell_unread (const CulpritImportTally *tally, GError *error)
{
  g_autofree char *message = error->message;

  error->message =
      g_strdup_printf ("%s; %u file%s not stored, the first is %s", message, tally->unread->len,
                       tally->unread->len == 1 ? " was" : "s were", (char *) g_ptr_array_index (tally->unread, 0));
}

static void
report (const char *path, const CulpritImportResult *result, CulpritImportTally *tally)
{
  g_autofree char *warning = NULL;

  if (result->outcome == CULPRIT_IMPORT_KNOWN)
    report_known (path, 1, tally);
  else if (result->outcome == CULPRIT_IMPORT_AGAIN)
    tally->again++;
  else
    tally->stored++;
  if (result->outcome == CULPRIT_IMPORT_KNOWN)
    return;
  warning = culprit_import_warning (result);
  if (warning)
    g_ptr_array_add (tally->warnings, culprit_problem_new (g_strdup_printf ("%s: %s", path, warning), result->remedy));
}

/* The name of a latency result's run: that of the file without its suffix, or of the folder if all files of the tool
 * have the same name. */
static char *
name_profile (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (g_str_equal (base, CULPRIT_JITTERDEBUGGER_FILE))
    {
      g_autofree char *full = g_canonicalize_filename (path, NULL);
      g_autofree char *folder = g_path_get_dirname (full);

      return g_path_get_basename (folder);
    }
  if (dot && dot != base)
    *dot = '\0';
  return g_steal_pointer (&base);
}

/* Takes ownership of @text. */
static void
add_warning (CulpritImportTally *tally, char *text)
{
  g_ptr_array_add (tally->warnings, culprit_problem_new (text, (CulpritRemedy) { CULPRIT_REMEDY_NONE }));
}

/* Reports how @file was interpreted, what is missing, and the names of runs that were @renamed. */
static void
report_profiles (const char *path,
                 const char *name,
                 const CulpritLatencyFile *file,
                 const GPtrArray *renamed,
                 CulpritImportTally *tally)
{
  GString *read_as = g_string_new (NULL);

  g_string_printf (read_as, "%s: %s", path, file->read_as);
  for (guint i = 0; i < file->profiles->len; i++)
    {
      const CulpritNamedProfile *profile = g_ptr_array_index (file->profiles, i);
      g_autofree char *full_name = culprit_study_profile_name (name, profile);

      if (file->profiles->len > 1)
        g_string_append_printf (read_as, "%s %s", i > 0 ? "," : "; runs", full_name);
      if (profile->profile->beyond > 0)
        add_warning (tally,
                     g_strdup_printf ("%s: %s%s%" G_GUINT64_FORMAT " %s left out", path,
                                      file->profiles->len > 1 ? full_name : "", file->profiles->len > 1 ? ": " : "",
                                      profile->profile->beyond,
                                      profile->profile->beyond == 1 ? "latency above the histogram's end is"
                                                                    : "latencies above the histogram's end are"));
    }
  for (guint i = 0; i < file->beyond->len; i++)
    {
      const CulpritNamedProfile *profile = g_ptr_array_index (file->beyond, i);
      g_autofree char *full_name = culprit_study_profile_name (name, profile);

      add_warning (tally, g_strdup_printf ("%s: %s is left out: all its %" G_GUINT64_FORMAT
                                           " latencies are above the histogram's end; measure with a longer histogram",
                                           path, full_name, profile->profile->beyond));
    }
  for (guint i = 0; i < renamed->len; i++)
    g_string_append_printf (read_as, "%s %s", i > 0 ? "," : "; as its name has other latencies already, it is run",
                            (char *) g_ptr_array_index (renamed, i));
  g_ptr_array_add (tally->read_as, g_string_free (read_as, FALSE));
}

/* The first file for the study was read: now the study must exist. */
static gboolean
need_study (Importing *import, GError **error)
{
  if (!import->study)
    {
      if (import->cancellable)
        g_cancellable_push_current (import->cancellable);
      import->study = culprit_study_open (import->study_path, CULPRIT_STUDY_CREATE, error);
      if (import->cancellable)
        g_cancellable_pop_current (import->cancellable);
    }
  return import->study != NULL;
}

/* Imports another tool's latency result. FALSE if @problem is to be reported: the error of reading it as a capture,
 * unless it is a damaged latency result. */
static gboolean
import_profile (Importing *import, const char *path, GError **problem)
{
  CulpritImportTally *tally = import->tally;
  GError *error = NULL;
  g_autoptr (CulpritLatencyFile) file = culprit_latency_read (path, import->unit_ns, import->cancellable, &error);
  g_autofree char *name = import->options->run ? g_strdup (import->options->run) : name_profile (path);
  g_auto (CulpritStoredProfiles) stored = { 0 };

  if (file && need_study (import, &error) && culprit_study_add_profiles (import->study, name, file, &stored, &error))
    {
      g_clear_error (problem);
      tally->profiles += stored.added;
      if (stored.added == 0)
        report_known (path, stored.known, tally);
      else
        tally->known += stored.known;
      if (stored.apart > 0)
        add_warning (tally,
                     g_strdup_printf ("%s: a run by itself, as the series of its name is of something else than files "
                                      "that were imported here",
                                      path));
      report_profiles (path, name, file, stored.renamed, tally);
      return TRUE;
    }
  if (g_error_matches (error, CULPRIT_LATENCY_ERROR, CULPRIT_LATENCY_ERROR_UNKNOWN))
    {
      g_autofree char *expected = (*problem)->message;

      (*problem)->message = g_strconcat (expected, ", or latency results", NULL);
      g_error_free (error);
      return FALSE;
    }
  g_error_free (*problem);
  *problem = error;
  return FALSE;
}

/* Stores @capture, or, if @problem says that it is not a capture, what else is at @path. FALSE with an error if there
 * is no point in continuing. */
static gboolean
import_one (Importing *import, const char *path, CulpritCapture *capture, GError *problem, GError **error)
{
  CulpritImportResult result = { 0 };

  if (capture)
    seen_add (import->seen, capture);
  if (capture && !need_study (import, &problem))
    culprit_capture_free (capture);
  else if (capture && import_store (import->study, path, capture, import->options, import->capture_options,
                                    import->cancellable, &result, &problem))
    report (path, &result, import->tally);
  else if (g_error_matches (problem, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE))
    import_profile (import, path, &problem);
  culprit_import_result_clear (&result);
  if (problem && (culprit_import_is_over (problem) || (problem->domain == CULPRIT_STUDY_ERROR && !import->study)))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (problem && problem->domain == CULPRIT_STUDY_ERROR)
    g_ptr_array_add (import->tally->problems, g_strdup_printf ("%s: cannot be stored in %s", path, problem->message));
  else if (problem)
    g_ptr_array_add (import->tally->problems, g_strdup (problem->message));
  g_clear_error (&problem);
  return TRUE;
}

/* Leaves out those of @files that were read before and are in the study with windows, as this version reads them,
 * unless others were asked for. A log may have come since to those without. NULL with an error. */
static GPtrArray *
find_unknown (const Importing *import, const GPtrArray *files, GError **error)
{
  g_autoptr (GPtrArray) unknown = g_ptr_array_new ();
  g_autoptr (Statement) statement = NULL;

  if (!import->study || import->options->window)
    {
      g_ptr_array_extend (unknown, (GPtrArray *) files, NULL, NULL);
      return g_steal_pointer (&unknown);
    }
  statement = statement_new (
      import->study, "SELECT 1 FROM capture WHERE sha256 = ? AND read_version >= ? AND no_windows IS NULL", error);
  for (guint i = 0; statement && i < files->len; i++)
    {
      g_autofree char *digest = seen_digest (import->seen, g_ptr_array_index (files, i));
      gboolean row = FALSE;

      if (digest)
        {
          statement_bind (statement, "ti", digest, (gint64) CULPRIT_READ_VERSION);
          if (!statement_step (import->study, statement, &row, error))
            return NULL;
          sqlite3_reset (statement);
        }
      if (row)
        report_known (g_ptr_array_index (files, i), 1, import->tally);
      else
        g_ptr_array_add (unknown, g_ptr_array_index (files, i));
    }
  return statement ? g_steal_pointer (&unknown) : NULL;
}

/* FALSE if there is no point in continuing. */
static gboolean
import_all (Importing *import, const GPtrArray *files, CulpritImportProgress progress, gpointer data, GError **error)
{
  CulpritCaptureOptions capture_options;
  g_autoptr (GPtrArray) unknown = find_unknown (import, files, error);
  g_autoptr (GHashTable) sizes = NULL;
  g_autoptr (ReadAhead) ahead = NULL;

  if (!unknown || !import_prepare (import->study, import->options, &capture_options, error))
    {
      report_unread (files, 0, import->tally);
      return FALSE;
    }
  sizes = capture_options.sha256_sizes;
  import->capture_options = &capture_options;
  ahead = read_ahead_new (unknown, &capture_options, import->cancellable);
  for (guint i = 0; i < unknown->len; i++)
    {
      const char *path = g_ptr_array_index (unknown, i);
      GError *problem = NULL;
      CulpritCapture *capture;

      progress (files->len - unknown->len + i + 1, files->len, path, data);
      capture = read_ahead_next (ahead, &problem);
      if (import_one (import, path, capture, problem, error))
        continue;
      report_unread (unknown, i, import->tally);
      return FALSE;
    }
  return TRUE;
}

gboolean
culprit_import_files (const char *study_path,
                      const GPtrArray *files,
                      const CulpritImportOptions *options,
                      gint64 unit_ns,
                      GCancellable *cancellable,
                      CulpritImportProgress progress,
                      gpointer data,
                      CulpritImportTally *tally,
                      GError **error)
{
  g_autoptr (Seen) seen = seen_open (study_path);
  Importing import = { .study_path = study_path,
                       .options = options,
                       .unit_ns = unit_ns,
                       .cancellable = cancellable,
                       .tally = tally,
                       .seen = seen };
  gboolean ready = !g_file_test (study_path, G_FILE_TEST_EXISTS) || need_study (&import, error);
  gboolean whole = ready && import_all (&import, files, progress, data, error);
  g_autofree char *unsettled = NULL;

  if (!ready)
    report_unread (files, 0, tally);
  if (!whole && error && tally->unread->len > 0)
    tell_unread (tally, *error);
  unsettled = import.study ? culprit_study_end (import.study) : NULL;
  if (unsettled && (whole || tally->stored + tally->again + tally->profiles > 0))
    add_warning (tally, g_steal_pointer (&unsettled));
  return whole;
}
