/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets the kernel measure windows: synthetic events and hist triggers in an instance of our own, and a traceoff trigger
 * on the buffer that is captured. Whatever is made has our name, which is culprit_ and our pid, or for probes of
 * programs culprit_ and the program; nothing else is touched.
 *
 * The triggers are written as texts: libtracefs 1.6, that of Debian 12, can make such events from SQL, but has no
 * clock=mono for its triggers, which then keep time by another clock than timers do. */
#include "recorder-private.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#define PREFIX "culprit_"
#define INSTANCES "instances/"
#define DYNAMIC "dynamic_events"
#define PROBES "uprobe_events"
#define TRIGGER "/trigger"
#define LEAST_ABSURD ((unsigned long long) WINDOW_LONGEST_NS)
#define MONO "size=16384:clock=mono" /* threads, say, that have been measured; by default there is room for 2048 */
#define BINS "hist:keys=lat.buckets=1000:size=16384%s if lat < 1000000000000"
#define ABSURD_BINS "hist:keys=%s.log2:size=128%s if %s >= 1000000000000"

/* Planning. */

static void __attribute__ ((format (printf, 3, 4))) add (Triggers *triggers, const char *file, const char *text, ...)
{
  TriggerStep *step = &triggers->steps[triggers->n++];
  va_list arguments;

  snprintf (step->file, sizeof step->file, "%s", file);
  va_start (arguments, text);
  vsnprintf (step->text, sizeof step->text, text, arguments);
  va_end (arguments);
}

/* The file @name of the event SYSTEM/EVENT of @folder, which ends with a slash or is empty. */
static const char *
event_file (const char *folder, const char *event, const char *name)
{
  static char file[sizeof ((TriggerStep *) 0)->file];

  snprintf (file, sizeof file, "%sevents/%s/%s", folder, event, name);
  return file;
}

static void
need_event (Triggers *triggers, const char *event)
{
  snprintf (triggers->events[triggers->n_events++], sizeof *triggers->events, "%s", event);
}

const char *
triggers_is_task (const Window *window, const char *comm, const char *pid)
{
  static char conditions[2][64];
  static int next;
  char *condition = conditions[next = !next];

  if (window->by_pid)
    snprintf (condition, sizeof *conditions, "%s==%s", pid, window->task);
  else
    snprintf (condition, sizeof *conditions, "%s==\"%s\"", comm, window->task);
  return condition;
}

/* Where the windows of a task begin. Returns the event that does it. */
static const char *
add_beginning (Triggers *triggers, const Window *window)
{
  if (window->from_waking)
    {
      add (triggers, event_file (triggers->folder, "sched/sched_waking", "trigger"),
           "hist:keys=pid:%s_t=common_timestamp:" MONO " if %s", triggers->name,
           triggers_is_task (window, "comm", "pid"));
      return "sched.sched_waking";
    }
  add (triggers, event_file (triggers->folder, "timer/hrtimer_start", "trigger"),
       "hist:keys=common_pid:%s_t=softexpires:%s_s=common_timestamp:" MONO " if " OWN_TIMER, triggers->name,
       triggers->name, triggers_is_task (window, "comm", "common_pid"));
  return "timer.hrtimer_start";
}

static void
add_wakeup (Triggers *triggers, const Window *window)
{
  const char *begins = add_beginning (triggers, window);
  const char *name = triggers->name;

  add (triggers, event_file (triggers->folder, "sched/sched_switch", "trigger"),
       "hist:keys=next_pid:%s_l=common_timestamp-$%s_t:onmatch(%s).%s($%s_l,next_pid):" MONO " if %s", name, name,
       begins, name, name, triggers_is_task (window, "next_comm", "next_pid"));
}

/* Asleep is the state S. From the timer, the task has also started one again: where it did not, it waits for something
 * within its work. From waking, a response begins with the first waking after that: in other states it waits within its
 * work, too. The kernel reads a variable once, and measures nothing as long as one is not set. */
