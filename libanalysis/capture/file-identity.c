/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which file a capture is, and whether it stayed the same while it was read. */
#include "error.h"
#include "file-private.h"

#include <sys/stat.h>

#define SETTLED_US 2000000 /* A later write is sure to change the modification time, on every file system. */

void
trace_file_begin_digest (TraceFile *file)
{
  file->digest = digest_new (file->fd, file->size);
}

static gint64
time_ns (struct timespec time)
{
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

CulpritFileIdentity
trace_file_identity (const TraceFile *file)
{
  CulpritFileIdentity identity = { file->status.st_dev, file->status.st_ino, file->size, 0 };
  gint64 changed_ns = time_ns (file->status.st_ctim);
  struct stat now;

  if (fstat (file->fd, &now) == 0 && time_ns (now.st_ctim) == changed_ns &&
      changed_ns / 1000 < g_get_real_time () - SETTLED_US)
    identity.changed_ns = changed_ns;
  return identity;
}

/* Whether the file is unchanged since it was opened, as far as the system can tell. */
static gboolean
check_unchanged (const TraceFile *file, GError **error)
{
  struct stat status;

  if (fstat (file->fd, &status) == 0 && (guint64) status.st_size == file->size &&
      time_ns (status.st_mtim) == time_ns (file->status.st_mtim))
    return TRUE;
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN,
               "%s: it was changed while being read; try again when it is complete", file->path);
  return FALSE;
}

gboolean
trace_file_digest (const TraceFile *file,
                   GHashTable *sha256_sizes,
                   GCancellable *cancellable,
                   char **digest,
                   char **sha256,
                   GError **error)
{
  gboolean known_otherwise = sha256_sizes && g_hash_table_contains (sha256_sizes, GSIZE_TO_POINTER (file->size));

  *digest = digest_finish (file->digest, cancellable, error);
  *sha256 = *digest && known_otherwise ? digest_sha256 (file->fd, cancellable, error) : NULL;
  if (!*digest || (known_otherwise && !*sha256))
    {
      g_prefix_error (error, "%s: cannot be read: ", file->path);
      return FALSE;
    }
  return check_unchanged (file, error);
}
