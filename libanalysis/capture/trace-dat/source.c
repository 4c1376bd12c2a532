/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source for trace.dat: decodes the ring buffer pages of its CPUs. This is the event loop: no allocation, no lookup
 * by string; every length is checked before it is used. */
#include "trace-dat-private.h"

#include "each.h"
#include "seeded-hash.h"

#include <stdlib.h>

/* Reads pages with pread instead of mapping the file: if a mapped file shrinks while it is read, the process is killed;
 * and mapped pages would count as our memory. */

typedef struct
{
  guint8 *data;
  gsize capacity;
} Room;

typedef struct
{
  const TraceFile *file;
  guint cpu;
  gsize page_size;
  gboolean compressed;
  guint64 offset; /* of what was not used yet */
  guint64 end;
  guint32 chunks;     /* that were not read yet */
  Room read;          /* what was read of the file: */
  gsize position;     /* the data at the offset, */
  gsize left;         /* of which this many bytes are left */
  Room unpacked;      /* a chunk */
  const guint8 *next; /* the next page, */
  gsize size;         /* and how many bytes of pages there are from it on, until more is read */
} Pages;

/* Starts at the first page of @data in @buffer. */
static gboolean
pages_init (Pages *pages, const TraceFile *file, const FileBuffer *buffer, const CpuData *data, GError **error)
{
  *pages = (Pages) { .file = file,
                     .cpu = data->cpu,
                     .page_size = buffer->page_size,
                     .compressed = buffer->compressed,
                     .offset = data->offset,
                     .end = data->offset + data->size };
  if (pages->compressed && data->size > 0)
    {
      g_autofree guint8 *count = input_read_at (file->input, data->offset, 4, error);

      if (!count)
        return FALSE;
      pages->chunks = load_u32 (count, file->swap);
      pages->offset += 4; /* which trace-cmd does not count as the CPU's data */
      pages->end += 4;
    }
  return TRUE;
}

static void
pages_clear (Pages *pages)
{
  g_free (pages->unpacked.data);
  g_free (pages->read.data);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pages, pages_clear)

/* Makes @room for at least @size bytes; it is reused. */
static gboolean
make_room (const Pages *pages, Room *room, gsize size, GError **error)
{
  guint8 *grown = size > room->capacity ? g_try_realloc (room->data, size) : room->data;

  if (!grown)
    return capture_damaged (pages->file->input->path, error, "CPU %u: a chunk of %zu bytes", pages->cpu, size);
  *room = (Room) { grown, MAX (room->capacity, size) };
  return TRUE;
}

/* The next @size bytes of the file, valid until the next call. Reads up to the end of a block of the file's digest, so
 * that the block need not be read again for that. NULL with an error. */
static const guint8 *
take (Pages *pages, guint64 size, GError **error)
{
  const Input *input = pages->file->input;
  const guint8 *taken;

  if (pages->offset + size > pages->end)
    {
      capture_damaged (input->path, error, "CPU %u: a chunk goes on where its data has ended", pages->cpu);
      return NULL;
    }
  if (size > pages->left)
    {
      guint64 end = pages->offset + size;
      guint64 left = pages->left;
      guint64 room =
          MIN ((end + DIGEST_BLOCK - 1) / DIGEST_BLOCK * DIGEST_BLOCK, MAX (end, input->size)) - pages->offset;

      if (left > 0)
        memmove (pages->read.data, pages->read.data + pages->position, left);
      pages->position = 0;
      if (!make_room (pages, &pages->read, room, error) ||
          !input_read_into (input, pages->read.data + left, pages->offset + left, room - left, error))
        return NULL;
      pages->left = room;
    }
  taken = pages->read.data + pages->position;
  pages->position += size;
  pages->left -= size;
  pages->offset += size;
  return taken;
}

static gboolean
read_chunk (Pages *pages, GError **error)
{
  const char *path = pages->file->input->path;
  const guint8 *packed = take (pages, 8, error);
  guint32 packed_size;
  guint32 size;

  if (!packed)
    return FALSE;
  packed_size = load_u32 (packed, pages->file->swap);
  size = load_u32 (packed + 4, pages->file->swap);
  if (size == 0 || size > MAX_CHUNK || size % pages->page_size != 0 || packed_size > MAX_CHUNK)
    return capture_damaged (path, error, "CPU %u: a chunk of %u bytes", pages->cpu,
                            packed_size > MAX_CHUNK ? packed_size : size);
  packed = take (pages, packed_size, error);
  if (!packed || !make_room (pages, &pages->unpacked, size, error))
    return FALSE;
  if (!trace_file_unpack (pages->file, packed, packed_size, pages->unpacked.data, size))
    return capture_damaged (path, error, "CPU %u: a chunk cannot be decompressed", pages->cpu);
  pages->next = pages->unpacked.data;
  pages->size = size;
  pages->chunks--;
  return TRUE;
}

