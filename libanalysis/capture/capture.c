/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a file to a capture that is accounted for: streams, functions, windows, costs. */
#include "capture.h"

#include "capture-private.h"
#include "costs-private.h"
#include "coverage-private.h"
#include "names.h"
#include "symbols-private.h"
#include "windows-private.h"

#include <stdio.h>
#include <stdlib.h>

const char *
culprit_context_name (CulpritContext context)
{
  static const char *const names[CULPRIT_CONTEXTS] = { "measured", "task", "idle", "hardirq", "softirq", "nmi" };

  return names[context];
}

void
culprit_capture_free (CulpritCapture *capture)
{
  g_free (capture->host);
  g_free (capture->kernel);
  g_free (capture->machine);
  g_free (capture->instance);
  g_free (capture->clock);
  g_free (capture->marker);
  g_free (capture->comm);
  g_free (capture->coverage.functions);
  g_array_unref (capture->functions);
  g_array_unref (capture->cpus);
  g_array_unref (capture->event_counts);
  g_array_unref (capture->windows);
  g_array_unref (capture->costs);
  g_array_unref (capture->ordinary);
  g_array_unref (capture->sources);
  g_array_unref (capture->ordinary_sources);
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

/* "Linux host release version machine": the version in the middle has words of its own. */
static void
describe_host (CulpritCapture *capture, const char *uname)
{
  g_auto (GStrv) words = g_strsplit (uname ? uname : "", " ", -1);
  guint n = g_strv_length (words);

  capture->host = g_strdup (culprit_name_of_host (n > 1 ? words[1] : NULL));
  capture->kernel = g_strdup (n > 2 ? words[2] : "unknown");
  capture->machine = g_strdup (n > 3 ? words[n - 1] : "unknown");
}

/* The name in "\nBuffer: NAME\n", which comes before the texts of an instance's CPUs; NULL where @text is none. */
static char *
stats_heading (const char *text)
{
  const char *name = strstr (text, "Buffer: ");

  return name ? g_strndup (name + 8, strcspn (name + 8, "\n")) : NULL;
}

/* The overrun of @cpu of the buffer @name in the texts of per_cpu/cpu<n>/stats. */
static guint64
overwritten_events (const GPtrArray *cpustats, const char *name, guint cpu)
{
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
      if (number && overrun && g_str_equal (present, name) && strtoul (number + 4, NULL, 10) == cpu)
        return MIN (strtoull (overrun + 9, NULL, 10), G_MAXINT64);
    }
  return 0;
}

/* A line of the saved command lines is "128 cyclictest". */
char *
capture_find_comm (const TraceFile *file, gint32 pid)
{
  for (const char *line = file->cmdlines; line && *line; line = *line ? line + 1 : line)
    {
      char *rest;
      glong found = strtol (line, &rest, 10);
      gsize length = strcspn (rest, "\n");

      if (rest != line && found == pid && *rest == ' ')
        {
          g_autofree char *comm = g_strndup (rest + 1, length - 1);

          return g_utf8_make_valid (comm, -1);
        }
      line = rest + length;
    }
  return NULL;
}

