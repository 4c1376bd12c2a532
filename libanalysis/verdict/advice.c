/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do next, and what the verdict could not take into account. */
#include "words-private.h"

#include "study/triage.h"
#include "units.h"

#include <string.h>

#define ENOUGH 10  /* captures: if there are fewer, more are requested */
#define WIDE 0.5   /* between low and high: then more captures are requested, if there are few */
#define STEADY 0.9 /* leads: below this the ranking may still change */

/* The largest cause; if there is none, the largest suspect; NULL: there is neither. */
static const CulpritCulprit *
find_leader (const CulpritVerdict *verdict)
{
  const GArray *from = verdict->culprits->len > 0 ? verdict->culprits : verdict->suspects;

  return from->len > 0 ? &g_array_index (from, CulpritCulprit, 0) : NULL;
}

/* The first population where @culprit occurs. */
static const CulpritPopulation *
population_of (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return culprit_evidence_population (verdict->evidence,
                                      g_array_index (culprit->where, CulpritOccurrence, 0).population);
}

/* Whether the measured task is known to have a lower priority than @culprit, in all captures that know. */
static gboolean
is_outranked (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  gboolean known = FALSE;

  for (guint i = 0; i < culprit->explains->len; i++)
    known |= culprit_verdict_case (verdict, g_array_index (culprit->explains, gint64, i))->priority >= 0;
  return known && culprit->inverted == 0;
}

static char *
advise_on_task (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const char *preemption = population_of (verdict, culprit)->preemption;

  if (is_outranked (verdict, culprit))
    return g_strdup_printf ("Give the measured task a higher priority than %s, or %s another CPU.", culprit->name,
                            culprit->name);
  if (!preemption)
    return g_strdup_printf (
        "Give %s another CPU; if its kernel does not preempt system calls, a PREEMPT_RT kernel removes "
        "this, too.",
        culprit->name);
  if (g_str_equal (preemption, "rt"))
    return g_strdup_printf (
        "Even this real-time kernel cannot preempt %s where it disables interrupts or preemption: give "
        "it another CPU, or avoid what it did.",
        culprit->name);
  if (g_str_equal (preemption, "full"))
    return g_strdup_printf (
        "This kernel preempts system calls, but not where they hold spinlocks: a PREEMPT_RT kernel, or "
        "another CPU for %s, removes this.",
        culprit->name);
  return g_strdup_printf (
      "This kernel does not preempt system calls (its preemption model is %s): a PREEMPT_RT kernel, or "
      "another CPU for %s, removes this.",
      preemption, culprit->name);
}

static char *
advise_on_interrupt (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const char *preemption = population_of (verdict, culprit)->preemption;

  if (strstr (culprit->name, "timer"))
    return g_strdup ("Timers that expire on this CPU do this: keep other work off it (isolcpus, nohz_full).");
  if (culprit->context == CULPRIT_CONTEXT_NMI)
    return g_strdup ("Find what raises NMIs: perf, or the NMI watchdog (kernel.nmi_watchdog).");
  if (culprit->context == CULPRIT_CONTEXT_SOFTIRQ)
    return g_strdup_printf (
        "Keep what raises %s off this CPU (IRQ affinity, RPS)%s",
        words_is_all_of_a_kind (verdict, culprit) ? "them" : culprit->name,
        g_strcmp0 (preemption, "rt") == 0
            ? "."
            : "; a PREEMPT_RT kernel runs soft interrupts in threads, which the measured task preempts.");
  return g_strdup_printf ("Move %s to other CPUs: see /proc/interrupts, and set its affinity.", culprit->name);
}

char *
words_advice (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  switch (culprit->class)
    {
    case CULPRIT_CLASS_BLIND_STALL:
      if (verdict->stalls->likely)
        return NULL;
      return g_strdup (verdict->stalls->virtual_machine
                           ? "Check what else the host is running, and pin the virtual CPUs to dedicated host CPUs."
                           : "Check the firmware settings, and the hypervisor if there is one; the kernel's hwlat "
                             "tracer detects such gaps independently.");
    case CULPRIT_CLASS_INTERFERENCE:
      if (culprit->kind == CULPRIT_CAUSE_TASK)
        return advise_on_task (verdict, culprit);
      return words_is_holder (verdict, culprit) ? advise_on_interrupt (verdict, culprit) : NULL;
    case CULPRIT_CLASS_LATE_TIMER:
      return g_strdup (
          population_of (verdict, culprit)->idle_states
              ? "Check what should have woken the CPU: C-states first (hold /dev/cpu_dma_latency at 0), then "
                "timer hardware, or a late interrupt."
              : "Check what should have woken the CPU: timer hardware, a late interrupt, a hypervisor.");
    default:
      return NULL;
    }
}

