/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says the verdict as a colleague would, with numbers that add up. */
#include "verdict.h"

#include "units.h"

#include <math.h>

#define PERCENT 100
#define FEW 5       /* captures: what so few have in common may be chance */
#define ENOUGH 10   /* captures: with fewer more are asked for */
#define SURE 0.9    /* confidence */
#define SPREAD 0.05 /* of a stall's length: below it is constant */

static void
say_time (GString *words, double time_ns)
{
  g_autofree char *text = culprit_time_format (llround (time_ns));

  g_string_append (words, text);
}

/* "in the interrupt", of contexts that are worth saying. */
static const char *
where (CulpritContext context)
{
  switch (context)
    {
    case CULPRIT_CONTEXT_HARDIRQ:
      return " (in an interrupt)";
    case CULPRIT_CONTEXT_SOFTIRQ:
      return " (in a softirq)";
    case CULPRIT_CONTEXT_NMI:
      return " (in an NMI)";
    case CULPRIT_CONTEXT_TASK:
      return " (in another task)";
    case CULPRIT_CONTEXT_IDLE:
      return " (in the idle task)";
    default:
      return "";
    }
}

static void
say_calls (GString *words, double calls)
{
  g_string_append_printf (words, calls < 10 && calls != floor (calls) ? "%.1f" : "%.0f", calls);
}

/* ", called 402 times instead of 4.1,". */
static void
say_count (GString *words, const CulpritCulprit *culprit)
{
  g_string_append (words, "called ");
  say_calls (words, culprit->calls);
  if (culprit->base_calls_ran > 0)
    {
      g_string_append (words, " times instead of ");
      say_calls (words, culprit->base_calls_ran);
    }
  else
    g_string_append (words, " times, and in no ordinary wake-up");
}

static void
say_cost (GString *words, const CulpritCulprit *culprit)
{
  g_string_append (words, "with ");
  say_time (words, culprit->per_call_ns);
  g_string_append (words, " a call");
  if (culprit->base_calls > 0)
    {
      g_string_append (words, " instead of ");
      say_time (words, culprit->base_per_call_ns);
    }
}

/* "explains 2.1 ms of 2.4 ms (88 %) in 9 of 10 captures". */
static void
say_excess (GString *words, const CulpritCulprit *culprit, guint captures)
{
  say_time (words, culprit->excess_ns);
  g_string_append (words, " of ");
  say_time (words, culprit->all_ns);
  g_string_append_printf (words, " more than usual (%.0f %%) in %u of %u capture%s", culprit->share * PERCENT,
                          culprit->captures, captures, culprit_plural (captures));
}

static void
say_function (GString *words, const CulpritCulprit *culprit, guint captures)
{
  g_string_append_printf (words, "%s%s %s: ", culprit->name, where (culprit->context),
                          culprit->class == CULPRIT_CLASS_TOO_OFTEN  ? "was called too often"
                          : culprit->class == CULPRIT_CLASS_TOO_LONG ? "took too long"
                                                                     : "was called too often and took too long");
  if (culprit->class != CULPRIT_CLASS_TOO_LONG)
    say_count (words, culprit);
  if (culprit->class == CULPRIT_CLASS_MIXED)
    g_string_append (words, " and ");
  if (culprit->class != CULPRIT_CLASS_TOO_OFTEN)
    say_cost (words, culprit);
  g_string_append (words, ", it explains ");
  say_excess (words, culprit, captures);
}

static void
say_holder (GString *words, const CulpritCulprit *culprit, guint captures)
{
  gboolean task = culprit->context == CULPRIT_CONTEXT_TASK;

  g_string_append_printf (words, "The %s %s had the CPU: ", task ? "task" : "interrupt", culprit->name);
  say_excess (words, culprit, captures);
  g_string_append (words, ", spread over what it does");
  if (culprit->inverted > 0)
    g_string_append_printf (
        words,
        "; its priority is lower than that of the measured task (in %u capture%s): priority inversion, "
        "or a section that cannot be preempted",
        culprit->inverted, culprit_plural (culprit->inverted));
}

