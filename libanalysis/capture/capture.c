/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates and frees captures, and accounts for everything in them. */
#include "capture.h"

#include "capture-private.h"
#include "names.h"
#include "seeded-hash.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST_OF_UNAME 64 /* bytes of each word, as in struct utsname */

const char *
culprit_context_name (CulpritContext context)
{
  static const char *const names[CULPRIT_CONTEXTS] = { "measured", "task", "idle", "hardirq", "softirq", "nmi" };

  return names[context];
}

CulpritContext
culprit_context_named (const char *name)
{
  for (guint context = 0; context < CULPRIT_CONTEXTS; context++)
    if (*name == *culprit_context_name (context) && g_str_equal (name, culprit_context_name (context)))
      return context;
  return CULPRIT_CONTEXT_TASK;
}

void
culprit_capture_free (CulpritCapture *capture)
{
  g_free (capture->digest);
  g_free (capture->sha256);
  g_free (capture->host);
  g_free (capture->kernel);
  g_free (capture->machine);
  g_free (capture->instance);
  g_free (capture->clock);
  g_free (capture->marker);
  g_free (capture->comm);
  g_free (capture->coverage.functions);
  g_clear_pointer (&capture->cycles, culprit_cycles_free);
  g_array_unref (capture->functions);
  g_array_unref (capture->cpus);
  g_array_unref (capture->event_counts);
  g_array_unref (capture->windows);
  g_array_unref (capture->nodes);
  g_array_unref (capture->outlier_nodes);
  g_array_unref (capture->ordinary_nodes);
  g_array_unref (capture->ordinary_parts);
  g_string_chunk_free (capture->strings);
  g_free (capture);
}

const CulpritWindow *
culprit_capture_outlier (const CulpritCapture *capture)
{
  for (guint i = 0; i < capture->windows->len; i++)
    {
      const CulpritWindow *window = &g_array_index (capture->windows, CulpritWindow, i);

      if (window->outlier)
        return window;
    }
  return NULL;
}

gboolean
culprit_capture_is_unnamed (const CulpritCapture *capture)
{
  for (guint i = CULPRIT_FUNCTION_PSEUDO; i < capture->functions->len; i++)
    if (!g_str_has_prefix (g_array_index (capture->functions, CulpritFunction, i).name, "0x"))
      return FALSE;
  return TRUE;
}

/* "Linux host release version machine", where the version consists of several words. */
static void
describe_host (CulpritCapture *capture, const char *uname)
{
  g_auto (GStrv) words = g_strsplit (uname ? uname : "", " ", -1);
  guint n = g_strv_length (words);

  for (guint i = 0; i < n; i++)
    if (strlen (words[i]) > LONGEST_OF_UNAME)
      *g_utf8_find_prev_char (words[i], words[i] + LONGEST_OF_UNAME + 1) = '\0';
  capture->host = g_strdup (culprit_name_of_host (n > 1 ? words[1] : NULL));
  capture->kernel = g_strdup (n > 2 ? words[2] : "unknown");
  capture->machine = g_strdup (n > 3 ? words[n - 1] : "unknown");
}

/* The name in "
 * Buffer: NAME
 * ", which precedes the texts of an instance's CPUs; NULL if @text is something else. */
static char *
stats_heading (const char *text)
{
  const char *name = strstr (text, "Buffer: ");

  return name ? g_strndup (name + 8, strcspn (name + 8, "\n")) : NULL;
}

/* CPU -> overrun of the buffer @name, from the texts of per_cpu/cpu<n>/stats. */
static GHashTable *
overwritten_events (const GPtrArray *cpustats, const char *name)
{
  GHashTable *overwritten = g_hash_table_new_full (culprit_hash_direct, NULL, NULL, g_free);
  g_autofree char *present = g_strdup ("");

  for (guint i = 0; i < cpustats->len; i++)
    {
      const char *text = g_ptr_array_index (cpustats, i);
      const char *overrun = strstr (text, "\noverrun:");
      const char *number = strstr (text, "CPU:");
      char *heading = stats_heading (text);

      if (heading)
        {
          g_free (present);
          present = heading;
        }
      if (number && overrun && g_str_equal (present, name))
        {
          gpointer cpu = GSIZE_TO_POINTER (strtoul (number + 4, NULL, 10));
          guint64 count = MIN (strtoull (overrun + 9, NULL, 10), G_MAXINT64);

          if (!g_hash_table_contains (overwritten, cpu))
            g_hash_table_insert (overwritten, cpu, g_memdup2 (&count, sizeof count));
        }
    }
  return overwritten;
}

