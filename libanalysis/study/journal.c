/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "journal-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUPER_BYTES 8 /* at the end of a journal that names a super-journal */
#define COPY_BYTES (64 * 1024)
#define COPY_PREFIX "culprit-journal-"
#define COPY_NAME "study"
#define PAGES_AT 16 /* in a journal's head: the number of pages, of bytes in a sector, of bytes in a page */
#define SPARSE_BYTES (1024 * 1024) /* so much may be missing from any study */

static const char *const suffixes[] = { "-journal", "-wal", "-shm" };

static gboolean
fail (const char *path, const char *what, GError **error)
{
  g_set_error (error, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_OPEN, "%s: %s", path, what);
  return FALSE;
}

static gint64
size_of (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 ? status.st_size : 0;
}

static gboolean
is_there (const char *path)
{
  return size_of (path) > 0;
}

/* Whether a file has far fewer bytes than it is long: copying it would take for ever. */
static gboolean
is_sparse (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && status.st_size / 2 > (gint64) status.st_blocks * 512 + SPARSE_BYTES;
}

/* How long the study is once @journal was rolled back: its original pages. Without their size SQLite takes that of the
 * study, but it never writes such a journal: no length is enough for that. */
static gint64
restored_size (int journal)
{
  guint32 head[3] = { 0 };

  if (pread (journal, head, sizeof head, PAGES_AT) != sizeof head)
    return 0;
  return head[2] == 0 ? G_MAXINT64 : (gint64) GUINT32_FROM_BE (head[0]) * GUINT32_FROM_BE (head[2]);
}

/* Where SQLite looks for these files: it follows links to the study. The caller owns it. */
static char *
real_path (const char *path)
{
  char *real = realpath (path, NULL);

  return real ? real : g_strdup (path);
}

/* Opens the journal @path; -1: it is empty or not there. @size: its length; -1: it cannot be read. */
static int
open_journal (const char *path, gint64 *size)
{
  struct stat status;
  int file = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  *size = file < 0 && errno != ENOENT && errno != ENOTDIR ? -1 : 0;
  if (file < 0)
    return -1;
  if (fstat (file, &status) == 0 && S_ISREG (status.st_mode))
    *size = status.st_size;
  if (*size > 0)
    return file;
  close (file);
  return -1;
}

static gboolean
names_super_journal (int file, gint64 size)
{
  static const guint8 magic[SUPER_BYTES] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
  guint8 end[SUPER_BYTES];

  return size > SUPER_BYTES && pread (file, end, sizeof end, size - SUPER_BYTES) == sizeof end &&
         memcmp (end, magic, sizeof magic) == 0;
}

static gboolean
is_regular (const char *path, GError **error)
{
  struct stat status;

  if (lstat (path, &status) != 0)
    return errno == ENOENT || errno == ENOTDIR || fail (path, g_strerror (errno), error);
  if (S_ISLNK (status.st_mode) || (S_ISREG (status.st_mode) && status.st_nlink > 1))
    return fail (path, "is a file elsewhere, too; copy the study with it to another folder, and use that", error);
  return S_ISREG (status.st_mode) || fail (path, "not a regular file; remove it", error);
}

char *
journal_uri_path (const char *path)
{
  while (path[0] == '/' && path[1] == '/')
    path++;
  return g_uri_escape_string (path, "/", FALSE);
}

static sqlite3_vfs *usual;
static sqlite3_vfs without_super_journals;

static int
open_unless_super_journal (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
  if (!(flags & SQLITE_OPEN_SUPER_JOURNAL))
    return usual->xOpen (usual, name, file, flags, flags_out);
  file->pMethods = NULL;
  return SQLITE_CANTOPEN;
}

/* Locks of POSIX belong to the process, which loses all of those on a file when anybody in it closes the file: an
 * import that is given the study, or a dialog that looks of what kind each file of a folder is. Then the next program
 * that closes the study removes its log. So each file has a descriptor of its own to which its locks belong. SQLite
 * shares them among all connections of the process, which it goes on believing to be their owner. */
typedef struct
{
  dev_t device;
  ino_t inode;
  int descriptor;
  guint n_users; /* descriptors of SQLite's */
} Locked;

static GHashTable *locked; /* by the descriptors of SQLite's */
static GMutex locked_lock;

static Locked *
locked_new (int fd, const struct stat *status)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  int descriptor = open (path, O_RDWR | O_CLOEXEC);
  Locked *file;

  if (descriptor < 0) /* It may not be written to, or not any more. */
    descriptor = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    return NULL;
  file = g_new (Locked, 1);
  *file = (Locked) { status->st_dev, status->st_ino, descriptor, 0 };
  return file;
}

