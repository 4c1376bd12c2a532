/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections: the times in which a CPU had interrupts or preemption disabled, added up by the functions that disabled and
 * enabled them. Where they begin and end was noted by the builder. */
#include "budgets.h"
#include "capture-private.h"
#include "capture/events/addresses-private.h"
#include "seeded-hash.h"

/* Of a section in the outlier window. */
typedef struct
{
  guint64 held_ns;
  guint64 tracing_ns;
} Part;

typedef struct
{
  CulpritCapture *capture;
  gboolean *locks;         /* by function: it is called for a raw spinlock */
  Addresses keys;          /* of the capture's sections */
  guint8 tracers_depth[2]; /* the lowest of any CPU */
} Sections;

/* Raw spinlocks disable interrupts and preemption for everybody: their caller counts. */
static gboolean *
find_locks (const CulpritCapture *capture)
{
  gboolean *locks = g_new0 (gboolean, capture->functions->len);

  for (guint i = 0; i < capture->functions->len; i++)
    {
      const char *name = g_array_index (capture->functions, CulpritFunction, i).name;

      locks[i] = g_str_has_prefix (name, "_raw_spin_") || g_str_has_prefix (name, "_raw_read_") ||
                 g_str_has_prefix (name, "_raw_write_");
    }
  return locks;
}

/* The function that @by is about. */
static guint
function_of (const Sections *sections, const Stream *stream, HeldBy by)
{
  guint function;

  if (by.function == HELD_UNKNOWN)
    return CULPRIT_FUNCTION_NOT_CAPTURED;
  if (by.function == HELD_NOTHING)
    return CULPRIT_FUNCTION_USER;
  function = stream->functions[by.function - 1];
  return by.caller != HELD_UNKNOWN && sections->locks[function] ? stream->functions[by.caller - 1] : function;
}

static CulpritContext
context_of (guint8 interrupts)
{
  return interrupts & INTERRUPT_NMI    ? CULPRIT_CONTEXT_NMI
         : interrupts & INTERRUPT_HARD ? CULPRIT_CONTEXT_HARDIRQ
         : interrupts & INTERRUPT_SOFT ? CULPRIT_CONTEXT_SOFTIRQ
                                       : CULPRIT_CONTEXT_TASK;
}

/* The tracer's part of @length_ns with @stretches of each kind: at most the floor of each. */
static guint64
tracing_of (const Stream *stream, const guint64 *stretches, guint64 length_ns)
{
  guint64 tracing_ns = 0;

  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    tracing_ns += stretches[kind] * stream->floors_ns[kind];
  return MIN (tracing_ns, length_ns);
}

/* Whether disabled preemption is what it was taken for on @stream: no other CPU has shown that the tracer adds less. */
static gboolean
is_known (const Sections *sections, const Stream *stream, const Hold *hold)
{
  return hold->kind != HELD_PREEMPTION ||
         memcmp (sections->tracers_depth, stream->tracers_depth, sizeof sections->tracers_depth) == 0;
}

static guint64
key_of (const CulpritSection *section)
{
  return (guint64) section->kind << 60 | (guint64) section->context << 56 | (guint64) section->opened_by << 28 |
         section->closed_by;
}

/* The sum that @section belongs to, which has its kind, context and functions. */
static CulpritSection *
find_sum (Sections *sections, CulpritSection section)
{
  GArray *sums = sections->capture->sections;
  guint index;

  if (sums->len >= SECTIONS_MOST && !addresses_contain (&sections->keys, key_of (&section)))
    section.opened_by = section.closed_by = CULPRIT_FUNCTION_NOT_CAPTURED;
  index = addresses_number (&sections->keys, key_of (&section));
  if (index == sums->len)
    g_array_append_val (sums, section);
  return &g_array_index (sums, CulpritSection, index);
}

/* Adds how long another task waited for the end of @hold, if any did. */
static void
add_wait (CulpritSection *sum, const Stream *stream, const Hold *hold)
{
  guint64 wait_ns = hold->wanted_ns > 0 ? hold->end_ns - hold->wanted_ns : 0;
  guint64 tracing_ns = tracing_of (stream, hold->waiting, wait_ns);

  if (wait_ns == 0)
    return;
  sum->waits++;
  if (sum->waits > 1 && wait_ns - tracing_ns <= sum->longest_wait_ns - sum->longest_wait_tracing_ns)
    return;
  sum->longest_wait_ns = wait_ns;
  sum->longest_wait_tracing_ns = tracing_ns;
}

static void
add_hold (Sections *sections, const Stream *stream, guint index, Part in_outlier)
{
  const Hold *hold = &g_array_index (stream->holds, Hold, index);
  CulpritSection *sum =
      find_sum (sections, (CulpritSection) { .kind = hold->kind,
                                             .context = context_of (hold->interrupts),
                                             .opened_by = function_of (sections, stream, hold->opened),
                                             .closed_by = function_of (sections, stream, hold->closed) });
  guint64 length_ns = hold->end_ns - hold->start_ns;
  guint64 tracing_ns = tracing_of (stream, hold->stretches, length_ns);

  sum->count++;
  sum->held_ns += length_ns;
  sum->tracing_ns += tracing_ns;
  sum->outlier_ns += in_outlier.held_ns;
  sum->outlier_tracing_ns += in_outlier.tracing_ns;
  add_wait (sum, stream, hold);
  if (sum->count > 1 && length_ns - tracing_ns <= sum->longest_ns - sum->longest_tracing_ns)
    return;
  sum->longest_ns = length_ns;
  sum->longest_tracing_ns = tracing_ns;
  sum->longest_gap_ns = hold->gap_ns;
  sum->longest_start_ns = hold->start_ns;
  sum->longest_cpu = stream->cpu;
}

