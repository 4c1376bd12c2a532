/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens captures by the source that knows their format. What follows is the same for all of them: chooses the buffer
 * with the functions, numbers these uniformly, and refuses what could not be added up. */
#include "session.h"

#include "budgets.h"
#include "capture/events/builder-private.h"
#include "names.h"
#include "seeded-hash.h"

#include <stdlib.h>
#include <string.h>

/* Finds tasks' names in the saved command lines, one per line, e.g. "128 cyclictest". */

static GHashTable *
comms_new (const char *cmdlines)
{
  GHashTable *comms = g_hash_table_new (culprit_hash_direct, NULL);

  for (const char *line = cmdlines; line && *line; line = *line ? line + 1 : line)
    {
      char *rest = (char *) line;
      /* White space is not skipped: line ends are white space too, and would be skipped once more from each of them. */
      glong pid = g_ascii_isdigit (*line) ? strtol (line, &rest, 10) : -1;

      if (pid >= 0 && pid <= G_MAXINT32 && *rest == ' ' && !g_hash_table_contains (comms, GINT_TO_POINTER ((gint) pid)))
        g_hash_table_insert (comms, GINT_TO_POINTER ((gint) pid), rest + 1);
      line = rest + strcspn (rest, "\n");
    }
  return comms;
}

#define LONGEST_COMM 64 /* bytes, four times as many as in the kernel: each row of a study has it */

char *
session_find_comm (const Session *session, gint32 pid)
{
  const char *name = g_hash_table_lookup (session->comms, GINT_TO_POINTER (pid));
  gsize length = name ? strnlen (name, 2 * LONGEST_COMM) : 0; /* a file's may be as long as it likes */
  const char *newline = name ? memchr (name, '\n', length) : NULL;

  return name ? culprit_valid_name (name, newline ? (gsize) (newline - name) : length, LONGEST_COMM) : NULL;
}

static void
buffer_clear (TraceBuffer *buffer)
{
  g_free (buffer->name);
  g_free (buffer->clock);
  g_free (buffer->marker.text);
}

void
session_free (Session *session)
{
  g_free (session->path);
  g_clear_pointer (&session->log, culprit_cycles_free);
  g_clear_pointer (&session->measured, culprit_measured_free);
  g_free (session->definition);
  g_free (session->digest);
  g_free (session->sha256);
  g_free (session->uname);
  g_free (session->cmdlines);
  g_clear_pointer (&session->symbols, symbols_unref);
  g_clear_pointer (&session->event_names, g_hash_table_unref);
  g_array_unref (session->buffers);
  g_clear_pointer (&session->streams, g_ptr_array_unref);
  g_array_unref (session->addresses);
  g_clear_pointer (&session->comms, g_hash_table_unref);
  g_free (session);
}

static guint64
count_functions (const GPtrArray *streams)
{
  guint64 count = 0;

  for (guint i = 0; i < streams->len; i++)
    count += ((const Stream *) g_ptr_array_index (streams, i))->function_events;
  return count;
}

void
session_take_buffer (Session *session, const char *name, const char *clock, GPtrArray *streams)
{
  guint64 functions = count_functions (streams);
  TraceBuffer buffer = { g_strdup (name), g_strdup (clock && *clock ? clock : "local"), functions > 0, { 0 } };
  Marker *first = NULL;

  for (guint i = 0; i < streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (streams, i);

      session->events += stream->events;
      if (stream->marker.text && (!first || stream->marker.at_ns < first->at_ns))
        first = &stream->marker;
    }
  if (first)
    {
      buffer.marker = *first;
      first->text = NULL;
    }
  g_array_append_val (session->buffers, buffer);
  if (session->streams && functions <= count_functions (session->streams))
    {
      g_ptr_array_unref (streams);
      return;
    }
  g_clear_pointer (&session->streams, g_ptr_array_unref);
  session->streams = streams;
  session->buffer = session->buffers->len - 1;
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
            return capture_damaged (session->path, error, "more than %d calls are open", MAX_OPEN_CALLS);
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
    return capture_damaged (session->path, error, "its events are more than 13 days apart");
  if (last_ns > first_ns && (last_ns - first_ns) > G_MAXINT64 / (g_hash_table_size (tasks) + session->streams->len))
    return capture_damaged (session->path, error, "the times of its tasks are too long to add up");
  return TRUE;
}

