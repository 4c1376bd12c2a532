/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the target's tracing settings and restores them. Another program's tracing is never touched without
 * permission. */
#include "recorder-private.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

/* Files of tracefs, and the previous content of those that a recording changes. */

#define FUNCTION_FILTER "set_ftrace_filter"

/* What a recording changes, in the order in which it is restored: first what configures the tracer. */
static const char *const settings[] = {
  "set_event",
  "set_event_pid",
  "set_event_notrace_pid",
  "set_ftrace_pid",
  "set_ftrace_notrace_pid",
  FUNCTION_FILTER,
  "set_ftrace_notrace",
  "set_graph_notrace",
  "set_graph_function",
  "max_graph_depth",
  "tracing_thresh",
  "tracing_cpumask",
  "options/funcgraph-irqs",
  "options/sleep-time",
  "options/markers",
  "options/overwrite",
  "options/record-cmd",
  "options/stacktrace",
  "options/userstacktrace",
  "trace_clock",
  "buffer_size_kb",
  "current_tracer",
  "tracing_on",
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

/* Writes @text word by word, since files of tracefs take one word per write. */
static bool
write_words (int fd, const char *text, size_t size)
{
  bool good = fd >= 0;

  for (size_t done = 0; good && done < size;)
    {
      ssize_t wrote = write (fd, text + done, size - done);

      good = wrote > 0 || (wrote < 0 && errno == EINTR);
      done += wrote > 0 ? wrote : 0;
    }
  return good;
}

static bool
write_all (int fd, const char *text)
{
  bool good = write_words (fd, text, strlen (text));

  if (fd >= 0)
    {
      int problem = errno;

      close (fd);
      errno = problem;
    }
  return good;
}

bool
setting_write (const char *name, const char *text)
{
  return write_all (setting_open (name), text);
}

bool
setting_append (const char *name, const char *text)
{
  char line[sizeof ((TriggerStep *) 0)->text + 2];
  char *path = tracefs_instance_get_file (NULL, name);
  int fd = path ? open (path, O_WRONLY | O_CLOEXEC | O_APPEND) : -1;

  tracefs_put_tracing_file (path);
  snprintf (line, sizeof line, "%s\n", text);
  return write_all (fd, line);
}

/* The same; false after fail(). */
static bool
setting_require (const char *name, const char *text)
{
  return setting_write (name, text) || fail ("\"%s\" cannot be written to %s/%s: %s%s", text, tracefs_tracing_dir (),
                                             name, strerror (errno), errno == EBUSY ? "; " TRACING_USERS : "");
}

/* The same, but this kernel may lack it. */
static bool
setting_require_if_any (const char *name, const char *text)
{
  return !tracefs_file_exists (NULL, name) || setting_require (name, text);
}

static int
count_lines (const char *text)
{
  int count = 0;

  for (; text && *text; text++)
    count += *text == '\n';
  return count;
}

/* Keeps only those lines of @text that are @wanted; it may be NULL. */
static void
keep_lines (char *text, bool (*wanted) (const char *line))
{
  char *to = text;

  for (char *line = text; line && *line;)
    {
      size_t length = strcspn (line, "\n");
      size_t whole = length + (line[length] == '\n');

      if (wanted (line))
        {
          memmove (to, line, whole);
          to += whole;
        }
      line += whole;
    }
  if (text)
    *to = '\0';
}

static bool
is_content (const char *line)
{
  return *line != '#' && strncmp (line, "no pid", 6) != 0;
}

char *
setting_read (const char *name)
{
  char *text = tracefs_instance_file_read (NULL, name, NULL);

  keep_lines (text, is_content);
  return text;
}

/* Whether the line at @line has @text. */
static bool
line_has (const char *line, const char *text)
{
  return memmem (line, strcspn (line, "\n"), text, strlen (text));
}

#define EVENT_FILE_SIZE 300

/* The @file @name of the event on the line at @event. Those of modules that are not loaded yet, since Linux 6.14, have
 * none. */
static bool
find_event_file (const char *event, const char *name, char file[EVENT_FILE_SIZE])
{
  char system[128];
  char of_system[128];

  if (line_has (event, ":mod:") || sscanf (event, "%127[^:\n]:%127[^\n]", system, of_system) != 2)
    return false;
  snprintf (file, EVENT_FILE_SIZE, "events/%s/%s/%s", system, of_system, name);
  return true;
}

/* Whether the event on the line at @event is recorded. The list also has those that only call somebody's triggers:
 * restored as it is, it would have them recorded from then on, and be rejected for those that never are. */
static bool
is_recorded (const char *event)
{
  char file[EVENT_FILE_SIZE];
  char *enabled;
  bool recorded;

  if (!find_event_file (event, "enable", file))
    return true;
  enabled = setting_read (file);
  recorded = enabled && *enabled != '0';
  free (enabled);
  return recorded;
}

/* Whether the line at @line is no probe of somebody's, as "schedule:traceoff:unlimited", which stays in the list when
 * that is cleared, and is not accepted as it is shown. */
static bool
is_function (const char *line)
{
  return !line_has (line, ":") || line_has (line, ":mod:");
}

bool
tracing_is_unfiltered (const char *event)
{
  char file[EVENT_FILE_SIZE];
  char *filter = find_event_file (event, "filter", file) ? setting_read (file) : NULL;
  bool filtered = filter && strncmp (filter, "none", 4) != 0;

  free (filter);
  return !filtered || fail ("somebody has set a filter for the event %.*s; clear it with: echo 0 > %s/%s",
                            (int) strcspn (event, "\n"), event, tracefs_tracing_dir (), file);
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

bool
setting_keep (SavedSettings *saved, const char *text)
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
      if (strcmp (name, "set_event") == 0)
        keep_lines (text, is_recorded);
      if (strcmp (name, FUNCTION_FILTER) == 0)
        keep_lines (text, is_function);
      choose_word (name, text);
      kept = setting_keep (saved, name) && setting_keep (saved, text);
    }
  free (text);
  return kept;
}

