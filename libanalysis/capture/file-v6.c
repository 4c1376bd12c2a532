/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of version 6: headers in sequence from the start of the file, then the CPUs' pages. */
#include "file-private.h"

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
        return trace_file_damaged (file, error, "it ends in the table of CPUs");
      if (!trace_file_add_cpu (file, buffer, cpu, offset, size, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_instance (TraceFile *file, const Instance *instance, guint32 cpus, GError **error)
{
  guint64 size = TAG_SIZE + (guint64) cpus * CPU_SIZE;
  g_autofree guint8 *data = trace_file_read_at (file, instance->offset, size, error);
  Bytes bytes = { data, size, 0, file->swap, FALSE };

  if (!data || !trace_file_claim (file, instance->offset, size, error))
    return FALSE;
  if (!bytes_expect (&bytes, "flyrecord", TAG_SIZE))
    return trace_file_damaged (file, error, "the table of an instance is not where it should be");
  return take_cpus (file, trace_file_add_buffer (file, instance->name, file->clock, error), cpus, &bytes, error);
}

static void
skip_text (Bytes *bytes)
{
  bytes_take (bytes, bytes_u64 (bytes));
}

static void
skip_header_info (Bytes *bytes)
{
  bytes_expect (bytes, "header_page", 12);
  skip_text (bytes);
  bytes_expect (bytes, "header_event", 13);
  skip_text (bytes);
}

static void
skip_events (Bytes *bytes)
{
  guint32 count = bytes_u32 (bytes);

  for (guint32 i = 0; i < count && !bytes->failed; i++)
    skip_text (bytes);
}

static void
skip_systems (Bytes *bytes)
{
  guint32 count = bytes_u32 (bytes);

  for (guint32 i = 0; i < count && !bytes->failed; i++)
    if (bytes_string (bytes))
      skip_events (bytes);
}

static void
skip_symbols (Bytes *bytes)
{
  bytes_take (bytes, bytes_u32 (bytes));
}

/* Makes a part, like the other layout's sections, of what @skip passes over. */
static void
take_part (TraceFile *file, Bytes *bytes, guint id, void (*skip) (Bytes *bytes))
{
  gsize start = bytes->position;

  skip (bytes);
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
  guint64 size;

  take_part (file, bytes, OPTION_HEADER_INFO, skip_header_info);
  take_part (file, bytes, OPTION_FTRACE_EVENTS, skip_events);
  take_part (file, bytes, OPTION_EVENT_FORMATS, skip_systems);
  take_part (file, bytes, OPTION_KALLSYMS, skip_symbols);
  size = bytes_u32 (bytes);
  bytes_take (bytes, size);
  size = bytes_u64 (bytes);
  text = bytes_take (bytes, size);
  file->cmdlines = text ? g_strndup ((const char *) text, size) : NULL;
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
  g_clear_pointer (&file->cmdlines, g_free);
  file->ts_offset = 0;
}

gboolean
trace_file_read_v6 (TraceFile *file, GError **error)
{
  g_autoptr (GArray) instances = g_array_new (FALSE, FALSE, sizeof (Instance));
  guint64 size = MIN (file->size, FIRST_READ);
  guint32 cpus = 0;

  g_array_set_clear_func (instances, (GDestroyNotify) instance_clear);
  for (;; size = MIN (size * 4, file->size))
    {
      g_autofree guint8 *data = trace_file_read_at (file, 0, size, error);
      Bytes bytes = { data, size, HEADERS_AT, file->swap, FALSE };

      if (!data)
        return FALSE;
      if (parse_headers (file, &bytes, instances, &cpus))
        {
          if (!trace_file_claim (file, 0, bytes.position + (guint64) cpus * CPU_SIZE, error) ||
              !take_cpus (file, trace_file_add_buffer (file, "", file->clock, error), cpus, &bytes, error))
            return FALSE;
          break;
        }
      if (size == file->size)
        return trace_file_damaged (file, error, "its headers extend past its end");
      forget_headers (file, instances);
    }
  for (guint i = 0; i < instances->len; i++)
    if (!add_instance (file, &g_array_index (instances, Instance, i), cpus, error))
      return FALSE;
  return TRUE;
}
