/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a trace.dat file and reads the parts common to versions 6 and 7. All of it is hostile input: sizes are checked
 * against the actual size before they are used. */
#include "error.h"
#include "file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_SIZE 10
#define PREFIX_SIZE 18 /* magic, version and its end, byte order, long size, page size */

G_DEFINE_QUARK (culprit - capture - error, culprit_capture_error)

static void
file_buffer_free (FileBuffer *buffer)
{
  g_free (buffer->name);
  g_free (buffer->clock);
  g_array_unref (buffer->cpus);
  g_free (buffer);
}

static void
file_part_free (FilePart *part)
{
  g_free (part->data);
  g_free (part);
}

void
trace_file_free (TraceFile *file)
{
  if (file->fd >= 0)
    close (file->fd);
  g_free (file->path);
  g_ptr_array_unref (file->parts);
  g_free (file->cmdlines);
  g_clear_pointer (&file->comms, g_hash_table_unref);
  g_free (file->uname);
  g_free (file->clock);
  g_ptr_array_unref (file->cpustats);
  g_ptr_array_unref (file->buffers);
  g_tree_unref (file->extents);
  g_free (file->unpackable);
  g_clear_pointer (&file->digest, digest_free);
  g_free (file);
}

gboolean
trace_file_damaged (const TraceFile *file, GError **error, const char *what, ...)
{
  g_autofree char *detail = NULL;
  va_list arguments;

  va_start (arguments, what);
  detail = g_strdup_vprintf (what, arguments);
  va_end (arguments);
  g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_DAMAGED,
               "%s: damaged or cut short (%s); copy or extract the capture again", file->path, detail);
  return FALSE;
}

gboolean
trace_file_read_into (const TraceFile *file, guint8 *data, guint64 offset, guint64 size, GError **error)
{
  gssize got;

  if (!trace_file_has (file, offset, size, error))
    return FALSE;
  got = bytes_read_at (file->fd, data, size, offset);
  if (got < 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN, "%s: cannot be read: %s", file->path,
                   g_strerror (errno));
      return FALSE;
    }
  if ((guint64) got < size)
    return trace_file_damaged (file, error, "it became shorter while being read");
  if (file->digest)
    digest_add (file->digest, data, offset, size);
  return TRUE;
}

guint8 *
trace_file_read_at (const TraceFile *file, guint64 offset, guint64 size, GError **error)
{
  g_autofree guint8 *data = NULL;

  if (!trace_file_has (file, offset, size, error))
    return NULL;
  data = g_try_malloc (size + 1);
  if (!data)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN, "%s: not enough memory", file->path);
      return NULL;
    }
  if (!trace_file_read_into (file, data, offset, size, error))
    return NULL;
  data[size] = 0;
  return g_steal_pointer (&data);
}

gboolean
trace_file_unpack (const TraceFile *file, const guint8 *packed, gsize size, guint8 *plain, gsize plain_size)
{
  if (__atomic_sub_fetch (file->unpackable, plain_size, __ATOMIC_RELAXED) < 0)
    return FALSE;
  if (file->compression == COMPRESSION_ZSTD)
    return ZSTD_decompress (plain, plain_size, packed, size) == plain_size;
  if (file->compression == COMPRESSION_ZLIB)
    {
      uLongf length = plain_size;

      return uncompress (plain, &length, packed, size) == Z_OK && length == plain_size;
    }
  return FALSE;
}

FileBuffer *
trace_file_add_buffer (TraceFile *file, const char *name, const char *clock, GError **error)
{
  FileBuffer *buffer;

  if (file->buffers->len == MAX_BUFFERS)
    {
      trace_file_damaged (file, error, "more than %u buffers", file->buffers->len);
      return NULL;
    }
  buffer = g_new0 (FileBuffer, 1);
  buffer->name = g_utf8_make_valid (name, -1);
  buffer->clock = g_utf8_make_valid (clock ? clock : "", -1);
  buffer->page_size = file->page_size;
  buffer->cpus = g_array_new (FALSE, FALSE, sizeof (CpuData));
  g_ptr_array_add (file->buffers, buffer);
  return buffer;
}

gboolean
trace_file_add_cpu (TraceFile *file, FileBuffer *buffer, guint cpu, guint64 offset, guint64 size, GError **error)
{
  CpuData data = { cpu, offset, size };

  if (cpu >= MAX_CPUS)
    return trace_file_damaged (file, error, "CPU number %u", cpu);
  if (size == 0)
    return TRUE;
  if (!trace_file_claim (file, offset, size, error))
    return FALSE;
  for (guint i = 0; i < buffer->cpus->len; i++)
    if (g_array_index (buffer->cpus, CpuData, i).cpu == cpu)
      return trace_file_damaged (file, error, "CPU %u occurs twice", cpu);
  g_array_append_val (buffer->cpus, data);
  return TRUE;
}

void
trace_file_add_part (TraceFile *file, guint id, gboolean compressed, guint8 *data, gsize size)
{
  FilePart *part = g_new (FilePart, 1);

  *part = (FilePart) { id, compressed, data, size };
  g_ptr_array_add (file->parts, part);
}

void
file_part_digest (const TraceFile *file, const FilePart *part, XXH3_state_t *state)
{
  const guint64 read_as[] = { part->id, file->compression, part->compressed, file->swap, part->size };

  XXH3_128bits_update (state, read_as, sizeof read_as);
  XXH3_128bits_update (state, part->data, part->size);
}