/* Reads whole blocks of the file's digest. An incomplete last page is left out: trace-cmd writes whole pages. */
static gboolean
read_plain (Pages *pages, GError **error)
{
  guint64 in_block = DIGEST_BLOCK - pages->offset % DIGEST_BLOCK;
  guint64 size = MIN (MAX (in_block, pages->page_size), pages->end - pages->offset);

  pages->size = size - size % pages->page_size;
  pages->next = take (pages, pages->size, error);
  return pages->next != NULL;
}

/* The next page, of the buffer's page size, valid until the next call; NULL at the end, or with an error. */
static const guint8 *
pages_next (Pages *pages, GError **error)
{
  const guint8 *page;

  if (pages->size == 0)
    {
      if (pages->compressed ? pages->chunks == 0 : pages->end - pages->offset < pages->page_size)
        return NULL;
      if (!(pages->compressed ? read_chunk (pages, error) : read_plain (pages, error)))
        return NULL;
    }
  page = pages->next;
  pages->next += pages->page_size;
  pages->size -= pages->page_size;
  return page;
}

#define STATE_BITS 0xff /* of prev_state: a task without any of them was preempted, */
#define STATE_ASLEEP 1  /* and this is S */
#define COMMIT_SIZE_MASK ((1u << 27) - 1)
#define COMMIT_MISSED (1u << 31)
#define COMMIT_MISSED_STORED (1u << 30)
#define MIN_EVENT_SIZE 8
#define FLAG_INTERRUPTS_OFF 0x01
#define FLAG_NEED_RESCHED 0x04
#define ABSOLUTE_BITS 59

enum
{
  TYPE_LONG = 0,
  TYPE_PADDING = 29,
  TYPE_TIME_EXTEND = 30,
  TYPE_TIME_STAMP = 31,
};

#define USUAL_RATIO 20 /* Compression leaves more than one part in so many. */

/* About how many bytes of pages there are, after the first was taken. */
static guint64
pages_left (const Pages *pages)
{
  guint64 chunk = pages->size + pages->page_size;
  guint64 left = pages->end - pages->offset;

  return chunk + (pages->compressed ? MIN (pages->chunks * chunk, left * USUAL_RATIO) : left);
}

typedef struct
{
  const TraceFile *file;
  const Formats *formats;
  const CulpritMeasured *measured; /* NULL: cycles, which need no more events than any */
  Builder *builder;
  guint64 page;           /* its number, for messages */
  gint64 charged;         /* bytes, to the file's budget */
  guint64 tsc_multiplier; /* of the file; 0 where the buffer's clock is no TSC */
} Decoder;

