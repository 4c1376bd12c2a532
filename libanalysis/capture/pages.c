/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads pages with pread instead of mapping the file: if a mapped file shrinks while it is read, the process is killed;
 * and mapped pages would count as our memory. */
#include "pages-private.h"

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

Pages *
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

void
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

const guint8 *
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
