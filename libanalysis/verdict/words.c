/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the verdict into sentences, with numbers that add up. */
#include "words-private.h"

#include "tables/format.h"
#include "units.h"

#include <math.h>

#define PERCENT 100
#define FEW 5            /* captures: what so few have in common may be chance */
#define CONSTANT 0.05    /* of a stall's length: with a smaller spread it is the same each time */
#define LEAST_CONSTANT 3 /* captures: two equal lengths do not make a constant */
#define MOST_PERCENT 99.5

static void
say_time (GString *words, double time_ns)
{
  g_autofree char *text = culprit_time_format (llround (time_ns));

  g_string_append (words, text);
}

const char *
words_context (CulpritContext context)
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

/* "402", "once", "0.3". */
static void
say_calls (GString *words, double calls)
{
  if (fabs (calls - 1) < 0.05)
    g_string_append (words, "once");
  else
    g_string_append_printf (words, calls < 10 && calls != floor (calls) ? "%.1f" : "%.0f", calls);
}

/* In a capture; the mean where there are several. */
static void
say_count (GString *words, const CulpritCulprit *culprit)
{
  g_string_append (words, "called ");
  say_calls (words, culprit->calls);
  if (fabs (culprit->calls - 1) >= 0.05)
    g_string_append (words, " times");
  if (culprit->captures > 1)
    g_string_append (words, " on average");
  if (culprit->reference_calls > 0)
    {
      g_string_append (words, " instead of ");
      say_calls (words, culprit->reference_calls);
    }
  else
    g_string_append (words, ", but in no ordinary wake-up");
}

static void
say_cost (GString *words, const CulpritCulprit *culprit)
{
  gboolean known = !isnan (culprit->reference_per_call_ns);

  g_string_append (words, "at ");
  say_time (words, culprit->per_call_ns);
  g_string_append (words, " per call");
  if (known)
    {
      g_string_append (words, " instead of ");
      say_time (words, culprit->reference_per_call_ns);
    }
  if (!(culprit->reference_calls > 0))
    g_string_append (words, known ? " elsewhere; it does not run in ordinary wake-ups"
                                  : "; it does not run in ordinary wake-ups");
}

/* "2.1 ms of 2.4 ms more than usual (88 %)", or all of it. @usual: "more than usual". */
static void
say_share (GString *words, double excess_ns, double all_ns, double share, const char *usual)
{
  gboolean all = share * PERCENT >= PERCENT + 0.5;

  if (all)
    g_string_append (words, "all of the ");
  else
    {
      say_time (words, excess_ns);
      g_string_append (words, " of ");
    }
  say_time (words, all_ns);
  g_string_append_printf (words, " %s", usual);
  if (all)
    g_string_append (words, " (other functions were faster)");
  else
    g_string_append_printf (words, " (%.0f %%)", share * PERCENT);
}

/* The same, "in 9 of 10 captures". */
static void
say_excess (GString *words, const CulpritCulprit *culprit, guint captures)
{
  say_share (words, culprit->excess_ns, culprit->all_ns, culprit->share, "more than usual");
  g_string_append_printf (words, " in %u of %u capture%s", culprit->captures, captures, culprit_plural (captures));
}

static void
say_function (GString *words, const CulpritCulprit *culprit, guint captures)
{
  if (culprit->class != CULPRIT_CLASS_TOO_LONG)
    say_count (words, culprit);
  if (culprit->class == CULPRIT_CLASS_MIXED)
    g_string_append (words, " and ");
  if (culprit->class != CULPRIT_CLASS_TOO_OFTEN)
    say_cost (words, culprit);
  g_string_append (words, ", accounting for ");
  say_excess (words, culprit, captures);
}

