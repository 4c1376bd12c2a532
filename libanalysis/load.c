/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that is checked is the file that is read, whatever happens to its name meanwhile. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

char *
culprit_load (const char *path, gsize most, gsize *length, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char *text = NULL;
  struct stat status;

  if (fd < 0 || fstat (fd, &status) != 0)
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  else if (!S_ISREG (status.st_mode))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, "it is not a regular file");
  else if ((guint64) status.st_size > most)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE, "it is longer than %" G_GSIZE_FORMAT " MB",
                 most >> 20);
  else if (!(text = read_all (fd, status.st_size, length)))
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return text;
}
