/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs a CPU's events and divides them into visits; finds what follows from all of them. */
#include "builder-private.h"

#include "budgets.h"
#include "seeded-hash.h"

#include <sys/mman.h>

/* Memory for packed events. It is mapped rather than allocated, to get huge pages: with small pages, a large capture
 * cost 0.4 s of page faults. Growing copies the events: moving the mapping is not measurably faster, and the thread
 * sanitizer does not know mremap(). */

#define FIRST_WORDS (1 << 10)        /* A capture may have thousands of CPUs with few events each. */
#define HUGE_BYTES (4 * 1024 * 1024) /* from here on huge pages save time and waste little */

#define LONGEST_MARKER 4096 /* bytes of its text; cyclictest's has some dozens */
#define MAX_PRIORITY 1000   /* the kernel has 140 */
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
  stream->seen = NOBODY;
  stream->visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  stream->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  stream->counts = g_array_new (FALSE, FALSE, sizeof (EventTally));
  stream->scheduling = g_array_new (FALSE, FALSE, sizeof (Scheduling));
  stream->holds = g_array_new (FALSE, FALSE, sizeof (Hold));
  builder->stream = stream;
  builder->next_pid = NOBODY;
  builder->held = HELD_LOST;
  memset (builder->tracers_depth, MAX_PREEMPT_DEPTH, sizeof builder->tracers_depth);
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
  g_array_unref (stream->holds);
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

static void
begin_visit (Builder *builder, guint64 at_ns, gint32 pid, guint8 interrupts)
{
  Stream *stream = builder->stream;
  Visit visit = { .start_ns = at_ns, .first = stream->packed.n, .pid = pid, .interrupts = interrupts };

  end_visit (builder);
  stream->begins_lost |= builder->missed > 0 && !builder->visit;
  visit.after_loss = builder->missed > 0 && builder->visit;
  if (visit.after_loss)
    {
      stream->losses++;
      stream->lost_events = MIN (stream->lost_events + builder->missed, MAX_SUM);
    }
  builder->missed = 0;
  g_array_append_val (stream->visits, visit);
  builder->visit = &g_array_index (stream->visits, Visit, stream->visits->len - 1);
  builder->interrupts = interrupts;
  builder->known = FALSE;
  builder->top = -1;
  builder->next_pid = NOBODY;
}

/* Who came after the last event, unseen; NOBODY: whoever came did so with @event.
 *
 * Where all functions are traced, a task shows itself as it comes: by what is left of the switch, inside of calls and
 * outside of interrupts. What shows itself otherwise was there before, and so was one that never does. That
 * sched_switch names it is one sign; an interrupt on a CPU that a task had left inside of a call is another. */
static gint32
came_unseen (const Builder *builder, const Event *event, gboolean inside)
{
  if (!builder->visit || builder->missed > 0)
    return NOBODY;
  if (builder->next_pid != NOBODY)
    return inside && event->interrupts == 0 && event->pid == builder->next_pid ? NOBODY : builder->next_pid;
  return event->interrupts != 0 && builder->known && builder->top >= 0 ? event->pid : NOBODY;
}

static void
note_seen (Stream *stream, gint32 pid)
{
  stream->idle_seen |= pid == 0;
  if (pid == 0)
    return;
  stream->several_seen |= stream->seen != NOBODY && stream->seen != pid;
  stream->seen = pid;
}

guint64
builder_begin_visit (Builder *builder, const Event *event, PackedKind kind, gboolean inside)
{
  gint32 pid = came_unseen (builder, event, inside);

  if (builder->visit && builder->missed == 0 && kind <= PACKED_EXIT && builder->last_kind <= PACKED_EXIT)
    builder->n_changes[builder->last_kind * 2 + kind]++;
  if (pid == NOBODY && inside && event->interrupts == 0)
    note_seen (builder->stream, event->pid);
  builder->stream->idle_unseen |= pid == 0;
  builder->stream->others_unseen |= pid > 0;
  if (pid != NOBODY)
    {
      begin_visit (builder, builder->now_ns, pid, 0);
      packed_event (&builder->stream->packed, PACKED_OTHER, 0, PACKED_DELTA_BITS, 0);
      builder->visit->came_unseen = TRUE;
      builder->last_kind = PACKED_OTHER;
    }
  if (pid == NOBODY || pid != event->pid)
    {
      begin_visit (builder, event->at_ns, event->pid, event->interrupts);
      return 0;
    }
  if (event->interrupts != 0)
    packed_prefix (&builder->stream->packed, PREFIX_CONTEXT, event->interrupts);
  builder->interrupts = event->interrupts;
  return event->at_ns - builder->now_ns;
}

gboolean
builder_other (Builder *builder, Event event)
{
  guint64 delta_ns;

  if (!builder_begin (builder, &event, PACKED_OTHER, FALSE, &delta_ns))
    return FALSE;
  packed_event (&builder->stream->packed, PACKED_OTHER, delta_ns, PACKED_DELTA_BITS, 0);
  return TRUE;
}