static void
say_holder (GString *words, const CulpritCulprit *culprit, guint captures)
{
  g_string_append (words, "held the CPU: ");
  say_excess (words, culprit, captures);
  g_string_append (words, ", spread over its functions");
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
  if (stalls->struck >= LEAST_CONSTANT && stalls->length_sd_ns < CONSTANT * stalls->length_ns)
    g_string_append (words, " each time");
  else
    {
      g_string_append (words, " on average (standard deviation ");
      say_time (words, stalls->length_sd_ns);
      g_string_append_c (words, ')');
    }
  if (stalls->several >= 1.5)
    g_string_append_printf (words, " in %.1f stretches", stalls->several);
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
  static const char *const proofs[] = { "; nothing in the recording could confirm it",
                                        "; the other CPUs stood still at the same time",
                                        "; the SMI counter or the hypervisor's steal time confirms it" };

  g_string_append (words, "nothing that can be traced ran for ");
  say_length (words, stalls);
  g_string_append_printf (words, ", in %u of %u capture%s, ", culprit->captures, captures, culprit_plural (captures));
  if (count_places (stalls) > 1)
    g_string_append_printf (words, "at %u different places, none of them repeatedly", count_places (stalls));
  else
    g_string_append (words, "always while the CPU was idle or ran what it ordinarily does");
  g_string_append (words, stalls->virtual_machine
                              ? ": the hypervisor took the CPU, as this is a virtual machine"
                              : ": that is how firmware (an SMI) takes the CPU, or a hypervisor where there is one");
  g_string_append (words, proofs[stalls->proof]);
  if (stalls->likely)
    g_string_append_printf (words, "; %u capture%s cannot rule out a function that is often slow", stalls->struck,
                            culprit_plural (stalls->struck));
}

static void
say_late (GString *words, const CulpritCulprit *culprit, guint captures)
{
  g_string_append (words, "the CPU was idle and nothing ran for ");
  say_excess (words, culprit, captures);
}

void
words_say_where (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  if (verdict->evidence->populations->len < 2)
    return;
  for (guint i = 0; i < culprit->where->len; i++)
    {
      const CulpritOccurrence *there = &g_array_index (culprit->where, CulpritOccurrence, i);
      const CulpritPopulation *population =
          &g_array_index (verdict->evidence->populations, CulpritPopulation, there->population);

      g_string_append_printf (words, "%s %s on %s, kernel %s: %u of %u capture%s", i == 0 ? " Where:" : ";",
                              population->series, population->host, population->kernel, there->captures,
                              population->captures, culprit_plural (population->captures));
    }
  g_string_append_c (words, '.');
}

char *
words_confidence (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const char *few = verdict->captures < FEW ? " (few captures)" : "";

  if (culprit->confidence * PERCENT > MOST_PERCENT)
    return g_strdup_printf ("Confidence over 99 %%%s", few);
  return g_strdup_printf ("Confidence %.0f %%%s", floor (culprit->confidence * PERCENT), few);
}

char *
words_weight (const CulpritCulprit *culprit)
{
  return g_strdup_printf ("%.0f %% of all excess (%.0f to %.0f %%)", MIN (culprit->weight, 1) * PERCENT,
                          culprit->weight_low * PERCENT, culprit->weight_high * PERCENT);
}

/* The name of the culprit, to which words_say_finding() adds what it did. */
static void
say_subject (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  switch (culprit->class)
    {
    case CULPRIT_CLASS_INTERFERENCE:
      g_string_append_printf (words, "The %s %s ", culprit->context == CULPRIT_CONTEXT_TASK ? "task" : "interrupt",
                              culprit->name);
      break;
    case CULPRIT_CLASS_BLIND_STALL:
      g_string_append_printf (words, "Blind stalls%s: ", verdict->stalls->likely ? ", likely" : "");
      break;
    case CULPRIT_CLASS_LATE_TIMER:
      g_string_append (words, "A late timer: ");
      break;
    default:
      g_string_append_printf (words, "%s%s %s: ", culprit->name, words_context (culprit->context),
                              culprit->class == CULPRIT_CLASS_TOO_OFTEN  ? "was called too often"
                              : culprit->class == CULPRIT_CLASS_TOO_LONG ? "took too long"
                                                                         : "was called too often and took too long");
    }
}