static void
add_response (Triggers *triggers, const Window *window)
{
  const char *name = triggers->name;
  const char *switches = "sched/sched_switch";
  char within[64];
  char armed[96] = "";

  snprintf (within, sizeof within, "synthetic/%s_in", name);
  if (window->from_waking)
    {
      add (triggers, event_file (triggers->folder, switches, "trigger"),
           "hist:keys=prev_pid:%s_z=common_timestamp:" MONO " if %s && prev_state == 1", name,
           triggers_is_task (window, "prev_comm", "prev_pid"));
      add (triggers, event_file (triggers->folder, "sched/sched_waking", "trigger"),
           "hist:keys=pid:%s_n=common_timestamp:%s_l=common_timestamp-$%s_z:onmatch(sched.sched_switch).%s_in($%s_l,"
           "$%s_n,pid):" MONO " if %s",
           name, name, name, name, name, name, triggers_is_task (window, "comm", "pid"));
      add (triggers, event_file (triggers->folder, within, "trigger"), "hist:keys=pid:%s_b=now:" MONO, name);
    }
  else
    {
      const char *begins = add_beginning (triggers, window);

      add (triggers, event_file (triggers->folder, switches, "trigger"),
           "hist:keys=next_pid:%s_n=common_timestamp:%s_l=common_timestamp-$%s_t:onmatch(%s).%s_in($%s_l,$%s_n,"
           "next_pid):" MONO " if %s",
           name, name, name, begins, name, name, name, triggers_is_task (window, "next_comm", "next_pid"));
      add (triggers, event_file (triggers->folder, within, "trigger"),
           "hist:keys=pid:%s_b=now-lat:" MONO " if lat < %llu", name, LEAST_ABSURD);
      snprintf (armed, sizeof armed, "%s_a=common_timestamp-$%s_s:", name, name);
    }
  add (triggers, event_file (triggers->folder, switches, "trigger"),
       "hist:keys=prev_pid:%s%s_r=common_timestamp-$%s_b:onmatch(synthetic.%s_in).%s($%s_r,prev_pid):" MONO " if %s && "
       "prev_state == 1",
       armed, name, name, name, name, name, triggers_is_task (window, "prev_comm", "prev_pid"));
}

/* Without a key, all events have the same: hist triggers must have one, and no pid is this large. */
#define ANY_KEY "common_pid.buckets=8388608"

static void
add_between (Triggers *triggers, const Window *window)
{
  const WindowEnd *begin = &window->begin;
  const WindowEnd *end = &window->end;
  const char *name = triggers->name;
  char event[sizeof begin->system + sizeof begin->event];

  snprintf (event, sizeof event, "%s/%s", begin->system, begin->event);
  add (triggers, event_file (triggers->folder, event, "trigger"), "hist:keys=%s:%s_t=common_timestamp:" MONO "%s%s",
       *begin->key ? begin->key : ANY_KEY, name, *begin->filter ? " if " : "", begin->filter);
  snprintf (event, sizeof event, "%s/%s", end->system, end->event);
  add (triggers, event_file (triggers->folder, event, "trigger"),
       "hist:keys=%s:%s_l=common_timestamp-$%s_t:onmatch(%s.%s).%s($%s_l):" MONO "%s%s", *end->key ? end->key : ANY_KEY,
       name, name, begin->system, begin->event, name, name, *end->filter ? " if " : "", end->filter);
}

/* Programs write a newline after it, or do not. */
#define IS_MARK "buf==\"%s\" || buf==\"%s\n\""

/* Marks come to the first buffer alone. */
static void
add_marks (Triggers *triggers, const Window *window)
{
  const char *begin = window->begin.filter;
  const char *end = window->end.filter;
  const char *name = triggers->name;

  add (triggers, event_file ("", "ftrace/print", "trigger"),
       "hist:keys=common_pid:%s_t=common_timestamp:" MONO " if " IS_MARK, name, begin, begin);
  add (triggers, event_file ("", "ftrace/print", "trigger"),
       "hist:keys=common_pid:%s_l=common_timestamp-$%s_t:onmatch(ftrace.print).%s($%s_l,common_pid):" MONO " "
       "if " IS_MARK,
       name, name, name, name, end, end);
}

/* Probes of the program at @end, unless it has those of @before, which may be NULL. The kernel gets its file by the
 * number that it has here. */
