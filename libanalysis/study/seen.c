/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file is the one that was read if its device, inode, size and change time are the same: the system updates the
 * change time whenever a file is written to or renamed, and nobody can choose it. Paths and modification times do not
 * count, since another file can have the same. The cache alone is never trusted: the study must know the digest. */
#include "seen-private.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_S 1000000000

struct _Seen
{
  char *path;
  gboolean damaged;
  sqlite3 *database;
  sqlite3_stmt *find;
  sqlite3_stmt *add;
};

/* Above 128 MB, about a million files, everything is forgotten. */
#define MOST_PAGES "32768"

static const char schema[] = "PRAGMA journal_mode = WAL;"
                             "PRAGMA synchronous = OFF;"
                             "CREATE TABLE IF NOT EXISTS seen ("
                             "  device INTEGER NOT NULL,"
                             "  inode INTEGER NOT NULL,"
                             "  size_bytes INTEGER NOT NULL,"
                             "  changed_ns INTEGER NOT NULL,"
                             "  digest TEXT NOT NULL,"
                             "  PRIMARY KEY (device, inode)"
                             ") STRICT, WITHOUT ROWID;"
                             "DELETE FROM seen WHERE (SELECT page_count - freelist_count "
                             "                        FROM pragma_page_count, pragma_freelist_count) > " MOST_PAGES ";";

/* A damaged cache, e.g. after a power cut, is created anew next time. */
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

void
seen_close (Seen *seen)
{
  sqlite3_finalize (seen->find);
  sqlite3_finalize (seen->add);
  sqlite3_close (seen->database);
  if (seen->damaged)
    remove_files (seen->path);
  g_free (seen->path);
  g_free (seen);
}

/* Whether the result @code of SQLite for @seen is @expected. */
static gboolean
answers (Seen *seen, int code, int expected)
{
  seen->damaged |= (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
  return code == expected;
}

Seen *
seen_open (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "culprit", NULL);
  g_autoptr (Seen) seen = g_new0 (Seen, 1);

  seen->path = g_build_filename (folder, "seen.sqlite", NULL);
  if (g_mkdir_with_parents (folder, 0700) == 0 && sqlite3_open (seen->path, &seen->database) == SQLITE_OK &&
      answers (seen, sqlite3_exec (seen->database, schema, NULL, NULL, NULL), SQLITE_OK) &&
      sqlite3_prepare_v2 (
          seen->database,
          "SELECT digest FROM seen WHERE device = ? AND inode = ? AND size_bytes = ? AND changed_ns = ?", -1,
          &seen->find, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2 (seen->database, "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)", -1, &seen->add, NULL) ==
          SQLITE_OK)
    return g_steal_pointer (&seen);
  return NULL;
}

static void
bind (sqlite3_stmt *statement, const CulpritFileIdentity *file)
{
  sqlite3_bind_int64 (statement, 1, file->device);
  sqlite3_bind_int64 (statement, 2, file->inode);
  sqlite3_bind_int64 (statement, 3, file->size_bytes);
  sqlite3_bind_int64 (statement, 4, file->changed_ns);
}

char *
seen_digest (Seen *seen, const char *path)
{
  struct stat status;
  CulpritFileIdentity file;
  char *digest = NULL;

  if (!seen || stat (path, &status) != 0)
    return NULL;
  file = (CulpritFileIdentity) { status.st_dev, status.st_ino, status.st_size,
                                 (gint64) status.st_ctim.tv_sec * NS_PER_S + status.st_ctim.tv_nsec };
  bind (seen->find, &file);
  if (answers (seen, sqlite3_step (seen->find), SQLITE_ROW))
    digest = g_strdup ((const char *) sqlite3_column_text (seen->find, 0));
  sqlite3_reset (seen->find);
  return digest;
}

void
seen_add (Seen *seen, const CulpritCapture *capture)
{
  if (!seen || capture->identity.changed_ns == 0)
    return;
  bind (seen->add, &capture->identity);
  sqlite3_bind_text (seen->add, 5, capture->digest, -1, SQLITE_TRANSIENT);
  answers (seen, sqlite3_step (seen->add), SQLITE_DONE);
  sqlite3_reset (seen->add);
}
