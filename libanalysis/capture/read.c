/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a capture: what its file and events tell, then its windows, then what everything cost. */
#include "capture-private.h"
#include "names.h"
#include "seeded-hash.h"

#include <stdlib.h>

#define LONGEST_NAMES 256   /* bytes of the names of buffers together */
#define LONGEST_OF_UNAME 64 /* bytes of each word, as in struct utsname */

/* "Linux host release version machine", where the version consists of several words. */
static void
describe_host (CulpritCapture *capture, const char *uname)
{
  g_auto (GStrv) words = g_strsplit (uname ? uname : "", " ", -1);
  guint n = g_strv_length (words);

  for (guint i = 0; i < n; i++)
    words[i][culprit_cut_name (words[i], strlen (words[i]), LONGEST_OF_UNAME)] = '\0';
  capture->host = g_strdup (culprit_name_of_host (n > 1 ? words[1] : NULL));
  capture->kernel = g_strdup (n > 2 ? words[2] : "unknown");
  capture->machine = g_strdup (n > 3 ? words[n - 1] : "unknown");
}

static void
add_cpus (CulpritCapture *capture, const Session *session)
{
  capture->first_ns = G_MAXUINT64;
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);
      CulpritCpu cpu = { .cpu = stream->cpu,
                         .events = stream->events,
                         .first_ns = stream_first_ns (stream),
                         .last_ns = stream_last_ns (stream),
                         .losses = stream->losses,
                         .lost_events = stream->lost_events,
                         .overwritten_events = stream->overwritten };

      memcpy (cpu.floors_ns, stream->floors_ns, sizeof cpu.floors_ns);
      g_array_append_val (capture->cpus, cpu);
      capture->first_ns = MIN (capture->first_ns, cpu.first_ns);
      capture->last_ns = MAX (capture->last_ns, cpu.last_ns);
      capture->events += cpu.events;
      capture->function_events += stream->function_events;
      capture->lost_events += cpu.lost_events;
      capture->overwritten_events += cpu.overwritten_events;
    }
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const CulpritEventCount *left = a;
  const CulpritEventCount *right = b;

  if (left->count != right->count)
    return left->count > right->count ? -1 : 1;
  return strcmp (left->event, right->event);
}

static void
add_event_counts (CulpritCapture *capture, const Session *session)
{
  g_autofree guint64 *counts = NULL;
  guint n_ids = 0;

  for (guint i = 0; i < session->streams->len; i++)
    {
      const GArray *tallies = ((const Stream *) g_ptr_array_index (session->streams, i))->counts;

      if (tallies->len > 0)
        n_ids = MAX (n_ids, g_array_index (tallies, EventTally, tallies->len - 1).id + 1u);
    }
  counts = g_new0 (guint64, n_ids + 1);
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint t = 0; t < stream->counts->len; t++)
        {
          const EventTally *tally = &g_array_index (stream->counts, EventTally, t);

          counts[tally->id] += tally->count;
        }
    }
  for (guint id = 0; id < n_ids; id++)
    {
      const char *name;
      g_autofree char *unknown = NULL;
      CulpritEventCount count = { NULL, counts[id] };

      if (count.count == 0)
        continue;
      name = g_hash_table_lookup (session->event_names, GUINT_TO_POINTER (id));
      unknown = name ? NULL : g_strdup_printf ("unknown:%u", id);
      count.event = g_string_chunk_insert (capture->strings, name ? name : unknown);
      g_array_append_val (capture->event_counts, count);
    }
  g_array_sort (capture->event_counts, compare_counts);
}

static guint
hash_function (gconstpointer key)
{
  return culprit_hash_text (((const CulpritFunction *) key)->name);
}

static gboolean
same_function (gconstpointer a, gconstpointer b)
{
  const CulpritFunction *left = a;
  const CulpritFunction *right = b;

  return left->ordinal == right->ordinal && g_str_equal (left->name, right->name) &&
         g_str_equal (left->module, right->module);
}

/* Names the functions. All addresses within one symbol become one function: the numbers in the streams are changed
 * accordingly. */