static void
say_length (GString *words, const CulpritStalls *stalls)
{
  say_time (words, stalls->length_ns);
  if (isnan (stalls->length_sd_ns))
    return;
  if (stalls->length_sd_ns < SPREAD * stalls->length_ns)
    g_string_append (words, " each time");
  else
    {
      g_string_append (words, " on average, give or take ");
      say_time (words, stalls->length_sd_ns);
    }
}

static guint
count_places (const CulpritStalls *stalls)
{
  guint places = 0;

  for (guint i = 0; i < stalls->places->len; i++)
    places += !g_array_index (stalls->places, CulpritPlace, i).guilty;
  return places;
}

static void
say_blind (GString *words, const CulpritCulprit *culprit, const CulpritStalls *stalls, guint captures)
{
  static const char *const proofs[] = { "; nothing that was recorded could confirm it",
                                        "; the other CPUs stood still at the same time",
                                        "; the SMI counter or the hypervisor's steal time confirms it" };

  g_string_append_printf (words, "Blind stalls%s: nothing ran that could be traced for ",
                          stalls->likely ? ", likely" : "");
  say_length (words, stalls);
  g_string_append_printf (words, ", in %u of %u capture%s, ", culprit->captures, captures, culprit_plural (captures));
  if (count_places (stalls) > 1)
    g_string_append_printf (words, "at %u different places, none of them again and again", count_places (stalls));
  else
    g_string_append (words, "always while the CPU rested or ran what it ordinarily does");
  g_string_append_printf (words, ": that is how firmware (an SMI) or a hypervisor takes the CPU%s",
                          proofs[stalls->proof]);
  if (stalls->likely)
    g_string_append_printf (words, "; %u capture%s cannot tell that from a function that is often slow", stalls->struck,
                            culprit_plural (stalls->struck));
}

static void
say_late (GString *words, const CulpritCulprit *culprit, guint captures)
{
  g_string_append (words, "A late timer: the CPU was idle and nothing ran for ");
  say_excess (words, culprit, captures);
}

static char *
say_culprit (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  GString *words = g_string_new (NULL);
  guint captures = verdict->captures;

  switch (culprit->class)
    {
    case CULPRIT_CLASS_INTERFERENCE:
      say_holder (words, culprit, captures);
      break;
    case CULPRIT_CLASS_BLIND_STALL:
      say_blind (words, culprit, verdict->stalls, captures);
      break;
    case CULPRIT_CLASS_LATE_TIMER:
      say_late (words, culprit, captures);
      break;
    default:
      say_function (words, culprit, captures);
    }
  g_string_append_printf (words, ". Confidence %.0f %%%s.", culprit->confidence * PERCENT,
                          captures < FEW ? " as far as so few captures can tell" : "");
  if (culprit->path && *culprit->path)
    g_string_append_printf (words, " Path: %s.", culprit->path);
  return g_string_free (words, FALSE);
}

static gboolean
any_is_compared (const CulpritVerdict *verdict)
{
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    if (g_array_index (verdict->evidence->cases, CulpritCase, i).ordinary > 0)
      return TRUE;
  return FALSE;
}

static char *
say_nothing (const CulpritVerdict *verdict)
{
  if (verdict->captures == 0)
    return g_strdup ("There are no late wake-ups to judge.");
  if (!any_is_compared (verdict))
    return g_strdup (
        "No verdict: there are no ordinary wake-ups to compare with; a larger buffer keeps some, or --base "
        "names a run that has them.");
  if (verdict->stands_out == 0)
    return g_strdup_printf (
        "Nothing stands out: none of %u capture%s differs from its ordinary wake-ups by more than these "
        "differ among themselves.",
        verdict->captures, culprit_plural (verdict->captures));
  return g_strdup_printf (
      "No culprit: %u of %u capture%s stand%s out, but what is more in them is spread over many functions.",
      verdict->stands_out, verdict->captures, culprit_plural (verdict->captures), verdict->stands_out == 1 ? "s" : "");
}

GPtrArray *
culprit_verdict_in_words (const CulpritVerdict *verdict)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < verdict->culprits->len && i < CULPRIT_CULPRITS_MOST; i++)
    g_ptr_array_add (sentences, say_culprit (verdict, &g_array_index (verdict->culprits, CulpritCulprit, i)));
  if (sentences->len == 0)
    g_ptr_array_add (sentences, say_nothing (verdict));
  return sentences;
}

