/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens captures: chooses the buffer with the functions, and numbers these uniformly. */
#include "session.h"

#include "addresses-private.h"
#include "budgets.h"
#include "seeded-hash.h"
#include "session-private.h"

/* Counts the events of every CPU before either end of the range. */

typedef struct
{
  guint64 before_start;
  guint64 up_to_end;
} Counts;

static void
count_at (Counts *counts, guint64 at_ns, guint64 start_ns, guint64 end_ns)
{
  counts->before_start += at_ns < start_ns;
  counts->up_to_end += at_ns <= end_ns;
}

static void
count_stream (const Stream *stream, guint64 start_ns, guint64 end_ns, Counts *counts)
{
  for (guint i = 0; i < stream->visits->len; i++)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);
      EventReader reader = stream_events (stream, visit);

      if (visit->after_loss || i == 0) /* Events before a CPU's first one were overwritten. */
        count_at (counts, visit->start_ns, start_ns, end_ns);
      while (event_reader_next (&reader))
        count_at (counts, reader.now_ns, start_ns, end_ns);
    }
}

gboolean
culprit_event_range_read (const char *path, guint64 start_ns, guint64 end_ns, CulpritEventRange *range, GError **error)
{
  g_autoptr (Session) session = session_open (path, SESSION_PLAIN, NULL, error);
  Counts counts = { 0 };

  if (!session)
    return FALSE;
  for (guint i = 0; i < session->streams->len; i++)
    count_stream (g_ptr_array_index (session->streams, i), start_ns, end_ns, &counts);
  *range = (CulpritEventRange) {
    .buffer = g_strdup (session->buffer->name),
    .first = counts.before_start,
    .last = counts.up_to_end > 0 ? counts.up_to_end - 1 : 0,
    .cpus = g_array_new (FALSE, FALSE, sizeof (guint)),
  };
  for (guint i = 0; i < session->streams->len; i++)
    g_array_append_val (range->cpus, ((const Stream *) g_ptr_array_index (session->streams, i))->cpu);
  return TRUE;
}

void
culprit_event_range_clear (CulpritEventRange *range)
{
  g_clear_pointer (&range->buffer, g_free);
  g_clear_pointer (&range->cpus, g_array_unref);
}

void
session_free (Session *session)
{
  g_clear_pointer (&session->streams, g_ptr_array_unref);
  g_clear_pointer (&session->addresses, g_array_unref);
  g_free (session->marker.text);
  g_clear_pointer (&session->symbols, symbols_unref);
  g_clear_pointer (&session->formats, formats_unref);
  g_clear_pointer (&session->file, trace_file_free);
  g_free (session);
}

/* Numbers the functions of all streams uniformly, and sets the stream index of visits. */
static void
number_functions (Session *session)
{
  Addresses table = { .addresses = session->addresses };

  addresses_init (&table, 12);
  for (guint i = 0; i < session->streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (session->streams, i);

      stream->functions = g_new (guint32, stream->addresses->len + 1);
      for (guint f = 0; f < stream->addresses->len; f++)
        stream->functions[f] =
            CULPRIT_FUNCTION_PSEUDO + addresses_number (&table, g_array_index (stream->addresses, guint64, f));
      for (guint v = 0; v < stream->visits->len; v++)
        g_array_index (stream->visits, Visit, v).stream = i;
    }
  addresses_clear (&table);
}

/* Whether the tasks' stacks fit into memory: a call costs one event, but a call at the maximum depth allocates all
 * levels above it. */
static gboolean
check_stacks (const Session *session, GError **error)
{
  g_autoptr (GHashTable) deepest = g_hash_table_new (culprit_hash_direct, NULL);
  guint64 open = 0;

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint v = 0; v < stream->visits->len; v++)
        {
          const Visit *visit = &g_array_index (stream->visits, Visit, v);
          gpointer task = GINT_TO_POINTER (visit->pid ? visit->pid : -1 - (gint) i);
          guint before = GPOINTER_TO_UINT (g_hash_table_lookup (deepest, task));

          if (visit->deepest <= before)
            continue;
          g_hash_table_insert (deepest, task, GUINT_TO_POINTER (visit->deepest));
          open += visit->deepest - before;
          if (open > MAX_OPEN_CALLS)
            return trace_file_damaged (session->file, error, "more than %d calls are open", MAX_OPEN_CALLS);
        }
    }
  return TRUE;
}

