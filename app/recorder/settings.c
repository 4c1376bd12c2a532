/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of tracefs, and the previous content of those that a recording changes. */
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

/* What a recording changes, in the order in which it is restored: first what configures the tracer. */
static const char *const settings[] = {
  "set_event",         "set_event_pid",      "set_ftrace_pid",  "set_ftrace_filter", "set_ftrace_notrace",
  "set_graph_notrace", "set_graph_function", "max_graph_depth", "options/overwrite", "trace_clock",
  "buffer_size_kb",    "current_tracer",     "tracing_on",
};

/* If the buffers of CPUs differ in size, buffer_size_kb reads X. */
#define CPU_SIZE "per_cpu/cpu%d/buffer_size_kb"

int
setting_open (const char *name)
{
  char *path = tracefs_instance_get_file (NULL, name);
  int fd = path ? open (path, O_WRONLY | O_CLOEXEC | O_TRUNC) : -1;

  tracefs_put_tracing_file (path);
  return fd;
}

bool
setting_write (const char *name, const char *text)
{
  int fd = setting_open (name);
  size_t size = strlen (text);
  bool good = fd >= 0;

  for (size_t done = 0; good && done < size;)
    {
      ssize_t wrote = write (fd, text + done, size - done);

      good = wrote > 0 || (wrote < 0 && errno == EINTR);
      done += wrote > 0 ? wrote : 0;
    }
  if (fd >= 0)
    close (fd);
  return good;
}

bool
setting_require (const char *name, const char *text, char *problem, size_t size)
{
  if (setting_write (name, text))
    return true;
  snprintf (problem, size, "\"%s\" cannot be written to %s/%s: %s", text, tracefs_tracing_dir (), name,
            strerror (errno));
  return false;
}

char *
setting_read (const char *name)
{
  char *text = tracefs_instance_file_read (NULL, name, NULL);
  char *to = text;

  for (char *line = text; line && *line;)
    {
      size_t length = strcspn (line, "\n");
      size_t whole = length + (line[length] == '\n');

      if (*line != '#' && strncmp (line, "no pid", 6) != 0)
        {
          memmove (to, line, whole);
          to += whole;
        }
      line += whole;
    }
  if (text)
    *to = '\0';
  return text;
}

/* For the list of clocks, the word in brackets. For a ring buffer that grows only when it is first used, the size that
 * it will have: writing back the small size would keep it small. */
static void
choose_word (const char *name, char *text)
{
  char *start = strcmp (name, "trace_clock") == 0 ? strchr (text, '[') : strstr (text, "expanded: ");

  if (start && *start == '[')
    {
      start++;
      start[strcspn (start, "]")] = '\0';
    }
  else if (start)
    {
      start += strlen ("expanded: ");
      start[strcspn (start, ")")] = '\0';
    }
  if (start)
    memmove (text, start, strlen (start) + 1);
}

static bool
keep (SavedSettings *saved, const char *text)
{
  size_t size = strlen (text) + 1;

  if (size > SAVED_TEXT_SIZE - saved->used)
    return false;
  memcpy (saved->text + saved->used, text, size);
  saved->used += size;
  return true;
}

/* Saves the setting @name, which need not exist. */
static bool
save_setting (SavedSettings *saved, const char *name)
{
  char *text = setting_read (name);
  bool kept = !text;

  if (text && strcmp (text, "X\n") == 0)
    {
      char of_cpu[64];

      kept = true;
      for (int cpu = 0; kept && cpu < sysconf (_SC_NPROCESSORS_CONF); cpu++)
        {
          snprintf (of_cpu, sizeof of_cpu, CPU_SIZE, cpu);
          kept = save_setting (saved, of_cpu);
        }
    }
  else if (text)
    {
      choose_word (name, text);
      kept = keep (saved, name) && keep (saved, text);
    }
  free (text);
  return kept;
}

bool
settings_save (SavedSettings *saved, char *problem, size_t size)
{
  saved->used = 0;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (!save_setting (saved, settings[i]))
      {
        snprintf (problem, size, "the setting %s is too long to be restored later; clear it first", settings[i]);
        return false;
      }
  return true;
}

static bool
is_setting (const char *name)
{
  char of_cpu[64];
  int cpu;

  if (sscanf (name, CPU_SIZE, &cpu) == 1)
    {
      snprintf (of_cpu, sizeof of_cpu, CPU_SIZE, cpu);
      return strcmp (name, of_cpu) == 0;
    }
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp (name, settings[i]) == 0)
      return true;
  return false;
}

const char *
settings_restore (const SavedSettings *saved)
{
  const char *failed = NULL;

  for (size_t at = 0; at < saved->used;)
    {
      const char *name = saved->text + at;
      const char *value = name + strlen (name) + 1;

      at += strlen (name) + 1;
      if (at < saved->used && is_setting (name) && !setting_write (name, value))
        failed = name;
      at += at < saved->used ? strlen (value) + 1 : 0;
    }
  return failed;
}