/* How to look closer at @culprit. NULL: there is no way. */
static char *
next_step (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  switch (culprit->class)
    {
    case CULPRIT_CLASS_BLIND_STALL:
      if (verdict->stalls->likely)
        return g_strdup_printf ("Take %u more capture%s: with %u a blind stall can be told from a slow function.",
                                CULPRIT_STALL_CAPTURES - verdict->stalls->struck,
                                culprit_plural (CULPRIT_STALL_CAPTURES - verdict->stalls->struck),
                                CULPRIT_STALL_CAPTURES);
      return g_strdup (
          "Look at firmware settings and at the hypervisor; culprit stalls shows the test, and the kernel's "
          "hwlat tracer sees such gaps without any task.");
    case CULPRIT_CLASS_INTERFERENCE:
      return g_strdup_printf ("Keep %s away from this CPU, or above its priority: isolcpus, IRQ affinity, priorities.",
                              culprit->name);
    case CULPRIT_CLASS_LATE_TIMER:
      return g_strdup (
          "Look at what should have woken the CPU: C-states, timer hardware, an interrupt that came late.");
    default:
      return g_strdup_printf (
          "Look closer at what it does: culprit record --graph %s, or at who calls it: culprit show.", culprit->name);
    }
}

GPtrArray *
culprit_verdict_next_steps (const CulpritVerdict *verdict)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_free);
  const CulpritCulprit *leader =
      verdict->culprits->len > 0 ? &g_array_index (verdict->culprits, CulpritCulprit, 0) : NULL;

  if (leader)
    g_ptr_array_add (steps, next_step (verdict, leader));
  if (verdict->captures > 0 && verdict->captures < ENOUGH && !(leader && leader->class == CULPRIT_CLASS_BLIND_STALL))
    g_ptr_array_add (steps, g_strdup_printf ("Take %u more capture%s: %u %s few for a verdict.",
                                             ENOUGH - verdict->captures, culprit_plural (ENOUGH - verdict->captures),
                                             verdict->captures, verdict->captures == 1 ? "is" : "are"));
  if (leader && leader->class == CULPRIT_CLASS_TOO_LONG && verdict->stalls->candidates > 0 &&
      verdict->stalls->candidates < CULPRIT_STALL_CAPTURES)
    g_ptr_array_add (steps,
                     g_strdup_printf ("Before %u captures firmware that struck there by chance looks the same as a "
                                      "function that took too long.",
                                      CULPRIT_STALL_CAPTURES));
  if (verdict->captures >= ENOUGH && leader && leader->confidence < SURE)
    g_ptr_array_add (steps, g_strdup_printf ("Take as many captures again: with %u the first place is not sure.",
                                             verdict->captures));
  if (verdict->borrowed > 0)
    g_ptr_array_add (steps, g_strdup_printf ("%u of %u captures have too few ordinary wake-ups of their own and were "
                                             "held against those of their run; a larger buffer keeps more.",
                                             verdict->borrowed, verdict->captures));
  if (verdict->incomplete > 0)
    g_ptr_array_add (steps, g_strdup_printf ("%u of %u captures are incomplete: events were lost or overwritten.",
                                             verdict->incomplete, verdict->captures));
  return steps;
}

char *
culprit_case_in_words (const CulpritCase *one)
{
  GString *words = g_string_new (culprit_class_name (one->class));

  if (!one->culprit)
    {
      g_string_append_printf (words, ": %s", one->reason);
      return g_string_free (words, FALSE);
    }
  g_string_append_printf (words, ": %s%s, ", one->culprit, where (one->context));
  say_time (words, one->culprit_ns);
  g_string_append (words, " of ");
  say_time (words, one->excess_ns);
  g_string_append_printf (words, " more than ordinary wake-ups (%.0f %%)", one->share * PERCENT);
  if (one->path && *one->path)
    g_string_append_printf (words, "; path: %s", one->path);
  return g_string_free (words, FALSE);
}