void
words_say_finding (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
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
  g_string_append_c (words, '.');
}

static char *
say_culprit (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  GString *words = g_string_new (NULL);
  g_autofree char *confidence = words_confidence (verdict, culprit);
  g_autofree char *weight = words_weight (culprit);

  say_subject (words, verdict, culprit);
  words_say_finding (words, verdict, culprit);
  g_string_append_printf (words, " %s; %s.", confidence, weight);
  if (culprit->path && *culprit->path)
    g_string_append_printf (words, " Path: %s.", culprit->path);
  words_say_where (words, verdict, culprit);
  return g_string_free (words, FALSE);
}

const char *
words_why_suspect (const CulpritCulprit *suspect)
{
  return suspect->captures == 1 ? "One capture alone cannot show a cause." : "So few captures may agree by chance.";
}

/* A suspect's sentence is that of a culprit, preceded by a caveat and followed by the reason. */
static char *
say_suspect (const CulpritVerdict *verdict, const CulpritCulprit *suspect)
{
  g_autofree char *sentence = say_culprit (verdict, suspect);

  return g_strdup_printf ("Not established: %s %s", sentence, words_why_suspect (suspect));
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
    return g_strdup (verdict->ignored > 0 ? "All late wake-ups are ignored: there is nothing to analyse."
                                          : "There are no late wake-ups to analyse.");
  if (!any_is_compared (verdict))
    return g_strdup ("No verdict: there are no ordinary wake-ups to compare with; record with a larger buffer.");
  if (verdict->stands_out == 0)
    return g_strdup_printf (
        "Nothing stands out: none of %u capture%s differs from its ordinary wake-ups by more than these "
        "differ among themselves.",
        verdict->captures, culprit_plural (verdict->captures));
  return g_strdup_printf ("No cause: %u of %u capture%s stand%s out, but nothing is common to %s beyond what the worst "
                          "of as many ordinary wake-ups shows.",
                          verdict->stands_out, verdict->captures, culprit_plural (verdict->captures),
                          verdict->stands_out == 1 ? "s" : "", verdict->stands_out == 1 ? "it" : "them");
}

GPtrArray *
culprit_verdict_in_words (const CulpritVerdict *verdict)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < verdict->culprits->len && i < CULPRIT_CULPRITS_MOST; i++)
    g_ptr_array_add (sentences, say_culprit (verdict, &g_array_index (verdict->culprits, CulpritCulprit, i)));
  if (sentences->len == 0)
    g_ptr_array_add (sentences, say_nothing (verdict));
  for (guint i = 0; i < verdict->suspects->len && i < CULPRIT_CULPRITS_MOST; i++)
    g_ptr_array_add (sentences, say_suspect (verdict, &g_array_index (verdict->suspects, CulpritCulprit, i)));
  return sentences;
}

char *
culprit_verdict_basis (const CulpritVerdict *verdict)
{
  return g_strdup_printf ("%u of %u late wake-up%s clearly exceed%s %u ordinary one%s", verdict->stands_out,
                          verdict->captures, culprit_plural (verdict->captures), verdict->stands_out == 1 ? "s" : "",
                          verdict->ordinary, culprit_plural (verdict->ordinary));
}

char *
culprit_case_in_words (const CulpritCase *one)
{
  g_autofree char *class = culprit_class_text (culprit_class_name (one->class));
  GString *words = g_string_new (class);

  if (!one->culprit)
    {
      g_string_append_printf (words, ": %s", one->reason);
      return g_string_free (words, FALSE);
    }
  g_string_append_printf (words, ": %s%s, ", one->culprit, words_context (one->context));
  say_share (words, one->culprit_ns, one->excess_ns, one->share, "more than ordinary wake-ups");
  if (one->path && *one->path)
    g_string_append_printf (words, "; path: %s", one->path);
  return g_string_free (words, FALSE);
}