guint
culprit_verdict_more (const CulpritVerdict *verdict, char **why)
{
  const CulpritCulprit *leader = find_leader (verdict);
  gboolean blind = leader && leader->class == CULPRIT_CLASS_BLIND_STALL;
  guint more = 0;

  *why = NULL;
  if (blind && verdict->stalls->likely)
    {
      more = CULPRIT_STALL_CAPTURES - verdict->stalls->struck;
      *why =
          g_strdup_printf ("Take %u more capture%s: with %u a blind stall can be distinguished from a slow function.",
                           more, culprit_plural (more), CULPRIT_STALL_CAPTURES);
    }
  else if (leader && verdict->culprits->len == 0 && leader->more > 0 && words_is_probable (verdict, leader))
    {
      more = leader->more;
      *why = g_strdup_printf ("Take %u more capture%s: if %s carries them too, it is no coincidence.", more,
                              culprit_plural (more), leader->name);
    }
  else if (verdict->captures > 0 && verdict->captures < ENOUGH && !blind &&
           (!leader || leader->high - leader->low > WIDE))
    {
      more = ENOUGH - verdict->captures;
      *why = g_strdup_printf ("Take %u more capture%s: %u %s little about what makes such wake-ups late.", more,
                              culprit_plural (more), verdict->captures, verdict->captures == 1 ? "says" : "say");
    }
  else if (verdict->captures >= ENOUGH && verdict->culprits->len > 1 && leader->leads < STEADY)
    {
      more = verdict->captures;
      *why = g_strdup_printf ("With %u captures the ranking is not yet stable; record as many again.", more);
    }
  return more;
}

/* A few captures cannot distinguish a slow function from a firmware stall. */
static void
add_doubt (const CulpritVerdict *verdict, GPtrArray *notes)
{
  const CulpritCulprit *leader = find_leader (verdict);

  if (leader && leader->class == CULPRIT_CLASS_TOO_LONG && verdict->stalls->candidates > 0 &&
      verdict->stalls->candidates < CULPRIT_STALL_CAPTURES)
    g_ptr_array_add (notes, g_strdup_printf ("With fewer than %u captures a firmware stall in %s cannot be ruled out.",
                                             CULPRIT_STALL_CAPTURES, leader->name));
}

static const char *
is_or_are (guint n)
{
  return n == 1 ? "is" : "are";
}

static void
add_warnings (const CulpritVerdict *verdict, GPtrArray *notes)
{
  if (verdict->selection)
    g_ptr_array_add (notes, g_strdup_printf ("%s; this verdict is about these.", verdict->selection));
  if (verdict->captures > 0 && verdict->ordinary > 0 && verdict->ordinary < CULPRIT_LEAST_OWN_BASE)
    g_ptr_array_add (
        notes, g_strdup_printf ("There %s only %u ordinary wake-up%s to compare with; record with a larger "
                                "buffer to keep more.",
                                is_or_are (verdict->ordinary), verdict->ordinary, culprit_plural (verdict->ordinary)));
  if (verdict->incomplete > 0)
    g_ptr_array_add (notes, g_strdup_printf ("%u of %u captures %s incomplete: events were lost or overwritten.",
                                             verdict->incomplete, verdict->captures, is_or_are (verdict->incomplete)));
  if (verdict->hiding > 0)
    g_ptr_array_add (notes, g_strdup_printf ("%u of %u captures %s not show everything that ran; trace interrupts, and "
                                             "without limits on depth or functions, to see what took the time.",
                                             verdict->hiding, verdict->captures, verdict->hiding == 1 ? "does" : "do"));
  if (verdict->ignored > 0)
    {
      g_autofree char *ignored = culprit_ignored_in_words (verdict->ignored);

      g_ptr_array_add (notes, g_strdup_printf ("%s.", ignored));
    }
  for (guint i = 0; i < verdict->without_windows->len; i++)
    g_ptr_array_add (notes, g_strdup (g_ptr_array_index (verdict->without_windows, i)));
  if (verdict->tracing > 0)
    g_ptr_array_add (notes,
                     g_strdup_printf ("%u of %u captures %s late only because of tracing, and in no cause; a higher "
                                      "threshold avoids that.",
                                      verdict->tracing, verdict->captures, is_or_are (verdict->tracing)));
  if (verdict->spread > 0 && (verdict->culprits->len > 0 || 2 * verdict->spread < verdict->stands_out))
    g_ptr_array_add (
        notes, g_strdup_printf ("In %u of %u captures nothing has half of the excess; what they did took %.1f times "
                                "as long as ordinarily, altogether.",
                                verdict->spread, verdict->captures, verdict->spread_factor));
}

GPtrArray *
culprit_verdict_notes (const CulpritVerdict *verdict)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);

  add_doubt (verdict, notes);
  add_warnings (verdict, notes);
  return notes;
}

/* How to examine @culprit further, as commands. NULL: with more captures. The caller owns it. */
static char *
look_closer (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_autofree char *advice = words_advice (verdict, culprit);

  if (culprit->class == CULPRIT_CLASS_BLIND_STALL)
    return advice ? g_strdup_printf ("%s culprit stalls shows the test.", advice) : NULL;
  return advice ? g_steal_pointer (&advice)
         : culprit_verdict_function (verdict, culprit)
             ? g_strdup_printf ("See what it does with culprit record --graph %s, and who calls it with culprit show.",
                                culprit->name)
             : g_strdup ("See its calls with culprit show.");
}

GPtrArray *
culprit_verdict_next_steps (const CulpritVerdict *verdict)
{
  g_autoptr (GPtrArray) notes = culprit_verdict_notes (verdict);
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_free);
  const CulpritCulprit *leader = find_leader (verdict);
  char *closer = leader ? look_closer (verdict, leader) : NULL;
  char *more;

  if (closer)
    g_ptr_array_add (steps, closer);
  culprit_verdict_more (verdict, &more);
  if (more)
    g_ptr_array_add (steps, more);
  g_ptr_array_extend_and_steal (steps, g_steal_pointer (&notes));
  return steps;
}