gboolean
file_part_unpack (const TraceFile *file, const FilePart *part, guint8 **unpacked, Bytes *bytes, GError **error)
{
  guint32 packed_size;
  guint32 size;

  *unpacked = NULL;
  *bytes = (Bytes) { part->data, part->size, 0, file->swap, FALSE };
  if (!part->compressed)
    return TRUE;
  packed_size = bytes_u32 (bytes);
  size = bytes_u32 (bytes);
  *unpacked = !bytes->failed && size <= MAX_SECTION ? g_try_malloc ((gsize) size + 1) : NULL;
  if (!*unpacked || packed_size > part->size - 8 ||
      !trace_file_unpack (file, part->data + 8, packed_size, *unpacked, size))
    {
      g_clear_pointer (unpacked, g_free);
      return trace_file_damaged (file, error, "section %u cannot be decompressed", part->id);
    }
  *bytes = (Bytes) { *unpacked, size, 0, file->swap, FALSE };
  return TRUE;
}

#define LONGEST_OPTION 4096 /* of options that are text: a few hundred bytes, as kernels write them */

/* The clock in brackets in the text of the trace_clock file: "local [mono] boot". */
static char *
selected_clock (const char *text)
{
  const char *open = strchr (text, '[');
  const char *close = open ? strchr (open, ']') : NULL;
  g_autofree char *name = close ? g_strndup (open + 1, close - open - 1) : g_strdup (text);

  g_strstrip (name);
  return g_utf8_make_valid (name, -1);
}

void
trace_file_parse_option (TraceFile *file, guint id, Bytes *option)
{
  g_autofree char *text = g_strndup ((const char *) option->data, MIN (option->size, LONGEST_OPTION));

  switch (id)
    {
    case OPTION_CPUSTAT:
      if (*text)
        g_ptr_array_add (file->cpustats, g_steal_pointer (&text));
      break;
    case OPTION_TRACECLOCK:
      g_free (file->clock);
      file->clock = selected_clock (text);
      break;
    case OPTION_UNAME:
      g_free (file->uname);
      file->uname = g_utf8_make_valid (text, -1);
      break;
    case OPTION_OFFSET:
      file->ts_offset = (guint64) file->ts_offset + (guint64) g_ascii_strtoll (text, NULL, 0);
      break;
    case OPTION_TSC2NSEC:
      file->tsc_multiplier = bytes_u32 (option);
      file->tsc_shift = bytes_u32 (option);
      break;
    default:
      break;
    }
}

static TraceFile *
open_file (const char *path, GError **error)
{
  TraceFile *file = g_new0 (TraceFile, 1);

  file->path = g_strdup (path);
  file->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) file_part_free);
  file->cpustats = g_ptr_array_new_with_free_func (g_free);
  file->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) file_buffer_free);
  file->extents = extents_new ();
  file->unpackable = g_new0 (gint64, 1);
  file->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file->fd < 0 || fstat (file->fd, &file->status) != 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_OPEN, "%s: cannot be opened: %s", path,
                   g_strerror (errno));
      trace_file_free (file);
      return NULL;
    }
  if (!S_ISREG (file->status.st_mode))
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,
                   "%s: not a regular file; expected a capture saved by trace-cmd or culprit", path);
      trace_file_free (file);
      return NULL;
    }
  file->size = file->status.st_size;
  *file->unpackable = MIN (file->size, (guint64) G_MAXINT64 / UNPACKED_PER_BYTE / 2) * UNPACKED_PER_BYTE;
  *file->unpackable += UNPACKED_ALLOWANCE;
  return file;
}

/* The first bytes, made printable, for an error about a file of another kind. */
static char *
first_bytes (const guint8 *data, gsize size)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < MIN (size, 8); i++)
    if (g_ascii_isprint (data[i]))
      g_string_append_c (text, data[i]);
    else
      g_string_append_printf (text, "\\x%02x", data[i]);
  return g_string_free (text, FALSE);
}

static gboolean
read_prefix (TraceFile *file, GError **error)
{
  gsize size = MIN (file->size, PREFIX_SIZE);
  g_autofree guint8 *data = trace_file_read_at (file, 0, size, error);

  if (!data)
    return FALSE;
  if (size == 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,
                   "%s: empty; expected a capture saved by trace-cmd or culprit", file->path);
      return FALSE;
    }
  if (memcmp (data, MAGIC, MIN (size, MAGIC_SIZE)) != 0)
    {
      g_autofree char *start = first_bytes (data, size);

      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,
                   "%s: not a trace-cmd file (starts with \"%s\"); expected a capture saved by trace-cmd or culprit",
                   file->path, start);
      return FALSE;
    }
  if (size < PREFIX_SIZE)
    return trace_file_damaged (file, error, "it ends inside the first %d bytes", PREFIX_SIZE);
  if ((data[10] != '6' && data[10] != '7') || data[11] != 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: a trace-cmd file of a version other than 6 and 7; convert it with trace-cmd convert",
                   file->path);
      return FALSE;
    }
  if (data[12] > 1)
    return trace_file_damaged (file, error, "byte order %u", data[12]);
  file->version = data[10] - '0';
  file->swap = data[12] != (G_BYTE_ORDER == G_BIG_ENDIAN);
  file->page_size = load_u32 (data + 14, file->swap);
  return TRUE;
}

TraceFile *
trace_file_open (const char *path, GError **error)
{
  g_autoptr (TraceFile) file = open_file (path, error);

  if (!file || !read_prefix (file, error))
    return NULL;
  if (!(file->version == 6 ? trace_file_read_v6 (file, error) : trace_file_read_v7 (file, error)))
    return NULL;
  file->comms = comms_new (file->cmdlines);
  for (guint i = 0; i < file->buffers->len; i++)
    {
      const FileBuffer *buffer = g_ptr_array_index (file->buffers, i);

      if (buffer->page_size < 64 || buffer->page_size > 16 * 1024 * 1024)
        {
          trace_file_damaged (file, error, "page size %u", buffer->page_size);
          return NULL;
        }
    }
  return g_steal_pointer (&file);
}
