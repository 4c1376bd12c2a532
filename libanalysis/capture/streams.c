/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the CPUs of a capture by as many threads as there are processors. */
#include "addresses-private.h"
#include "streams-private.h"

typedef struct
{
  const Streams *streams;
  const FileBuffer *buffer;
  GCancellable *cancellable;
  Stream **results;
  GError **errors;
  gint next; /* CPU to read, taken by whoever is free */
} Job;

void
streams_free (Streams *streams)
{
  g_clear_pointer (&streams->streams, g_ptr_array_unref);
  g_clear_pointer (&streams->addresses, g_array_unref);
  g_free (streams->marker.text);
  g_clear_pointer (&streams->formats, formats_free);
  g_clear_pointer (&streams->file, trace_file_free);
  g_free (streams);
}

static gpointer
read_cpus (gpointer data)
{
  Job *job = data;

  for (;;)
    {
      guint i = g_atomic_int_add (&job->next, 1);

      if (i >= job->buffer->cpus->len || g_cancellable_is_cancelled (job->cancellable))
        return NULL;
      job->results[i] = stream_read (job->streams->file, job->streams->formats, job->buffer,
                                     &g_array_index (job->buffer->cpus, CpuData, i), &job->errors[i + 1]);
    }
}

/* The CPUs of @buffer that hold events, in the file's order; NULL with the first CPU's error. */
static GPtrArray *
read_buffer (const Streams *streams, const FileBuffer *buffer, GCancellable *cancellable, GError **error)
{
  guint n = buffer->cpus->len;
  g_autofree Stream **results = g_new0 (Stream *, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 2);
  g_autofree GThread **threads = NULL;
  guint n_threads = MIN (MAX (n, 1), g_get_num_processors ());
  GPtrArray *read = g_ptr_array_new_with_free_func ((GDestroyNotify) stream_free);
  Job job = { streams, buffer, cancellable, results, errors, 0 };
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

/* Gives the functions of all streams one numbering, and the visits their stream's place. */
static void
number_functions (Streams *streams)
{
  Addresses table = { .addresses = streams->addresses };

  addresses_init (&table, 12);
  for (guint i = 0; i < streams->streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (streams->streams, i);

      stream->functions = g_new (guint32, stream->addresses->len + 1);
      for (guint f = 0; f < stream->addresses->len; f++)
        stream->functions[f] =
            CULPRIT_FUNCTION_PSEUDO + addresses_number (&table, g_array_index (stream->addresses, guint64, f));
      for (guint v = 0; v < stream->visits->len; v++)
        g_array_index (stream->visits, Visit, v).stream = i;
    }
  addresses_clear (&table);
}

static guint64
count_functions (const GPtrArray *streams)
{
  guint64 count = 0;

  for (guint i = 0; i < streams->len; i++)
    count += ((const Stream *) g_ptr_array_index (streams, i))->function_events;
  return count;
}

/* The first marker of a buffer; without a text where there is none. */
static Marker
find_marker (const GPtrArray *streams)
{
  Marker first = { 0 };

  for (guint i = 0; i < streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (streams, i);

      if (stream->marker.text && (!first.text || stream->marker.at_ns < first.at_ns))
        first = stream->marker;
    }
  return first;
}

static void
clear_marker (gpointer data)
{
  g_free (((Marker *) data)->text);
}

const char *
streams_clock (const Streams *streams, const FileBuffer *buffer)
{
  const char *clock = *buffer->clock ? buffer->clock : streams->file->clock;

  return clock ? clock : "local";
}

/* Takes one of @markers, which has one for each buffer of the file: that of the buffer with the functions, else the
 * first of another in the same clock. */
static void
choose_marker (Streams *streams, const GArray *markers)
{
  const char *clock = streams_clock (streams, streams->buffer);

  for (guint i = 0; i < markers->len; i++)
    {
      const FileBuffer *buffer = g_ptr_array_index (streams->file->buffers, i);
      const Marker *marker = &g_array_index (markers, Marker, i);

      if (!marker->text || !g_str_equal (streams_clock (streams, buffer), clock) ||
          (streams->marker.text && buffer != streams->buffer))
        continue;
      g_free (streams->marker.text);
      streams->marker = *marker;
      streams->marker.text = g_strdup (marker->text);
    }
}

static guint64
count_events (const GPtrArray *streams)
{
  guint64 count = 0;

  for (guint i = 0; i < streams->len; i++)
    count += ((const Stream *) g_ptr_array_index (streams, i))->events;
  return count;
}

static gboolean
check_clock (const Streams *streams, GError **error)
{
  const char *clock = streams->buffer->clock;

  if (g_str_equal (clock, "counter") || (g_str_equal (clock, "x86-tsc") && streams->file->tsc_multiplier == 0))
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: its trace clock \"%s\" does not count nanoseconds; record with trace-cmd -C mono",
                   streams->file->path, clock);
      return FALSE;
    }
  return TRUE;
}

Streams *
streams_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (Streams) streams = g_new0 (Streams, 1);
  g_autoptr (GArray) markers = g_array_new (FALSE, FALSE, sizeof (Marker));
  guint64 events = 0;

  g_array_set_clear_func (markers, clear_marker);
  streams->file = trace_file_open (path, error);
  streams->formats = streams->file ? formats_new (streams->file, error) : NULL;
  if (!streams->formats)
    return NULL;
  streams->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < streams->file->buffers->len; i++)
    {
      const FileBuffer *buffer = g_ptr_array_index (streams->file->buffers, i);
      g_autoptr (GPtrArray) read = read_buffer (streams, buffer, cancellable, error);
      Marker marker;

      if (!read)
        return NULL;
      events += count_events (read);
      marker = find_marker (read);
      marker.text = g_strdup (marker.text);
      g_array_append_val (markers, marker);
      if (streams->streams && count_functions (read) <= count_functions (streams->streams))
        continue;
      g_clear_pointer (&streams->streams, g_ptr_array_unref);
      streams->streams = g_steal_pointer (&read);
      streams->buffer = buffer;
    }
  if (!streams->streams || count_functions (streams->streams) == 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NO_FUNCTIONS,
                   "%s: holds no function_graph events (of %" G_GUINT64_FORMAT
                   " events); record with trace-cmd -p function_graph",
                   path, events);
      return NULL;
    }
  if (!check_clock (streams, error))
    return NULL;
  choose_marker (streams, markers);
  number_functions (streams);
  return g_steal_pointer (&streams);
}