bool
settings_save (SavedSettings *saved)
{
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (!save_setting (saved, settings[i]))
      return fail ("the setting %s is too long to be restored later; clear it first", settings[i]);
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

/* Calls @visit for all that was saved. Whether it was true of each. */
static bool
visit_saved (const SavedSettings *saved, bool (*visit) (const char *name, const char *value))
{
  bool good = true;

  for (size_t at = 0; at < saved->used;)
    {
      const char *name = saved->text + at;
      const char *value = name + strlen (name) + 1;

      at += strlen (name) + 1;
      good = (at >= saved->used || visit (name, value)) && good;
      at += at < saved->used ? strlen (value) + 1 : 0;
    }
  return good;
}

static bool
undo_triggers (const char *name, const char *value)
{
  return !triggers_is_undoing (name, value) || triggers_undo (name, value);
}

static bool
is_of_triggers (const char *name, const char *value)
{
  return triggers_is_undoing (name, value);
}

/* Lists of functions. The kernel compares a name with all its functions, which takes minutes for some hundred names. It
 * takes the numbers of functions at once (Linux 5.1 or later). */

#define FEW_FUNCTIONS 8   /* are not worth reading all */
#define FUNCTION_SIZE 640 /* of one's line; the kernel's names of functions and modules have up to 511 and 63 bytes */

typedef struct
{
  const char *line;
  int number;
} Function;

static int
compare_functions (const void *a, const void *b)
{
  return strcmp (((const Function *) a)->line, ((const Function *) b)->line);
}

/* The functions of @text, which is cut into lines, in the order of these. Their numbers are their places. The caller
 * frees it. */
static Function *
sort_functions (char *text, size_t *n)
{
  Function *functions = calloc (count_lines (text) + 1, sizeof *functions);
  char *line;

  for (*n = 0; functions && text && *text; ++*n)
    {
      line = strsep (&text, "\n");
      functions[*n] = (Function) { line, *n + 1 };
    }
  if (functions)
    qsort (functions, *n, sizeof *functions, compare_functions);
  return functions;
}

/* The number of the function on the line at @line; 0: not known, or several have that name. */
static int
find_number (const Function *functions, size_t n, const char *line)
{
  char text[FUNCTION_SIZE];
  Function wanted = { text, 0 };
  const Function *found;

  snprintf (text, sizeof text, "%.*s", (int) strcspn (line, "\n"), line);
  found = n > 0 ? bsearch (&wanted, functions, n, sizeof *functions, compare_functions) : NULL;
  if (!found || (found > functions && compare_functions (found, found - 1) == 0) ||
      (found + 1 < functions + n && compare_functions (found, found + 1) == 0))
    return 0;
  return found->number;
}

/* Whether the line at @line of @text is one before it, too: the kernel can list a name several times, and takes a while
 * for each. */
static bool
is_repeated (const char *text, const char *line)
{
  size_t length = strcspn (line, "\n");
  bool found = false;

  for (const char *at = text; !found && at < line; at += strcspn (at, "\n") + 1)
    found = strncmp (at, line, length) == 0 && at[length] == '\n';
  return found;
}

/* Writes each line by itself: one that is not accepted any more, such as an event of a module that has gone, keeps no
 * other out. The kernel shows a function of a module as "name [module]", and accepts the name. */
static bool
restore_lines (const char *name, const char *value, bool numbers)
{
  char *all = numbers ? setting_read ("available_filter_functions") : NULL;
  size_t n;
  Function *functions = sort_functions (all, &n);
  int fd = setting_open (name);
  bool good = fd >= 0;

  for (const char *line = value; *line;)
    {
      size_t length = strcspn (line, "\n");
      size_t whole = length + (line[length] == '\n');
      const char *module = memmem (line, length, " [", 2);
      int number = numbers ? find_number (functions, n, line) : 0;
      char text[FUNCTION_SIZE];

      snprintf (text, sizeof text, "%d\n", number);
      numbers = numbers && (number == 0 || write_words (fd, text, strlen (text))); /* The kernel takes them. */
      snprintf (text, sizeof text, "%.*s\n", (int) (module ? module - line : (ptrdiff_t) length), line);
      good = ((numbers && number > 0) || is_repeated (value, line) || write_words (fd, text, strlen (text))) && good;
      line += whole;
    }
  if (fd >= 0)
    close (fd);
  free (functions);
  free (all);
  return good;
}

static bool
restore_setting (const char *name, const char *value)
{
  bool takes_numbers = strcmp (name, FUNCTION_FILTER) == 0 || strcmp (name, "set_ftrace_notrace") == 0;
  bool of_graph = strcmp (name, "set_graph_function") == 0 || strcmp (name, "set_graph_notrace") == 0;

  if (takes_numbers || of_graph || strcmp (name, "set_event") == 0)
    return restore_lines (name, value, takes_numbers && count_lines (value) > FEW_FUNCTIONS);
  return !is_setting (name) || setting_write (name, value);
}

#define TRACER "function_graph"

/* While tracing is off, the tracer is still in every function: it does least for processes that it is not to trace. Of
 * the first process, which hardly runs, it may. */
#define HARDLY_ANY_PROCESS "1"

static const char *const program_folders[] = { "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin" };

static bool
has_function_graph (void)
{
  char **tracers = tracefs_tracers (NULL);
  bool found = false;

  for (int i = 0; tracers && tracers[i]; i++)
    found |= strcmp (tracers[i], "function_graph") == 0;
  tracefs_list_free (tracers);
  return found;
}

static bool
has_program (const char *name)
{
  char path[128];
  bool found = false;

  for (size_t i = 0; i < sizeof program_folders / sizeof *program_folders; i++)
    {
      snprintf (path, sizeof path, "%s/%s", program_folders[i], name);
      found |= access (path, X_OK) == 0;
    }
  return found;
}

/* The statistics of a CPU's ring buffer, or NULL; the caller frees them. */
static char *
read_stats (int cpu)
{
  char name[64];

  snprintf (name, sizeof name, "per_cpu/cpu%d/stats", cpu);
  return tracefs_instance_file_read (NULL, name, NULL);
}

static int64_t
count_entries (void)
{
  int64_t entries = 0;

  for (int cpu = 0; cpu < sysconf (_SC_NPROCESSORS_CONF); cpu++)
    {
      char *text = read_stats (cpu);
      const char *found = text ? strstr (text, "entries:") : NULL;

      entries += found ? atoll (found + strlen ("entries:")) : 0;
      free (text);
    }
  return entries;
}

/* Whether somebody has a snapshot, which changing the clock would erase. What was taken is no longer in the buffer. */
static bool
has_snapshot (void)
{
  char *path = tracefs_instance_get_file (NULL, "snapshot");
  FILE *file = path ? fopen (path, "re") : NULL;
  char *line = NULL;
  size_t size = 0;
  bool found = false;

  while (!found && file && getline (&line, &size, file) > 0)
    found = *line != '#';
  if (file)
    fclose (file);
  free (line);
  tracefs_put_tracing_file (path);
  return found;
}

/* Who is using tracing, as part of a sentence; empty: nobody. */
static void
find_user (char *user, size_t size)
{
  char *tracer = setting_read ("current_tracer");
  char *events = setting_read ("set_event");

  *user = '\0';
  if (tracer && strcspn (tracer, "\n") > 0 && strncmp (tracer, "nop", 3) != 0)
    snprintf (user, size, "its tracer is %.*s", (int) strcspn (tracer, "\n"), tracer);
  else if (events && *events)
    snprintf (user, size, "event %.*s is enabled", (int) strcspn (events, "\n"), events);
  else if (count_entries () > 0)
    snprintf (user, size, "its buffer holds events");
  else if (has_snapshot ())
    snprintf (user, size, "its snapshot holds events");
  free (tracer);
  free (events);
}

/* Where the kernel's own tracefs can be, and nobody but root can mount anything. libtracefs looks for it in
 * /proc/mounts, word by word: there, any user's mount whose name has a word "tracefs" between vertical tabs is one,
 * too, if it comes first. */

#define USUAL_PLACE "/sys/kernel/tracing"
#define WORD_SIZE 4096 /* A longer one is read as two. */

static const char *const places[] = { USUAL_PLACE, "/sys/kernel/debug/tracing" };

static bool
is_mount (const char *place)
{
  struct stat own;
  struct stat above;
  char path[64];

  snprintf (path, sizeof path, "%s/.", place); /* With the point, it is mounted if it is on demand. */
  if (stat (path, &own) != 0)
    return false;
  snprintf (path, sizeof path, "%s/..", place);
  return stat (path, &above) == 0 && own.st_dev != above.st_dev;
}

bool
tracing_find (void)
{
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (is_mount (places[i]))
      return tracefs_set_tracing_dir ((char *) places[i]) == 0;
  tracefs_set_tracing_dir ((char *) USUAL_PLACE); /* Nothing else is looked at. */
  return false;
}

/* Whether a confined recorder may write to the file, or use the folder, of @information: see privileges_confine(). It
 * has what others and root's group have, unless root is the owner. */
static bool
is_left_to_us (const struct stat *information)
{
  mode_t ours = information->st_gid == 0 ? S_IRWXG : S_IRWXO;
  mode_t needed = S_ISDIR (information->st_mode) ? S_IXGRP | S_IXOTH : S_IWGRP | S_IWOTH;

  return information->st_uid == 0 || (information->st_mode & ours & needed) != 0;
}

bool
tracing_is_left_to_us (const char *name)
{
  char *path = tracefs_instance_get_file (NULL, name);
  struct stat information;
  bool good = !path || stat (path, &information) != 0 || is_left_to_us (&information); /* A kernel may lack it. */

  if (!good)
    fail ("%s belongs to another user, and could not be restored without rights that the recorder gives up; give it "
          "back with: chown %sroot %s",
          path, *name ? "" : "-R ", path);
  tracefs_put_tracing_file (path);
  return good;
}

bool
tracing_mount (void)
{
  if (!tracing_find () && (mount ("tracefs", USUAL_PLACE, "tracefs", 0, NULL) != 0 || !tracing_find ()))
    return fail ("tracefs is not mounted; mount it with: mount -t tracefs tracefs " USUAL_PLACE);
  return tracing_is_left_to_us ("") && tracing_is_left_to_us ("events");
}

static bool
is_usual (const char *place)
{
  return strcmp (place, places[0]) == 0 || strcmp (place, places[1]) == 0;
}

/* What users can mount. */
static bool
is_fuse (const char *type)
{
  return strcmp (type, "fuse") == 0 || strncmp (type, "fuse.", 5) == 0 || strcmp (type, "fuseblk") == 0;
}

/* trace-cmd looks as libtracefs does, and takes what it finds first. So whatever is listed before tracefs must be read
 * word by word as it is written, and be none of users': they can rename the folders above at any time. */
bool
tracing_is_found_by_trace_cmd (void)
{
  FILE *mounts = fopen ("/proc/mounts", "re");
  const char *place = "something else";
  char *line = NULL;
  size_t size = 0;
  bool found = false;
  bool plain = true;

  while (!found && plain && mounts && getline (&line, &size, mounts) > 0)
    {
      char *rest = line;
      const char *type;

      plain = !strpbrk (line, "\v\f\r");
      strsep (&rest, " ");
      place = strsep (&rest, " ");
      type = strsep (&rest, " ");
      if (!type)
        break;
      found = plain && strcmp (type, "tracefs") == 0 && is_usual (place);
      plain = plain && strlen (place) < WORD_SIZE && strcmp (type, "tracefs") != 0 && !is_fuse (type);
    }
  if (mounts)
    fclose (mounts);
  if (!found)
    fail ("trace-cmd could take %s for tracefs, by what /proc/mounts says; unmount that, or mount tracefs before it",
          place ? place : "something else");
  free (line);
  return found;
}

static void
reply_tracers (void)
{
  char **tracers = tracefs_tracers (NULL);

  reply_open ("tracers", '[');
  for (int i = 0; tracers && tracers[i]; i++)
    reply_text (NULL, tracers[i]);
  reply_close ('[');
  tracefs_list_free (tracers);
}

void
tracing_reply_facts (void)
{
  char *tracer;
  char *events;
  int on;

  reply_bool ("trace_cmd", has_program ("trace-cmd"));
  if (!tracing_find ())
    return;
  reply_text ("tracefs", tracefs_tracing_dir ());
  reply_tracers ();
  tracer = setting_read ("current_tracer");
  events = setting_read ("set_event");
  on = tracefs_trace_is_on (NULL);
  if (tracer)
    {
      tracer[strcspn (tracer, "\n")] = '\0';
      reply_text ("current_tracer", tracer);
    }
  if (on >= 0)
    reply_bool ("tracing_on", on);
  reply_int ("enabled_events", count_lines (events));
  reply_int ("trace_entries", count_entries ());
  free (tracer);
  free (events);
}

bool
tracing_check (const Request *request)
{
  char user[300] = "";

  if (!tracing_mount () || !tracing_is_left_to_us ("trace"))
    return false;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (!tracing_is_left_to_us (settings[i]))
      return false;
  if (!has_function_graph ())
    return fail_with ("other-kernel", "this kernel has no function_graph tracer");
  if (!has_program ("trace-cmd"))
    return fail ("trace-cmd is not installed; install it with: apt-get install trace-cmd");
  if (request->captures > 0 && !tracing_is_found_by_trace_cmd ())
    return false;
  if (!facts_functions_are_traced ())
    reply_note (
        "kernel.ftrace_enabled is 0: captures will have no functions; sysctl -w kernel.ftrace_enabled=1 changes that");
  if (!request->take_over)
    find_user (user, sizeof user);
  return !*user || fail_with ("take-over", "tracing is in use by another program: %s", user);
}

/* Writes each of @names, until the recording is to stop: the kernel compares a name with all its functions. */
static bool
write_names (const char *name, const JsonValue *names)
{
  int fd = setting_open (name);
  bool good = fd >= 0 || fail ("%s cannot be cleared: %s", name, strerror (errno));

  for (int i = 0; good && names && i < names->n_items; i++)
    {
      char line[NAME_SIZE + 1];

      control_wait (-1, 0);
      if (control_stopped ())
        break;
      snprintf (line, sizeof line, "%s\n", names->items[i].text); /* The kernel looks at whole lines. */
      good = write_words (fd, line, strlen (line)) ||
             fail ("%s rejects \"%s\": %s; valid names are in %s/available_%s", name, names->items[i].text,
                   strerror (errno), tracefs_tracing_dir (),
                   strcmp (name, "set_event") == 0 ? "events" : "filter_functions");
    }
  if (fd >= 0)
    close (fd);
  return good;
}

/* A file that this kernel may lack is only cleared if it exists. */
static void
clear_setting (const char *name)
{
  setting_write (name, "");
}

/* Has events of all CPUs recorded. The mask has as many digits as it is shown with, of which the first may have less
 * than four CPUs. */
static bool
trace_all_cpus (void)
{
  char *mask = setting_read ("tracing_cpumask");
  bool good = !mask;

  for (char *digit = mask; digit && *digit; digit++)
    if (isxdigit ((unsigned char) *digit))
      *digit = 'f';
  for (const char *first = "f731"; !good && *first; first++)
    {
      *mask = *first;
      good = setting_write ("tracing_cpumask", mask);
    }
  free (mask);
  return good || fail ("tracing_cpumask keeps CPUs out of the trace, and cannot be changed: %s", strerror (errno));
}

/* Whether somebody's trigger or probe of a function, on the line at @line, switches the event at @event off, whose name
 * has @length bytes. */
static bool
switches_off (const char *line, const char *event, size_t length)
{
  char text[EVENT_FILE_SIZE];
  int size = snprintf (text, sizeof text, "disable_event:%.*s", (int) length, event);
  const char *found = memmem (line, strcspn (line, "\n"), text, size);

  return found && strchr (": \n", found[size]);
}

/* The same of any event that is @recorded, or that @request names: this may have happened already. */
static bool
switches_any_off (const char *line, const char *recorded, const Request *request)
{
  bool found = false;

  for (const char *at = recorded; !found && at && *at; at += strcspn (at, "\n"), at += *at == '\n')
    found = switches_off (line, at, strcspn (at, "\n"));
  for (int i = 0; !found && request->events && i < request->events->n_items; i++)
    found = switches_off (line, request->events->items[i].text, strlen (request->events->items[i].text));
  return found;
}

static bool
takes_snapshots (const char *line)
{
  return strncmp (line, "snapshot", strlen ("snapshot")) == 0 || line_has (line, ":snapshot") ||
         line_has (line, ".snapshot(");
}

/* Whether nothing in @file, of somebody's triggers or probes of functions, keeps events out of the trace. */
static bool
leaves_trace (const char *file, const char *recorded, const Request *request)
{
  const bool probes = strcmp (file, FUNCTION_FILTER) == 0;
  char *text = setting_read (file);
  bool good = true;

  for (const char *line = text; good && line && *line; line += strcspn (line, "\n"), line += *line == '\n')
    if (*line != '#' && (switches_any_off (line, recorded, request) || takes_snapshots (line)))
      {
        int length = (int) strcspn (line, "\n");
        const char *unlimited = probes ? memmem (line, length, ":unlimited", strlen (":unlimited")) : NULL;

        /* As it is removed, a probe has no number of calls. */
        good = fail ("somebody has %s by %.*s; remove that with: echo '!%.*s' >> %s/%s",
                     takes_snapshots (line) ? "the trace taken away" : "an event switched off",
                     (int) strcspn (line, " \n"), line, unlimited ? (int) (unlimited - line) : length, line,
                     tracefs_tracing_dir (), file);
      }
  free (text);
  return good;
}

/* Whether all events that are enabled are recorded whenever they happen. The list also has those with triggers. */
static bool
all_is_recorded (const Request *request)
{
  char *listed = setting_read ("set_event"); /* NULL: none is enabled */
  char *recorded = setting_read ("set_event");
  char file[EVENT_FILE_SIZE];
  bool good;

  keep_lines (recorded, is_recorded);
  good = leaves_trace (FUNCTION_FILTER, recorded, request);
  for (const char *line = listed; good && line && *line; line += strcspn (line, "\n"), line += *line == '\n')
    good = !find_event_file (line, "trigger", file) || leaves_trace (file, recorded, request);
  for (const char *line = recorded; good && line && *line; line += strcspn (line, "\n"), line += *line == '\n')
    good = tracing_is_unfiltered (line);
  free (listed);
  free (recorded);
  return good;
}

/* Whether somebody has the file trace open, whose ring buffer keeps its size meanwhile: the kernel calls that a lack of
 * memory as well. The size that it has needs none, nor does the smallest one, if those of CPUs differ. */
static bool
buffer_is_held (void)
{
  char *size = setting_read ("buffer_size_kb");
  bool held = size && !setting_write ("buffer_size_kb", strcmp (size, "X\n") == 0 ? "1" : size);

  free (size);
  return held;
}

bool
tracing_set_up (const Request *request)
{
  static const struct
  {
    const char *name;
    const char *text;
  } unlimited[] = {
    { "set_event_pid", "" },           { "set_event_notrace_pid", "" }, { "set_ftrace_notrace_pid", "" },
    { FUNCTION_FILTER, "" },           { "set_ftrace_notrace", "" },    { "tracing_thresh", "0" },
    { "options/funcgraph-irqs", "1" }, { "options/sleep-time", "1" },   { "options/markers", "1" },
    { "options/overwrite", "1" },      { "options/record-cmd", "1" },   { "options/stacktrace", "0" },
    { "options/userstacktrace", "0" },
  };
  char number[24];

  tracing_take_down ();
  for (size_t i = 0; i < sizeof unlimited / sizeof *unlimited; i++)
    if (!setting_require_if_any (unlimited[i].name, unlimited[i].text))
      return false;
  if (!trace_all_cpus ())
    return false;
  snprintf (number, sizeof number, "%lld", (long long) request->buffer_kb);
  if (!setting_require ("buffer_size_kb", number))
    return errno != ENOMEM ? false
           : buffer_is_held ()
               ? fail ("somebody has %s/trace open, which keeps the ring buffer at its size; end what reads it, and "
                       "record again",
                       tracefs_tracing_dir ())
               : fail_with ("smaller-buffer", "not enough memory for a ring buffer of %s KB on each CPU", number);
  snprintf (number, sizeof number, "%lld", (long long) request->max_depth);
  return setting_require ("trace_clock", "mono") && setting_require ("max_graph_depth", number) &&
         write_names ("set_graph_function", request->graph_functions) &&
         write_names ("set_graph_notrace", request->graph_notrace) && write_names ("set_event", request->events) &&
         all_is_recorded (request) && setting_require ("current_tracer", TRACER);
}

bool
tracing_take_down (void)
{
  tracing_off ();
  clear_setting ("set_event");
  clear_setting ("trace");
  return setting_write ("current_tracer", "nop");
}

bool
tracing_begin (void)
{
  char *tracer = setting_read ("current_tracer");
  bool ready = tracer && strcmp (tracer, TRACER "\n") == 0;

  free (tracer);
  clear_setting ("trace");
  if (!ready)
    return fail ("another program changed this machine's tracer while culprit was recording");
  return setting_require_if_any ("set_ftrace_pid", "") && setting_require ("tracing_on", "1");
}

void
tracing_off (void)
{
  setting_write ("tracing_on", "0");
  setting_write ("set_ftrace_pid", HARDLY_ANY_PROCESS);
}

#define NAMES_SIZE 320

/* The names of what could not be restored, and what can be done about it, for a message. */
static char unrestored[NAMES_SIZE + 160];

static bool lacks_rights; /* to restore something, */

static bool is_busy; /* or somebody keeps it from being restored just now, or memory is short */

static int kept_errno; /* why our tracer could not be removed; 0: it was */

static bool
note_unless (bool good, const char *name)
{
  size_t length = strlen (unrestored);

  lacks_rights |= !good && (errno == EACCES || errno == EPERM);
  is_busy |= !good && (errno == EBUSY || errno == ENOMEM);
  if (!good)
    snprintf (unrestored + length, NAMES_SIZE - length, "%s%s", length > 0 ? ", " : "", name);
  return good;
}

static bool
undo_or_note (const char *name, const char *value)
{
  return note_unless (undo_triggers (name, value), name);
}

static bool
restore_tracer (const char *name, const char *value)
{
  return strcmp (name, "current_tracer") != 0 || setting_write (name, value);
}

/* Whether the setting @name is @value, as it would be saved. */
static bool
is_at (const char *name, const char *value)
{
  char *text = setting_read (name);
  bool same;

  if (text)
    choose_word (name, text);
  same = text && strcmp (text, value) == 0;
  free (text);
  return same;
}

/* As long as our tracer is kept, what tracing_off() sets stays: on, it would trace all functions. */
static bool
restore_or_note (const char *name, const char *value)
{
  bool stays = kept_errno && (strcmp (name, "tracing_on") == 0 || strcmp (name, "set_ftrace_pid") == 0);
  bool good = !stays && restore_setting (name, value);
  int problem = stays ? kept_errno : errno;

  good = good || is_at (name, value);
  errno = problem;
  return note_unless (good, name);
}

const char *
tracing_restore (SavedSettings *saved)
{
  *unrestored = '\0';
  lacks_rights = false;
  is_busy = false;
  kept_errno = 0;
  if (!atomic_load (&saved->changed))
    return NULL;
  visit_saved (saved, undo_or_note);
  if (saved->used == 0 || !visit_saved (saved, is_of_triggers)) /* Else nobody's settings were changed. */
    {
      kept_errno = tracing_take_down () ? 0 : errno;
      if (kept_errno && saved->used > 0 && visit_saved (saved, restore_tracer)) /* It is the user's, too. */
        kept_errno = 0;
      errno = kept_errno;
      if (kept_errno == EBUSY && saved->used == 0) /* What it was before is not known. */
        note_unless (false, "current_tracer");
      visit_saved (saved, restore_or_note);
    }
  if (is_busy)
    strcat (unrestored, "; " TRACING_TO_FREE ", then: culprit-recorder restore");
  atomic_store (&saved->changed, lacks_rights || is_busy);
  return *unrestored ? unrestored : NULL;
}

bool
tracing_is_busy (void)
{
  return is_busy;
}

bool
tracing_keeps_tracer (void)
{
  return is_busy && kept_errno;
}

int64_t
tracing_oldest_ns (int cpu)
{
  char *text = read_stats (cpu);
  const char *found = text ? strstr (text, "oldest event ts:") : NULL;
  long long seconds = 0;
  long long microseconds = 0;

  if (found && sscanf (found, "oldest event ts: %lld.%lld", &seconds, &microseconds) != 2)
    seconds = microseconds = 0;
  free (text);
  return seconds * 1000000000 + microseconds * 1000;
}