static void
add_functions (CulpritCapture *capture, Session *session)
{
  static const char *const pseudo[CULPRIT_FUNCTION_PSEUDO] = { "[user]", "[idle]", "[not captured]", "[blocked]" };
  g_autoptr (GHashTable) known = g_hash_table_new (hash_function, same_function);
  guint n = session->addresses->len;
  g_autofree guint32 *indices = g_new (guint32, n + CULPRIT_FUNCTION_PSEUDO);

  /* Its size for all, as the keys of @known must not move. */
  g_array_set_size (capture->functions, n + CULPRIT_FUNCTION_PSEUDO);
  g_array_set_size (capture->functions, 0);
  for (guint i = 0; i < CULPRIT_FUNCTION_PSEUDO; i++)
    g_array_append_val (capture->functions, ((CulpritFunction) { .name = pseudo[i], .module = "" }));
  for (guint i = 0; i < n; i++)
    {
      guint64 address = g_array_index (session->addresses, guint64, i);
      const Symbol *symbol = symbols_find (session->symbols, address);
      char number[24];
      CulpritFunction function = { number, "", 0 };
      gpointer index;

      g_snprintf (number, sizeof number, "0x%" G_GINT64_MODIFIER "x", address);
      if (symbol && !culprit_name_is_pseudo (symbol->name)) /* No kernel has a function that is called so. */
        function = (CulpritFunction) { symbol->name, symbol->module, symbol->ordinal };
      index = g_hash_table_lookup (known, &function);
      if (!index)
        {
          index = GUINT_TO_POINTER (capture->functions->len);
          function.name = g_string_chunk_insert (capture->strings, function.name);
          function.module = g_string_chunk_insert (capture->strings, function.module);
          g_array_append_val (capture->functions, function);
          g_hash_table_insert (known, &g_array_index (capture->functions, CulpritFunction, GPOINTER_TO_UINT (index)),
                               index);
        }
      indices[i + CULPRIT_FUNCTION_PSEUDO] = GPOINTER_TO_UINT (index);
    }
  for (guint i = 0; i < session->streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (session->streams, i);

      for (guint f = 0; f < stream->addresses->len; f++)
        stream->functions[f] = indices[stream->functions[f]];
    }
}

/* The names of the buffers with functions but the one that was chosen, as far as they fit into a sentence. */
static char *
name_left_out (const Session *session)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < session->buffers->len; i++)
    {
      const TraceBuffer *buffer = &g_array_index (session->buffers, TraceBuffer, i);

      if (buffer->has_functions && i != session->buffer)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "",
                                *buffer->name ? buffer->name : "the main one");
    }
  return names->len > 0 ? culprit_valid_name (names->str, names->len, LONGEST_NAMES) : NULL;
}

CulpritCapture *
capture_describe (Session *session)
{
  g_autoptr (CulpritCapture) capture = capture_new ();

  capture->cycles = g_steal_pointer (&session->log);
  capture->file_version = session->file_version;
  capture->size_bytes = session->size_bytes;
  capture->instance = g_strdup (session_buffer (session)->name);
  capture->clock = g_strdup (session_buffer (session)->clock);
  capture->left_out = name_left_out (session);
  capture->marker = g_strdup (session->marker.text);
  describe_host (capture, session->uname);
  add_functions (capture, session);
  add_cpus (capture, session);
  add_event_counts (capture, session);
  coverage_find (session, capture);
  return g_steal_pointer (&capture);
}

CulpritCapture *
culprit_capture_read (const char *path, const CulpritCaptureOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (Session) session = session_open (path, options->measured, options, cancellable, error);
  g_autoptr (CulpritCapture) capture = session ? capture_describe (session) : NULL;
  g_autoptr (Walk) walk = capture ? walk_new (session->streams, -1) : NULL;

  if (!walk || !windows_find (session, walk, options, capture, error) ||
      g_cancellable_set_error_if_cancelled (cancellable, error) || !costs_find (session, walk, capture, error) ||
      !sections_find (session, capture, error))
    return NULL;
  capture->digest = g_steal_pointer (&session->digest);
  capture->sha256 = g_steal_pointer (&session->sha256);
  capture->identity = session->identity;
  return g_steal_pointer (&capture);
}
