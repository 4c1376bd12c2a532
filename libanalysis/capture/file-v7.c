/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of version 7: a chain of option sections that say where the other sections are; any section may be
 * compressed. */
#include "error.h"
#include "file-private.h"

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
  g_autofree guint8 *data = trace_file_read_at (file, offset, SECTION_HEADER_SIZE, error);
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
    return trace_file_damaged (file, error, "section %u found where %u was expected", section.id, id);
  if (!trace_file_claim (file, offset, SECTION_HEADER_SIZE, error) ||
      !trace_file_claim (file, section.offset, section.size, error))
    return FALSE;
  *part = (FilePart) { id, section.compressed, trace_file_read_at (file, section.offset, section.size, error),
                       section.size };
  return part->data != NULL;
}

static gboolean
take_cmdlines (TraceFile *file, const FilePart *part, GError **error)
{
  g_autofree guint8 *unpacked = NULL;
  const guint8 *text;
  guint64 size;
  Bytes bytes;

  if (!file_part_unpack (file, part, &unpacked, &bytes, error))
    return FALSE;
  size = bytes_u64 (&bytes);
  text = bytes_take (&bytes, size);
  g_free (file->cmdlines);
  file->cmdlines = text ? g_strndup ((const char *) text, size) : NULL;
  return text || trace_file_damaged (file, error, "section %u ends too early", part->id);
}

static gboolean
read_pointed_section (TraceFile *file, guint id, Bytes *option, GError **error)
{
  guint64 offset = bytes_u64 (option);
  gboolean good = TRUE;
  FilePart part;

  if (option->failed)
    return trace_file_damaged (file, error, "option %u is too short", id);
  if (!read_section (file, offset, id, &part, error))
    return FALSE;
  if (id != OPTION_CMDLINES)
    trace_file_add_part (file, id, part.compressed, g_steal_pointer (&part.data), part.size);
  else
    good = take_cmdlines (file, &part, error);
  g_free (part.data);
  return good;
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
    return trace_file_damaged (file, error, "the description of a buffer");
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
        return trace_file_damaged (file, error, "the description of a buffer's CPUs");
      if (!trace_file_add_cpu (file, buffer, cpu, data_offset, size, error))
        return FALSE;
    }
  return TRUE;
}

/* One section of options. @next is the offset of the next one, 0 if none. */
static gboolean
take_options (TraceFile *file, Bytes *bytes, guint64 *next, GError **error)
{
  *next = 0;
  for (;;)
    {
      guint16 id = bytes_u16 (bytes);
      guint32 size = bytes_u32 (bytes);
      Bytes option = { bytes_take (bytes, size), size, 0, bytes->swap, FALSE };
      gboolean good = TRUE;

      if (bytes->failed)
        return trace_file_damaged (file, error, "a section of options ends too early");
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
  gsize size = MIN (file->size - AFTER_PREFIX, 256);
  g_autofree guint8 *data = trace_file_read_at (file, AFTER_PREFIX, size, error);
  Bytes bytes = { data, size, 0, file->swap, FALSE };
  const char *name;

  if (!data)
    return FALSE;
  name = bytes_string (&bytes);
  bytes_string (&bytes);
  *options = bytes_u64 (&bytes);
  if (bytes.failed)
    return trace_file_damaged (file, error, "it ends in the name of the compression");
  if (g_str_equal (name, "zstd"))
    file->compression = COMPRESSION_ZSTD;
  else if (g_str_equal (name, "zlib"))
    file->compression = COMPRESSION_ZLIB;
  else if (!g_str_equal (name, "none"))
    {
      g_autofree char *valid = g_utf8_make_valid (name, -1);
      g_autofree char *shown = g_strescape (valid, NULL);

      g_set_error (error, CULPRIT_CAPTURE_ERROR, CULPRIT_CAPTURE_ERROR_UNSUPPORTED,
                   "%s: compressed with \"%s\"; expected zstd, zlib or none (trace-cmd convert changes it)", file->path,
                   shown);
      return FALSE;
    }
  return TRUE;
}

gboolean
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
      if (!file_part_unpack (file, &part, &unpacked, &bytes, error) || !take_options (file, &bytes, &next, error))
        return FALSE;
    }
  return TRUE;
}
