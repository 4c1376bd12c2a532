/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to do next, and what the verdict could not take into account. */
#include "words-private.h"

#include "study/triage.h"
#include "units.h"

#define ENOUGH 10  /* captures: if there are fewer, more are requested */
#define STEADY 0.9 /* leads: below this the ranking may still change */

/* The largest cause; if there is none, the largest suspect; NULL: there is neither. */
static const CulpritCulprit *
find_leader (const CulpritVerdict *verdict)
{
  const GArray *from = verdict->culprits->len > 0 ? verdict->culprits : verdict->suspects;

  return from->len > 0 ? &g_array_index (from, CulpritCulprit, 0) : NULL;
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
      return g_strdup_printf (
          "Move %s to other CPUs, or give the measured task a higher priority: isolcpus, IRQ affinity, priorities.",
          culprit->name);
    case CULPRIT_CLASS_LATE_TIMER:
      return g_strdup ("Check what should have woken the CPU: C-states, timer hardware, a late interrupt.");
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
  else if (verdict->captures > 0 && verdict->captures < ENOUGH && !blind)
    {
      more = ENOUGH - verdict->captures;
      *why = g_strdup_printf ("Take %u more capture%s: %u %s too few for a verdict.", more, culprit_plural (more),
                              verdict->captures, verdict->captures == 1 ? "is" : "are");
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

static void
add_warnings (const CulpritVerdict *verdict, GPtrArray *notes)
{
  if (verdict->selection)
    g_ptr_array_add (notes, g_strdup_printf ("%s; this verdict is about these.", verdict->selection));
  if (verdict->borrowed > 0)
    g_ptr_array_add (notes,
                     g_strdup_printf ("%u of %u captures have too few ordinary wake-ups of their own and were "
                                      "compared with those of their series; record with a larger buffer to keep more.",
                                      verdict->borrowed, verdict->captures));
  if (verdict->incomplete > 0)
    g_ptr_array_add (notes, g_strdup_printf ("%u of %u captures are incomplete: events were lost or overwritten.",
                                             verdict->incomplete, verdict->captures));
  if (verdict->hiding > 0)
    g_ptr_array_add (notes, g_strdup_printf ("%u of %u captures do not show everything that ran; trace interrupts, and "
                                             "without limits on depth or functions, to see what took the time.",
                                             verdict->hiding, verdict->captures));
  if (verdict->ignored > 0)
    {
      g_autofree char *ignored = culprit_ignored_in_words (verdict->ignored);

      g_ptr_array_add (notes, g_strdup_printf ("%s.", ignored));
    }
  for (guint i = 0; i < verdict->without_windows->len; i++)
    g_ptr_array_add (notes, g_strdup (g_ptr_array_index (verdict->without_windows, i)));
  if (verdict->cycles_unknown > 0)
    g_ptr_array_add (notes, g_strdup_printf ("The number of cycles measured is not known for %u of %u captures; 10,000 "
                                             "were assumed for each.",
                                             verdict->cycles_unknown, verdict->captures));
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
  return advice
             ? g_steal_pointer (&advice)
             : g_strdup_printf ("See what it does with culprit record --graph %s, and who calls it with culprit show.",
                                culprit->name);
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