/* That of the file that is open as @fd; NULL: there can be none. */
static Locked *
locked_of (int fd)
{
  Locked *file = g_hash_table_lookup (locked, GINT_TO_POINTER (fd));
  struct stat status;
  GHashTableIter files;
  Locked *other;

  if (file || fstat (fd, &status) != 0)
    return file;
  g_hash_table_iter_init (&files, locked);
  while (!file && g_hash_table_iter_next (&files, NULL, (gpointer *) &other))
    if (other->device == status.st_dev && other->inode == status.st_ino)
      file = other;
  if (!file)
    file = locked_new (fd, &status);
  if (file)
    {
      file->n_users++;
      g_hash_table_insert (locked, GINT_TO_POINTER (fd), file);
    }
  return file;
}

/* In place of fcntl(). */
static int
lock_by_own_descriptor (int fd, int command, ...)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;
  va_list arguments;
  gpointer argument;
  struct flock lock;
  const Locked *file;
  int result;

  va_start (arguments, command);
  argument = va_arg (arguments, gpointer);
  va_end (arguments);
  if (command != F_SETLK && command != F_GETLK)
    return fcntl (fd, command, argument);
  locker = g_mutex_locker_new (&locked_lock);
  file = locked_of (fd);
  if (!file)
    return fcntl (fd, command, argument);
  lock = *(struct flock *) argument;
  lock.l_pid = 0;
  if (command == F_SETLK && lock.l_type == F_WRLCK && (fcntl (fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
    {
      errno = EBADF; /* as if it were its own: who only reads must not take a log for his to remove */
      return -1;
    }
  result = fcntl (file->descriptor, command == F_SETLK ? F_OFD_SETLK : F_OFD_GETLK, &lock);
  *(struct flock *) argument = lock;
  return result;
}

/* In place of close(). */
static int
close_with_locks (int fd)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&locked_lock);
  Locked *file = g_hash_table_lookup (locked, GINT_TO_POINTER (fd));

  g_hash_table_remove (locked, GINT_TO_POINTER (fd));
  if (file && --file->n_users == 0)
    {
      close (file->descriptor);
      g_free (file);
    }
  return close (fd);
}

/* In place of mmap(), for the index of a log: what is mapped but has no blocks on a full disk ends a program that
 * writes to it (SIGBUS). SQLite takes one block for each 4 kB, and those of some file systems are smaller. */
static void *
map_with_blocks (void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
  if (protection & PROT_WRITE && fallocate (fd, 0, offset, length) != 0 && errno == ENOSPC)
    return MAP_FAILED;
  return mmap (address, length, protection, flags, fd, offset);
}

const char *
journal_vfs (void)
{
  static gsize known;

  if (g_once_init_enter (&known))
    {
      sqlite3_vfs *files = sqlite3_vfs_find ("unix"); /* which others may build upon */

      usual = sqlite3_vfs_find (NULL);
      locked = g_hash_table_new (NULL, NULL);
      files->xSetSystemCall (files, "fcntl", (sqlite3_syscall_ptr) lock_by_own_descriptor);
      files->xSetSystemCall (files, "close", (sqlite3_syscall_ptr) close_with_locks);
      files->xSetSystemCall (files, "mmap", (sqlite3_syscall_ptr) map_with_blocks);
      without_super_journals = *usual;
      without_super_journals.zName = "culprit";
      without_super_journals.xOpen = open_unless_super_journal;
      sqlite3_vfs_register (&without_super_journals, FALSE);
      g_once_init_leave (&known, 1);
    }
  return without_super_journals.zName;
}

/* Opens the database at @path to read it as it is, whatever is beside it. */
static sqlite3 *
open_as_is (const char *path, sqlite3_file **file)
{
  g_autofree char *escaped = journal_uri_path (path);
  g_autofree char *uri = g_strconcat ("file:", escaped, "?immutable=1", NULL);
  sqlite3 *database = NULL;

  *file = NULL;
  if (sqlite3_open_v2 (uri, &database, SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY, journal_vfs ()) ==
      SQLITE_OK)
    sqlite3_file_control (database, "main", SQLITE_FCNTL_FILE_POINTER, file);
  if (*file && (*file)->pMethods)
    return database;
  sqlite3_close (database);
  return NULL;
}

/* Whether a program is writing to the study: then the journal is its own. */
static gboolean
is_being_written (const char *path)
{
  sqlite3_file *file;
  sqlite3 *database = open_as_is (path, &file);
  int reserved = 0;

  if (database)
    file->pMethods->xCheckReservedLock (file, &reserved);
  sqlite3_close (database);
  return reserved != 0;
}

