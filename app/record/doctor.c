/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the facts of a target. Each function checks one subject. */
#include "doctor.h"

#include "json.h"
#include "request.h"
#include "units.h"

#include <string.h>

#define ROOM_BYTES (64ll << 20)
#define SLOW_EXIT_US 10

static void
finding_free (gpointer data)
{
  CulpritFinding *finding = data;

  g_free (finding->text);
  g_free (finding->fix);
  g_free (finding);
}

static CulpritFinding *G_GNUC_PRINTF (5, 6)
    add (GPtrArray *findings, CulpritSeverity severity, const char *key, const char *fix, const char *text, ...)
{
  CulpritFinding *finding = g_new0 (CulpritFinding, 1);
  va_list arguments;

  va_start (arguments, text);
  finding->text = g_strdup_vprintf (text, arguments);
  va_end (arguments);
  finding->severity = severity;
  finding->key = key;
  finding->fix = g_strdup (fix);
  g_ptr_array_add (findings, finding);
  return finding;
}

static gboolean
is_x86 (const CulpritFacts *facts)
{
  return facts->machine && (g_str_has_prefix (facts->machine, "x86") || g_str_has_suffix (facts->machine, "86"));
}

static gboolean
has_tracer (const CulpritFacts *facts, const char *name)
{
  return g_ptr_array_find_with_equal_func (facts->tracers, name, g_str_equal, NULL);
}

static void
judge_tracing (const CulpritFacts *facts, GPtrArray *findings)
{
  const char *tracer = facts->current_tracer;

  if (!facts->tracefs)
    add (findings, CULPRIT_FINDING_FAILS, "tracefs", "mount -t tracefs tracefs /sys/kernel/tracing",
         "tracefs is not mounted: tracing is not possible.");
  else if (has_tracer (facts, "function_graph"))
    add (findings, CULPRIT_FINDING_GOOD, "function-graph", NULL, "This kernel has the function_graph tracer.");
  else if (facts->root == TRUE || facts->tracers->len > 0) /* else they are hidden from the recorder */
    add (findings, CULPRIT_FINDING_FAILS, "function-graph",
         g_strcmp0 (facts->machine, "x86_64") == 0 ? "apt-get install linux-image-amd64 && reboot" : NULL,
         "This kernel has no function_graph tracer: no captures can be taken, only latencies measured.")
        ->remedy.kind = CULPRIT_REMEDY_OTHER_KERNEL;
  if (facts->ftrace_enabled == 0)
    add (findings, CULPRIT_FINDING_FAILS, "ftrace-enabled", "sysctl -w kernel.ftrace_enabled=1",
         "The kernel calls no tracer of functions: captures would have none.");
  if (facts->trace_cmd != TRUE)
    add (findings, CULPRIT_FINDING_FAILS, "trace-cmd", "apt-get install trace-cmd",
         "trace-cmd is not installed: no captures can be taken.");
  if (facts->unrestored == TRUE)
    add (findings, CULPRIT_FINDING_FAILS, "unrestored", "culprit-recorder restore",
         "Tracing settings or the treatment of a recording that was killed, or could not restore them as somebody used "
         "them, are still in place; the next recording or culprit-recorder restore resets them.");
  else if ((tracer && !g_str_equal (tracer, "nop")) || facts->enabled_events > 0 || facts->trace_entries > 0)
    add (findings, CULPRIT_FINDING_FAILS, "tracing-in-use", "trace-cmd reset",
         "Tracing is in use by another program: tracer %s, %" G_GINT64_FORMAT " events enabled, %" G_GINT64_FORMAT
         " in the buffer.",
         tracer ? tracer : "unknown", facts->enabled_events, facts->trace_entries);
  if (facts->kptr_restrict >= 2)
    add (findings, CULPRIT_FINDING_SPOILS, "kernel-symbols", "sysctl -w kernel.kptr_restrict=1",
         "Kernel symbols are hidden: functions would have no names.");
}

static void
judge_rights (const CulpritFacts *facts, GPtrArray *findings)
{
  if (facts->root != TRUE)
    add (findings, CULPRIT_FINDING_FAILS, "root", NULL,
         "The recorder is not running as root; use pkexec or sudo, or log in as root.");
}

static void
judge_room (const CulpritFacts *facts, GPtrArray *findings)
{
  gint64 room = facts->temporary_free_bytes;

  if (room >= 0 && room < ROOM_BYTES)
    add (findings, CULPRIT_FINDING_FAILS, "room", NULL, "%s has %" G_GINT64_FORMAT " MB free; captures need more.",
         facts->temporary_folder ? facts->temporary_folder : "/tmp", room >> 20);
}

