/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the longest stretch without an event, what is before and after it, and whether other CPUs were silent too. */
#include "stall-private.h"

#define LOOK_BACK 4       /* times the length of a stall, before it */
#define SILENT_PERCENT 80 /* of a stall, during which a silent CPU has no event */
#define USUAL_PERCENT 60  /* of a stall, for which a CPU may have been silent before it, at most */

void
stall_begin (StallSearch *search, const CulpritWindow *outlier)
{
  const Neighbour none = { NO_FUNCTION, FALSE };

  *search = (StallSearch) { .outlier = outlier, .last = none, .before = none, .after = none };
}

void
stall_note (StallSearch *search, const Stretch *stretch, guint64 start_ns, guint64 length_ns)
{
  const Neighbour none = { NO_FUNCTION, FALSE };

  if (length_ns <= search->longest.length_ns)
    return;
  search->longest = (CulpritStall) {
    .start_ns = start_ns, .length_ns = length_ns, .function = stretch->function, .context = stretch->context
  };
  search->before = start_ns > search->outlier->start_ns ? search->last : none;
  search->after = none;
  search->open = start_ns + length_ns < search->outlier->end_ns;
}

static const char *
name_neighbour (const Neighbour *neighbour, CulpritCapture *capture)
{
  g_autofree char *name = NULL;

  if (neighbour->function == NO_FUNCTION)
    return "";
  name = g_strdup_printf ("%s of %s", neighbour->entry ? "entry" : "exit",
                          g_array_index (capture->functions, CulpritFunction, neighbour->function).name);
  return g_string_chunk_insert (capture->strings, name);
}

/* The longest time without an event on @stream from @start_ns to @end_ns. */
static guint64
longest_silence (const Stream *stream, guint64 start_ns, guint64 end_ns)
{
  guint64 before_ns = start_ns;
  guint64 longest_ns = 0;

  for (guint i = 0; i < stream->visits->len && before_ns < end_ns; i++)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);
      EventReader reader;

      if (visit->end_ns < start_ns)
        continue;
      reader = stream_events (stream, visit);
      while (before_ns < end_ns && event_reader_next (&reader))
        if (reader.now_ns > before_ns)
          {
            longest_ns = MAX (longest_ns, MIN (reader.now_ns, end_ns) - before_ns);
            before_ns = reader.now_ns;
          }
    }
  return MAX (longest_ns, end_ns > before_ns ? end_ns - before_ns : 0);
}

/* Whether silence of @stream during @stall would mean something: shortly before, it was never silent for nearly as
 * long. */
static gboolean
could_tell (const Stream *stream, const CulpritStall *stall)
{
  guint64 first_ns = stream_first_ns (stream);
  guint64 look_ns = MIN (stall->length_ns * LOOK_BACK, stall->start_ns);
  guint64 from_ns = MAX (stall->start_ns - look_ns, first_ns);

  return stream->visits->len > 0 && from_ns + 2 * stall->length_ns <= stall->start_ns &&
         longest_silence (stream, from_ns, stall->start_ns) <= stall->length_ns * USUAL_PERCENT / 100;
}

static void
find_silence (const Walk *walk, guint cpu, CulpritStall *stall)
{
  for (guint i = 0; i < walk->streams->len && stall->length_ns > 0; i++)
    {
      const Stream *stream = g_ptr_array_index (walk->streams, i);

      if (stream->cpu == cpu || !could_tell (stream, stall))
        continue;
      stall->other_cpus++;
      stall->silent_cpus += longest_silence (stream, stall->start_ns, stall->start_ns + stall->length_ns) >=
                            stall->length_ns * SILENT_PERCENT / 100;
    }
}

void
stall_finish (const StallSearch *search, const Walk *walk, CulpritCapture *capture)
{
  capture->stall = search->longest;
  capture->stall.before = name_neighbour (&search->before, capture);
  capture->stall.after = name_neighbour (&search->after, capture);
  find_silence (walk, search->outlier->cpu, &capture->stall);
}