/* Adds the stretch from @start_ns to @end_ns, of which the tracer's part is at most @floor_ns, to the @parts of the
 * sections that it is in. @next: for each kind, the first section that may be; sections of a kind are one after
 * another. */
static void
add_stretch (const Stream *stream, Part *parts, guint *next, guint64 start_ns, guint64 end_ns, guint64 floor_ns)
{
  const GArray *holds = stream->holds;

  if (end_ns <= start_ns)
    return;
  for (guint kind = 0; kind < HELD_KINDS; kind++)
    {
      const Hold *hold;

      while (next[kind] < holds->len && (g_array_index (holds, Hold, next[kind]).kind != kind ||
                                         g_array_index (holds, Hold, next[kind]).end_ns <= start_ns))
        next[kind]++;
      if (next[kind] == holds->len)
        continue;
      hold = &g_array_index (holds, Hold, next[kind]);
      if (hold->start_ns >= end_ns || hold->end_ns < end_ns || hold->start_ns > start_ns)
        continue;
      parts[next[kind]].held_ns += end_ns - start_ns;
      parts[next[kind]].tracing_ns += MIN (end_ns - start_ns, floor_ns);
    }
}

/* Finds the parts of the sections of @stream that are in @pieces of the outlier window, which lie on its CPU. */
static Part *
find_parts (const Stream *stream, const GArray *pieces)
{
  Part *parts = g_new0 (Part, stream->holds->len + 1);
  guint64 start_ns = g_array_index (pieces, CulpritPiece, 0).start_ns;
  guint64 end_ns = g_array_index (pieces, CulpritPiece, pieces->len - 1).end_ns;
  guint next[HELD_KINDS] = { 0 };
  guint from = 0; /* the first piece that has not ended */
  guint64 before_ns = 0;
  PackedKind before = PACKED_PREFIX;

  for (guint i = 0; i < stream->visits->len && before_ns < end_ns; i++)
    {
      const Visit *visit = &g_array_index (stream->visits, Visit, i);
      const Visit *after = walk_next (stream, visit);
      EventReader events = stream_events (stream, visit);

      if (after && after->start_ns <= start_ns)
        continue;
      if (visit->came_unseen)
        event_reader_next (&events);
      while (event_reader_next (&events))
        {
          while (from < pieces->len && g_array_index (pieces, CulpritPiece, from).end_ns <= before_ns)
            from++;
          for (guint k = from; before != PACKED_PREFIX && k < pieces->len; k++)
            {
              const CulpritPiece *piece = &g_array_index (pieces, CulpritPiece, k);

              if (piece->start_ns >= events.now_ns)
                break;
              add_stretch (stream, parts, next, MAX (before_ns, piece->start_ns), MIN (events.now_ns, piece->end_ns),
                           walk_floor (stream, before, events.kind));
            }
          before = events.kind;
          before_ns = events.now_ns;
        }
    }
  return parts;
}

static void
free_pieces (gpointer pieces)
{
  g_array_unref (pieces);
}

/* CPU -> the pieces of the outlier window on it, in order of time. */
static GHashTable *
find_pieces (const CulpritCapture *capture)
{
  GHashTable *by_cpu = g_hash_table_new_full (culprit_hash_direct, NULL, NULL, free_pieces);

  for (guint i = 0; i < capture->pieces->len; i++)
    {
      const CulpritPiece *piece = &g_array_index (capture->pieces, CulpritPiece, i);
      GArray *pieces;

      if (piece->blocked || !g_array_index (capture->windows, CulpritWindow, piece->window).outlier)
        continue;
      pieces = g_hash_table_lookup (by_cpu, GUINT_TO_POINTER (piece->cpu));
      if (!pieces)
        {
          pieces = g_array_new (FALSE, FALSE, sizeof (CulpritPiece));
          g_hash_table_insert (by_cpu, GUINT_TO_POINTER (piece->cpu), pieces);
        }
      g_array_append_val (pieces, *piece);
    }
  return by_cpu;
}

/* Adds the sections of @stream; @pieces: of the outlier window on its CPU; NULL: none. */
static void
add_holds (Sections *sections, const Stream *stream, const GArray *pieces)
{
  g_autofree Part *parts = pieces ? find_parts (stream, pieces) : NULL;

  for (guint i = 0; i < stream->holds->len; i++)
    if (is_known (sections, stream, &g_array_index (stream->holds, Hold, i)))
      add_hold (sections, stream, i, parts ? parts[i] : (Part) { 0, 0 });
}

gboolean
sections_find (const Session *session, CulpritCapture *capture, GError **error)
{
  g_autoptr (GHashTable) pieces = find_pieces (capture);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  Sections sections = { .capture = capture,
                        .keys.addresses = keys,
                        .tracers_depth = { MAX_PREEMPT_DEPTH, MAX_PREEMPT_DEPTH } };

  addresses_init (&sections.keys, 8);
  sections.locks = find_locks (capture);
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      for (PackedKind kind = PACKED_ENTRY; kind <= PACKED_EXIT; kind++)
        sections.tracers_depth[kind] = MIN (sections.tracers_depth[kind], stream->tracers_depth[kind]);
    }
  for (guint i = 0; i < session->streams->len; i++)
    {
      const Stream *stream = g_ptr_array_index (session->streams, i);

      add_holds (&sections, stream, g_hash_table_lookup (pieces, GUINT_TO_POINTER (stream->cpu)));
    }
  addresses_clear (&sections.keys);
  g_free (sections.locks);
  for (guint i = 0; i < capture->sections->len; i++)
    if (g_array_index (capture->sections, CulpritSection, i).held_ns > MAX_SUM)
      return capture_damaged (session->path, error,
                              "the times without interrupts or preemption are too long to add up");
  return TRUE;
}