static void
add_cpus (CulpritCapture *capture, const Streams *streams)
{
  capture->first_ns = G_MAXUINT64;
  for (guint i = 0; i < streams->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (streams->streams, i);
      CulpritCpu cpu = { .cpu = stream->cpu,
                         .events = stream->events,
                         .first_ns = stream_first_ns (stream),
                         .last_ns = stream_last_ns (stream),
                         .losses = stream->losses,
                         .lost_events = stream->lost_events };

      cpu.overwritten_events = overwritten_events (streams->file->cpustats, streams->buffer->name, stream->cpu);
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
add_event_counts (CulpritCapture *capture, const Streams *streams)
{
  for (guint id = 0; id < G_N_ELEMENTS (streams->formats->kinds); id++)
    {
      const char *name = g_hash_table_lookup (streams->formats->names, GUINT_TO_POINTER (id));
      g_autofree char *unknown = NULL;
      CulpritEventCount count = { NULL, 0 };

      for (guint i = 0; i < streams->streams->len; i++)
        count.count += ((const Stream *) g_ptr_array_index (streams->streams, i))->counts[id];
      if (count.count == 0)
        continue;
      unknown = name ? NULL : g_strdup_printf ("unknown:%u", id);
      count.event = g_string_chunk_insert (capture->strings, name ? name : unknown);
      g_array_append_val (capture->event_counts, count);
    }
  g_array_sort (capture->event_counts, compare_counts);
}

/* Names the functions. Addresses inside one symbol become one function: the streams' numbers are changed to match. */
static void
add_functions (CulpritCapture *capture, Streams *streams)
{
  static const char *const pseudo[CULPRIT_FUNCTION_PSEUDO] = { "[user]", "[idle]", "[not captured]" };
  g_autoptr (GArray) symbols = symbols_resolve (streams->file->kallsyms, streams->addresses);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree guint32 *places = g_new (guint32, symbols->len + CULPRIT_FUNCTION_PSEUDO);

  for (guint i = 0; i < CULPRIT_FUNCTION_PSEUDO; i++)
    g_array_append_val (capture->functions, ((CulpritFunction) { .name = pseudo[i], .module = "" }));
  for (guint i = 0; i < symbols->len; i++)
    {
      const Symbol *symbol = &g_array_index (symbols, Symbol, i);
      char *key = g_strdup_printf ("%s\n%s\n%u", symbol->name, symbol->module, symbol->ordinal);
      gpointer place = g_hash_table_lookup (known, key);
      CulpritFunction function = { .ordinal = symbol->ordinal };

      if (!place)
        {
          function.name = g_string_chunk_insert (capture->strings, symbol->name);
          function.module = g_string_chunk_insert_const (capture->strings, symbol->module);
          g_array_append_val (capture->functions, function);
          place = GUINT_TO_POINTER (capture->functions->len - 1);
          g_hash_table_insert (known, g_steal_pointer (&key), place);
        }
      places[i + CULPRIT_FUNCTION_PSEUDO] = GPOINTER_TO_UINT (place);
      g_free (key);
    }
  for (guint i = 0; i < streams->streams->len; i++)
    {
      Stream *stream = g_ptr_array_index (streams->streams, i);

      for (guint f = 0; f < stream->addresses->len; f++)
        stream->functions[f] = places[stream->functions[f]];
    }
}

static void
clear_ordinary_cost (gpointer data)
{
  CulpritOrdinaryCost *cost = data;

  culprit_spread_clear (&cost->untraced_ns);
  culprit_spread_clear (&cost->calls_made);
  culprit_spread_clear (&cost->stretch_ns);
}

static void
clear_source (gpointer data)
{
  culprit_spread_clear (&((CulpritSource *) data)->untraced_ns);
}

CulpritCapture *
capture_new (Streams *streams)
{
  CulpritCapture *capture = g_new0 (CulpritCapture, 1);

  capture->functions = g_array_new (FALSE, TRUE, sizeof (CulpritFunction));
  capture->cpus = g_array_new (FALSE, FALSE, sizeof (CulpritCpu));
  capture->event_counts = g_array_new (FALSE, FALSE, sizeof (CulpritEventCount));
  capture->windows = g_array_new (FALSE, FALSE, sizeof (CulpritWindow));
  capture->costs = g_array_new (FALSE, FALSE, sizeof (CulpritCost));
  capture->ordinary = g_array_new (FALSE, FALSE, sizeof (CulpritOrdinaryCost));
  capture->sources = g_array_new (FALSE, FALSE, sizeof (CulpritSource));
  capture->ordinary_sources = g_array_new (FALSE, FALSE, sizeof (CulpritSource));
  g_array_set_clear_func (capture->ordinary, clear_ordinary_cost);
  g_array_set_clear_func (capture->ordinary_sources, clear_source);
  capture->strings = g_string_chunk_new (16 * 1024);
  capture->period_error_ns = -1;
  capture->coverage.interrupts = -1;
  capture->file_version = streams->file->version;
  capture->size_bytes = streams->file->size;
  capture->instance = g_strdup (streams->buffer->name);
  capture->clock = g_strdup (streams_clock (streams, streams->buffer));
  describe_host (capture, streams->file->uname);
  add_functions (capture, streams);
  return capture;
}

/* The priority of the task @pid, as any CPU's switches told; -1: none did. */
static gint
find_priority (const Streams *streams, gint32 pid)
{
  for (guint i = 0; i < streams->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (streams->streams, i);
      gpointer known = stream->priorities ? g_hash_table_lookup (stream->priorities, GINT_TO_POINTER (pid)) : NULL;

      if (known)
        return GPOINTER_TO_INT (known) - 1;
    }
  return -1;
}

/* Names the tasks among the sources. */
static void
name_sources (CulpritCapture *capture, const Streams *streams)
{
  GArray *const all[] = { capture->sources, capture->ordinary_sources };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint k = 0; k < all[i]->len; k++)
      {
        CulpritSource *source = &g_array_index (all[i], CulpritSource, k);
        g_autofree char *comm = NULL;

        if (source->name)
          continue;
        source->priority = find_priority (streams, source->pid);
        comm = capture_find_comm (streams->file, source->pid);
        source->name = g_string_chunk_insert_const (capture->strings, comm ? comm : "unnamed task");
      }
}

CulpritCapture *
culprit_capture_read (const char *path, const CulpritCaptureOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (Streams) streams = streams_read (path, cancellable, error);
  g_autoptr (CulpritCapture) capture = NULL;
  g_autoptr (Walk) walk = NULL;

  if (!streams)
    return NULL;
  capture = capture_new (streams);
  add_cpus (capture, streams);
  add_event_counts (capture, streams);
  coverage_find (streams, options->cycles, capture);
  walk = walk_new (streams->streams, -1);
  capture->marker = g_strdup (streams->marker.text);
  capture->recorded = options->cycles != NULL;
  if (options->cycles)
    {
      capture->comm = capture_find_comm (streams->file, options->cycles->pid);
      windows_from_cycles (walk, options->cycles, capture);
    }
  else if (streams->marker.text)
    {
      capture->comm = capture_find_comm (streams->file, streams->marker.pid);
      windows_find (walk, &streams->marker, options, capture);
    }
  else
    capture->no_windows = "it has no latency marker; cyclictest writes one with -b and --tracemark";
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  costs_find (walk, capture);
  name_sources (capture, streams);
  return g_steal_pointer (&capture);
}
