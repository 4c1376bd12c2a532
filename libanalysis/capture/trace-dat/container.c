/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a trace.dat file and reads the parts common to versions 6 and 7. All of it is hostile input: sizes are checked
 * against the actual size before they are used. */
#include "trace-dat-private.h"

#include <zlib.h>
#include <zstd.h>

#define LONGEST_OPTION 4096 /* of options that are text: a few hundred bytes, as kernels write them */

/* Keeps account of which bytes of a file belong to what: extents must not overlap. */

static int
compare_extents (gconstpointer a, gconstpointer b, gpointer data)
{
  const Extent *left = a;
  const Extent *right = b;

  return left->start < right->start ? -1 : left->start > right->start;
}

/* Claims the @size bytes at @offset. FALSE with an error if they are beyond the file or already claimed: reading a file
 * must not cost more than its size. */
static gboolean
trace_file_claim (TraceFile *file, guint64 offset, guint64 size, GError **error)
{
  Extent extent = { offset, offset + size };
  GTreeNode *after;
  GTreeNode *before;

  if (!input_has (file->input, offset, size, error))
    return FALSE;
  if (size == 0)
    return TRUE;
  after = g_tree_upper_bound (file->extents, &extent);
  before = after ? g_tree_node_previous (after) : g_tree_node_last (file->extents);
  if ((after && ((const Extent *) g_tree_node_key (after))->start < extent.end) ||
      (before && ((const Extent *) g_tree_node_key (before))->end > offset))
    return capture_damaged (file->input->path, error, "two parts of it overlap at %" G_GUINT64_FORMAT, offset);
  g_tree_insert (file->extents, g_memdup2 (&extent, sizeof extent), NULL);
  return TRUE;
}

#define PREFIX_SIZE 18 /* magic, version and its end, byte order, long size, page size */

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
  g_ptr_array_unref (file->parts);
  g_free (file->uname);
  g_free (file->clock);
  g_ptr_array_unref (file->cpustats);
  g_ptr_array_unref (file->buffers);
  g_tree_unref (file->extents);
  g_free (file->unpackable);
  g_free (file->decodable);
  g_free (file);
}

static void
free_context (gpointer context)
{
  ZSTD_freeDCtx (context);
}

/* The thread's own: making one for each chunk takes a fifth of the time of unpacking it. */
static ZSTD_DCtx *
zstd_context (void)
{
  static GPrivate contexts = G_PRIVATE_INIT (free_context);

  if (!g_private_get (&contexts))
    g_private_set (&contexts, ZSTD_createDCtx ());
  return g_private_get (&contexts);
}

gboolean
trace_file_unpack (const TraceFile *file, const guint8 *packed, gsize size, guint8 *plain, gsize plain_size)
{
  gint64 used = (gint64) plain_size - (gint64) size * UNPACKED_PER_BYTE;

  if (__atomic_sub_fetch (file->unpackable, used, __ATOMIC_RELAXED) < 0)
    return FALSE;
  __atomic_add_fetch (file->decodable, (gint64) size * DECODED_PER_BYTE, __ATOMIC_RELAXED);
  if (file->compression == COMPRESSION_ZSTD && ZSTD_findFrameCompressedSize (packed, size) != size)
    return FALSE; /* What follows a frame could be a hole; likewise below. */
  if (file->compression == COMPRESSION_ZSTD)
    return ZSTD_decompressDCtx (zstd_context (), plain, plain_size, packed, size) == plain_size;
  if (file->compression == COMPRESSION_ZLIB)
    {
      uLongf length = plain_size;
      uLong read = size;

      return uncompress2 (plain, &length, packed, &read) == Z_OK && length == plain_size && read == size;
    }
  return FALSE;
}

/* Adds a buffer to the file; NULL with an error if there are too many. */
static FileBuffer *
trace_file_add_buffer (TraceFile *file, const char *name, const char *clock, GError **error)
{
  FileBuffer *buffer;

  if (file->buffers->len == MAX_BUFFERS)
    {
      capture_damaged (file->input->path, error, "more than %u buffers", file->buffers->len);
      return NULL;
    }
  buffer = g_new0 (FileBuffer, 1);
  buffer->name = g_utf8_make_valid (name, strnlen (name, LONGEST_OPTION));
  buffer->clock = g_utf8_make_valid (clock ? clock : "", clock ? strnlen (clock, LONGEST_OPTION) : 0);
  buffer->page_size = file->page_size;
  buffer->cpus = g_array_new (FALSE, FALSE, sizeof (CpuData));
  g_ptr_array_add (file->buffers, buffer);
  return buffer;
}