static void
judge_memory (const CulpritFacts *facts, GPtrArray *findings)
{
  guint cpus = MAX (facts->cpus->len, 1);
  gint64 buffer_kb = setting_find ("buffer_kb")->otherwise;
  gint64 available_kb = facts->memory_available_kb;

  if (available_kb >= 0 && available_kb < cpus * buffer_kb)
    add (findings, CULPRIT_FINDING_FAILS, "memory", NULL,
         "%" G_GINT64_FORMAT " MB of memory are available; ring buffers of %" G_GINT64_FORMAT
         " MB for each of %u CPUs need more.",
         available_kb >> 10, buffer_kb >> 10, cpus)
        ->remedy.kind = CULPRIT_REMEDY_SMALLER_BUFFER;
}

static void
judge_throttling (const CulpritFacts *facts, GPtrArray *findings)
{
  if (facts->rt_runtime_us >= 0)
    add (findings, CULPRIT_FINDING_HINT, "throttling", "sysctl -w kernel.sched_rt_runtime_us=-1",
         "Real-time tasks are throttled: they get %" G_GINT64_FORMAT " of every %" G_GINT64_FORMAT
         " ms, which causes gaps under heavy real-time load. Method poll needs that if it measures all CPUs.",
         facts->rt_runtime_us / 1000, facts->rt_period_us / 1000);
}

static void
judge_cpus (const CulpritFacts *facts, GPtrArray *findings)
{
  g_autoptr (GString) slow = g_string_new (NULL);
  gboolean isolated = FALSE;
  gboolean counts_smi = FALSE;

  for (guint i = 0; i < facts->cpus->len; i++)
    {
      const CulpritCpuFacts *cpu = &g_array_index (facts->cpus, CulpritCpuFacts, i);

      if (cpu->governor && !g_str_equal (cpu->governor, "performance"))
        g_string_append_printf (slow, "%s%" G_GINT64_FORMAT " %s", slow->len ? ", " : "", cpu->cpu, cpu->governor);
      isolated |= cpu->isolated == TRUE;
      counts_smi |= cpu->smi_count >= 0;
    }
  if (slow->len > 0)
    add (findings, CULPRIT_FINDING_SPOILS, "governor",
         "for g in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do echo performance >$g; done",
         "The frequency governor slows CPUs down between wake-ups (CPU %s).", slow->str);
  if (!isolated && facts->cpus->len > 1)
    add (findings, CULPRIT_FINDING_HINT, "isolation", NULL,
         "No CPU is isolated; on an isolated CPU other tasks do not disturb a real-time task (boot with isolcpus=).");
  if (!counts_smi && is_x86 (facts) && facts->virtual_machine != TRUE)
    add (findings, CULPRIT_FINDING_HINT, "smi", "modprobe msr",
         "System management interrupts cannot be counted; on Intel CPUs the module msr allows it.");
}

static void
judge_idle (const CulpritFacts *facts, GPtrArray *findings)
{
  g_autoptr (GString) slow =
      g_string_new (NULL); /* indices of states, one digit each: the kernel has no more than ten */
  g_autofree char *fix = NULL;
  gint64 slowest_us = 0;
  const char *name = NULL;

  for (guint i = 0; i < facts->idle_states->len; i++)
    {
      const CulpritIdleState *state = &g_array_index (facts->idle_states, CulpritIdleState, i);
      gint64 exit_us = state->disabled == TRUE ? 0 : state->latency_us;

      if (exit_us > SLOW_EXIT_US)
        g_string_append_printf (slow, "%u", i);
      if (exit_us > slowest_us)
        {
          slowest_us = exit_us;
          name = state->name;
        }
    }
  if (slow->len == 0)
    return;
  fix = g_strdup_printf ("for s in /sys/devices/system/cpu/cpu*/cpuidle/state[%s]/disable; do echo 1 >$s; done",
                         slow->str);
  add (findings, facts->dma_latency == TRUE ? CULPRIT_FINDING_HINT : CULPRIT_FINDING_SPOILS, "idle-states", fix,
       "Idle state %s takes %" G_GINT64_FORMAT " us to leave%s.", name ? name : "?", slowest_us,
       facts->dma_latency == TRUE ? "; the recorder prevents it while measuring, your own programs may not"
                                  : ", and /dev/cpu_dma_latency cannot prevent it");
}