gboolean
builder_print (Builder *builder, Event event, const char *text, gsize size)
{
  Stream *stream = builder->stream;
  gsize length = MIN (size, LONGEST_MARKER);

  if (!stream->marker.text && g_strstr_len (text, length, MARKER_TEXT))
    {
      g_autofree char *marker = g_strndup (text, length);

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
    Builder *builder, Event event, gint32 left_pid, gint left_priority, HowLeft left, gint32 pid, gint priority)
{
  Scheduling scheduling = { .at_ns = event.at_ns,
                            .pid = pid,
                            .left_pid = left_pid,
                            .priority = known_priority (priority),
                            .left_priority = known_priority (left_priority),
                            .left = left };

  g_array_append_val (builder->stream->scheduling, scheduling);
  if (!builder_other (builder, event))
    return FALSE;
  if (pid >= 0 && pid != event.pid)
    builder->next_pid = pid;
  return TRUE;
}

gboolean
builder_waking (Builder *builder, Event event, gint32 pid, gint priority, guint16 ran_on)
{
  Scheduling scheduling = { .at_ns = event.at_ns,
                            .pid = pid,
                            .left_pid = event.pid,
                            .priority = known_priority (priority),
                            .ran_on = ran_on,
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

/* Sections. */

/* The call at depth @top, which is on top as far as this visit shows. */
static HeldBy
held_by (const Builder *builder, int top)
{
  HeldBy by = { HELD_UNKNOWN, HELD_UNKNOWN };

  if (builder->known && top < 0)
    by.function = HELD_NOTHING;
  if (builder->known && top >= 0)
    by.function = builder->open[top];
  if (builder->known && top >= 1)
    by.caller = builder->open[top - 1];
  return by;
}

/* Counts the stretches between all function events so far. */
static void
count_stretches (const Builder *builder, guint64 *counts)
{
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    counts[kind] = builder->n_stretches[kind] + builder->n_changes[kind];
}

/* The same up to a function event of @kind that was not added yet; @lost: what is before it is not known. */
static void
count_before (const Builder *builder, PackedKind kind, gboolean lost, guint64 *counts)
{
  count_stretches (builder, counts);
  if (!lost && builder->last_kind <= PACKED_EXIT)
    counts[builder->last_kind * 2 + kind]++;
}

/* Ends the section of @kind with the event at @end_ns; the next one is @gap_ns later. */
static void
end_hold (Builder *builder, guint kind, guint64 end_ns, guint64 gap_ns, HeldBy closed)
{
  Hold *hold = &builder->hold[kind];
  guint64 stretches[STRETCH_KINDS];

  if (end_ns - hold->start_ns < HOLD_LEAST_NS)
    return;
  count_stretches (builder, stretches);
  if (hold->wanted_ns >= end_ns)
    hold->wanted_ns = 0;
  for (guint i = 0; i < STRETCH_KINDS; i++)
    {
      hold->stretches[i] = stretches[i] - hold->stretches[i];
      hold->waiting[i] = hold->wanted_ns > 0 ? stretches[i] - hold->waiting[i] : 0;
    }
  hold->end_ns = end_ns;
  hold->gap_ns += gap_ns;
  hold->closed = closed;
  g_array_append_val (builder->stream->holds, *hold);
}

/* Finds the event before the last one, if it is a function event of the same visit: its kind, and when it was. */
static gboolean
find_before_last (const Builder *builder, PackedKind *kind, guint64 *at_ns)
{
  EventReader last = { 0 };
  const PackedWord *word = builder->stream->packed.data + builder->stream->packed.n - 1;
  const PackedWord *first = builder->stream->packed.data + builder->visit->first;
  const PackedWord *end = word + 1;

  while (word > first && word[-1] >> PACKED_KIND_SHIFT == PACKED_PREFIX)
    word--;
  if (word == first)
    return FALSE;
  last.next = word;
  last.end = end;
  event_reader_next (&last);
  *kind = word[-1] >> PACKED_KIND_SHIFT;
  *at_ns = builder->now_ns - last.now_ns;
  return *kind <= PACKED_EXIT;
}

/* An interrupt came while interrupts were disabled at all events: they were enabled in between. It began with the exit
 * that follows, or with the entry just before this: what the kernel calls first does not say yet that it is in an
 * interrupt. FALSE: with the exit. */
static gboolean
divide_at_entry (Builder *builder)
{
  Hold *hold = &builder->hold[HELD_INTERRUPTS];
  guint64 entry = builder->stream->function_events - 1;
  guint stretch;
  PackedKind before;
  guint64 before_ns;

  if (hold->first == entry)
    return TRUE;
  if (!find_before_last (builder, &before, &before_ns))
    return FALSE;
  stretch = before * 2 + PACKED_ENTRY;
  builder->n_changes[stretch]--; /* The stretch between both is in neither. */
  end_hold (builder, HELD_INTERRUPTS, before_ns, builder->now_ns - before_ns, held_by (builder, builder->top - 1));
  builder->n_changes[stretch]++;
  hold->start_ns = builder->now_ns;
  hold->gap_ns = builder->now_ns - before_ns;
  hold->first = entry;
  count_stretches (builder, hold->stretches);
  hold->wanted_ns = builder->held & HELD_WANTED ? builder->now_ns : 0;
  memcpy (hold->waiting, hold->stretches, sizeof hold->waiting);
  return TRUE;
}

/* An interrupt is named after its handler: the first call after what the kernel calls at the beginning of any, of which
 * the first event in the interrupt may be the end, or on an idle CPU a call below it. FALSE: it has its name. */
static gboolean
look_for_handler (Builder *builder, PackedKind kind, guint64 address)
{
  if (kind == PACKED_EXIT)
    {
      builder->named_by_next |= builder->top < builder->named_depth;
      return TRUE;
    }
  if (builder->named_by_next)
    builder->hold[HELD_INTERRUPTS].opened.function = addresses_number (&builder->addresses, address) + 1;
  return !builder->named_by_next && builder->top >= builder->named_depth;
}

void
builder_hold (Builder *builder, Event event, PackedKind event_kind, guint64 address, guint8 held)
{
  guint8 before = builder->held;
  gboolean lost = (before & HELD_LOST) != 0;
  gboolean interrupt = !lost && (held & ~before & INTERRUPT_HARD) != 0;
  gboolean in_interrupt = (held & INTERRUPT_HARD) && (held >> HELD_INTERRUPTS & 1);
  gboolean unnamed =
      !lost && (before & HELD_UNNAMED) && in_interrupt && look_for_handler (builder, event_kind, address);
  guint64 gap_ns = lost ? 0 : event.at_ns - builder->function_ns;
  HeldBy by = lost ? (HeldBy) { HELD_UNKNOWN, HELD_UNKNOWN } : held_by (builder, builder->top);
  HeldBy opened;

  if (!lost && by.function == HELD_UNKNOWN && event_kind == PACKED_EXIT)
    by.function = addresses_number (&builder->addresses, address) + 1; /* Until now it was on top. */
  opened = by;
  if (interrupt)
    opened = (HeldBy) { addresses_number (&builder->addresses, address) + 1, HELD_UNKNOWN };
  for (guint kind = 0; kind < HELD_KINDS; kind++)
    {
      Hold *hold = &builder->hold[kind];
      gboolean lasts = (before >> kind & 1) != 0;
      gboolean goes_on = (held >> kind & 1) != 0;
      gboolean divides = lasts && goes_on && interrupt && kind == HELD_INTERRUPTS;
      gboolean begins = goes_on && (lost || divides || !lasts);
      gboolean began = divides && event_kind == PACKED_EXIT && builder->last_kind == PACKED_ENTRY &&
                       builder->visit->pid == event.pid && divide_at_entry (builder);

      if (!began && lasts && (begins || !goes_on))
        end_hold (builder, kind, builder->function_ns, gap_ns, by);
      if (!began && begins)
        {
          hold->start_ns = event.at_ns;
          hold->gap_ns = gap_ns;
          hold->first = builder->stream->function_events;
          count_before (builder, event_kind, lost, hold->stretches);
          hold->wanted_ns = 0;
          hold->kind = kind;
        }
      if (begins)
        {
          hold->opened = opened;
          hold->interrupts = event.interrupts;
        }
      if (goes_on && (held & HELD_WANTED) && hold->wanted_ns == 0)
        {
          hold->wanted_ns = event.at_ns;
          count_before (builder, event_kind, lost, hold->waiting);
        }
    }
  if (interrupt && in_interrupt)
    {
      builder->named_by_next = event_kind == PACKED_EXIT;
      builder->named_depth = builder->top + 1;
      unnamed = event_kind == PACKED_EXIT || (event.pid == 0 && builder->known);
    }
  builder->held = held | (unnamed ? HELD_UNNAMED : 0);
}

void
builder_lower_depth (Builder *builder, PackedKind kind, guint8 depth)
{
  GArray *holds = builder->stream->holds;
  guint kept = 0;

  builder->tracers_depth[kind] = depth;
  builder->held &= ~(1 << HELD_PREEMPTION);
  for (guint i = 0; i < holds->len; i++)
    if (g_array_index (holds, Hold, i).kind != HELD_PREEMPTION)
      g_array_index (holds, Hold, kept++) = g_array_index (holds, Hold, i);
  g_array_set_size (holds, kept);
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
  for (guint kind = 0; kind < HELD_KINDS; kind++)
    if (builder->held >> kind & 1)
      end_hold (builder, kind, builder->function_ns, 0, (HeldBy) { HELD_UNKNOWN, HELD_UNKNOWN });
  memcpy (stream->tracers_depth, builder->tracers_depth, sizeof stream->tracers_depth);
  if (builder->counts)
    find_floors (builder);
  keep_counts (builder);
  builder->stream = NULL;
  builder_free (builder);
  return stream;
}
