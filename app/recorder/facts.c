/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads facts from the kernel. What it does not provide is left out. */
#include "recorder-private.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define SMI_COUNT_REGISTER 0x34
#define TEXT_SIZE 4096
#define SYSTEM_CPU "/sys/devices/system/cpu"
#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"

/* The content of a file without the final line end; empty if it cannot be read. */
static const char *
read_text (const char *path)
{
  static char text[TEXT_SIZE];
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t size = fd >= 0 ? read (fd, text, sizeof text - 1) : 0;

  if (fd >= 0)
    close (fd);
  text[size > 0 ? size : 0] = '\0';
  text[strcspn (text, "\n")] = '\0';
  return text;
}

static bool
file_text (const char *key, const char *path)
{
  const char *text = read_text (path);

  if (*text)
    reply_text (key, text);
  return *text != '\0';
}

static void
file_int (const char *key, const char *path)
{
  const char *text = read_text (path);

  if (*text)
    reply_int (key, atoll (text));
}

/* The word in brackets, as in "always [madvise] never" or "none (full)". */
static void
file_choice (const char *key, const char *path)
{
  char text[TEXT_SIZE];
  char *start;

  snprintf (text, sizeof text, "%s", read_text (path));
  start = strpbrk (text, "[(");
  if (!start)
    return;
  start[strcspn (start, "])")] = '\0';
  reply_text (key, start + 1);
}

bool
facts_root (void)
{
  return geteuid () == 0;
}

int64_t
facts_smi_count (int cpu)
{
  static int files[MOST_CPUS]; /* 0: not opened yet; -1: there is none */
  char path[64];
  uint64_t value;

  if (files[cpu] == 0)
    {
      snprintf (path, sizeof path, "/dev/cpu/%d/msr", cpu);
      files[cpu] = open (path, O_RDONLY | O_CLOEXEC);
    }
  if (files[cpu] < 0 || pread (files[cpu], &value, sizeof value, SMI_COUNT_REGISTER) != sizeof value)
    return -1;
  return (int64_t) (value & UINT32_MAX);
}

int64_t
facts_steal_ns (const int *cpus, int n)
{
  FILE *file = fopen ("/proc/stat", "re");
  char line[512];
  int64_t ticks = -1;

  while (file && fgets (line, sizeof line, file))
    {
      int cpu;
      long long steal;

      if (sscanf (line, "cpu%d %*d %*d %*d %*d %*d %*d %*d %lld", &cpu, &steal) != 2)
        continue;
      for (int i = 0; i < n; i++)
        if (cpus[i] == cpu)
          ticks = (ticks < 0 ? 0 : ticks) + steal;
    }
  if (file)
    fclose (file);
  return ticks < 0 ? -1 : ticks * (1000000000 / sysconf (_SC_CLK_TCK));
}

/* Whether @cpu is in a list like "1-3,7". */
static bool
list_has (const char *list, int cpu)
{
  while (*list)
    {
      char *end;
      long first = strtol (list, &end, 10);
      long last = first;

      if (end == list)
        return false;
      if (*end == '-')
        last = strtol (end + 1, &end, 10);
      if (cpu >= first && cpu <= last)
        return true;
      list = *end == ',' ? end + 1 : end;
    }
  return false;
}

static void
reply_cpus (void)
{
  char isolated[TEXT_SIZE];
  char online[TEXT_SIZE];

  snprintf (isolated, sizeof isolated, "%s", read_text (SYSTEM_CPU "/isolated"));
  snprintf (online, sizeof online, "%s", read_text (SYSTEM_CPU "/online"));
  reply_open ("cpus", '[');
  for (int cpu = 0; cpu < sysconf (_SC_NPROCESSORS_CONF) && cpu < MOST_CPUS; cpu++)
    {
      char path[128];
      int64_t smi = facts_smi_count (cpu);

      reply_open (NULL, '{');
      reply_int ("cpu", cpu);
      reply_bool ("online", list_has (online, cpu));
      reply_bool ("isolated", list_has (isolated, cpu));
      snprintf (path, sizeof path, SYSTEM_CPU "/cpu%d/cpufreq/scaling_governor", cpu);
      file_text ("governor", path);
      if (smi >= 0)
        reply_int ("smi_count", smi);
      reply_close ('{');
    }
  reply_close ('[');
}

