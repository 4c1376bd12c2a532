/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A few small captures are read ahead, each by one thread; a large one, which takes memory and is itself read by
 * several threads, only when its turn comes. */
#include "read-ahead-private.h"

#include <sys/stat.h>

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

ReadAhead *
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

CulpritCapture *
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

void
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