static bool
add_probes (Triggers *triggers, const WindowEnd *end, const WindowEnd *before, Rescue *rescue)
{
  ProbePlace place;

  if (!*end->probe.name || (before && memcmp (&end->probe, &before->probe, sizeof end->probe) == 0))
    return true;
  if (!probe_find (&end->probe, rescue, &place))
    return false;
  for (int i = 0; i < place.n; i++)
    {
      char semaphore[32] = "";

      if (place.sites[i].semaphore != 0)
        snprintf (semaphore, sizeof semaphore, "(0x%llx)", (unsigned long long) place.sites[i].semaphore);
      add (triggers, DYNAMIC, "%c:%s/%s /proc/self/fd/%d:0x%llx%s", end->probe.returns ? 'r' : 'p', end->system,
           end->event, place.fd, (unsigned long long) place.sites[i].offset, semaphore);
    }
  triggers->probes = triggers->n;
  return true;
}

/* What the analysis needs to find the same windows. Programs are preempted, too. */
static void
need_events (Triggers *triggers, const Window *window)
{
  static const char *const of_tasks[] = { "sched:sched_switch",  "sched:sched_waking",   "sched:sched_migrate_task",
                                          "timer:hrtimer_start", "timer:hrtimer_cancel", "timer:hrtimer_expire_entry" };
  bool of_task = window_is_of_task (window);
  char event[sizeof *triggers->events];

  for (int i = 0; (of_task || triggers->probes > 0) && i < (window->from_waking || !of_task ? 3 : 6); i++)
    need_event (triggers, of_tasks[i]);
  if (window->kind != WINDOW_BETWEEN)
    return;
  snprintf (event, sizeof event, "%s:%s", window->begin.system, window->begin.event);
  need_event (triggers, event);
  snprintf (event, sizeof event, "%s:%s", window->end.system, window->end.event);
  need_event (triggers, event);
}

/* What this kernel lacks of all that is needed to measure windows itself; NULL: nothing. */
static const char *
find_lacking (void)
{
  char *manual = setting_read ("README");
  bool buckets = manual && strstr (manual, ".buckets=");

  free (manual);
  if (!tracefs_file_exists (NULL, "synthetic_events") || !tracefs_file_exists (NULL, DYNAMIC))
    return "this kernel has no synthetic events (CONFIG_SYNTH_EVENTS)";
  if (!tracefs_file_exists (NULL, "events/sched/sched_switch/hist"))
    return "this kernel has no hist triggers (CONFIG_HIST_TRIGGERS)";
  return buckets ? NULL : "this kernel's hist triggers have no buckets, as since Linux 5.13";
}

bool
triggers_plan (Triggers *triggers, const Request *request, Rescue *rescue)
{
  static void (*const by_kind[]) (Triggers *, const Window *) = {
    [WINDOW_WAKEUP] = add_wakeup,
    [WINDOW_RESPONSE] = add_response,
    [WINDOW_BETWEEN] = add_between,
    [WINDOW_MARKS] = add_marks,
  };
  const Window *window = &request->window;
  const char *name = triggers->name;
  long long high_ns = request->high_ns < (int64_t) LEAST_ABSURD ? request->high_ns : (int64_t) LEAST_ABSURD - 1;

  *triggers = (Triggers) { .request = request, .lacking = find_lacking () };
  snprintf (triggers->name, sizeof triggers->name, PREFIX "%d", getpid ());
  snprintf (triggers->instance, sizeof triggers->instance, INSTANCES "%s", name);
  snprintf (triggers->folder, sizeof triggers->folder, "%s/", triggers->instance);
  snprintf (triggers->event, sizeof triggers->event, "synthetic/%s", name);
  if (window->kind == WINDOW_BETWEEN && (!add_probes (triggers, &window->begin, NULL, rescue) ||
                                         !add_probes (triggers, &window->end, &window->begin, rescue)))
    return false;
  if (triggers->lacking)
    {
      add (triggers, triggers->instance, "%s", "");
      triggers->hits = triggers->n;
      need_events (triggers, window);
      return true;
    }
  add (triggers, DYNAMIC, "s:%s u64 lat%s", name,
       window->kind == WINDOW_BETWEEN ? ""
       : window->kind == WINDOW_MARKS ? "; int pid"
                                      : "; pid_t pid");
  if (window->kind == WINDOW_RESPONSE)
    add (triggers, DYNAMIC, "s:%s_in u64 lat; u64 now; pid_t pid", name);
  add (triggers, triggers->instance, "%s", "");
  by_kind[window->kind](triggers, window);
  add (triggers, event_file (triggers->folder, triggers->event, "trigger"), BINS, "");
  add (triggers, event_file (triggers->folder, triggers->event, "trigger"), ABSURD_BINS, "lat", "", "lat");
  triggers->hits = triggers->n;
  need_events (triggers, window);
  if (!request_has_trigger (request))
    return true;
  snprintf (triggers->condition, sizeof triggers->condition, "lat >= %lld && lat <= %lld", (long long) request->low_ns,
            high_ns);
  add (triggers, event_file ("", triggers->event, "trigger"), "traceoff if %s", triggers->condition);
  add (triggers, event_file (triggers->folder, triggers->event, "trigger"), "disable_hist:synthetic:%s if %s", name,
       triggers->condition);
  return true;
}