gboolean
journal_check (const char *path, gboolean *hot, GError **error)
{
  g_autofree char *real = real_path (path);
  g_autofree char *journal = g_strconcat (real, suffixes[0], NULL);
  gint64 size;
  gint64 restores;
  int file;
  guint8 first = 0;
  gboolean super;
  gboolean written;

  *hot = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *beside = g_strconcat (real, suffixes[i], NULL);

      if (!is_regular (beside, error))
        return FALSE;
    }
  file = open_journal (journal, &size);
  if (file < 0)
    return size == 0 || fail (journal, "cannot be read, so that it is not known whether the study is whole", error);
  written = is_being_written (real); /* before its content: a program that is done leaves none */
  super = names_super_journal (file, size);
  *hot = pread (file, &first, 1, 0) == 1 && first != 0;
  restores = *hot ? restored_size (file) : 0;
  close (file);
  if (super)
    return fail (
        journal,
        "names another file to be deleted, which culprit never writes; remove it, or copy the study without it", error);
  *hot = *hot && !written && is_there (real);
  if (*hot && (restores > size + size_of (real) || is_sparse (real) || is_sparse (journal)))
    return fail (journal, "would make more of the study than there is of both; remove it, or copy the study without it",
                 error);
  return TRUE;
}

/* Copies the file behind @from to a new one. */
static gboolean
copy_database (sqlite3_file *from, const char *to)
{
  g_autofree guint8 *bytes = g_malloc (COPY_BYTES);
  int file = open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  sqlite3_int64 size = 0;
  gboolean good = file >= 0 && from->pMethods->xFileSize (from, &size) == SQLITE_OK;

  for (sqlite3_int64 at = 0; good && at < size; at += COPY_BYTES)
    {
      int n = MIN (COPY_BYTES, size - at);

      good = from->pMethods->xRead (from, bytes, n, at) == SQLITE_OK && write (file, bytes, n) == n;
    }
  return file >= 0 && close (file) == 0 && good;
}

static gboolean
copy_journal (const char *from, const char *to)
{
  g_autofree guint8 *bytes = g_malloc (COPY_BYTES);
  gint64 size;
  int source = open_journal (from, &size);
  int file = open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  gssize n = -1;

  while (source >= 0 && file >= 0 && (n = read (source, bytes, COPY_BYTES)) > 0)
    if (write (file, bytes, n) != n)
      break;
  if (source >= 0)
    close (source);
  return file >= 0 && close (file) == 0 && n == 0;
}

/* Locks the folder @path of copies; -1: it is another program's, or nobody's. */
static int
lock_folder (const char *path)
{
  struct stat status;
  int folder = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (folder < 0 ||
      (fstat (folder, &status) == 0 && status.st_uid == geteuid () && flock (folder, LOCK_EX | LOCK_NB) == 0))
    return folder;
  close (folder);
  return -1;
}

static void
remove_folder (const char *path)
{
  g_autofree char *copy = g_build_filename (path, COPY_NAME, NULL);

  g_unlink (copy);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *beside = g_strconcat (copy, suffixes[i], NULL);

      g_unlink (beside);
    }
  g_rmdir (path);
}

/* Removes the copies of programs that were killed. */
static void
remove_abandoned (void)
{
  g_autoptr (GDir) temporary = g_dir_open (g_get_tmp_dir (), 0, NULL);
  const char *name;

  while (temporary && (name = g_dir_read_name (temporary)))
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
      int lock = g_str_has_prefix (name, COPY_PREFIX) ? lock_folder (path) : -1;

      if (lock < 0)
        continue;
      remove_folder (path);
      close (lock);
    }
}

gboolean
journal_copy (const char *path, JournalCopy *copy, GError **error)
{
  g_autofree char *real = real_path (path);
  g_autofree char *journal = g_strconcat (real, suffixes[0], NULL);
  g_autofree char *copied_journal = NULL;
  sqlite3_file *file;
  sqlite3 *database;
  gboolean good;

  remove_abandoned ();
  *copy = (JournalCopy) { .folder = g_dir_make_tmp (COPY_PREFIX "XXXXXX", NULL), .lock = -1 };
  if (copy->folder)
    copy->lock = lock_folder (copy->folder);
  copy->path = g_build_filename (copy->folder ? copy->folder : "", COPY_NAME, NULL);
  copied_journal = g_strconcat (copy->path, suffixes[0], NULL);
  database = copy->lock >= 0 ? open_as_is (real, &file) : NULL;
  good = database && copy_database (file, copy->path) && copy_journal (journal, copied_journal);
  sqlite3_close (database);
  if (!good)
    {
      fail (journal, "cannot be copied to see what it would restore; make room in the folder for temporary files",
            error);
      journal_remove_copy (copy);
    }
  return good;
}

void
journal_remove_copy (JournalCopy *copy)
{
  if (copy->folder)
    remove_folder (copy->folder);
  if (copy->lock >= 0)
    close (copy->lock);
  g_clear_pointer (&copy->folder, g_free);
  g_clear_pointer (&copy->path, g_free);
  copy->lock = -1;
}
