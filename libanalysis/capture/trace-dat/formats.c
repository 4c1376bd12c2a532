/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the kernel's format descriptions: "field:int depth;  offset:16;  size:4;  signed:1;".
 * Libtraceevent would parse the print formats of 1,500 events for the few that matter here. */
#include "trace-dat-private.h"

#include "names.h"

#include <stdlib.h>
#include <string.h>

#define MIN_EVENT_SIZE 8
#define MAX_OFFSET 65536
#define NAME_SIZE 80     /* approximate memory of an event's name */
#define LONGEST_NAME 128 /* bytes of an event's and of its system's, which each event of it has; the kernel's: 64 */
#define LONGEST_TEXT (1 << 20) /* bytes of a description; the kernel's have some thousands */

static void
end_free (EventEnd *end)
{
  g_clear_pointer (&end->filter, filter_free);
  filter_key_free (end->key);
  g_free (end);
}

static void
formats_clear (gpointer data)
{
  Formats *formats = data;

  g_hash_table_unref (formats->names);
  for (guint i = 0; i < G_N_ELEMENTS (formats->ends); i++)
    g_clear_pointer (&formats->ends[i], end_free);
  g_clear_error (&formats->problem);
}

void
formats_unref (Formats *formats)
{
  g_atomic_rc_box_release_full (formats, formats_clear);
}

/* The number after @key (e.g. "offset:") in the line that starts at @line; FALSE if there is none. */
static gboolean
number_after (const char *line, const char *key, guint *value)
{
  const char *end = strchrnul (line, '\n');
  const char *found = g_strstr_len (line, end - line, key);

  if (!found)
    return FALSE;
  *value = MIN (strtoul (found + strlen (key), NULL, 10), MAX_OFFSET);
  return TRUE;
}

/* Whether the declaration from @from to its semicolon declares @name: its last word, without array brackets. */
static gboolean
declares (const char *from, const char *name)
{
  const char *end = strpbrk (from, ";[\n");
  gsize length = strlen (name);

  if (!end || end < from + length + 1)
    return FALSE;
  return memcmp (end - length, name, length) == 0 && !g_ascii_isalnum (end[-1 - (gssize) length]) &&
         end[-1 - (gssize) length] != '_';
}

/* There is one field per line. */
static Field
find_field (const char *text, const char *name)
{
  for (const char *line = strstr (text, "field:"); line; line = strstr (strchrnul (line, '\n'), "field:"))
    {
      Field field;

      if (declares (line, name) && number_after (line, "offset:", &field.offset) &&
          number_after (line, "size:", &field.size))
        return field;
    }
  return (Field) { 0, 0 };
}

static gboolean
is_integer (Field field)
{
  return field.size == 1 || field.size == 2 || field.size == 4 || field.size == 8;
}

static guint
end_of (Field field)
{
  return field.offset + field.size;
}

/* The name from a description's first line, "name: sched_switch"; newly allocated. */
static char *
event_name (const char *text)
{
  const char *start = g_str_has_prefix (text, "name:") ? text + 5 : text;

  return g_strstrip (culprit_valid_name (start, strcspn (start, "\n"), LONGEST_NAME));
}

static void
add_entry (Formats *formats, guint id, const char *text, guint variant)
{
  Field function = find_field (text, "func");
  Field depth = find_field (text, "depth");

  if (!is_integer (function) || !is_integer (depth))
    return;
  formats->entry_function[variant] = function;
  formats->entry_depth[variant] = depth;
  formats->entry_size[variant] = MAX (MAX (end_of (function), end_of (depth)), MIN_EVENT_SIZE);
  formats->kinds[id] = variant == 0 ? EVENT_ENTRY : EVENT_ENTRY_RETADDR;
}

static void
add_exit (Formats *formats, guint id, const char *text)
{
  Field function = find_field (text, "func");
  Field depth = find_field (text, "depth");
  Field call_time = find_field (text, "calltime");
  Field return_time = find_field (text, "rettime");

  if (!is_integer (function) || !is_integer (depth))
    return;
  if (call_time.size != 8 || return_time.size != 8)
    call_time = return_time = (Field) { 0, 0 };
  formats->exit_function = function;
  formats->exit_depth = depth;
  formats->call_time = call_time;
  formats->return_time = return_time;
  formats->exit_size = MAX (MAX (MAX (MIN_EVENT_SIZE, end_of (function)), end_of (depth)),
                            MAX (end_of (call_time), end_of (return_time)));
  formats->kinds[id] = EVENT_EXIT;
}

/* The task whose fields have the names @pid and @priority; makes @size cover them. FALSE: there are no such fields. */
static gboolean
find_task (const char *text, const char *pid, const char *priority, TaskFields *task, guint *size)
{
  *task = (TaskFields) { find_field (text, pid), find_field (text, priority) };
  *size = MAX (MAX (*size, MIN_EVENT_SIZE), MAX (end_of (task->pid), end_of (task->priority)));
  return task->pid.size == 4 && task->priority.size == 4;
}