/* Sums of longer times might not fit into 64 bits: no trace is thirteen days long. */
static gboolean
check_times (const Session *session, GError **error)
{
  g_autoptr (GHashTable) tasks = g_hash_table_new (culprit_hash_direct, NULL);
  guint64 first_ns = G_MAXUINT64;
  guint64 last_ns = 0;

  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint v = 0; v < stream->visits->len; v++)
        g_hash_table_add (tasks, GINT_TO_POINTER (g_array_index (stream->visits, Visit, v).pid));
      if (stream->visits->len == 0)
        continue;
      first_ns = MIN (first_ns, stream_first_ns (stream));
      last_ns = MAX (last_ns, stream_last_ns (stream));
    }
  if (last_ns > first_ns && last_ns - first_ns > MAX_SPAN_NS)
    return trace_file_damaged (session->file, error, "its events are more than 13 days apart");
  if (last_ns > first_ns && (last_ns - first_ns) > G_MAXINT64 / (g_hash_table_size (tasks) + session->streams->len))
    return trace_file_damaged (session->file, error, "the times of its tasks are too long to add up");
  return TRUE;
}

static guint64
count_functions (const GPtrArray *streams)
{
  guint64 count = 0;

  for (guint i = 0; i < streams->len; i++)
    count += ((const Stream *) g_ptr_array_index (streams, i))->function_events;
  return count;
}

/* The first marker of a buffer; without a text if there is none. */
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
session_clock (const Session *session, const FileBuffer *buffer)
{
  const char *clock = *buffer->clock ? buffer->clock : session->file->clock;

  return clock ? clock : "local";
}

/* Chooses one of @markers, one per buffer of the file: that of the buffer with the functions, else the first one of
 * another buffer with the same clock. */
static void
choose_marker (Session *session, const GArray *markers)
{
  const char *clock = session_clock (session, session->buffer);

  for (guint i = 0; i < markers->len; i++)
    {
      const FileBuffer *buffer = g_ptr_array_index (session->file->buffers, i);
      const Marker *marker = &g_array_index (markers, Marker, i);

      if (!marker->text || !g_str_equal (session_clock (session, buffer), clock) ||
          (session->marker.text && buffer != session->buffer))
        continue;
      g_free (session->marker.text);
      session->marker = *marker;
      session->marker.text = g_strdup (marker->text);
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
check_clock (const Session *session, GError **error)
{
  const char *clock = session->buffer->clock;

  if (g_str_equal (clock, "counter") || (g_str_equal (clock, "x86-tsc") && session->file->tsc_multiplier == 0))
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: its trace clock \"%s\" does not count nanoseconds; record with trace-cmd -C mono",
                   session->file->path, clock);
      return FALSE;
    }
  return TRUE;
}

Session *
session_open (const char *path, SessionKind kind, GCancellable *cancellable, GError **error)
{
  g_autoptr (Session) session = g_new0 (Session, 1);
  g_autoptr (GArray) markers = g_array_new (FALSE, FALSE, sizeof (Marker));
  guint64 events = 0;

  g_array_set_clear_func (markers, clear_marker);
  session->file = trace_file_open (path, error);
  session->formats = session->file ? formats_new (session->file, error) : NULL;
  session->symbols = session->formats ? symbols_new (session->file, error) : NULL;
  if (!session->symbols)
    return NULL;
  if (kind == SESSION_DIGEST)
    trace_file_begin_digest (session->file);
  session->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < session->file->buffers->len; i++)
    {
      const FileBuffer *buffer = g_ptr_array_index (session->file->buffers, i);
      g_autoptr (GPtrArray) read = streams_read (session->file, session->formats, buffer, cancellable, error);
      Marker marker;

      if (!read)
        return NULL;
      events += count_events (read);
      marker = find_marker (read);
      marker.text = g_strdup (marker.text);
      g_array_append_val (markers, marker);
      if (session->streams && count_functions (read) <= count_functions (session->streams))
        continue;
      g_clear_pointer (&session->streams, g_ptr_array_unref);
      session->streams = g_steal_pointer (&read);
      session->buffer = buffer;
    }
  if (!session->streams || count_functions (session->streams) == 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NO_FUNCTIONS,
                   "%s: contains no function_graph events (of %" G_GUINT64_FORMAT
                   " events); record with trace-cmd -p function_graph",
                   path, events);
      return NULL;
    }
  if (!check_clock (session, error) || !check_stacks (session, error) || !check_times (session, error))
    return NULL;
  choose_marker (session, markers);
  number_functions (session);
  return g_steal_pointer (&session);
}
