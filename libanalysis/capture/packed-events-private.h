/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events packed into four bytes each: twelve million take 50 MB, and touching fresh memory costs more than packing.
 *
 * That suffices as a call mostly begins one level below the previous call, and what returns is mostly the call on top.
 * Where not, or where a number does not fit, prefixes before the event tell. */
#pragma once

#include <glib.h>

typedef guint32 PackedWord; /* an event, or a prefix of one */

/* The upper two bits of a word. */
typedef enum
{
  PACKED_ENTRY, /* function (14 bits), ns since the previous event in the same visit (16) */
  PACKED_EXIT,  /* ns since the previous event (30) */
  PACKED_OTHER, /* An event that is neither; ns since the previous event (30). */
  PACKED_PREFIX /* No event: something about the next one: what (3 bits) and a value (27). */
} PackedKind;

typedef enum
{
  PREFIX_CONTEXT, /* It and all that follow have these INTERRUPT_ bits. */
  PREFIX_SKIP,    /* More ns since the previous event; 27 bits at a time, the highest first. */
  PREFIX_LASTED,  /* How long the call that ends lasted by its own account, in ns; as above. */
  PREFIX_PLACE    /* The call's function (18 bits) and depth (9). */
} PrefixKind;

#define PACKED_KIND_SHIFT 30
#define PACKED_DELTA_BITS 30
#define PACKED_ENTRY_DELTA_BITS 16
#define PACKED_ENTRY_FUNCTION_BITS 14
#define PREFIX_KIND_SHIFT 27
#define PREFIX_VALUE_BITS 27
#define PREFIX_DEPTH_BITS 9
#define MAX_DEPTH ((1u << PREFIX_DEPTH_BITS) - 1)
#define MAX_FUNCTIONS (1u << (PREFIX_VALUE_BITS - PREFIX_DEPTH_BITS))
#define PACKED_WORDS_PER_EVENT                                                                                         \
  9 /* the most that one event may need: context, place, skip and lasted in three each, itself */

/* Unpacks the events of a visit. */
typedef struct
{
  const PackedWord *next;
  const PackedWord *end;
  guint64 now_ns;    /* of the event */
  guint64 lasted_ns; /* of an exit: by its own account; 0: not told */
  PackedKind kind;   /* never PACKED_PREFIX */
  guint64 skip_ns;   /* from prefixes */
  guint32 function;  /* of an entry or a placed exit; by the stream's numbering */
  guint depth;       /* where placed */
  gboolean placed;   /* Else an entry is at the depth below the top, and an exit that of the call on top. */
  guint8 interrupts;
} EventReader;

static inline void
event_reader_prefix (EventReader *reader, PackedWord word)
{
  guint32 value = word & ((1u << PREFIX_VALUE_BITS) - 1);

  switch ((PrefixKind) (word >> PREFIX_KIND_SHIFT & 7))
    {
    case PREFIX_CONTEXT:
      reader->interrupts = value;
      break;
    case PREFIX_SKIP:
      reader->skip_ns = reader->skip_ns << PREFIX_VALUE_BITS | value;
      break;
    case PREFIX_LASTED:
      reader->lasted_ns = reader->lasted_ns << PREFIX_VALUE_BITS | value;
      break;
    case PREFIX_PLACE:
      reader->placed = TRUE;
      reader->function = value >> PREFIX_DEPTH_BITS;
      reader->depth = value & MAX_DEPTH;
      break;
    }
}

/* Goes on to the next event; FALSE at the end of the visit. */
static inline __attribute__ ((always_inline)) gboolean
event_reader_next (EventReader *reader)
{
  reader->placed = FALSE;
  reader->lasted_ns = 0;
  reader->skip_ns = 0;
  while (reader->next < reader->end)
    {
      PackedWord word = *reader->next++;
      guint32 delta_ns = word & ((1u << PACKED_DELTA_BITS) - 1);

      reader->kind = word >> PACKED_KIND_SHIFT;
      if (G_UNLIKELY (reader->kind == PACKED_PREFIX))
        {
          event_reader_prefix (reader, word);
          continue;
        }
      if (reader->kind == PACKED_ENTRY)
        {
          if (G_LIKELY (!reader->placed))
            reader->function = delta_ns >> PACKED_ENTRY_DELTA_BITS;
          delta_ns &= (1u << PACKED_ENTRY_DELTA_BITS) - 1;
        }
      reader->now_ns += delta_ns + reader->skip_ns;
      return TRUE;
    }
  return FALSE;
}

/* The events of a CPU. */
typedef struct
{
  PackedWord *data;
  gsize n;
  gsize capacity;
} PackedEvents;

/* Doubles the room. FALSE if there is no more. */
gboolean packed_grow (PackedEvents *packed);

void packed_clear (PackedEvents *packed);

/* Room for what one more event may need. */
static inline gboolean
packed_make_room (PackedEvents *packed)
{
  return G_LIKELY (packed->capacity - packed->n >= PACKED_WORDS_PER_EVENT) || packed_grow (packed);
}

static inline void
packed_put (PackedEvents *packed, PackedKind kind, guint32 rest)
{
  packed->data[packed->n++] = (guint32) kind << PACKED_KIND_SHIFT | rest;
}

static inline void
packed_prefix (PackedEvents *packed, PrefixKind kind, guint32 value)
{
  packed_put (packed, PACKED_PREFIX, (guint32) kind << PREFIX_KIND_SHIFT | value);
}

/* A value below 2^63, in as many prefixes as it needs. */
static inline void
packed_prefix_long (PackedEvents *packed, PrefixKind kind, guint64 value)
{
  const guint64 mask = (1u << PREFIX_VALUE_BITS) - 1;

  if (value >> (2 * PREFIX_VALUE_BITS) != 0)
    packed_prefix (packed, kind, value >> (2 * PREFIX_VALUE_BITS));
  if (value >> PREFIX_VALUE_BITS != 0)
    packed_prefix (packed, kind, value >> PREFIX_VALUE_BITS & mask);
  packed_prefix (packed, kind, value & mask);
}

static inline void
packed_place (PackedEvents *packed, guint32 function, guint depth)
{
  packed_prefix (packed, PREFIX_PLACE, function << PREFIX_DEPTH_BITS | depth);
}

/* Puts an event that has a delta of @bits. */
static inline void
packed_event (PackedEvents *packed, PackedKind kind, guint64 delta_ns, guint bits, guint32 above)
{
  if (G_UNLIKELY (delta_ns >> bits != 0))
    {
      packed_prefix_long (packed, PREFIX_SKIP, delta_ns);
      delta_ns = 0;
    }
  packed_put (packed, kind, above << bits | (guint32) delta_ns);
}