/* Sets *@field to the number @name of an event, and makes @size cover it. */
static gboolean
find_number (const char *text, const char *name, Field *field, guint *size)
{
  *field = find_field (text, name);
  *size = MAX (MAX (*size, MIN_EVENT_SIZE), end_of (*field));
  return is_integer (*field);
}

/* Events that only windows of tasks need. */
static void
add_followed (Formats *formats, guint id, const char *event, const char *text)
{
  if (g_str_equal (event, "timer:hrtimer_start") &&
      find_number (text, "hrtimer", &formats->timer, &formats->timer_start_size) &&
      find_number (text, "expires", &formats->timer_expires, &formats->timer_start_size) &&
      find_number (text, "function", &formats->timer_function, &formats->timer_start_size))
    formats->kinds[id] = EVENT_TIMER_START;
  if (g_str_equal (event, "timer:hrtimer_cancel") &&
      find_number (text, "hrtimer", &formats->cancelled, &formats->timer_cancel_size))
    formats->kinds[id] = EVENT_TIMER_CANCEL;
  if (g_str_equal (event, "sched:sched_migrate_task") &&
      find_number (text, "pid", &formats->migrated, &formats->migration_size) &&
      find_number (text, "dest_cpu", &formats->migrated_to, &formats->migration_size))
    formats->kinds[id] = EVENT_MIGRATION;
}

/* Notes that the event of @text is @stated, which begins (0) or ends (1) windows. */
static void
add_end (Formats *formats, guint id, const char *text, guint which, const CulpritMeasuredEnd *stated)
{
  EventEnd *end = g_new0 (EventEnd, 1);
  GError *problem = NULL;

  formats->ends[which] = end;
  end->id = id;
  end->filter = stated->filter ? filter_parse (stated->filter, &problem) : NULL;
  if (!problem && end->filter)
    filter_bind (end->filter, text, &problem);
  end->key = !problem && stated->key ? filter_key_new (stated->key, text, &problem) : NULL;
  if (!problem)
    return;
  g_prefix_error (&problem, "%s:%s: ", stated->system, stated->name);
  if (formats->problem)
    g_error_free (problem);
  else
    formats->problem = problem;
}

static void
add_event (Formats *formats, const char *system, const char *text)
{
  const CulpritMeasured *measured = formats->measured;
  const char *line = strstr (text, "\nID:");
  g_autofree char *name = event_name (text);
  g_autofree char *event = NULL;
  gulong id = line ? strtoul (line + 4, NULL, 10) : G_MAXULONG;

  if (id >= G_N_ELEMENTS (formats->kinds))
    return;
  formats->kinds[id] = EVENT_OTHER;
  formats->n_ids = MAX (formats->n_ids, id + 1);
  event = g_strdup_printf ("%s:%s", system, name);
  add_followed (formats, id, event, text);
  for (guint i = 0; measured && i < G_N_ELEMENTS (formats->ends); i++)
    {
      const CulpritMeasuredEnd *end = i == 0 ? &measured->begin : &measured->end;

      /* The first description holds: a file may have any number of them. */
      if (!formats->ends[i] && g_str_equal (end->system, system) && g_str_equal (end->name, name))
        add_end (formats, id, text, i, end);
    }
  g_hash_table_replace (formats->names, GUINT_TO_POINTER ((guint) id), g_steal_pointer (&event));
  if (g_str_equal (system, "sched") && g_str_equal (name, "sched_switch") &&
      find_task (text, "prev_pid", "prev_prio", &formats->left, &formats->switch_size) &&
      find_task (text, "next_pid", "next_prio", &formats->arrived, &formats->switch_size))
    {
      formats->kinds[id] = EVENT_SWITCH;
      if (!find_number (text, "prev_state", &formats->left_state, &formats->switch_size))
        formats->left_state = (Field) { 0, 0 };
    }
  if (g_str_equal (system, "sched") && g_str_equal (name, "sched_waking") &&
      find_task (text, "pid", "prio", &formats->woken, &formats->waking_size))
    {
      formats->kinds[id] = EVENT_WAKING;
      if (!find_number (text, "target_cpu", &formats->woken_ran_on, &formats->waking_size))
        formats->woken_ran_on = (Field) { 0, 0 };
    }
  if (!g_str_equal (system, "ftrace"))
    return;
  if (!formats->pid.size)
    {
      formats->pid = find_field (text, "common_pid");
      formats->flags = find_field (text, "common_flags");
      formats->preempt = find_field (text, "common_preempt_count");
      if (formats->preempt.size == 1 && end_of (formats->preempt) <= MIN_EVENT_SIZE)
        formats->preempt_bits = MAX_PREEMPT_DEPTH;
      else
        formats->preempt.offset = 0;
    }
  if (g_str_equal (name, "funcgraph_entry"))
    add_entry (formats, id, text, 0);
  else if (g_str_equal (name, "fgraph_retaddr_entry"))
    add_entry (formats, id, text, 1);
  else if (g_str_equal (name, "funcgraph_exit"))
    add_exit (formats, id, text);
  else if (g_str_equal (name, "print"))
    {
      formats->print_text_offset = find_field (text, "buf").offset;
      formats->kinds[id] = EVENT_PRINT;
    }
}