/* Doing and undoing. What undoes each step can be written down before the first is done. */

static bool
is_trigger (const char *file)
{
  size_t length = strlen (file);

  return length > strlen (TRIGGER) && strcmp (file + length - strlen (TRIGGER), TRIGGER) == 0;
}

/* What undoes @step; empty if its file is a folder. */
static void
undoing (const TriggerStep *step, char *text, size_t size)
{
  if (is_trigger (step->file))
    snprintf (text, size, "!%s", step->text);
  else
    snprintf (text, size, "%s%.*s", *step->text ? "-" : "", (int) strcspn (step->text + (*step->text != 0), " "),
              step->text + (*step->text != 0));
}

bool
triggers_save (const Triggers *triggers, SavedSettings *saved)
{
  char text[sizeof triggers->steps->text + 1];

  for (int i = triggers->n - 1; i >= 0; i--)
    {
      undoing (&triggers->steps[i], text, sizeof text);
      if (!setting_keep (saved, triggers->steps[i].file) || !setting_keep (saved, text))
        return fail ("the tracing settings are too long to be restored later; clear them first");
    }
  return true;
}

/* Whether @file is that of an instance of ours. */
static bool
is_instance (const char *file)
{
  const char *name = file + strlen (INSTANCES);

  return strncmp (file, INSTANCES PREFIX, strlen (INSTANCES PREFIX)) == 0 && !strchr (name, '/');
}

/* A journal may be damaged: none of its files may be outside of tracefs. */
bool
triggers_is_undoing (const char *file, const char *text)
{
  if (strcmp (file, DYNAMIC) == 0)
    return strncmp (text, "-:" PREFIX, strlen ("-:" PREFIX)) == 0 && !strstr (text, "..");
  return (is_instance (file) && !*text) || (is_trigger (file) && !strstr (file, "..") && *text == '!' &&
                                            (strstr (text, PREFIX) || strstr (file, "/" PREFIX)));
}

static bool
change_folder (const char *name, int (*change) (const char *path))
{
  char *path = tracefs_instance_get_file (NULL, name);
  bool good = path && change (path) == 0;

  tracefs_put_tracing_file (path);
  return good;
}

static int
make_folder (const char *path)
{
  return mkdir (path, 0750);
}

/* Triggers and events that are not there have been undone, or were never made. A probe's event that is recorded cannot
 * be removed. */
bool
triggers_undo (const char *file, const char *text)
{
  const char *probe = strcmp (file, DYNAMIC) == 0 && strchr (text, '/') ? text + strlen ("-:") : NULL;

  if (!*text)
    return change_folder (file, rmdir) || errno == ENOENT;
  if (probe)
    setting_write (event_file ("", probe, "enable"), "0");
  return setting_append (file, text) || errno == ENOENT || (is_trigger (file) && errno != EACCES && errno != EPERM);
}

static void
undo_steps (const Triggers *triggers, int from, int to)
{
  char text[sizeof triggers->steps->text + 1];

  for (int i = to - 1; i >= from; i--)
    {
      undoing (&triggers->steps[i], text, sizeof text);
      triggers_undo (triggers->steps[i].file, text);
    }
}

void
triggers_take_down (const Triggers *triggers)
{
  follow_end ();
  undo_steps (triggers, 0, triggers->n);
}