/* Adds a CPU's data; FALSE with an error if it is beyond the file. */
static gboolean
trace_file_add_cpu (TraceFile *file, FileBuffer *buffer, guint cpu, guint64 offset, guint64 size, GError **error)
{
  CpuData data = { cpu, offset, size };

  if (cpu >= MAX_CPUS)
    return capture_damaged (file->input->path, error, "CPU number %u", cpu);
  if (size == 0)
    return TRUE;
  if (!trace_file_claim (file, offset, size, error))
    return FALSE;
  for (guint i = 0; i < buffer->cpus->len; i++)
    if (g_array_index (buffer->cpus, CpuData, i).cpu == cpu)
      return capture_damaged (file->input->path, error, "CPU %u occurs twice", cpu);
  g_array_append_val (buffer->cpus, data);
  return TRUE;
}

/* Adds a part, taking ownership of its @data. */
static void
trace_file_add_part (TraceFile *file, guint id, gboolean compressed, guint8 *data, gsize size)
{
  FilePart *part = g_new (FilePart, 1);

  *part = (FilePart) { id, compressed, data, size };
  g_ptr_array_add (file->parts, part);
}

const FilePart *
trace_file_part (const TraceFile *file, guint id)
{
  for (guint i = file->parts->len; i > 0; i--)
    if (((const FilePart *) g_ptr_array_index (file->parts, i - 1))->id == id)
      return g_ptr_array_index (file->parts, i - 1);
  return NULL;
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
      return capture_damaged (file->input->path, error, "section %u cannot be decompressed", part->id);
    }
  *bytes = (Bytes) { *unpacked, size, 0, file->swap, FALSE };
  return TRUE;
}

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

/* Shared by both layouts. */
static void
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
  gsize size = MIN (file->input->size, PREFIX_SIZE);
  g_autofree guint8 *data = input_read_at (file->input, 0, size, error);

  if (!data)
    return FALSE;
  if (size == 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,
                   "%s: empty; expected a capture saved by trace-cmd or culprit", file->input->path);
      return FALSE;
    }
  if (memcmp (data, CULPRIT_CAPTURE_MAGIC, MIN (size, CULPRIT_CAPTURE_MAGIC_SIZE)) != 0)
    {
      g_autofree char *start = first_bytes (data, size);

      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_NOT_A_TRACE,
                   "%s: not a trace-cmd file (starts with \"%s\"); expected a capture saved by trace-cmd or culprit",
                   file->input->path, start);
      return FALSE;
    }
  if (size < PREFIX_SIZE)
    return capture_damaged (file->input->path, error, "it ends inside the first %d bytes", PREFIX_SIZE);
  if ((data[10] != '6' && data[10] != '7') || data[11] != 0)
    {
      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: a trace-cmd file of a version other than 6 and 7; convert it with trace-cmd convert",
                   file->input->path);
      return FALSE;
    }
  if (data[12] > 1)
    return capture_damaged (file->input->path, error, "byte order %u", data[12]);
  file->version = data[10] - '0';
  file->swap = data[12] != (G_BYTE_ORDER == G_BIG_ENDIAN);
  file->page_size = load_u32 (data + 14, file->swap);
  return TRUE;
}

/* The layout of version 6: headers in sequence from the start of the file, then the CPUs' pages. */

#define FIRST_READ (2 * 1024 * 1024)
#define HEADERS_AT (18)
#define TAG_SIZE 10
#define CPU_SIZE 16 /* in the table of CPUs */

/* An instance's buffer, announced by an option: its CPUs are at the option's offset. */
typedef struct
{
  guint64 offset;
  char *name;
} Instance;

static void
instance_clear (Instance *instance)
{
  g_free (instance->name);
}

static void
take_options (TraceFile *file, Bytes *bytes, GArray *instances)
{
  for (;;)
    {
      guint16 id = bytes_u16 (bytes);
      guint32 size = id == OPTION_DONE ? 0 : bytes_u32 (bytes);
      Bytes option = { bytes_take (bytes, size), size, 0, bytes->swap, FALSE };

      if (bytes->failed || id == OPTION_DONE)
        return;
      if (id == OPTION_BUFFER)
        {
          Instance instance = { bytes_u64 (&option), NULL };

          if (!option.failed)
            instance.name = g_strndup ((const char *) option.data + 8, option.size - 8);
          else
            bytes->failed = TRUE;
          g_array_append_val (instances, instance);
        }
      else
        trace_file_parse_option (file, id, &option);
    }
}