static void
judge_kernel (const CulpritFacts *facts, GPtrArray *findings)
{
  const char *clock = facts->clocksource;
  const char *preemption = facts->preemption;
  gboolean steals = facts->steal_ns > 0;
  g_autofree char *stolen = culprit_time_format (facts->steal_ns);

  if (facts->virtual_machine == TRUE)
    add (findings, CULPRIT_FINDING_SPOILS, "hypervisor", NULL,
         "This is a virtual machine: the hypervisor may take the CPU at any time, which no function explains%s%s.",
         steals ? "; since boot it took " : "", steals ? stolen : "");
  if (clock && is_x86 (facts) && !strstr (clock, "tsc") && !g_str_equal (clock, "kvm-clock"))
    add (findings, CULPRIT_FINDING_SPOILS, "clocksource",
         "echo tsc >/sys/devices/system/clocksource/clocksource0/current_clocksource",
         "The clock source is %s, which is slow to read.", clock);
  if (preemption && (g_str_equal (preemption, "none") || g_str_equal (preemption, "voluntary")))
    add (findings, CULPRIT_FINDING_HINT, "preemption", "echo full >/sys/kernel/debug/sched/preempt",
         "The kernel's preemption model is %s; a real-time task may have to wait for other tasks' system calls.",
         preemption);
  if (facts->delay_accounting == FALSE)
    add (findings, CULPRIT_FINDING_HINT, "delay-accounting", "sysctl -w kernel.task_delayacct=1",
         "Delay accounting is off: waits for block I/O, swap and memory cannot be told apart.");
  if (facts->nmi_watchdog > 0)
    add (findings, CULPRIT_FINDING_HINT, "nmi-watchdog", "sysctl -w kernel.nmi_watchdog=0",
         "The NMI watchdog periodically interrupts every CPU.");
  if (facts->timer_migration > 0)
    add (findings, CULPRIT_FINDING_HINT, "timer-migration", "sysctl -w kernel.timer_migration=0",
         "Timers of idle CPUs may fire on the measured one.");
  if (g_strcmp0 (facts->transparent_hugepage, "always") == 0)
    add (findings, CULPRIT_FINDING_HINT, "huge-pages", "echo madvise >/sys/kernel/mm/transparent_hugepage/enabled",
         "The kernel assembles huge pages for every process, which can stall any of them.");
}

static int
compare_findings (gconstpointer a, gconstpointer b)
{
  const CulpritFinding *left = *(const CulpritFinding *const *) a;
  const CulpritFinding *right = *(const CulpritFinding *const *) b;

  return (int) left->severity - (int) right->severity;
}

const char *
culprit_severity_name (CulpritSeverity severity)
{
  static const char *const names[] = { "blocker", "warning", "hint", "ok" };

  return names[severity];
}

char *
culprit_finding_words (const CulpritFinding *finding, CulpritSurface surface)
{
  return culprit_problem_words (finding->text, finding->remedy, surface);
}

GPtrArray *
culprit_doctor_examine (const CulpritFacts *facts)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func (finding_free);

  judge_rights (facts, findings);
  judge_tracing (facts, findings);
  judge_room (facts, findings);
  judge_memory (facts, findings);
  judge_kernel (facts, findings);
  judge_cpus (facts, findings);
  judge_idle (facts, findings);
  judge_throttling (facts, findings);
  g_ptr_array_sort (findings, compare_findings); /* stable: a merge sort */
  return findings;
}

/* Without tracing only root is needed, and some findings are about what a request can do without. */
static gboolean
concerns (const CulpritFinding *finding, JsonObject *request)
{
  const char *tracing = json_member_text (request, "tracing");

  if (g_str_equal (finding->key, "root"))
    return TRUE;
  if (!tracing || g_str_equal (tracing, "off") || g_str_equal (finding->key, "unrestored"))
    return FALSE;
  if (g_str_equal (finding->key, "memory"))
    return !json_object_has_member (request, "buffer_kb");
  return !g_str_equal (finding->key, "tracing-in-use") || !json_object_has_member (request, "take_over");
}

const CulpritFinding *
culprit_doctor_blocker (const GPtrArray *findings, JsonObject *request)
{
  for (guint i = 0; i < findings->len; i++)
    {
      const CulpritFinding *finding = g_ptr_array_index (findings, i);

      if (finding->severity == CULPRIT_FINDING_FAILS && concerns (finding, request))
        return finding;
    }
  return NULL;
}