static const char *
in_instance (const Triggers *triggers, const char *name)
{
  static char file[sizeof triggers->steps->file];

  snprintf (file, sizeof file, "%s%s", triggers->folder, name);
  return file;
}

/* Why the kernel rejected the last trigger, in its own words. */
static void
explain (const Triggers *triggers, const TriggerStep *step)
{
  const char *fallback = strerror (errno);
  char *log = setting_read (
      strncmp (step->file, INSTANCES, strlen (INSTANCES)) == 0 ? in_instance (triggers, "error_log") : "error_log");
  const char *reason = NULL;

  for (const char *at = log; at && (at = strstr (at, "error: ")); at += strlen ("error: "))
    reason = at + strlen ("error: ");
  fail ("the kernel does not measure such windows: %s: %.*s (%s)", step->file,
        (int) strcspn (reason ? reason : fallback, "\n"), reason ? reason : fallback, step->text);
  free (log);
}

static bool
do_steps (const Triggers *triggers, int from, int to)
{
  /* An instance has the options of the machine's buffer; hits are read as text, and stacks delay what is measured. */
  static const char *const unwanted[] = { "options/raw",        "options/hex",           "options/bin",
                                          "options/fields",     "options/verbose",       "options/latency-format",
                                          "options/stacktrace", "options/userstacktrace" };

  for (int i = from; i < to; i++)
    {
      const TriggerStep *step = &triggers->steps[i];
      bool folder = !*step->text;

      if (folder ? !change_folder (step->file, make_folder) : !setting_append (step->file, step->text))
        {
          explain (triggers, step);
          return false;
        }
      if (!folder)
        continue;
      setting_write (in_instance (triggers, "buffer_size_kb"), triggers->lacking ? "1024" : "8");
      /* The first hit is the one that counts. Where all events are read, none may be lost without a word, as those are
       * that the kernel does not write. */
      setting_write (in_instance (triggers, "options/overwrite"), triggers->lacking ? "1" : "0");
      setting_write (in_instance (triggers, "options/context-info"), "1");
      for (size_t k = 0; k < sizeof unwanted / sizeof *unwanted; k++)
        setting_write (in_instance (triggers, unwanted[k]), "0");
      if (!setting_write (in_instance (triggers, "trace_clock"), "mono"))
        return fail ("the kernel has no clock \"mono\" for its traces: %s", strerror (errno));
    }
  return true;
}

/* Enables the event SYSTEM:EVENT. Somebody's filter would keep what is needed out of the trace. */
static bool
record_event (const char *event)
{
  return tracing_is_unfiltered (event) &&
         (setting_append ("set_event", event) || fail ("the kernel has no event %s: %s", event, strerror (errno)));
}

bool
triggers_set_up (const Triggers *triggers, bool traced)
{
  if (!do_steps (triggers, 0, triggers->probes))
    return false;
  for (int i = 0; traced && i < triggers->n_events; i++)
    if (!record_event (triggers->events[i]))
      return false;
  /* The events are recorded by now: what is enabled first is called first, and a hit switches that off. */
  return do_steps (triggers, triggers->probes, triggers->hits) &&
         (!triggers->lacking || follow_begin (triggers, triggers->request));
}

bool
triggers_arm (const Triggers *triggers)
{
  if (triggers->lacking)
    {
      follow_arm (true);
      return true;
    }
  if (!setting_write (in_instance (triggers, "trace"), "") ||
      !setting_write (event_file (triggers->folder, triggers->event, "filter"), triggers->condition) ||
      !setting_write (event_file (triggers->folder, triggers->event, "enable"), "1"))
    return fail ("the kernel cannot wait for hits: %s", strerror (errno));
  return do_steps (triggers, triggers->hits, triggers->n);
}

/* What an event of a probe has, as its format would say it: it is made later. */
#define PROBE_FORMAT " common_type; common_flags; common_preempt_count; common_pid;"

/* Whether the event of @end, which @format describes, has the field whose name are the @length bytes at @name. The
 * kernel also compares what is none, such as cpu, but then the capture does not have it. */