/* The next text, preceded by its size of 8 bytes; NULL if damaged, or not wanted. */
static char *
take_text (Bytes *bytes, gboolean wanted)
{
  guint64 size = bytes_u64 (bytes);
  const guint8 *text = bytes_take (bytes, size);

  return text && wanted ? g_strndup ((const char *) text, MIN (size, LONGEST_TEXT)) : NULL;
}

static void
take_header_info (Formats *formats, Bytes *bytes)
{
  g_autofree char *header_page = NULL;
  Field timestamp, commit, data;

  bytes_expect (bytes, "header_page", 12);
  header_page = take_text (bytes, formats != NULL);
  bytes_expect (bytes, "header_event", 13);
  bytes_take (bytes, bytes_u64 (bytes));
  if (bytes->failed || !header_page)
    return;
  timestamp = find_field (header_page, "timestamp");
  commit = find_field (header_page, "commit");
  data = find_field (header_page, "data");
  if (timestamp.offset != 0 || timestamp.size != 8 || commit.offset < 8 || (commit.size != 4 && commit.size != 8) ||
      data.offset < end_of (commit) || data.offset > 64)
    return;
  formats->commit_offset = commit.offset;
  formats->commit_size = commit.size;
  formats->data_offset = data.offset;
}

static void
take_events (Formats *formats, Bytes *bytes, const char *system)
{
  g_autofree char *valid = culprit_valid_name (system, strnlen (system, 2 * LONGEST_NAME), LONGEST_NAME);
  guint32 count = bytes_u32 (bytes);

  for (guint32 i = 0; i < count && !bytes->failed; i++)
    {
      g_autofree char *text = take_text (bytes, formats != NULL);

      if (text)
        add_event (formats, valid, text);
    }
}

void
formats_take (Formats *formats, guint id, Bytes *bytes)
{
  guint32 systems;

  if (id == OPTION_HEADER_INFO)
    take_header_info (formats, bytes);
  if (id == OPTION_FTRACE_EVENTS)
    take_events (formats, bytes, "ftrace");
  systems = id == OPTION_EVENT_FORMATS ? bytes_u32 (bytes) : 0;
  for (guint32 i = 0; i < systems && !bytes->failed; i++)
    {
      const char *system = bytes_string (bytes);

      if (system)
        take_events (formats, bytes, system);
    }
}

static gboolean
take_part (Formats *formats, const TraceFile *file, const FilePart *part, GError **error)
{
  g_autofree guint8 *unpacked = NULL;
  Bytes bytes;

  if (!file_part_unpack (file, part, &unpacked, &bytes, error))
    return FALSE;
  formats_take (formats, part->id, &bytes);
  return !bytes.failed || capture_damaged (file->input->path, error, "section %u ends too early", part->id);
}

static Formats *
parse (const TraceFile *file, const CulpritMeasured *measured, GError **error)
{
  g_autoptr (Formats) formats = g_atomic_rc_box_new0 (Formats);

  formats->measured = measured;
  formats->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < file->parts->len; i++)
    {
      const FilePart *part = g_ptr_array_index (file->parts, i);

      if (part->id <= OPTION_EVENT_FORMATS && !take_part (formats, file, part, error))
        return NULL;
    }
  formats->measured = NULL;
  if (formats->problem)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&formats->problem), "%s: ", file->input->path);
      return NULL;
    }
  if (formats->data_offset == 0)
    {
      capture_damaged (file->input->path, error, "the description of the ring buffer's pages");
      return NULL;
    }
  if (formats->pid.size != 4 || formats->flags.size != 1 || end_of (formats->pid) > MIN_EVENT_SIZE ||
      end_of (formats->flags) > MIN_EVENT_SIZE)
    {
      capture_damaged (file->input->path, error, "the description of the events' common fields");
      return NULL;
    }
  return g_steal_pointer (&formats);
}

static XXH128_hash_t
key_of (const TraceFile *file)
{
  XXH3_state_t *state = kept_key_begin ();

  for (guint i = 0; i < file->parts->len; i++)
    {
      const FilePart *part = g_ptr_array_index (file->parts, i);

      if (part->id <= OPTION_EVENT_FORMATS)
        file_part_digest (file, part, state);
    }
  return kept_key (state);
}

Formats *
formats_new (const TraceFile *file, const CulpritMeasured *measured, GError **error)
{
  XXH128_hash_t key;
  Formats *formats;

  if (measured && measured->kind == CULPRIT_MEASURED_BETWEEN) /* These are not the same for other definitions. */
    return parse (file, measured, error);
  key = key_of (file);
  formats = kept_find (KEPT_FORMATS, key);
  if (formats)
    return formats;
  formats = parse (file, NULL, error);
  if (formats)
    kept_add (KEPT_FORMATS, key, formats, sizeof *formats + g_hash_table_size (formats->names) * NAME_SIZE,
              formats_clear);
  return formats;
}