static gboolean
damaged (const Decoder *decoder, GError **error, const char *what)
{
  return capture_damaged (decoder->file->input->path, error, "CPU %u, page %" G_GUINT64_FORMAT ": %s",
                          decoder->builder->stream->cpu, decoder->page, what);
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

/* The text of a print event. */
static gboolean
decode_print (Decoder *decoder, Event event, const guint8 *data, gsize size)
{
  guint offset = decoder->formats->print_text_offset;

  if (offset == 0 || offset >= size)
    return builder_other (decoder->builder, event);
  return builder_print (decoder->builder, event, (const char *) data + offset, size - offset);
}

/* The task that leaves the CPU and the one that arrives, with their priorities. */
static gboolean
decode_switch (Decoder *decoder, Event event, const guint8 *data, gsize size, gboolean swap)
{
  const TaskFields *left = &decoder->formats->left;
  const TaskFields *arrived = &decoder->formats->arrived;
  const Field *state = &decoder->formats->left_state;
  guint64 bits = STATE_ASLEEP;

  if (size < decoder->formats->switch_size)
    return builder_other (decoder->builder, event);
  if (state->size > 0)
    bits = load_field (data, *state, swap) & STATE_BITS;
  return builder_switch (decoder->builder, event, load_u32 (data + left->pid.offset, swap),
                         load_u32 (data + left->priority.offset, swap),
                         bits == 0              ? LEFT_RUNNABLE
                         : bits == STATE_ASLEEP ? LEFT_ASLEEP
                                                : LEFT_BLOCKED,
                         load_u32 (data + arrived->pid.offset, swap), load_u32 (data + arrived->priority.offset, swap));
}

static gboolean
decode_waking (Decoder *decoder, Event event, const guint8 *data, gsize size, gboolean swap)
{
  const TaskFields *woken = &decoder->formats->woken;
  const Field *ran_on = &decoder->formats->woken_ran_on;

  if (size < decoder->formats->waking_size)
    return builder_other (decoder->builder, event);
  return builder_waking (decoder->builder, event, load_u32 (data + woken->pid.offset, swap),
                         load_u32 (data + woken->priority.offset, swap),
                         ran_on->size > 0 ? MIN (load_field (data, *ran_on, swap), UNKNOWN_CPU) : UNKNOWN_CPU);
}

/* Notes what only windows of tasks need. */
static void
note_followed (Decoder *decoder, EventKind kind, Event event, const guint8 *data, gsize size, gboolean swap)
{
  const Formats *formats = decoder->formats;

  if (kind == EVENT_TIMER_START && size >= formats->timer_start_size)
    builder_note (decoder->builder, event, NOTED_TIMER_START, load_field (data, formats->timer, swap),
                  decoder->file->ts_offset + load_field (data, formats->timer_expires, swap),
                  load_field (data, formats->timer_function, swap));
  if (kind == EVENT_TIMER_CANCEL && size >= formats->timer_cancel_size)
    builder_note (decoder->builder, event, NOTED_TIMER_CANCEL, load_field (data, formats->cancelled, swap), 0, 0);
  if (kind == EVENT_MIGRATION && size >= formats->migration_size)
    builder_note (decoder->builder, event, NOTED_MIGRATION, load_field (data, formats->migrated, swap),
                  load_field (data, formats->migrated_to, swap), 0);
}

/* Notes that @event ends a window, and that it begins one, in this order. */
static void
note_ends (Decoder *decoder, Event event, const guint8 *data, gsize size, gboolean swap)
{
  for (guint i = G_N_ELEMENTS (decoder->formats->ends); i > 0; i--)
    {
      const EventEnd *end = decoder->formats->ends[i - 1];
      guint64 key = 0;

      if (end && end->id == event.id && (!end->filter || filter_matches (end->filter, data, size, swap)) &&
          (!end->key || filter_key_read (end->key, data, size, swap, &key)))
        builder_note (decoder->builder, event, i > 1 ? NOTED_END : NOTED_BEGIN, 0, key, 0);
    }
}

/* Whether the text of a print event is @mark, as the kernel's filter of a recording decides: with a newline or not. */
static gboolean
is_mark (const char *text, gsize size, const char *mark)
{
  gsize length = strnlen (text, size);

  length -= length > 0 && text[length - 1] == '\n';
  return length == strlen (mark) && memcmp (text, mark, length) == 0;
}

/* Notes that a text is a mark of the thread that writes it. */
static void
note_marks (Decoder *decoder, Event event, const guint8 *data, gsize size)
{
  const CulpritMeasured *measured = decoder->measured;
  guint offset = decoder->formats->print_text_offset;

  if (offset == 0 || offset >= size)
    return;
  if (is_mark ((const char *) data + offset, size - offset, measured->end.text))
    builder_note (decoder->builder, event, NOTED_END, 0, event.pid, 0);
  if (is_mark ((const char *) data + offset, size - offset, measured->begin.text))
    builder_note (decoder->builder, event, NOTED_BEGIN, 0, event.pid, 0);
}

/* Notes what windows that are not cycles need of an event. */
static void
note_event (Decoder *decoder, EventKind kind, Event event, const guint8 *data, gsize size, gboolean swap)
{
  if (decoder->measured->kind == CULPRIT_MEASURED_BETWEEN)
    note_ends (decoder, event, data, size, swap);
  if (kind >= EVENT_TIMER_START)
    note_followed (decoder, kind, event, data, size, swap);
  if (kind == EVENT_PRINT && decoder->measured->kind == CULPRIT_MEASURED_MARKS)
    note_marks (decoder, event, data, size);
}

static gboolean
decode_other (Decoder *decoder, EventKind kind, Event event, const guint8 *data, gsize size, gboolean swap)
{
  if (decoder->measured)
    note_event (decoder, kind, event, data, size, swap);
  switch (kind)
    {
    case EVENT_PRINT:
      return decode_print (decoder, event, data, size);
    case EVENT_SWITCH:
      return decode_switch (decoder, event, data, size, swap);
    case EVENT_WAKING:
      return decode_waking (decoder, event, data, size, swap);
    default:
      return builder_other (decoder->builder, event);
    }
}

static inline __attribute__ ((always_inline)) gboolean
decode_event (Decoder *decoder, guint64 at_ns, const guint8 *data, gsize size, gboolean swap, GError **error)
{
  const Formats *formats = decoder->formats;
  Builder *builder = decoder->builder;
  Event event = { .at_ns = at_ns };
  EventKind kind;
  gboolean good;

  if (G_UNLIKELY (size < MIN_EVENT_SIZE))
    return damaged (decoder, error, "an event of too few bytes");
  event.id = load_u16 (data, swap);
  event.pid = load_u32 (data + formats->pid.offset, swap);
  event.interrupts = data[formats->flags.offset] & INTERRUPT_BITS;
  event.disabled = event_disabled (data[formats->flags.offset] & FLAG_INTERRUPTS_OFF,
                                   data[formats->preempt.offset] & formats->preempt_bits,
                                   data[formats->flags.offset] & FLAG_NEED_RESCHED);
  kind = formats->kinds[event.id];
  if (G_LIKELY (kind == EVENT_ENTRY || kind == EVENT_ENTRY_RETADDR))
    {
      guint variant = kind - EVENT_ENTRY;

      if (G_UNLIKELY (size < formats->entry_size[variant]))
        return damaged (decoder, error, "a function entry of too few bytes");
      good = builder_entry (builder, event, load_field (data, formats->entry_function[variant], swap),
                            load_field (data, formats->entry_depth[variant], swap));
    }
  else if (G_LIKELY (kind == EVENT_EXIT))
    {
      gint64 lasted_ns;

      if (G_UNLIKELY (size < formats->exit_size))
        return damaged (decoder, error, "a function exit of too few bytes");
      lasted_ns = formats->call_time.size != 8 ? 0
                                               : load_u64 (data + formats->return_time.offset, swap) -
                                                     load_u64 (data + formats->call_time.offset, swap);
      good = builder_exit (builder, event, load_field (data, formats->exit_function, swap),
                           load_field (data, formats->exit_depth, swap), lasted_ns);
    }
  else
    good = decode_other (decoder, kind, event, data, size, swap);
  return G_LIKELY (good) || damaged (decoder, error, builder->problem);
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
          guint64 at_ns = file->ts_offset +
                          (decoder->tsc_multiplier
                               ? (guint64) (((__uint128_t) raw * decoder->tsc_multiplier) >> (file->tsc_shift & 63))
                               : raw);

          if (G_UNLIKELY (!decode_event (decoder, at_ns, event, size, swap, error)))
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
      builder_loss (decoder->builder, MAX (missed, 1));
    }
  return swap ? decode_events (decoder, data, data + size, time, TRUE, error)
              : decode_events (decoder, data, data + size, time, FALSE, error);
}

