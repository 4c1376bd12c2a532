/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the events of every CPU before either end of the range. */
#include "event-range.h"

#include "session-private.h"

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
