/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the CPUs of a buffer with one thread per processor. */
#include "streams-private.h"

typedef struct
{
  const TraceFile *file;
  const Formats *formats;
  const FileBuffer *buffer;
  GCancellable *cancellable;
  Stream **results;
  GError **errors;
  gint next; /* CPU to read, taken by the next free thread */
} Job;

static gpointer
read_cpus (gpointer data)
{
  Job *job = data;

  for (;;)
    {
      guint i = g_atomic_int_add (&job->next, 1);

      if (i >= job->buffer->cpus->len || g_cancellable_is_cancelled (job->cancellable))
        return NULL;
      job->results[i] = stream_read (job->file, job->formats, job->buffer,
                                     &g_array_index (job->buffer->cpus, CpuData, i), &job->errors[i + 1]);
    }
}

GPtrArray *
streams_read (
    const TraceFile *file, const Formats *formats, const FileBuffer *buffer, GCancellable *cancellable, GError **error)
{
  guint n = buffer->cpus->len;
  g_autofree Stream **results = g_new0 (Stream *, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 2);
  g_autofree GThread **threads = NULL;
  guint n_threads = MIN (MAX (n, 1), g_get_num_processors ());
  GPtrArray *read = g_ptr_array_new_with_free_func ((GDestroyNotify) stream_free);
  Job job = { file, formats, buffer, cancellable, results, errors, 0 };
  gboolean good = TRUE;

  threads = g_new0 (GThread *, n_threads);
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("culprit-reader", read_cpus, &job);
  read_cpus (&job);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  g_cancellable_set_error_if_cancelled (cancellable, &errors[0]);
  for (guint i = 0; i <= n; i++)
    if (errors[i] && good)
      {
        good = FALSE;
        g_propagate_error (error, errors[i]);
      }
    else
      g_clear_error (&errors[i]);
  for (guint i = 0; i < n; i++)
    if (results[i] && results[i]->visits->len > 0 && good)
      g_ptr_array_add (read, results[i]);
    else
      g_clear_pointer (&results[i], stream_free);
  if (!good)
    g_clear_pointer (&read, g_ptr_array_unref);
  return read;
}