/* Subtracts from the file's budget what the events of this CPU take so far. Events of twelve bytes that are compressed
 * to next to nothing could each be a visit of its own, or a switch. */
static gboolean
charge (Decoder *decoder, GError **error)
{
  const Stream *stream = decoder->builder->stream;
  gint64 taken = (gint64) (stream->packed.n * sizeof (PackedWord) + stream->visits->len * sizeof (Visit) +
                           stream->scheduling->len * sizeof (Scheduling) + stream->holds->len * sizeof (Hold) +
                           (stream->noted ? stream->noted->len * sizeof (Noted) : 0));
  gint64 left = __atomic_sub_fetch (decoder->file->decodable, taken - decoder->charged, __ATOMIC_RELAXED);

  decoder->charged = taken;
  return left >= 0 || damaged (decoder, error, "there are more events than a file of this size can have");
}

#define BYTES_PER_EVENT 20 /* in pages; those of functions have 28 to 60 */

/* An instance may have a clock of its own; an older file does not say which. For trace-cmd, tsc2nsec is one as well. */
static gboolean
counts_tsc (const FileBuffer *buffer)
{
  return *buffer->clock == '\0' || strstr (buffer->clock, "tsc");
}

/* A buffer whose CPUs are read in parallel, and beside them the symbols. */
typedef struct
{
  Session *session;
  const TraceFile *file;
  const Formats *formats;
  const FileBuffer *buffer;
  GCancellable *cancellable;
  Stream **streams; /* by CPU; NULL: it was not read, */
  GError **errors;  /* because of these, of which the last is that of the symbols */
} Job;

