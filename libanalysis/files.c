/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files from outside, loaded whole; and files that are written completely or not at all. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file that is checked is the file that is read, whatever happens to its name meanwhile. */

/* Reads the content of @fd, at most @size bytes. */
static char *
read_all (int fd, gsize size, gsize *length)
{
  g_autofree char *text = g_try_malloc (size + 1);

  *length = 0;
  while (text && *length < size)
    {
      gssize got = read (fd, text + *length, size - *length);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return NULL;
      if (got == 0)
        break;
      *length += got;
    }
  if (text)
    text[*length] = '\0';
  return g_steal_pointer (&text);
}

/* What @path leads to can be exchanged between the two looks. A folder is opened only to learn whether it may be. */
int
culprit_open_regular (const char *path, struct stat *status)
{
  int fd;

  if (stat (path, status) != 0)
    return -1;
  if (!S_ISREG (status->st_mode) && !S_ISDIR (status->st_mode))
    {
      errno = EINVAL;
      return -1;
    }
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || (fstat (fd, status) == 0 && S_ISREG (status->st_mode)))
    return fd;
  close (fd);
  errno = EINVAL;
  return -1;
}

char *
culprit_load (const char *path, gsize most, gsize *length, GError **error)
{
  struct stat status;
  int fd = culprit_open_regular (path, &status);
  char *text = NULL;

  if (fd < 0 && errno == EINVAL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "it is not a regular file");
  else if (fd < 0)
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  else if ((guint64) status.st_size > most)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE, "it is longer than %" G_GSIZE_FORMAT " MB",
                 most >> 20);
  else if (!(text = read_all (fd, status.st_size, length)))
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return text;
}

/* Writes a file completely or not at all. GLib's error names a temporary file next to the target, so the reason is
 * taken from its end. */

#define DATABASE "SQLite format 3" /* how one begins, with its 0 */

/* Why the file at @path, or what belongs to it, must not be replaced; NULL: it is no study. What we may not read can be
 * somebody's, and where we may write its folder we could replace it. */
static const char *
why_kept (const char *path)
{
  struct stat status = { 0 }; /* stays so if not even its folder can be searched, where nothing can be replaced */
  char begin[sizeof DATABASE] = "";
  int fd = culprit_open_regular (path, &status);
  gboolean study;

  if (fd < 0 && S_ISREG (status.st_mode) && (errno == EACCES || errno == EPERM))
    return "cannot be read, so that it is not known whether it is, or belongs to, a study";
  if (fd < 0)
    return NULL;
  study = read (fd, begin, sizeof begin) == sizeof begin && memcmp (begin, DATABASE, sizeof begin) == 0;
  close (fd);
  return study ? "is a study, or belongs to one" : NULL;
}

/* Likewise for the file at @path, if it is in the folder in which a study keeps its captures. */
static const char *
why_captures_kept (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *stem =
      g_str_has_suffix (folder, ".captures") ? g_strndup (folder, strlen (folder) - strlen (".captures")) : NULL;
  g_autofree char *study = stem ? g_strconcat (stem, ".culprit", NULL) : NULL;

  return study ? why_kept (study) : NULL;
}

/* Likewise if @path is a study, would be taken for what one keeps beside it, or is one of its captures. */
static const char *
why_irreplaceable (const char *path)
{
  static const char *const beside[] = { "-journal", "-wal", "-shm" };
  const char *why;

  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    if (g_str_has_suffix (path, beside[i]))
      {
        g_autofree char *study = g_strndup (path, strlen (path) - strlen (beside[i]));

        return why_kept (study);
      }
  why = why_kept (path);
  return why || !g_file_test (path, G_FILE_TEST_EXISTS) ? why : why_captures_kept (path);
}

/* The file that @path refers to, following symbolic links. If it exists, it must be a regular file, as /dev/stdout, for
 * example, cannot be replaced. NULL with an error. The caller owns it. */
static char *
find_target (const char *path, const char *shown, GError **error)
{
  struct stat status;
  g_autofree char *real = realpath (path, NULL);
  const char *why = why_irreplaceable (real ? real : path);

  if (why)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "%s: %s; choose another name", shown, why);
      return NULL;
    }
  if (stat (path, &status) != 0)
    return g_strdup (path);
  if (real && S_ISREG (status.st_mode))
    return g_steal_pointer (&real);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "%s: cannot be replaced: it is not a regular file",
               shown);
  return NULL;
}

gboolean
culprit_write_file (const char *path, const char *content, gssize size, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *target = find_target (path, shown, error);
  g_autoptr (GError) problem = NULL;
  const char *reason;

  if (!target)
    return FALSE;
  if (g_file_set_contents_full (target, content, size, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &problem))
    return TRUE;
  reason = strrchr (problem->message, ':');
  g_set_error (error, problem->domain, problem->code, "%s: cannot be written:%s", shown, reason ? reason + 1 : "");
  return FALSE;
}

gboolean
culprit_is_same_file (const char *a, const char *b)
{
  struct stat left;
  struct stat right;

  return stat (a, &left) == 0 && stat (b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}