/* Chooses the marker of the buffer with the functions, else the first one of another buffer with the same clock. */
static void
choose_marker (Session *session)
{
  const TraceBuffer *chosen = session_buffer (session);

  session->marker = chosen->marker;
  for (guint i = 0; i < session->buffers->len && !session->marker.text; i++)
    {
      const TraceBuffer *buffer = &g_array_index (session->buffers, TraceBuffer, i);

      if (g_str_equal (buffer->clock, chosen->clock))
        session->marker = buffer->marker;
    }
}

/* Other clocks of Linux, such as counter, uptime, ppc-tb and s390-tod, count something else, and those to come may. */
static gboolean
counts_ns (const Session *session, const char *clock)
{
  static const char *const known[] = { "local", "global", "perf", "mono", "mono_raw", "boot", "tai", "tsc2nsec", NULL };

  return g_strv_contains (known, clock) || (g_str_equal (clock, "x86-tsc") && session->tsc_known);
}

/* Whether there are functions in it, with times in ns. */
static gboolean
check_functions (const Session *session, GError **error)
{
  const TraceBuffer *buffer = session->streams ? session_buffer (session) : NULL;

  if (!buffer || count_functions (session->streams) == 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NO_FUNCTIONS,
                   "%s: contains no function_graph events (of %" G_GUINT64_FORMAT
                   " events); record with trace-cmd -p function_graph",
                   session->path, session->events);
      return FALSE;
    }
  if (!counts_ns (session, buffer->clock))
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: its trace clock \"%s\" is not known to count nanoseconds; record with trace-cmd -C mono",
                   session->path, buffer->clock);
      return FALSE;
    }
  return TRUE;
}

/* Reads @input with its source, and what is the same for all of them. */
static gboolean
read_input (Session *session, const Input *input, GCancellable *cancellable, GError **error)
{
  /* A source of another format would be called here, by the file's first bytes; trace_dat_read() says what they are if
   * it does not know them. */
  if (!trace_dat_read (session, input, cancellable, error) || !check_functions (session, error) ||
      !check_stacks (session, error) || !check_times (session, error))
    return FALSE;
  session->comms = comms_new (session->cmdlines);
  choose_marker (session);
  number_functions (session);
  return TRUE;
}

/* Reads the log, and what the windows are. */
static gboolean
read_definition (Session *session, const char *definition, GError **error)
{
  g_autofree char *log_path = culprit_cycles_path (session->path);
  GError *problem = NULL;

  session->log = culprit_cycles_read (log_path, &problem);
  if (!definition && session->log)
    definition = session->log->measured;
  if (!problem && definition)
    session->measured = culprit_measured_parse (definition, &problem);
  if (problem)
    {
      g_propagate_prefixed_error (error, problem, "%s: ", session->path);
      return FALSE;
    }
  session->definition = g_strdup (definition);
  if (session->measured && session->measured->kind == CULPRIT_MEASURED_CYCLES)
    g_clear_pointer (&session->measured, culprit_measured_free);
  return TRUE;
}

Session *
session_open (const char *path,
              const char *definition,
              const CulpritCaptureOptions *digested,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (Input) input = input_open (path, error);
  g_autoptr (Session) session = NULL;

  if (!input || (digested && !input_begin_digest (input, error)))
    return NULL;
  session = g_new0 (Session, 1);
  session->path = g_strdup (path);
  session->size_bytes = input->size;
  session->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  session->buffers = g_array_new (FALSE, FALSE, sizeof (TraceBuffer));
  g_array_set_clear_func (session->buffers, (GDestroyNotify) buffer_clear);
  if (!read_definition (session, definition, error) || !read_input (session, input, cancellable, error))
    return NULL;
  if (digested && !input_digest (input, digested->sha256_sizes, cancellable, &session->digest, &session->sha256, error))
    return NULL;
  session->identity = input_identity (input);
  return g_steal_pointer (&session);
}

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
  g_autoptr (Session) session = session_open (path, NULL, NULL, NULL, error);
  Counts counts = { 0 };

  if (!session)
    return FALSE;
  for (guint i = 0; i < session->streams->len; i++)
    count_stream (g_ptr_array_index (session->streams, i), start_ns, end_ns, &counts);
  *range = (CulpritEventRange) {
    .buffer = g_strdup (session_buffer (session)->name),
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