static bool
check_field (const WindowEnd *end, const char *format, const char *name, size_t length)
{
  for (const char *at = strchr (format, ' '); at; at = strchr (at + 1, ' '))
    if (strncmp (at + 1, name, length) == 0 && (at[1 + length] == ';' || at[1 + length] == '['))
      return true;
  if (*end->probe.name)
    return fail ("probes of programs have no field \"%.*s\", but common_pid, common_flags, common_preempt_count and "
                 "common_type",
                 (int) length, name);
  return fail ("the event %s:%s has no field \"%.*s\"; %s/events/%s/%s/format lists them", end->system, end->event,
               (int) length, name, tracefs_tracing_dir (), end->system, end->event);
}

/* The same for all fields of its filter and key. */
static bool
check_fields (const WindowEnd *end, const char *format)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  bool quoted = false;
  bool good = !*end->key || check_field (end, format, end->key, strcspn (end->key, "."));

  for (const char *at = end->filter; good && *at;)
    {
      at += strspn (at, " (!");
      good = check_field (end, format, at, strspn (at, letters));
      while (*at && (quoted || (strncmp (at, "&&", 2) != 0 && strncmp (at, "||", 2) != 0)))
        quoted ^= *at++ == '"';
      at += *at ? 2 : 0;
    }
  return good;
}

/* Whether this kernel can have the probe at @end, whose event has @format if there is one already. */
static bool
check_probe (const WindowEnd *end, const char *format)
{
  if (format)
    return fail ("there is a probe %s:%s already, which is not ours; remove it with: echo -:%s/%s >> %s/" DYNAMIC,
                 end->system, end->event, end->system, end->event, tracefs_tracing_dir ());
  if (!tracefs_file_exists (NULL, PROBES) || !tracefs_file_exists (NULL, DYNAMIC))
    return fail_with ("kernel-of-windows", "this kernel has no probes of programs (CONFIG_UPROBE_EVENTS)");
  return check_fields (end, PROBE_FORMAT);
}

/* Whether this kernel has the event at @end, which has @format. */
static bool
check_event (const WindowEnd *end, const char *format)
{
  return format ? check_fields (end, format)
                : fail ("this kernel has no event %s:%s; %s/available_events lists them", end->system, end->event,
                        tracefs_tracing_dir ());
}

static bool
check_end (const WindowEnd *end)
{
  char event[sizeof end->system + sizeof end->event];
  char *format;
  bool good;

  snprintf (event, sizeof event, "%s/%s", end->system, end->event);
  format = setting_read (event_file ("", event, "format"));
  good = *end->probe.name ? check_probe (end, format) : check_event (end, format);
  free (format);
  return good;
}

bool
triggers_check (const Triggers *triggers)
{
  const Window *window = &triggers->request->window;
  bool between = window->kind == WINDOW_BETWEEN;

  if (!tracing_mount () || !tracing_is_left_to_us ("instances") || !tracing_is_left_to_us ("dynamic_events"))
    return false;
  if (between && !(check_end (&window->begin) && check_end (&window->end)))
    return false;
  return !triggers->lacking || follow_can (window) || fail_with ("kernel-of-windows", "%s", triggers->lacking);
}

bool
triggers_has_hit (const Triggers *triggers)
{
  return (triggers->lacking && follow_read ()) || tracefs_trace_is_on (NULL) == 0;
}

/* Reading. */

static int
compare_bins (const void *a, const void *b)
{
  const WindowBin *left = a;
  const WindowBin *right = b;

  return (left->us > right->us) - (left->us < right->us);
}

static int64_t
count_absurd (const char *text)
{
  int64_t absurd = 0;
  long long count;

  for (const char *at = text; at && (at = strstr (at, "lat: ~ 2^")); at++)
    if (sscanf (at, "lat: ~ 2^%*d } hitcount: %lld", &count) == 1)
      absurd += count;
  return absurd;
}