static void
reply_idle_states (void)
{
  char path[128];

  reply_open ("idle_states", '[');
  for (int state = 0;; state++)
    {
      snprintf (path, sizeof path, SYSTEM_CPU "/cpu0/cpuidle/state%d/name", state);
      if (access (path, R_OK) != 0)
        break;
      reply_open (NULL, '{');
      file_text ("name", path);
      snprintf (path, sizeof path, SYSTEM_CPU "/cpu0/cpuidle/state%d/latency", state);
      file_int ("latency_us", path);
      snprintf (path, sizeof path, SYSTEM_CPU "/cpu0/cpuidle/state%d/disable", state);
      reply_bool ("disabled", strcmp (read_text (path), "1") == 0);
      reply_close ('{');
    }
  reply_close ('[');
}

/* Real-time tasks: those that people may want to measure. */

#define MOST_TASKS 200
#define KERNEL_THREAD 0x00200000 /* a flag of the kernel's */

typedef struct
{
  int pid;
  char comm[16];
  int policy;
  int priority;
  int cpu;
  bool kernel;
} RealTimeTask;

/* Programs before threads of the kernel, then by urgency. */
static int
compare_tasks (const void *first, const void *second)
{
  const RealTimeTask *a = first;
  const RealTimeTask *b = second;

  if (a->kernel != b->kernel)
    return a->kernel - b->kernel;
  if ((a->policy == SCHED_DEADLINE) != (b->policy == SCHED_DEADLINE))
    return (b->policy == SCHED_DEADLINE) - (a->policy == SCHED_DEADLINE);
  return a->priority != b->priority ? b->priority - a->priority : a->pid - b->pid;
}

/* False: it is gone, or no real-time task. */
static bool
read_task (const char *process, const char *thread, RealTimeTask *task)
{
  char path[600];
  char text[TEXT_SIZE];
  char *end;
  unsigned flags;

  *task = (RealTimeTask) { .pid = atoi (thread) };
  snprintf (path, sizeof path, "/proc/%s/task/%s/stat", process, thread);
  snprintf (text, sizeof text, "%s", read_text (path));
  end = strrchr (text, ')'); /* The name may have brackets and spaces itself. */
  if (!end || !strchr (text, '(') ||
      sscanf (end + 1,
              " %*c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %*d %*u %*u %*u %*u "
              "%*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %d %d %d",
              &flags, &task->cpu, &task->priority, &task->policy) != 4)
    return false;
  *end = '\0';
  snprintf (task->comm, sizeof task->comm, "%s", strchr (text, '(') + 1);
  task->kernel = flags & KERNEL_THREAD;
  return task->policy == SCHED_FIFO || task->policy == SCHED_RR || task->policy == SCHED_DEADLINE;
}

/* Adds @task, in place of the last one if there is no room. */
static void
add_task (const RealTimeTask *task, RealTimeTask *tasks, int *n)
{
  int last = 0;

  if (*n < MOST_TASKS)
    {
      tasks[(*n)++] = *task;
      return;
    }
  for (int i = 1; i < *n; i++)
    if (compare_tasks (&tasks[i], &tasks[last]) > 0)
      last = i;
  if (compare_tasks (task, &tasks[last]) < 0)
    tasks[last] = *task;
}

/* Adds those of a process. */
static void
add_tasks (const char *process, RealTimeTask *tasks, int *n)
{
  RealTimeTask task;
  char path[300];
  DIR *folder;
  struct dirent *thread;

  snprintf (path, sizeof path, "/proc/%s/task", process);
  folder = opendir (path);
  while (folder && (thread = readdir (folder)))
    if (atoi (thread->d_name) > 0 && read_task (process, thread->d_name, &task))
      add_task (&task, tasks, n);
  if (folder)
    closedir (folder);
}

static void
reply_tasks (void)
{
  RealTimeTask tasks[MOST_TASKS];
  int n = 0;
  DIR *folder = opendir ("/proc");
  struct dirent *process;

  while (folder && (process = readdir (folder)))
    if (atoi (process->d_name) > 0)
      add_tasks (process->d_name, tasks, &n);
  if (folder)
    closedir (folder);
  qsort (tasks, n, sizeof *tasks, compare_tasks);
  reply_open ("tasks", '[');
  for (int i = 0; i < n; i++)
    {
      const int policy = tasks[i].policy;

      reply_open (NULL, '{');
      reply_int ("pid", tasks[i].pid);
      reply_text ("comm", tasks[i].comm);
      reply_text ("policy", policy == SCHED_FIFO ? "fifo" : policy == SCHED_RR ? "rr" : "deadline");
      reply_int ("priority", tasks[i].priority);
      reply_int ("cpu", tasks[i].cpu);
      reply_close ('{');
    }
  reply_close ('[');
}