static gboolean
take_cpus (TraceFile *file, FileBuffer *buffer, guint32 cpus, Bytes *bytes, GError **error)
{
  if (!buffer)
    return FALSE;
  for (guint32 cpu = 0; cpu < cpus; cpu++)
    {
      guint64 offset = bytes_u64 (bytes);
      guint64 size = bytes_u64 (bytes);

      if (bytes->failed)
        return capture_damaged (file->input->path, error, "it ends in the table of CPUs");
      if (!trace_file_add_cpu (file, buffer, cpu, offset, size, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_instance (TraceFile *file, const Instance *instance, guint32 cpus, GError **error)
{
  guint64 size = TAG_SIZE + (guint64) cpus * CPU_SIZE;
  g_autofree guint8 *data = input_read_at (file->input, instance->offset, size, error);
  Bytes bytes = { data, size, 0, file->swap, FALSE };

  if (!data || !trace_file_claim (file, instance->offset, size, error))
    return FALSE;
  if (!bytes_expect (&bytes, "flyrecord", TAG_SIZE))
    return capture_damaged (file->input->path, error, "the table of an instance is not where it should be");
  return take_cpus (file, trace_file_add_buffer (file, instance->name, file->clock, error), cpus, &bytes, error);
}

/* Makes a part, like the other layout's sections. */
static void
take_part (TraceFile *file, Bytes *bytes, guint id)
{
  gsize start = bytes->position;

  if (id == OPTION_KALLSYMS)
    bytes_take (bytes, bytes_u32 (bytes));
  else if (id == OPTION_CMDLINES)
    bytes_take (bytes, bytes_u64 (bytes));
  else
    formats_take (NULL, id, bytes);
  if (!bytes->failed)
    trace_file_add_part (file, id, FALSE, g_memdup2 (bytes->data + start, bytes->position - start),
                         bytes->position - start);
}

/* Everything before the table of the CPUs, which must be complete as well. FALSE without an error: there were too few
 * bytes. */
static gboolean
parse_headers (TraceFile *file, Bytes *bytes, GArray *instances, guint32 *cpus)
{
  const guint8 *text;

  for (guint id = OPTION_HEADER_INFO; id <= OPTION_KALLSYMS; id++)
    take_part (file, bytes, id);
  bytes_take (bytes, bytes_u32 (bytes)); /* the formats of printk */
  take_part (file, bytes, OPTION_CMDLINES);
  *cpus = bytes_u32 (bytes);
  text = bytes_take (bytes, TAG_SIZE);
  if (text && memcmp (text, "options  ", TAG_SIZE) == 0)
    {
      take_options (file, bytes, instances);
      text = bytes_take (bytes, TAG_SIZE);
    }
  if ((text && memcmp (text, "flyrecord", TAG_SIZE) != 0) || bytes->size - bytes->position < (guint64) *cpus * CPU_SIZE)
    bytes->failed = TRUE;
  return !bytes->failed;
}

static void
forget_headers (TraceFile *file, GArray *instances)
{
  g_ptr_array_set_size (file->parts, 0);
  g_ptr_array_set_size (file->cpustats, 0);
  g_array_set_size (instances, 0);
  file->ts_offset = 0;
}

/* Reads the clocks that trace-cmd 2 wrote after the table of CPUs, at @at, with an option without text to say so. If
 * they are not there, as by a fault of its first releases, the clock is the usual one. */
static gboolean
read_clock_after_cpus (TraceFile *file, guint64 at, GError **error)
{
  const guint64 left = file->input->size - MIN (at, file->input->size);
  const guint64 most = MIN (left, sizeof (guint64) + LONGEST_OPTION);
  g_autofree guint8 *data = NULL;
  g_autofree char *text = NULL;
  Bytes bytes;
  guint64 size;

  if (!file->clock || *file->clock || left < sizeof size)
    return TRUE;
  data = input_read_at (file->input, at, most, error);
  if (!data)
    return FALSE;
  bytes = (Bytes) { data, most, 0, file->swap, FALSE };
  size = bytes_u64 (&bytes);
  if (size > most - sizeof size)
    return TRUE;
  text = g_strndup ((const char *) data + sizeof size, size);
  if (!strchr (text, '['))
    return TRUE;
  g_free (file->clock);
  file->clock = selected_clock (text);
  return trace_file_claim (file, at, sizeof size + size, error);
}

/* Reads what follows the common first bytes. */
static gboolean
trace_file_read_v6 (TraceFile *file, GError **error)
{
  g_autoptr (GArray) instances = g_array_new (FALSE, FALSE, sizeof (Instance));
  guint64 size = MIN (file->input->size, FIRST_READ);
  guint32 cpus = 0;

  g_array_set_clear_func (instances, (GDestroyNotify) instance_clear);
  for (;; size = MIN (size * 4, file->input->size))
    {
      g_autofree guint8 *data = input_read_at (file->input, 0, size, error);
      Bytes bytes = { data, size, HEADERS_AT, file->swap, FALSE };

      if (!data)
        return FALSE;
      if (parse_headers (file, &bytes, instances, &cpus))
        {
          const guint64 end = bytes.position + (guint64) cpus * CPU_SIZE;

          if (!trace_file_claim (file, 0, end, error) || !read_clock_after_cpus (file, end, error) ||
              !take_cpus (file, trace_file_add_buffer (file, "", file->clock, error), cpus, &bytes, error))
            return FALSE;
          break;
        }
      if (size == file->input->size)
        return capture_damaged (file->input->path, error, "its headers extend past its end");
      forget_headers (file, instances);
    }
  for (guint i = 0; i < instances->len; i++)
    if (!add_instance (file, &g_array_index (instances, Instance, i), cpus, error))
      return FALSE;
  return TRUE;
}

/* The layout of version 7: a chain of option sections that say where the other sections are; any section may be
 * compressed. */

#define AFTER_PREFIX 18
#define SECTION_HEADER_SIZE 16
#define SECTION_COMPRESSED 1

typedef struct
{
  guint16 id;
  gboolean compressed;
  guint64 offset; /* of the content after the header */
  guint64 size;
} Section;

static gboolean
read_section_header (const TraceFile *file, guint64 offset, Section *section, GError **error)
{
  g_autofree guint8 *data = input_read_at (file->input, offset, SECTION_HEADER_SIZE, error);
  Bytes bytes = { data, SECTION_HEADER_SIZE, 0, file->swap, FALSE };

  if (!data)
    return FALSE;
  section->id = bytes_u16 (&bytes);
  section->compressed = (bytes_u16 (&bytes) & SECTION_COMPRESSED) != 0;
  bytes_u32 (&bytes);
  section->size = bytes_u64 (&bytes);
  section->offset = offset + SECTION_HEADER_SIZE;
  return TRUE;
}

/* The section @id at @offset as it is stored; part->data is newly allocated. */
static gboolean
read_section (TraceFile *file, guint64 offset, guint16 id, FilePart *part, GError **error)
{
  Section section;

  if (!read_section_header (file, offset, &section, error))
    return FALSE;
  if (section.id != id)
    return capture_damaged (file->input->path, error, "section %u found where %u was expected", section.id, id);
  if (!trace_file_claim (file, offset, SECTION_HEADER_SIZE, error) ||
      !trace_file_claim (file, section.offset, section.size, error))
    return FALSE;
  *part = (FilePart) { id, section.compressed, input_read_at (file->input, section.offset, section.size, error),
                       section.size };
  return part->data != NULL;
}

static gboolean
read_pointed_section (TraceFile *file, guint id, Bytes *option, GError **error)
{
  guint64 offset = bytes_u64 (option);
  FilePart part;

  if (option->failed)
    return capture_damaged (file->input->path, error, "option %u is too short", id);
  if (!read_section (file, offset, id, &part, error))
    return FALSE;
  trace_file_add_part (file, id, part.compressed, part.data, part.size);
  return TRUE;
}

static gboolean
take_buffer (TraceFile *file, Bytes *option, GError **error)
{
  guint64 offset = bytes_u64 (option);
  const char *name = bytes_string (option);
  const char *clock = bytes_string (option);
  guint32 page_size = bytes_u32 (option);
  guint32 cpus = bytes_u32 (option);
  FileBuffer *buffer;
  Section section;

  if (option->failed || cpus > MAX_CPUS)
    return capture_damaged (file->input->path, error, "the description of a buffer");
  if (!read_section_header (file, offset, &section, error))
    return FALSE;
  buffer = trace_file_add_buffer (file, name, clock, error);
  if (!buffer)
    return FALSE;
  buffer->page_size = page_size;
  buffer->compressed = section.compressed;
  for (guint32 i = 0; i < cpus; i++)
    {
      guint32 cpu = bytes_u32 (option);
      guint64 data_offset = bytes_u64 (option);
      guint64 size = bytes_u64 (option);

      if (option->failed)
        return capture_damaged (file->input->path, error, "the description of a buffer's CPUs");
      if (!trace_file_add_cpu (file, buffer, cpu, data_offset, size, error))
        return FALSE;
    }
  return TRUE;
}

/* One section of options. @next is the offset of the next one, 0 if none. */
static gboolean
take_options_v7 (TraceFile *file, Bytes *bytes, guint64 *next, GError **error)
{
  *next = 0;
  for (;;)
    {
      guint16 id = bytes_u16 (bytes);
      guint32 size = bytes_u32 (bytes);
      Bytes option = { bytes_take (bytes, size), size, 0, bytes->swap, FALSE };
      gboolean good = TRUE;

      if (bytes->failed)
        return capture_damaged (file->input->path, error, "a section of options ends too early");
      switch (id)
        {
        case OPTION_DONE:
          *next = bytes_u64 (&option);
          return TRUE;
        case OPTION_BUFFER:
          good = take_buffer (file, &option, error);
          break;
        case OPTION_HEADER_INFO:
        case OPTION_FTRACE_EVENTS:
        case OPTION_EVENT_FORMATS:
        case OPTION_KALLSYMS:
        case OPTION_CMDLINES:
          good = read_pointed_section (file, id, &option, error);
          break;
        default:
          trace_file_parse_option (file, id, &option);
        }
      if (!good)
        return FALSE;
    }
}

static gboolean
read_compression (TraceFile *file, guint64 *options, GError **error)
{
  gsize size = MIN (file->input->size - AFTER_PREFIX, 256);
  g_autofree guint8 *data = input_read_at (file->input, AFTER_PREFIX, size, error);
  Bytes bytes = { data, size, 0, file->swap, FALSE };
  const char *name;

  if (!data)
    return FALSE;
  name = bytes_string (&bytes);
  bytes_string (&bytes);
  *options = bytes_u64 (&bytes);
  if (bytes.failed)
    return capture_damaged (file->input->path, error, "it ends in the name of the compression");
  if (g_str_equal (name, "zstd"))
    file->compression = COMPRESSION_ZSTD;
  else if (g_str_equal (name, "zlib"))
    file->compression = COMPRESSION_ZLIB;
  else if (!g_str_equal (name, "none"))
    {
      g_autofree char *valid = g_utf8_make_valid (name, -1);
      g_autofree char *shown = g_strescape (valid, NULL);

      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: compressed with \"%s\"; expected zstd, zlib or none (trace-cmd convert changes it)",
                   file->input->path, shown);
      return FALSE;
    }
  return TRUE;
}

static gboolean
trace_file_read_v7 (TraceFile *file, GError **error)
{
  guint64 next;

  if (!read_compression (file, &next, error))
    return FALSE;
  while (next != 0)
    {
      g_autofree guint8 *data = NULL;
      g_autofree guint8 *unpacked = NULL;
      FilePart part;
      Bytes bytes;

      if (!read_section (file, next, OPTION_DONE, &part, error))
        return FALSE;
      data = part.data;
      if (!file_part_unpack (file, &part, &unpacked, &bytes, error) || !take_options_v7 (file, &bytes, &next, error))
        return FALSE;
    }
  return TRUE;
}

TraceFile *
trace_file_open (const Input *input, GError **error)
{
  g_autoptr (TraceFile) file = g_new0 (TraceFile, 1);

  file->input = input;
  file->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) file_part_free);
  file->cpustats = g_ptr_array_new_with_free_func (g_free);
  file->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) file_buffer_free);
  file->extents = g_tree_new_full (compare_extents, NULL, g_free, NULL);
  file->unpackable = g_new0 (gint64, 1);
  *file->unpackable = UNPACKED_ALLOWANCE;
  file->decodable = g_new0 (gint64, 1);
  *file->decodable = DECODED_ALLOWANCE;
  if (!read_prefix (file, error))
    return NULL;
  if (!(file->version == 6 ? trace_file_read_v6 (file, error) : trace_file_read_v7 (file, error)))
    return NULL;
  for (guint i = 0; i < file->buffers->len; i++)
    {
      const FileBuffer *buffer = g_ptr_array_index (file->buffers, i);

      if (buffer->page_size < 64 || buffer->page_size > 16 * 1024 * 1024)
        {
          capture_damaged (file->input->path, error, "page size %u", buffer->page_size);
          return NULL;
        }
    }
  return g_steal_pointer (&file);
}
