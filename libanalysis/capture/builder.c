/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs a CPU's events and divides them into visits; finds what follows from all of them. */
#include "builder-private.h"

#include "seeded-hash.h"

#include <sys/mman.h>

/* Memory for packed events. It is mapped rather than allocated, to get huge pages: with small pages, a large capture
 * cost 0.4 s of page faults. Growing copies the events: moving the mapping is not measurably faster, and the thread
 * sanitizer does not know mremap(). */

#define FIRST_WORDS (1 << 10)        /* A capture may have thousands of CPUs with few events each. */
#define HUGE_BYTES (4 * 1024 * 1024) /* from here on huge pages save time and waste little */

#define MAX_PRIORITY 1000 /* the kernel has 140 */
#define MOST_EXPECTED (1 << 28)
#define USUAL_IDS 2048 /* kernels number a thousand or two kinds of events */

static void
packed_clear (PackedEvents *packed)
{
  if (packed->data)
    munmap (packed->data, packed->capacity * sizeof (PackedWord));
}

static gboolean
make_room (PackedEvents *packed, gsize capacity)
{
  gsize size = capacity * sizeof (PackedWord);
  gpointer data = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (data == MAP_FAILED)
    return FALSE;
  if (size >= HUGE_BYTES)
    madvise (data, size, MADV_HUGEPAGE);
  if (packed->data)
    memcpy (data, packed->data, packed->n * sizeof (PackedWord));
  packed_clear (packed);
  packed->data = data;
  packed->capacity = capacity;
  return TRUE;
}

gboolean
builder_grow (Builder *builder)
{
  PackedEvents *packed = &builder->stream->packed;

  return make_room (packed, packed->capacity ? packed->capacity * 2 : FIRST_WORDS);
}

/* What is mapped, but not used, costs nothing. */
void
builder_expect (Builder *builder, guint64 n)
{
  if (n > builder->stream->packed.capacity && n <= MOST_EXPECTED)
    make_room (&builder->stream->packed, n);
}

/* Makes the tables for the first event: there may be hundreds of thousands of CPUs without one. */
static void
make_tables (Builder *builder)
{
  addresses_init (&builder->addresses, 12);
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    builder->stretches[kind] = g_new0 (guint32, FLOOR_LIMIT_NS);
}

void
builder_grow_counts (Builder *builder, guint id)
{
  guint n = id < USUAL_IDS ? USUAL_IDS : G_MAXUINT16 + 1;

  if (!builder->counts)
    make_tables (builder);
  builder->counts = g_renew (guint64, builder->counts, n);
  memset (builder->counts + builder->n_counts, 0, (n - builder->n_counts) * sizeof *builder->counts);
  builder->n_counts = n;
}

Builder *
builder_new (guint cpu)
{
  Builder *builder = g_new0 (Builder, 1);
  Stream *stream = g_new0 (Stream, 1);

  stream->cpu = cpu;
  stream->visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  stream->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  stream->counts = g_array_new (FALSE, FALSE, sizeof (EventTally));
  stream->scheduling = g_array_new (FALSE, FALSE, sizeof (Scheduling));
  builder->stream = stream;
  builder->addresses.addresses = stream->addresses;
  return builder;
}

void
builder_free (Builder *builder)
{
  g_clear_pointer (&builder->stream, stream_free);
  g_free (builder->counts);
  addresses_clear (&builder->addresses);
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    g_free (builder->stretches[kind]);
  g_free (builder);
}

void
stream_free (Stream *stream)
{
  packed_clear (&stream->packed);
  g_array_unref (stream->visits);
  g_array_unref (stream->addresses);
  g_free (stream->functions);
  g_array_unref (stream->counts);
  g_array_unref (stream->scheduling);
  g_clear_pointer (&stream->noted, g_array_unref);
  g_free (stream->marker.text);
  g_free (stream);
}

static void
end_visit (Builder *builder)
{
  if (!builder->visit)
    return;
  builder->visit->end_ns = builder->now_ns;
  builder->visit->n_words = builder->stream->packed.n - builder->visit->first;
}