static Stream *
read_cpu (const Job *job, const CpuData *data, GError **error)
{
  g_autoptr (Builder) builder = builder_new (data->cpu);
  g_auto (Pages) pages = { 0 };
  Decoder decoder = { .file = job->file,
                      .formats = job->formats,
                      .measured = job->session->measured,
                      .builder = builder,
                      .tsc_multiplier = counts_tsc (job->buffer) ? job->file->tsc_multiplier : 0 };
  GError *problem = NULL;
  const guint8 *page;

  if (g_cancellable_set_error_if_cancelled (job->cancellable, error) ||
      !pages_init (&pages, job->file, job->buffer, data, error))
    return NULL;
  while ((page = pages_next (&pages, &problem)))
    {
      if (decoder.page == 0)
        builder_expect (builder, pages_left (&pages) / BYTES_PER_EVENT);
      if (!decode_page (&decoder, page, pages.page_size, error) || (pages.compressed && !charge (&decoder, error)))
        return NULL;
      decoder.page++;
    }
  if (problem)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  return builder_finish (g_steal_pointer (&builder));
}

/* The text in @part, after its size; @unpacked keeps it, if it was compressed. It has no end but its @size. NULL with
 * an error. */
static const char *
read_text (const TraceFile *file, const FilePart *part, guint8 **unpacked, gsize *size, GError **error)
{
  const guint8 *text;
  Bytes bytes;

  if (!file_part_unpack (file, part, unpacked, &bytes, error))
    return NULL;
  *size = part->id == OPTION_KALLSYMS ? bytes_u32 (&bytes) : bytes_u64 (&bytes);
  text = bytes_take (&bytes, *size);
  if (!text)
    capture_damaged (file->input->path, error, "section %u ends too early", part->id);
  return (const char *) text;
}

static Symbols *
read_symbols (const TraceFile *file, GError **error)
{
  const FilePart *part = trace_file_part (file, OPTION_KALLSYMS);
  g_autofree guint8 *unpacked = NULL;
  const char *text;
  gsize size;
  Symbols *symbols;
  XXH3_state_t *state;
  XXH128_hash_t key;

  if (!part)
    return symbols_new ("", 0, 0);
  state = kept_key_begin ();
  file_part_digest (file, part, state);
  key = kept_key (state);
  symbols = kept_find (KEPT_SYMBOLS, key);
  if (symbols)
    return symbols;
  text = read_text (file, part, &unpacked, &size, error);
  if (!text)
    return NULL;
  symbols =
      symbols_new (text, size, unpacked ? DECODED_ALLOWANCE + DECODED_PER_BYTE * (gint64) part->size : G_MAXINT64);
  if (symbols)
    symbols_keep (symbols, key);
  else
    capture_damaged (file->input->path, error, "there are more symbols than a file of this size can have");
  return symbols;
}

/* The symbols come last: they fill the time in which only the longest CPU is still read. */
static void
read_nth (gpointer data, guint i)
{
  Job *job = data;

  if (i < job->buffer->cpus->len)
    job->streams[i] = read_cpu (job, &g_array_index (job->buffer->cpus, CpuData, i), &job->errors[i]);
  else if (!job->session->symbols)
    job->session->symbols = read_symbols (job->file, &job->errors[i]);
}

/* NAME in "Buffer: NAME", the line before the texts of an instance's CPUs; NULL if @text is something else. */
static char *
stats_heading (const char *text)
{
  const char *name = strstr (text, "Buffer: ");

  return name ? g_strndup (name + 8, strcspn (name + 8, "\n")) : NULL;
}

/* Of a CPU's events, how many its buffer had no room for. */
typedef struct
{
  guint64 overwritten; /* older ones */
  guint64 dropped;     /* newer ones */
} Missed;

/* The number after @title in @text, on a line of its own; 0: there is none. */
static guint64
number_of (const char *text, const char *title)
{
  const char *at = strstr (text, title);

  return at ? MIN (strtoull (at + strlen (title), NULL, 10), G_MAXINT64) : 0;
}

/* Name of a buffer -> CPU -> Missed, from the texts of per_cpu/cpu<n>/stats, which are searched once for all buffers.
 */
