/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the ring buffer pages of one CPU. This is the event loop: no allocation, no lookup by string; every length is
 * checked before it is used. */
#include "stream.h"

#include "addresses-private.h"
#include "file-private.h"
#include "packed-events-private.h"
#include "seeded-hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct _Pages Pages;

static void pages_free (Pages *pages);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pages, pages_free)

/* Reads pages with pread instead of mapping the file: if a mapped file shrinks while it is read, the process is killed;
 * and mapped pages would count as our memory. */

struct _Pages
{
  const TraceFile *file;
  guint cpu;
  gsize page_size;
  gboolean compressed;
  guint64 offset; /* of what was not used yet */
  guint64 end;
  guint32 chunks; /* that were not read yet */
  guint8 *data;   /* what was read */
  gsize size;
  gsize position;
  gsize capacity;
  guint8 *packed; /* compressed chunks: */
  gsize packed_capacity;
  gsize packed_position; /* the data at the offset, */
  gsize packed_left;     /* of which this many bytes are left */
};

/* Starts at the first page of @data in @buffer. Free with pages_free(). */
static Pages *
pages_new (const TraceFile *file, const FileBuffer *buffer, const CpuData *data, GError **error)
{
  g_autoptr (Pages) pages = g_new0 (Pages, 1);

  pages->file = file;
  pages->cpu = data->cpu;
  pages->page_size = buffer->page_size;
  pages->compressed = buffer->compressed;
  pages->offset = data->offset;
  pages->end = data->offset + data->size;
  if (pages->compressed && data->size > 0)
    {
      g_autofree guint8 *count = trace_file_read_at (file, data->offset, 4, error);

      if (!count)
        return NULL;
      pages->chunks = load_u32 (count, file->swap);
      pages->offset += 4; /* which trace-cmd does not count as the CPU's data */
      pages->end += 4;
    }
  return g_steal_pointer (&pages);
}

static void
pages_free (Pages *pages)
{
  g_free (pages->data);
  g_free (pages->packed);
  g_free (pages);
}

/* Makes @buffer hold at least @size bytes; it is reused. */
static gboolean
make_room (Pages *pages, guint8 **buffer, gsize *capacity, gsize size, GError **error)
{
  guint8 *grown = size > *capacity ? g_try_realloc (*buffer, size) : *buffer;

  if (!grown)
    return trace_file_damaged (pages->file, error, "CPU %u: a chunk of %zu bytes", pages->cpu, size);
  *buffer = grown;
  *capacity = MAX (*capacity, size);
  return TRUE;
}

/* The next @size bytes of the file, valid until the next call. Reads up to the end of a block of the file's digest, so
 * that the block need not be read again for that. NULL with an error. */
static const guint8 *
take_packed (Pages *pages, guint64 size, GError **error)
{
  const TraceFile *file = pages->file;
  const guint8 *taken;

  if (pages->offset + size > pages->end)
    {
      trace_file_damaged (file, error, "CPU %u: a chunk goes on where its data has ended", pages->cpu);
      return NULL;
    }
  if (size > pages->packed_left)
    {
      guint64 end = pages->offset + size;
      guint64 left = pages->packed_left;
      guint64 room =
          MIN ((end + DIGEST_BLOCK - 1) / DIGEST_BLOCK * DIGEST_BLOCK, MAX (end, file->size)) - pages->offset;

      if (left > 0)
        memmove (pages->packed, pages->packed + pages->packed_position, left);
      pages->packed_position = 0;
      if (!make_room (pages, &pages->packed, &pages->packed_capacity, room, error) ||
          !trace_file_read_into (file, pages->packed + left, pages->offset + left, room - left, error))
        return NULL;
      pages->packed_left = room;
    }
  taken = pages->packed + pages->packed_position;
  pages->packed_position += size;
  pages->packed_left -= size;
  pages->offset += size;
  return taken;
}

