/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works in an open folder, with new names only: a study, and the folder beside it, may come from a stranger. */
#include "capture-file.h"

#include "study/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_NAMES 100000

struct _CaptureFile
{
  char *folder;
  int dir;
  int file;   /* -1: none is open */
  char *part; /* in the folder, as are the next two; NULL: not created, or finished */
  char *log;
  char *data;
  gint64 written;
};

static gboolean
fail (const CaptureFile *file, const char *name, GError **error)
{
  int problem = errno;
  g_autofree char *path = g_build_filename (file->folder, name, NULL);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (problem), "%s: cannot be written: %s", path,
               g_strerror (problem));
  return FALSE;
}

static gboolean
open_folder (CaptureFile *file, GError **error)
{
  gboolean there = g_file_test (file->folder, G_FILE_TEST_IS_DIR);
  g_autofree char *above = g_path_get_dirname (file->folder);
  int dir;

  if (g_file_test (file->folder, G_FILE_TEST_IS_SYMLINK)) /* A stranger may have made it. */
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY,
                   "%s: is a link; put a folder in its place, or record into another study", file->folder);
      return FALSE;
    }
  if (g_mkdir_with_parents (file->folder, 0777) != 0)
    return fail (file, NULL, error);
  file->dir = open (file->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file->dir < 0)
    return fail (file, NULL, error);
  dir = there ? -1 : open (above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir >= 0)
    {
      fsync (dir);
      close (dir);
    }
  return TRUE;
}

/* A new file; -1 if anything of that name exists. Only its owner may read it: it was recorded by root and has addresses
 * of the kernel that only root may see. */
static int
open_new (const CaptureFile *file, const char *name)
{
  return openat (file->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static gboolean
write_all (const CaptureFile *file, int fd, const char *name, const void *bytes, gsize size, GError **error)
{
  const guint8 *at = bytes;

  while (size > 0)
    {
      gssize written = write (fd, at, size);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return fail (file, name, error);
      at += written;
      size -= written;
    }
  return TRUE;
}

/* The cycle log is complete before the capture is, so that nobody finds a capture without it. */
static gboolean
write_log (const CaptureFile *file, int fd, const char *log, GError **error)
{
  gboolean good = write_all (file, fd, file->log, log, strlen (log), error);

  if (good && fsync (fd) != 0)
    good = fail (file, file->log, error);
  close (fd);
  return good;
}

static gboolean
is_there (const CaptureFile *file, const char *name)
{
  struct stat status;

  return fstatat (file->dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Creates the log and the part of a capture, with the first stem that is not taken. */
static gboolean
make_files (CaptureFile *file, const char *stem, const char *log, GError **error)
{
  for (guint number = 1; number < MOST_NAMES; number++)
    {
      g_autofree char *again = number > 1 ? g_strdup_printf ("-%u", number) : g_strdup ("");
      g_autofree char *log_name = g_strconcat (stem, again, ".json", NULL);
      g_autofree char *data_name = g_strconcat (stem, again, ".dat", NULL);
      g_autofree char *part_name = g_strconcat (data_name, CULPRIT_PART_SUFFIX, NULL);
      int fd;

      if (is_there (file, data_name) || is_there (file, part_name))
        continue;
      fd = open_new (file, log_name);
      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd < 0)
        return fail (file, log_name, error);
      file->log = g_steal_pointer (&log_name);
      if (!write_log (file, fd, log, error))
        return FALSE;
      file->file = open_new (file, part_name);
      if (file->file < 0)
        return fail (file, part_name, error);
      file->part = g_steal_pointer (&part_name);
      file->data = g_steal_pointer (&data_name);
      return TRUE;
    }
  errno = EEXIST;
  return fail (file, stem, error);
}

CaptureFile *
capture_file_new (const char *folder, const char *name, gint64 number, const char *log, GError **error)
{
  CaptureFile *file = g_new0 (CaptureFile, 1);
  g_autofree char *plain = g_strdelimit (g_strdup (name), "/", '-');
  g_autofree char *stem = g_strdup_printf ("%s-%03" G_GINT64_FORMAT, plain, number);

  file->folder = g_strdup (folder);
  file->dir = file->file = -1;
  if (open_folder (file, error) && make_files (file, stem, log, error))
    return file;
  capture_file_free (file);
  return NULL;
}

gboolean
capture_file_write (CaptureFile *file, const guint8 *bytes, gsize size, GError **error)
{
  file->written += size;
  return write_all (file, file->file, file->part, bytes, size, error);
}

/* Some file systems cannot rename without replacing; a moment ago the name was not taken. */
static gboolean
rename_part (const CaptureFile *file)
{
  if (renameat2 (file->dir, file->part, file->dir, file->data, RENAME_NOREPLACE) == 0)
    return TRUE;
  return errno == EINVAL && renameat (file->dir, file->part, file->dir, file->data) == 0;
}

char *
capture_file_finish (CaptureFile *file, gint64 size_bytes, GError **error)
{
  if (file->written != size_bytes)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s/%s: the capture was truncated in transfer",
                   file->folder, file->part);
      return NULL;
    }
  if (fsync (file->file) != 0 || !rename_part (file) || fsync (file->dir) != 0)
    {
      fail (file, file->data, error);
      return NULL;
    }
  g_clear_pointer (&file->part, g_free);
  g_clear_pointer (&file->log, g_free);
  return g_build_filename (file->folder, file->data, NULL);
}

void
capture_file_free (CaptureFile *file)
{
  if (file->file >= 0)
    close (file->file);
  if (file->part)
    unlinkat (file->dir, file->part, 0);
  if (file->log)
    unlinkat (file->dir, file->log, 0);
  if (file->dir >= 0)
    close (file->dir);
  g_free (file->part);
  g_free (file->log);
  g_free (file->data);
  g_free (file->folder);
  g_free (file);
}
