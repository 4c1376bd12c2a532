/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events packed into four bytes each: twelve million take 50 MB, and touching fresh memory costs more than packing.
 *
 * That suffices as a call mostly begins one level below the call before, and what returns is mostly the call on top.
 * Where not, or where a number does not fit, prefixes before the event tell. */
#pragma once

#include <glib.h>

typedef guint32 Record;

/* The upper two bits of a Record. */
typedef enum
{
  RECORD_ENTRY, /* function (14 bits), ns since the event before in the same visit (16) */
  RECORD_EXIT,  /* ns since the event before (30) */
  RECORD_OTHER, /* An event that is neither; ns since the event before (30). */
  RECORD_PREFIX /* No event: something about the next one: what (3 bits) and a value (27). */
} RecordKind;

typedef enum
{
  PREFIX_CONTEXT, /* It and all that follow have these INTERRUPT_ bits. */
  PREFIX_SKIP,    /* More ns since the event before; 27 bits at a time, the highest first. */
  PREFIX_LASTED,  /* How long the call that ends lasted by its own account, in ns; as above. */
  PREFIX_PLACE    /* The call's function (18 bits) and depth (9). */
} PrefixKind;

#define RECORD_KIND_SHIFT 30
#define RECORD_DELTA_BITS 30
#define RECORD_ENTRY_DELTA_BITS 16
#define RECORD_ENTRY_FUNCTION_BITS 14
#define PREFIX_KIND_SHIFT 27
#define PREFIX_VALUE_BITS 27
#define PREFIX_DEPTH_BITS 9
#define MAX_DEPTH ((1u << PREFIX_DEPTH_BITS) - 1)
#define MAX_FUNCTIONS (1u << (PREFIX_VALUE_BITS - PREFIX_DEPTH_BITS))
#define RECORDS_PER_EVENT                                                                                              \
  9 /* the most that one event may need: context, place, skip and lasted in three each, itself */

/* Unpacks the events of a visit. */
typedef struct
{
  const Record *next;
  const Record *end;
  guint64 now_ns;    /* of the event */
  guint64 lasted_ns; /* of an exit: by its own account; 0: not told */
  RecordKind kind;   /* never RECORD_PREFIX */
  guint64 skip_ns;   /* from prefixes */
  guint32 function;  /* of an entry or a placed exit; by the stream's numbering */
  guint depth;       /* where placed */
  gboolean placed;   /* Else an entry is at the depth below the top, and an exit that of the call on top. */
  guint8 interrupts;
} EventReader;

static inline void
event_reader_prefix (EventReader *reader, Record record)
{
  guint32 value = record & ((1u << PREFIX_VALUE_BITS) - 1);

  switch ((PrefixKind) (record >> PREFIX_KIND_SHIFT & 7))
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
      Record record = *reader->next++;
      guint32 delta_ns = record & ((1u << RECORD_DELTA_BITS) - 1);

      reader->kind = record >> RECORD_KIND_SHIFT;
      if (G_UNLIKELY (reader->kind == RECORD_PREFIX))
        {
          event_reader_prefix (reader, record);
          continue;
        }
      if (reader->kind == RECORD_ENTRY)
        {
          if (G_LIKELY (!reader->placed))
            reader->function = delta_ns >> RECORD_ENTRY_DELTA_BITS;
          delta_ns &= (1u << RECORD_ENTRY_DELTA_BITS) - 1;
        }
      reader->now_ns += delta_ns + reader->skip_ns;
      return TRUE;
    }
  return FALSE;
}

/* The events of a CPU. */
typedef struct
{
  Record *data;
  gsize n;
  gsize capacity;
} Records;

/* Doubles the room. FALSE where there is no more. */
gboolean records_grow (Records *records);

void records_clear (Records *records);

/* Room for what one more event may need. */
static inline gboolean
records_make_room (Records *records)
{
  return G_LIKELY (records->capacity - records->n >= RECORDS_PER_EVENT) || records_grow (records);
}

static inline void
records_put (Records *records, RecordKind kind, guint32 rest)
{
  records->data[records->n++] = (guint32) kind << RECORD_KIND_SHIFT | rest;
}

static inline void
records_prefix (Records *records, PrefixKind kind, guint32 value)
{
  records_put (records, RECORD_PREFIX, (guint32) kind << PREFIX_KIND_SHIFT | value);
}

/* A value below 2^63, in as many prefixes as it needs. */
static inline void
records_prefix_long (Records *records, PrefixKind kind, guint64 value)
{
  const guint64 mask = (1u << PREFIX_VALUE_BITS) - 1;

  if (value >> (2 * PREFIX_VALUE_BITS) != 0)
    records_prefix (records, kind, value >> (2 * PREFIX_VALUE_BITS));
  if (value >> PREFIX_VALUE_BITS != 0)
    records_prefix (records, kind, value >> PREFIX_VALUE_BITS & mask);
  records_prefix (records, kind, value & mask);
}

static inline void
records_place (Records *records, guint32 function, guint depth)
{
  records_prefix (records, PREFIX_PLACE, function << PREFIX_DEPTH_BITS | depth);
}

/* Puts an event that has a delta of @bits. */
static inline void
records_event (Records *records, RecordKind kind, guint64 delta_ns, guint bits, guint32 above)
{
  if (G_UNLIKELY (delta_ns >> bits != 0))
    {
      records_prefix_long (records, PREFIX_SKIP, delta_ns);
      delta_ns = 0;
    }
  records_put (records, kind, above << bits | (guint32) delta_ns);
}