bool
triggers_read (const Triggers *triggers, WindowCounts *counts)
{
  char *text;
  unsigned long long low_ns;
  long long number;

  if (triggers->lacking)
    {
      follow_read ();
      follow_counts (counts);
      return true;
    }
  text = setting_read (event_file (triggers->folder, triggers->event, "hist"));
  counts->n = 0;
  counts->absurd = count_absurd (text);
  counts->dropped = 0;
  for (const char *at = text; at && (at = strstr (at, "lat: ~ ")) && counts->n < MOST_BINS; at++)
    if (sscanf (at, "lat: ~ %llu-%*u } hitcount: %lld", &low_ns, &number) == 2)
      counts->bins[counts->n++] = (WindowBin) { low_ns / 1000, number };
  for (const char *at = text; at && (at = strstr (at, "Dropped: ")); at++)
    counts->dropped += atoll (at + strlen ("Dropped: "));
  qsort (counts->bins, counts->n, sizeof *counts->bins, compare_bins);
  free (text);
  return text || fail ("the kernel's counts of windows cannot be read: %s", strerror (errno));
}

int64_t
triggers_read_lost (const Triggers *triggers)
{
  static const char info[] = "# trigger info: ";
  int64_t lost = 0;

  for (int i = 0; i < triggers->hits; i++)
    {
      char file[sizeof triggers->steps->file];
      char *text;

      if (!is_trigger (triggers->steps[i].file) ||
          (i > 0 && strcmp (triggers->steps[i].file, triggers->steps[i - 1].file) == 0))
        continue;
      snprintf (file, sizeof file, "%.*s/hist", (int) (strlen (triggers->steps[i].file) - strlen (TRIGGER)),
                triggers->steps[i].file);
      text = tracefs_instance_file_read (NULL, file, NULL);
      for (const char *at = text; at && (at = strstr (at, info)); at++)
        {
          const char *next = strstr (at + 1, info);
          const char *dropped = strstr (at, "Dropped: ");
          const char *ours = strstr (at, triggers->name);

          if (ours && ours < at + strcspn (at, "\n") && dropped && (!next || dropped < next))
            lost += atoll (dropped + strlen ("Dropped: "));
        }
      free (text);
    }
  return lost;
}

/* The first hit in the instance's trace: "<idle>-0 [000] d..4. 6.969956: culprit_77: lat=59910 pid=108". The task that
 * was interrupted may be called anything, also with line breaks, so it is read from behind. */
bool
triggers_hit (const Triggers *triggers, WindowHit *hit)
{
  char *text =
      triggers->lacking ? NULL : tracefs_instance_file_read (NULL, (char *) in_instance (triggers, "trace"), NULL);
  char mark[sizeof triggers->name + 16];
  char *event;
  char *time;
  char *cpu;
  char *pid;
  long long seconds;
  long long microseconds;
  unsigned long long latency_ns;
  bool good = triggers->lacking && follow_hit (hit);

  snprintf (mark, sizeof mark, ": %s: lat=", triggers->name);
  event = text ? strstr (text, mark) : NULL;
  if (event)
    {
      *event = '\0';
      event[strlen (mark) + strcspn (event + strlen (mark), "\n")] = '\0';
      time = strrchr (text, ' ');
      cpu = strrchr (text, '[');
      pid = strstr (event + strlen (mark), " pid=");
      good = time && cpu && sscanf (time, " %lld.%lld", &seconds, &microseconds) == 2 &&
             sscanf (event + strlen (mark), "%llu", &latency_ns) == 1;
      if (good)
        *hit = (WindowHit) { .cpu = atoi (cpu + 1),
                             .pid = pid ? atoi (pid + strlen (" pid=")) : -1,
                             .latency_ns = (int64_t) latency_ns,
                             .observed_ns = seconds * 1000000000 + microseconds * 1000 };
    }
  free (text);
  return good;
}

bool
triggers_resume (const Triggers *triggers)
{
  TriggerStep going_on[2];
  bool good = true;

  if (triggers->lacking)
    {
      follow_arm (false);
      return true;
    }
  undo_steps (triggers, triggers->hits, triggers->n);
  setting_write (event_file (triggers->folder, triggers->event, "enable"), "0");
  snprintf (going_on[0].text, sizeof going_on[0].text, BINS, ":cont");
  snprintf (going_on[1].text, sizeof going_on[1].text, ABSURD_BINS, "lat", ":cont", "lat");
  for (int i = 0; i < 2; i++)
    good = good && setting_append (event_file (triggers->folder, triggers->event, "trigger"), going_on[i].text);
  return good || fail ("the kernel does not go on counting windows: %s", strerror (errno));
}