void
builder_begin_visit (Builder *builder, const Event *event)
{
  Stream *stream = builder->stream;
  Visit visit = {
    .start_ns = event->at_ns, .first = stream->packed.n, .pid = event->pid, .interrupts = event->interrupts
  };

  end_visit (builder);
  visit.after_loss = builder->missed > 0 && builder->visit;
  if (visit.after_loss)
    {
      stream->losses++;
      stream->lost_events += builder->missed;
    }
  builder->missed = 0;
  g_array_append_val (stream->visits, visit);
  builder->visit = &g_array_index (stream->visits, Visit, stream->visits->len - 1);
  builder->interrupts = event->interrupts;
  builder->known = FALSE;
  builder->top = -1;
}

gboolean
builder_other (Builder *builder, Event event)
{
  guint64 delta_ns;

  if (!builder_begin (builder, &event, PACKED_OTHER, &delta_ns))
    return FALSE;
  packed_event (&builder->stream->packed, PACKED_OTHER, delta_ns, PACKED_DELTA_BITS, 0);
  return TRUE;
}

gboolean
builder_print (Builder *builder, Event event, const char *text, gsize size)
{
  Stream *stream = builder->stream;

  if (!stream->marker.text && g_strstr_len (text, size, MARKER_TEXT))
    {
      g_autofree char *marker = g_strndup (text, size);

      stream->marker = (Marker) { g_utf8_make_valid (g_strchomp (marker), -1), event.at_ns, event.pid, stream->cpu };
    }
  return builder_other (builder, event);
}

static gint16
known_priority (gint priority)
{
  return priority < MAX_PRIORITY ? MAX (priority, -1) : -1;
}

gboolean
builder_switch (
    Builder *builder, Event event, gint32 left_pid, gint left_priority, gboolean runnable, gint32 pid, gint priority)
{
  Scheduling scheduling = { .at_ns = event.at_ns,
                            .pid = pid,
                            .left_pid = left_pid,
                            .priority = known_priority (priority),
                            .left_priority = known_priority (left_priority),
                            .runnable = runnable };

  g_array_append_val (builder->stream->scheduling, scheduling);
  return builder_other (builder, event);
}

gboolean
builder_waking (Builder *builder, Event event, gint32 pid, gint priority)
{
  Scheduling scheduling = { .at_ns = event.at_ns,
                            .pid = pid,
                            .left_pid = event.pid,
                            .priority = known_priority (priority),
                            .waking = TRUE,
                            .interrupts = event.interrupts };

  g_array_append_val (builder->stream->scheduling, scheduling);
  return builder_other (builder, event);
}

void
builder_note (Builder *builder, Event event, NotedKind kind, guint64 object, guint64 value, guint64 function)
{
  Noted noted = { event.at_ns, object, value, function, event.pid, kind, event.interrupts };

  if (!builder->stream->noted)
    builder->stream->noted = g_array_new (FALSE, FALSE, sizeof (Noted));
  g_array_append_val (builder->stream->noted, noted);
}

/* The 1st percentile of the stretches of each kind; 0 if there are too few, or if it is too long to be tracing. */
static void
find_floors (const Builder *builder)
{
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    {
      guint64 rank = builder->n_stretches[kind] / 100;
      guint64 below = 0;

      if (builder->n_stretches[kind] < FLOOR_MIN_STRETCHES)
        continue;
      for (guint length_ns = 0; length_ns < FLOOR_LIMIT_NS; length_ns++)
        {
          below += builder->stretches[kind][length_ns];
          if (below > rank)
            {
              builder->stream->floors_ns[kind] = length_ns;
              break;
            }
        }
    }
}

/* A capture may have thousands of CPUs: each keeps only the counts it needs. */
static void
keep_counts (const Builder *builder)
{
  for (guint id = 0; id < builder->n_counts; id++)
    {
      EventTally tally = { id, builder->counts[id] };

      if (tally.count > 0)
        g_array_append_val (builder->stream->counts, tally);
      builder->stream->events += tally.count;
    }
}

Stream *
builder_finish (Builder *builder)
{
  Stream *stream = builder->stream;

  end_visit (builder);
  if (builder->counts)
    find_floors (builder);
  keep_counts (builder);
  builder->stream = NULL;
  builder_free (builder);
  return stream;
}