static GHashTable *
missed_events (const TraceFile *file)
{
  GHashTable *buffers =
      g_hash_table_new_full (culprit_hash_text, g_str_equal, NULL, (GDestroyNotify) g_hash_table_unref);
  GHashTable *cpus;

  for (guint i = 0; i < file->buffers->len; i++)
    g_hash_table_insert (buffers, ((FileBuffer *) g_ptr_array_index (file->buffers, i))->name,
                         g_hash_table_new_full (culprit_hash_direct, NULL, NULL, g_free));
  cpus = g_hash_table_lookup (buffers, "");
  for (guint i = 0; i < file->cpustats->len; i++)
    {
      const char *text = g_ptr_array_index (file->cpustats, i);
      const char *number = strstr (text, "CPU:");
      g_autofree char *heading = stats_heading (text);
      const Missed missed = { number_of (text, "\noverrun:"), number_of (text, "\ndropped events:") };

      if (heading)
        cpus = g_hash_table_lookup (buffers, heading);
      if (number && cpus && (missed.overwritten > 0 || missed.dropped > 0))
        {
          gpointer cpu = GSIZE_TO_POINTER (strtoul (number + 4, NULL, 10));

          if (!g_hash_table_contains (cpus, cpu))
            g_hash_table_insert (cpus, cpu, g_memdup2 (&missed, sizeof missed));
        }
    }
  return buffers;
}

/* What @stream had no room for. Events that were dropped are lost, after its last one. */
static void
take_missed (Stream *stream, GHashTable *cpus)
{
  const Missed *missed = g_hash_table_lookup (cpus, GSIZE_TO_POINTER (stream->cpu));

  if (!missed)
    return;
  stream->overwritten = missed->overwritten;
  stream->dropped = missed->dropped;
  stream->losses += missed->dropped > 0;
  stream->lost_events = MIN (stream->lost_events + missed->dropped, MAX_SUM);
}

/* Reads the CPUs of @buffer, in file order, and the symbols if they were not read yet; @missed: of each buffer. FALSE
 * with the error of the first that failed. */
static gboolean
read_buffer (Session *session,
             const TraceFile *file,
             const Formats *formats,
             const FileBuffer *buffer,
             GHashTable *missed,
             GCancellable *cancellable,
             GError **error)
{
  GHashTable *cpus = g_hash_table_lookup (missed, buffer->name);
  guint n = buffer->cpus->len;
  g_autofree Stream **streams = g_new0 (Stream *, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 1);
  g_autoptr (GPtrArray) read = g_ptr_array_new_with_free_func ((GDestroyNotify) stream_free);
  Job job = { session, file, formats, buffer, cancellable, streams, errors };
  GError *first = NULL;

  culprit_each (n + 1, read_nth, &job);
  for (guint i = 0; i <= n; i++)
    {
      if (streams[i] && streams[i]->events > 0)
        {
          take_missed (streams[i], cpus);
          g_ptr_array_add (read, streams[i]);
        }
      else
        g_clear_pointer (&streams[i], stream_free);
      if (first)
        g_clear_error (&errors[i]);
      else
        first = errors[i];
    }
  if (first)
    {
      g_propagate_error (error, first);
      return FALSE;
    }
  session_take_buffer (session, buffer->name, *buffer->clock ? buffer->clock : file->clock, g_steal_pointer (&read));
  return TRUE;
}

static gboolean
read_cmdlines (Session *session, const TraceFile *file, const FilePart *part, GError **error)
{
  g_autofree guint8 *unpacked = NULL;
  gsize size;
  const char *text = read_text (file, part, &unpacked, &size, error);

  session->cmdlines = text ? g_strndup (text, size) : NULL;
  return text != NULL;
}

gboolean
trace_dat_read (Session *session, const Input *input, GCancellable *cancellable, GError **error)
{
  g_autoptr (TraceFile) file = trace_file_open (input, error);
  g_autoptr (Formats) formats = file ? formats_new (file, session->measured, error) : NULL;
  g_autoptr (GHashTable) missed = file ? missed_events (file) : NULL;
  const FilePart *cmdlines = formats ? trace_file_part (file, OPTION_CMDLINES) : NULL;

  if (!formats || (cmdlines && !read_cmdlines (session, file, cmdlines, error)))
    return FALSE;
  session->file_version = file->version;
  session->tsc_known = file->tsc_multiplier != 0;
  session->uname = g_steal_pointer (&file->uname);
  session->event_names = g_hash_table_ref (formats->names);
  for (guint i = 0; i < file->buffers->len; i++)
    if (!read_buffer (session, file, formats, g_ptr_array_index (file->buffers, i), missed, cancellable, error))
      return FALSE;
  return TRUE;
}