/* The number after @key in the line of @path that begins with it; -1: there is none. */
static int64_t
line_number (const char *path, const char *key)
{
  FILE *file = fopen (path, "re");
  char line[TEXT_SIZE];
  long long number = -1;

  while (file && number < 0 && fgets (line, sizeof line, file))
    if (strncmp (line, key, strlen (key)) == 0)
      number = atoll (line + strlen (key) + strspn (line + strlen (key), ": \t"));
  if (file)
    fclose (file);
  return number;
}

static bool
has_hypervisor (void)
{
  FILE *file = fopen ("/proc/cpuinfo", "re");
  char line[TEXT_SIZE];
  bool found = false;

  while (file && !found && fgets (line, sizeof line, file))
    found = strncmp (line, "flags", 5) == 0 && strstr (line, " hypervisor");
  if (file)
    fclose (file);
  return found;
}

/* The kernel's preemption model, from its version and debugfs. */
static void
reply_preemption (const char *version)
{
  if (strstr (version, "PREEMPT_RT"))
    reply_text ("preemption", "rt");
  else if (strstr (version, "PREEMPT_DYNAMIC"))
    file_choice ("preemption", "/sys/kernel/debug/sched/preempt");
  else if (strstr (version, "PREEMPT"))
    reply_text ("preemption", "full");
}

/* From the kernel's switch. Kernels before 5.14 have none and account delays unless built or booted without it, in
 * which case our own delays are all 0. */
static void
reply_delay_accounting (void)
{
  int64_t chosen = line_number ("/proc/sys/kernel/task_delayacct", "");

  if (chosen >= 0)
    reply_bool ("delay_accounting", chosen == 1);
  else if (facts_root ())
    reply_bool ("delay_accounting", delays_of_thread (getpid ()).of[0].count > 0);
}

static int latency = -1; /* the file that keeps CPUs awake; opened early, as those of SMI counts */

void
facts_hold_latency (bool hold)
{
  const int32_t most_us = hold ? 0 : -1; /* any */

  if (latency >= 0 && write (latency, &most_us, sizeof most_us) < 0)
    {
      close (latency);
      latency = -1;
    }
}

bool
facts_functions_are_traced (void)
{
  return strcmp (read_text (FTRACE_ENABLED), "0") != 0;
}

static void
reply_settings (void)
{
  latency = open ("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  reply_bool ("dma_latency", latency >= 0);
  file_int ("rt_runtime_us", "/proc/sys/kernel/sched_rt_runtime_us");
  file_int ("rt_period_us", "/proc/sys/kernel/sched_rt_period_us");
  file_int ("timer_migration", "/proc/sys/kernel/timer_migration");
  file_int ("nmi_watchdog", "/proc/sys/kernel/nmi_watchdog");
  file_int ("ftrace_enabled", FTRACE_ENABLED);
  file_int ("kptr_restrict", "/proc/sys/kernel/kptr_restrict");
  file_int ("swappiness", "/proc/sys/vm/swappiness");
  file_choice ("transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled");
  file_text ("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static void
reply_room (void)
{
  char folder[FOLDER_SIZE];
  int64_t free_bytes = capture_room (folder);

  reply_text ("temporary_folder", folder);
  reply_known ("temporary_free_bytes", free_bytes);
  reply_known ("memory_available_kb", line_number ("/proc/meminfo", "MemAvailable"));
}

int64_t
facts_rt_runtime_us (void)
{
  return line_number ("/proc/sys/kernel/sched_rt_runtime_us", "");
}

bool
facts_throttled (void)
{
  int64_t runtime_us = facts_rt_runtime_us ();

  return runtime_us >= 0 && runtime_us < line_number ("/proc/sys/kernel/sched_rt_period_us", "");
}

void
facts_reply (void)
{
  struct utsname name;
  int cpus[MOST_CPUS];
  int n = sysconf (_SC_NPROCESSORS_CONF);

  n = n < MOST_CPUS ? n : MOST_CPUS;
  for (int i = 0; i < n; i++)
    cpus[i] = i;
  uname (&name);
  reply_begin ("facts");
  reply_text ("host", name.nodename);
  reply_text ("kernel", name.release);
  reply_text ("machine", name.machine);
  file_text ("kernel_command_line", "/proc/cmdline");
  if (facts_root ())
    reply_bool ("unrestored", journal_is_left ());
  reply_bool ("root", facts_root ());
  reply_bool ("virtual_machine", has_hypervisor ());
  reply_cpus ();
  reply_idle_states ();
  reply_tasks ();
  reply_settings ();
  reply_preemption (name.version);
  reply_delay_accounting ();
  tracing_reply_facts ();
  reply_room ();
  reply_known ("steal_ns", facts_steal_ns (cpus, n));
  reply_end ();
}