static gboolean
read_chunk (Pages *pages, GError **error)
{
  const guint8 *packed = take_packed (pages, 8, error);
  guint32 packed_size;
  guint32 size;

  if (!packed)
    return FALSE;
  packed_size = load_u32 (packed, pages->file->swap);
  size = load_u32 (packed + 4, pages->file->swap);
  if (size == 0 || size > MAX_CHUNK || size % pages->page_size != 0)
    return trace_file_damaged (pages->file, error, "CPU %u: a chunk of %u bytes", pages->cpu, size);
  if (packed_size > MAX_CHUNK)
    return trace_file_damaged (pages->file, error, "CPU %u: a chunk of %u bytes", pages->cpu, packed_size);
  packed = take_packed (pages, packed_size, error);
  if (!packed || !make_room (pages, &pages->data, &pages->capacity, size, error))
    return FALSE;
  if (!trace_file_unpack (pages->file, packed, packed_size, pages->data, size))
    return trace_file_damaged (pages->file, error, "CPU %u: a chunk cannot be decompressed", pages->cpu);
  pages->size = size;
  pages->chunks--;
  return TRUE;
}

/* Reads whole blocks of the file's digest. An incomplete last page is left out: trace-cmd writes whole pages. */
static gboolean
read_plain (Pages *pages, GError **error)
{
  guint64 left = pages->end - pages->offset;
  guint64 in_block = DIGEST_BLOCK - pages->offset % DIGEST_BLOCK;
  guint64 size = MIN (MAX (in_block, pages->page_size), left);

  size -= size % pages->page_size;
  if (!make_room (pages, &pages->data, &pages->capacity, size, error) ||
      !trace_file_read_into (pages->file, pages->data, pages->offset, size, error))
    return FALSE;
  pages->offset += size;
  pages->size = size;
  return TRUE;
}

/* The next page, of the buffer's page size, valid until the next call; NULL at the end, or with an error. */
static const guint8 *
pages_next (Pages *pages, GError **error)
{
  const guint8 *page;

  if (pages->position == pages->size)
    {
      if (pages->compressed ? pages->chunks == 0 : pages->end - pages->offset < pages->page_size)
        return NULL;
      pages->position = 0;
      pages->size = 0;
      if (!(pages->compressed ? read_chunk (pages, error) : read_plain (pages, error)))
        return NULL;
    }
  page = pages->data + pages->position;
  pages->position += pages->page_size;
  return page;
}

/* Memory for packed events. It is mapped rather than allocated, to get huge pages: with small pages, a large capture
 * cost 0.4 s of page faults. Growing copies the events: moving the mapping is not measurably faster, and the thread
 * sanitizer does not know mremap(). */

#define FIRST_WORDS (1 << 10)        /* A capture may have thousands of CPUs with few events each. */
#define HUGE_BYTES (4 * 1024 * 1024) /* from here on huge pages save time and waste little */