static void
add_cpus (CulpritCapture *capture, const Session *session)
{
  g_autoptr (GHashTable) overwritten = overwritten_events (session->file->cpustats, session->buffer->name);

  capture->first_ns = G_MAXUINT64;
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);
      const guint64 *lost = g_hash_table_lookup (overwritten, GSIZE_TO_POINTER (stream->cpu));
      CulpritCpu cpu = { .cpu = stream->cpu,
                         .events = stream->events,
                         .first_ns = stream_first_ns (stream),
                         .last_ns = stream_last_ns (stream),
                         .losses = stream->losses,
                         .lost_events = stream->lost_events };

      cpu.overwritten_events = lost ? *lost : 0;
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
      name = g_hash_table_lookup (session->formats->names, GUINT_TO_POINTER (id));
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
  static const char *const pseudo[CULPRIT_FUNCTION_PSEUDO] = { "[user]", "[idle]", "[not captured]" };
  g_autoptr (GHashTable) known = g_hash_table_new (hash_function, same_function);
  guint n = session->addresses->len;
  g_autofree guint32 *indices = g_new (guint32, n + CULPRIT_FUNCTION_PSEUDO);

  /* Allocated for all, as the keys of @known must not move. */
  capture->functions = g_array_sized_new (FALSE, TRUE, sizeof (CulpritFunction), n + CULPRIT_FUNCTION_PSEUDO);
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
      if (symbol)
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

static void
clear_ordinary_part (gpointer data)
{
  culprit_spread_clear (&((CulpritOrdinaryPart *) data)->untraced_ns);
}

CulpritCapture *
capture_new (Session *session)
{
  CulpritCapture *capture = g_new0 (CulpritCapture, 1);

  capture->cpus = g_array_new (FALSE, FALSE, sizeof (CulpritCpu));
  capture->event_counts = g_array_new (FALSE, FALSE, sizeof (CulpritEventCount));
  capture->windows = g_array_new (FALSE, FALSE, sizeof (CulpritWindow));
  capture->nodes = g_array_new (FALSE, FALSE, sizeof (CulpritNode));
  capture->outlier_nodes = g_array_new (FALSE, FALSE, sizeof (CulpritNodeCost));
  capture->ordinary_nodes = g_array_new (FALSE, TRUE, sizeof (CulpritOrdinaryNode));
  capture->ordinary_parts = g_array_new (FALSE, FALSE, sizeof (CulpritOrdinaryPart));
  g_array_set_clear_func (capture->ordinary_parts, clear_ordinary_part);
  capture->strings = g_string_chunk_new (16 * 1024);
  capture->period_error_ns = -1;
  capture->coverage.interrupts = -1;
  capture->file_version = session->file->version;
  capture->size_bytes = session->file->size;
  capture->instance = g_strdup (session->buffer->name);
  capture->clock = g_strdup (session_clock (session, session->buffer));
  describe_host (capture, session->file->uname);
  add_functions (capture, session);
  add_cpus (capture, session);
  add_event_counts (capture, session);
  return capture;
}

CulpritCapture *
culprit_capture_read (const char *path, const CulpritCaptureOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (Session) session = session_open (path, SESSION_DIGEST, cancellable, error);

  if (!session)
    return NULL;
  session_prepare (session, -1);
  if (!session_find_windows (session, options, error) || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  costs_find (session);
  if (!session_check_sums (session, error) ||
      !trace_file_digest (session->file, options->sha256_sizes, cancellable, &session->capture->digest,
                          &session->capture->sha256, error))
    return NULL;
  session->capture->identity = trace_file_identity (session->file);
  return g_steal_pointer (&session->capture);
}