gboolean
packed_grow (PackedEvents *packed)
{
  gsize capacity = packed->capacity ? packed->capacity * 2 : FIRST_WORDS;
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

void
packed_clear (PackedEvents *packed)
{
  if (packed->data)
    munmap (packed->data, packed->capacity * sizeof (PackedWord));
}

#define MAX_PRIORITY 1000 /* the kernel has 140 */
#define COMMIT_SIZE_MASK ((1u << 27) - 1)
#define COMMIT_MISSED (1u << 31)
#define COMMIT_MISSED_STORED (1u << 30)
#define MIN_EVENT_SIZE 8
#define ABSOLUTE_BITS 59

enum
{
  TYPE_LONG = 0,
  TYPE_PADDING = 29,
  TYPE_TIME_EXTEND = 30,
  TYPE_TIME_STAMP = 31,
};

typedef struct
{
  const TraceFile *file;
  const Formats *formats;
  Stream *stream;
  Visit *visit; /* the current one; NULL before the first event */
  Addresses addresses;
  guint64 raw_time; /* before conversion to ns */
  guint64 now_ns;   /* of the most recent event */
  guint64 page;     /* its number, for messages */
  guint64 missed;   /* events lost before the next one */
  PackedKind last_kind;
  guint8 interrupts;
  gboolean known;                    /* The top is known from a function event of this visit: */
  int top;                           /* depth of the current task's stack, as far as this visit shows */
  guint32 open[MAX_DEPTH + 1];       /* function plus one of the open call at a depth; 0: unknown */
  guint64 *counts;                   /* of events, by id */
  guint n_counts;                    /* of ids; all counted ids are below it */
  guint32 *stretches[STRETCH_KINDS]; /* the number of each length below the limit */
  guint64 n_stretches[STRETCH_KINDS];
} Decoder;

void
stream_free (Stream *stream)
{
  packed_clear (&stream->packed);
  g_array_unref (stream->visits);
  g_array_unref (stream->addresses);
  g_free (stream->functions);
  g_array_unref (stream->counts);
  g_free (stream->marker.text);
  g_clear_pointer (&stream->priorities, g_hash_table_unref);
  g_free (stream);
}

static gboolean
damaged (const Decoder *decoder, GError **error, const char *what)
{
  return trace_file_damaged (decoder->file, error, "CPU %u, page %" G_GUINT64_FORMAT ": %s", decoder->stream->cpu,
                             decoder->page, what);
}

static inline guint64
load_field (const guint8 *event, Field field, gboolean swap)
{
  if (G_LIKELY (field.size == 8))
    return load_u64 (event + field.offset, swap);
  switch (field.size)
    {
    case 4:
      return load_u32 (event + field.offset, swap);
    case 2:
      return load_u16 (event + field.offset, swap);
    default:
      return event[field.offset];
    }
}

static void
end_visit (Decoder *decoder)
{
  if (!decoder->visit)
    return;
  decoder->visit->end_ns = decoder->now_ns;
  decoder->visit->n_words = decoder->stream->packed.n - decoder->visit->first;
}

static void
begin_visit (Decoder *decoder, guint64 now_ns, gint32 pid, guint8 interrupts)
{
  Stream *stream = decoder->stream;
  Visit visit = { .start_ns = now_ns, .first = stream->packed.n, .pid = pid, .interrupts = interrupts };

  end_visit (decoder);
  visit.after_loss = decoder->missed > 0 && decoder->visit;
  if (visit.after_loss)
    {
      stream->losses++;
      stream->lost_events += decoder->missed;
    }
  decoder->missed = 0;
  g_array_append_val (stream->visits, visit);
  decoder->visit = &g_array_index (stream->visits, Visit, stream->visits->len - 1);
  decoder->interrupts = interrupts;
  decoder->last_kind = PACKED_OTHER;
  decoder->now_ns = now_ns;
  decoder->known = FALSE;
  decoder->top = -1;
}

static inline void
count_stretch (Decoder *decoder, PackedKind kind, guint64 length_ns)
{
  guint stretch = decoder->last_kind * 2 + kind;

  decoder->n_stretches[stretch]++;
  if (length_ns < FLOOR_LIMIT_NS)
    decoder->stretches[stretch][length_ns]++;
}

/* The time and context of an event, written before the event itself. Returns its delta. */
static inline __attribute__ ((always_inline)) guint64
advance (Decoder *decoder, PackedKind kind, guint64 now_ns, gint32 pid, guint8 interrupts)
{
  Stream *stream = decoder->stream;
  guint64 delta_ns = now_ns - decoder->now_ns;

  if (G_UNLIKELY (!decoder->visit || decoder->visit->pid != pid || decoder->missed > 0))
    {
      begin_visit (decoder, now_ns, pid, interrupts);
      delta_ns = 0;
    }
  else if (interrupts != decoder->interrupts)
    {
      packed_prefix (&stream->packed, PREFIX_CONTEXT, interrupts);
      decoder->interrupts = interrupts;
    }
  else if (kind <= PACKED_EXIT && decoder->last_kind <= PACKED_EXIT)
    count_stretch (decoder, kind, delta_ns);
  decoder->now_ns = now_ns;
  decoder->last_kind = kind;
  return delta_ns;
}

/* Depths between the known stack and @depth are unknown. */
static inline void
forget_between (Decoder *decoder, guint depth)
{
  decoder->visit->deepest = MAX (decoder->visit->deepest, depth);
  for (int unknown = decoder->top + 1; unknown < (int) depth; unknown++)
    decoder->open[unknown] = 0;
}

static inline __attribute__ ((always_inline)) gboolean
decode_entry (Decoder *decoder, const guint8 *event, guint variant, gint32 pid, guint8 interrupts, gboolean swap)
{
  guint64 depth = load_field (event, decoder->formats->entry_depth[variant], swap);
  guint64 address = load_field (event, decoder->formats->entry_function[variant], swap);
  guint32 function = addresses_number (&decoder->addresses, address);
  PackedEvents *packed = &decoder->stream->packed;
  gboolean fits = function >> PACKED_ENTRY_FUNCTION_BITS == 0;
  guint64 delta_ns;

  if (G_UNLIKELY (depth > MAX_DEPTH))
    return FALSE;
  delta_ns = advance (decoder, PACKED_ENTRY, decoder->raw_time, pid, interrupts);
  if (G_UNLIKELY (!decoder->known || (int) depth != decoder->top + 1 || !fits))
    {
      packed_place (packed, function, depth);
      forget_between (decoder, depth);
    }
  packed_event (packed, PACKED_ENTRY, delta_ns, PACKED_ENTRY_DELTA_BITS, fits ? function : 0);
  decoder->stream->function_events++;
  decoder->open[depth] = function + 1;
  decoder->known = TRUE;
  decoder->top = depth;
  return TRUE;
}

/* An exit that is not that of the call on top. */
static void
place_exit (Decoder *decoder, const guint8 *event, guint depth, guint64 address, gboolean swap)
{
  const Formats *formats = decoder->formats;
  PackedEvents *packed = &decoder->stream->packed;
  gint64 lasted_ns = load_field (event, formats->return_time, swap) - load_field (event, formats->call_time, swap);
  guint32 function = addresses_number (&decoder->addresses, address);
  gboolean open = (int) depth <= decoder->top && decoder->open[depth] == function + 1;

  if (!open && formats->call_time.size == 8 && lasted_ns > 0)
    packed_prefix_long (packed, PREFIX_LASTED, lasted_ns);
  packed_place (packed, function, depth);
  forget_between (decoder, depth);
}

static inline __attribute__ ((always_inline)) gboolean
decode_exit (Decoder *decoder, const guint8 *event, gint32 pid, guint8 interrupts, gboolean swap)
{
  guint64 depth = load_field (event, decoder->formats->exit_depth, swap);
  guint64 address = load_field (event, decoder->formats->exit_function, swap);
  guint64 delta_ns;

  if (G_UNLIKELY (depth > MAX_DEPTH))
    return FALSE;
  delta_ns = advance (decoder, PACKED_EXIT, decoder->raw_time, pid, interrupts);
  if (G_UNLIKELY ((int) depth != decoder->top || decoder->open[depth] == 0 ||
                  g_array_index (decoder->addresses.addresses, guint64, decoder->open[depth] - 1) != address))
    place_exit (decoder, event, depth, address, swap);
  packed_event (&decoder->stream->packed, PACKED_EXIT, delta_ns, PACKED_DELTA_BITS, 0);
  decoder->stream->function_events++;
  decoder->known = TRUE;
  decoder->top = (int) depth - 1;
  return TRUE;
}

static void
decode_print (Decoder *decoder, const guint8 *event, gsize size, gint32 pid)
{
  Stream *stream = decoder->stream;
  guint offset = decoder->formats->print_text_offset;
  g_autofree char *text = NULL;

  if (stream->marker.text || offset == 0 || offset >= size)
    return;
  text = g_strndup ((const char *) event + offset, size - offset);
  if (!strstr (text, MARKER_TEXT))
    return;
  g_strchomp (text);
  stream->marker = (Marker) { g_utf8_make_valid (text, -1), decoder->now_ns, pid, stream->cpu };
}

/* The task that leaves the CPU and the one that arrives, with their priorities. */
static void
decode_switch (Decoder *decoder, const guint8 *event, gsize size, gboolean swap)
{
  const Formats *formats = decoder->formats;
  Stream *stream = decoder->stream;

  if (size < formats->switch_size)
    return;
  if (!stream->priorities)
    stream->priorities = g_hash_table_new (culprit_hash_direct, NULL);
  for (guint i = 0; i < 2; i++)
    {
      gint32 pid = load_u32 (event + formats->switch_pid[i].offset, swap);
      guint32 priority = load_u32 (event + formats->switch_priority[i].offset, swap);

      if (priority < MAX_PRIORITY)
        g_hash_table_insert (stream->priorities, GINT_TO_POINTER (pid), GUINT_TO_POINTER (priority + 1));
    }
}

/* Makes room for the counts of @n ids. */
static void
make_counts (Decoder *decoder, guint n)
{
  decoder->counts = g_renew (guint64, decoder->counts, n);
  memset (decoder->counts + decoder->n_counts, 0, (n - decoder->n_counts) * sizeof *decoder->counts);
  decoder->n_counts = n;
}

/* Makes the tables for the first page: there may be hundreds of thousands of CPUs without one. */
static void
make_tables (Decoder *decoder)
{
  make_counts (decoder, decoder->formats->n_ids);
  addresses_init (&decoder->addresses, 12);
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    decoder->stretches[kind] = g_new0 (guint32, FLOOR_LIMIT_NS);
}

static void
free_tables (Decoder *decoder)
{
  g_free (decoder->counts);
  addresses_clear (&decoder->addresses);
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    g_free (decoder->stretches[kind]);
}

static inline __attribute__ ((always_inline)) gboolean
decode_event (Decoder *decoder, const guint8 *event, gsize size, gboolean swap, GError **error)
{
  const Formats *formats = decoder->formats;
  gint32 pid;
  guint8 interrupts;
  guint16 id;
  EventKind kind;
  gboolean done = FALSE;

  if (G_UNLIKELY (size < MIN_EVENT_SIZE))
    return damaged (decoder, error, "an event of too few bytes");
  if (G_UNLIKELY (!packed_make_room (&decoder->stream->packed) || decoder->stream->addresses->len >= MAX_FUNCTIONS - 1))
    return damaged (decoder, error, "more functions or events than can be stored");
  if (G_UNLIKELY (decoder->raw_time > G_MAXINT64 || (decoder->visit && decoder->raw_time < decoder->now_ns)))
    return damaged (decoder, error, "time runs backwards");
  id = load_u16 (event, swap);
  kind = formats->kinds[id];
  pid = load_u32 (event + formats->pid.offset, swap);
  interrupts = event[formats->flags.offset] & INTERRUPT_BITS;
  if (G_UNLIKELY (id >= decoder->n_counts))
    make_counts (decoder, G_MAXUINT16 + 1);
  decoder->counts[id]++;
  decoder->stream->events++;
  if (G_LIKELY (kind == EVENT_ENTRY || kind == EVENT_ENTRY_RETADDR))
    {
      if (G_UNLIKELY (size < formats->entry_size[kind - EVENT_ENTRY]))
        return damaged (decoder, error, "a function entry of too few bytes");
      done = decode_entry (decoder, event, kind - EVENT_ENTRY, pid, interrupts, swap);
    }
  else if (G_LIKELY (kind == EVENT_EXIT))
    {
      if (G_UNLIKELY (size < formats->exit_size))
        return damaged (decoder, error, "a function exit of too few bytes");
      done = decode_exit (decoder, event, pid, interrupts, swap);
    }
  if (G_UNLIKELY (!done))
    {
      guint64 delta_ns = advance (decoder, PACKED_OTHER, decoder->raw_time, pid, interrupts);

      packed_event (&decoder->stream->packed, PACKED_OTHER, delta_ns, PACKED_DELTA_BITS, 0);
      if (kind == EVENT_PRINT)
        decode_print (decoder, event, size, pid);
      else if (kind == EVENT_SWITCH)
        decode_switch (decoder, event, size, swap);
    }
  return TRUE;
}

/* The full time of an absolute timestamp, whose upper bits are taken from the previous time. */
static guint64
absolute_time (guint64 stamp, guint64 before)
{
  guint64 upper = before >> ABSOLUTE_BITS << ABSOLUTE_BITS;
  guint64 time = stamp | upper;

  return upper != 0 && time < before ? time + ((guint64) 1 << ABSOLUTE_BITS) : time;
}

/* The events of one page from @at to @end. @raw is the page's time. Inlined for either byte order. */
static inline __attribute__ ((always_inline)) gboolean
decode_events (Decoder *decoder, const guint8 *at, const guint8 *end, guint64 raw, gboolean swap, GError **error)
{
  const gboolean big = swap != (G_BYTE_ORDER == G_BIG_ENDIAN);
  const TraceFile *file = decoder->file;

  while (end - at >= 4)
    {
      guint32 word = load_u32 (at, swap);
      guint type = big ? word >> 27 : word & 31;
      guint32 delta = big ? word & ((1u << 27) - 1) : word >> 5;
      const guint8 *event = at + 4;
      guint64 size = type * 4;

      if (G_UNLIKELY (type == TYPE_PADDING && delta == 0))
        return TRUE;
      if (G_UNLIKELY (type == TYPE_LONG || type >= TYPE_PADDING))
        {
          guint32 word_after;

          if (end - at < 8)
            return damaged (decoder, error, "a record beyond the end of its page");
          word_after = load_u32 (at + 4, swap);
          if (type == TYPE_TIME_EXTEND || type == TYPE_TIME_STAMP)
            {
              guint64 time = delta | (guint64) word_after << 27;

              raw = type == TYPE_TIME_EXTEND ? raw + time : absolute_time (time, raw);
              at += 8;
              continue;
            }
          if (word_after < 4)
            return damaged (decoder, error, "a record of no bytes");
          event = type == TYPE_LONG ? at + 8 : at + 4;
          size = type == TYPE_LONG ? ((guint64) word_after + 3) / 4 * 4 - 4 : word_after;
        }
      raw += delta;
      if (G_UNLIKELY (size > (guint64) (end - event)))
        return damaged (decoder, error, "a record beyond the end of its page");
      if (G_LIKELY (type != TYPE_PADDING))
        {
          decoder->raw_time =
              file->ts_offset + (file->tsc_multiplier
                                     ? (guint64) (((__uint128_t) raw * file->tsc_multiplier) >> (file->tsc_shift & 63))
                                     : raw);
          if (G_UNLIKELY (!decode_event (decoder, event, size, swap, error)))
            return FALSE;
        }
      at = event + size;
    }
  return TRUE;
}

static gboolean
decode_page (Decoder *decoder, const guint8 *page, gsize page_size, GError **error)
{
  const Formats *formats = decoder->formats;
  gboolean swap = decoder->file->swap;
  const guint8 *data = page + formats->data_offset;
  Field commit_field = { formats->commit_offset, formats->commit_size };
  guint32 commit = (guint32) load_field (page, commit_field, swap);
  guint32 size = commit & COMMIT_SIZE_MASK;
  guint64 time = load_u64 (page, swap);

  if (size > page_size - formats->data_offset)
    return damaged (decoder, error, "it claims to hold more than a page");
  if (commit & COMMIT_MISSED)
    {
      guint64 missed = 0;

      if (commit & COMMIT_MISSED_STORED && page_size - formats->data_offset - size >= formats->commit_size)
        missed = load_field (data + size, (Field) { 0, formats->commit_size }, swap);
      decoder->missed += MAX (missed, 1);
    }
  return swap ? decode_events (decoder, data, data + size, time, TRUE, error)
              : decode_events (decoder, data, data + size, time, FALSE, error);
}

/* The 1st percentile of the stretches of each kind; 0 if there are too few, or if it is too long to be tracing. */
static void
find_floors (const Decoder *decoder)
{
  for (guint kind = 0; kind < STRETCH_KINDS; kind++)
    {
      guint64 rank = decoder->n_stretches[kind] / 100;
      guint64 below = 0;

      if (decoder->n_stretches[kind] < FLOOR_MIN_STRETCHES)
        continue;
      for (guint length_ns = 0; length_ns < FLOOR_LIMIT_NS; length_ns++)
        {
          below += decoder->stretches[kind][length_ns];
          if (below > rank)
            {
              decoder->stream->floors_ns[kind] = length_ns;
              break;
            }
        }
    }
}

/* A capture may have thousands of CPUs: each keeps only the counts it needs. */
static void
keep_counts (const Decoder *decoder)
{
  for (guint id = 0; id < decoder->n_counts; id++)
    {
      EventTally tally = { id, decoder->counts[id] };

      if (tally.count > 0)
        g_array_append_val (decoder->stream->counts, tally);
    }
}

static gboolean
decode_pages (Decoder *decoder, Pages *pages, gsize page_size, GError **error)
{
  GError *problem = NULL;
  const guint8 *page;

  while ((page = pages_next (pages, &problem)))
    {
      if (!decoder->counts)
        make_tables (decoder);
      if (!decode_page (decoder, page, page_size, error))
        return FALSE;
      decoder->page++;
    }
  if (problem)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  end_visit (decoder);
  return TRUE;
}

/* Reads one CPU of @buffer. */
static Stream *
stream_read (
    const TraceFile *file, const Formats *formats, const FileBuffer *buffer, const CpuData *data, GError **error)
{
  g_autoptr (Stream) stream = g_new0 (Stream, 1);
  g_autoptr (Pages) pages = NULL;
  g_autofree Decoder *decoder = g_new0 (Decoder, 1);
  gboolean good;

  stream->cpu = data->cpu;
  stream->visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  stream->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  stream->counts = g_array_new (FALSE, FALSE, sizeof (EventTally));
  pages = pages_new (file, buffer, data, error);
  if (!pages)
    return NULL;
  decoder->file = file;
  decoder->formats = formats;
  decoder->stream = stream;
  decoder->addresses.addresses = stream->addresses;
  good = decode_pages (decoder, pages, buffer->page_size, error);
  if (good)
    {
      find_floors (decoder);
      keep_counts (decoder);
    }
  free_tables (decoder);
  return good ? g_steal_pointer (&stream) : NULL;
}

/* Reads the CPUs of a buffer with one thread per processor. */

typedef struct
{
  const TraceFile *file;
  const Formats *formats;
  const FileBuffer *buffer;
  GCancellable *cancellable;
  Stream **results;
  GError **errors;
  gint next; /* CPU to read, taken by the next free thread */
} Job;

static gpointer
read_cpus (gpointer data)
{
  Job *job = data;

  for (;;)
    {
      guint i = g_atomic_int_add (&job->next, 1);

      if (i >= job->buffer->cpus->len || g_cancellable_is_cancelled (job->cancellable))
        return NULL;
      job->results[i] = stream_read (job->file, job->formats, job->buffer,
                                     &g_array_index (job->buffer->cpus, CpuData, i), &job->errors[i + 1]);
    }
}

GPtrArray *
streams_read (
    const TraceFile *file, const Formats *formats, const FileBuffer *buffer, GCancellable *cancellable, GError **error)
{
  guint n = buffer->cpus->len;
  g_autofree Stream **results = g_new0 (Stream *, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 2);
  g_autofree GThread **threads = NULL;
  guint n_threads = MIN (MAX (n, 1), g_get_num_processors ());
  GPtrArray *read = g_ptr_array_new_with_free_func ((GDestroyNotify) stream_free);
  Job job = { file, formats, buffer, cancellable, results, errors, 0 };
  gboolean good = TRUE;

  threads = g_new0 (GThread *, n_threads);
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("culprit-reader", read_cpus, &job);
  read_cpus (&job);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  g_cancellable_set_error_if_cancelled (cancellable, &errors[0]);
  for (guint i = 0; i <= n; i++)
    if (errors[i] && good)
      {
        good = FALSE;
        g_propagate_error (error, errors[i]);
      }
    else
      g_clear_error (&errors[i]);
  for (guint i = 0; i < n; i++)
    if (results[i] && results[i]->visits->len > 0 && good)
      g_ptr_array_add (read, results[i]);
    else
      g_clear_pointer (&results[i], stream_free);
  if (!good)
    g_clear_pointer (&read, g_ptr_array_unref);
  return read;
}
