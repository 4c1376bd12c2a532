/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the verdict into sentences, with numbers that add up. */
#include "capture/capture.h"
#include "clean.h"
#include "names.h"
#include "study/triage.h"
#include "tables/column.h"
#include "units.h"
#include "words-private.h"

#include <math.h>
#include <string.h>

static gboolean words_is_all_of_a_kind (const CulpritVerdict *verdict, const CulpritCulprit *culprit);
static gboolean words_is_holder (const CulpritVerdict *verdict, const CulpritCulprit *culprit);
static gboolean words_is_probable (const CulpritVerdict *verdict, const CulpritCulprit *suspect);

char *
culprit_verdict_windows (const CulpritVerdict *verdict, guint n)
{
  return g_strdup_printf ("%s %s%s", verdict->evidence->late, verdict->evidence->window, culprit_plural (n));
}

/* "2 of 3 late wake-ups", or whatever they are. The caller owns it. */
static char *
say_of_late (const CulpritVerdict *verdict, guint n, guint of)
{
  g_autofree char *windows = culprit_verdict_windows (verdict, of);

  return g_strdup_printf ("%u of %u %s", n, of, windows);
}

/* What to do next, and what the verdict could not take into account. */

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

static char *
advise_on_blocked (const CulpritCulprit *culprit)
{
  if (culprit->inverted > 0)
    return g_strdup_printf ("If %s held a lock, hold it for less time, or use one with priority inheritance "
                            "(PTHREAD_PRIO_INHERIT); culprit show has the calls in which it was waited for.",
                            culprit->name);
  return g_strdup ("See what it waited for, and what had the CPUs meanwhile, with culprit show.");
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
    case CULPRIT_CLASS_BLOCKED:
      return advise_on_blocked (culprit);
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
      *why = g_strdup_printf ("Take %u more capture%s: %u %s little about what makes such %ss %s.", more,
                              culprit_plural (more), verdict->captures, verdict->captures == 1 ? "says" : "say",
                              verdict->evidence->window, verdict->evidence->late);
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
    g_ptr_array_add (notes, g_strdup_printf ("There %s only %u ordinary %s%s to compare with; record with a larger "
                                             "buffer to keep more.",
                                             is_or_are (verdict->ordinary), verdict->ordinary,
                                             verdict->evidence->window, culprit_plural (verdict->ordinary)));
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
                     g_strdup_printf ("%u of %u captures %s %s only because of tracing, and in no cause; a higher "
                                      "threshold avoids that.",
                                      verdict->tracing, verdict->captures, is_or_are (verdict->tracing),
                                      verdict->evidence->late));
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
  g_autofree char *name = culprit_shell_word (culprit->name ? culprit->name : "");

  if (culprit->class == CULPRIT_CLASS_BLIND_STALL)
    return advice ? g_strdup_printf ("%s culprit stalls shows the test.", advice) : NULL;
  return advice ? g_steal_pointer (&advice)
         : culprit->name && culprit_name_is_pseudo (culprit->name)
             ? g_strdup ("No kernel function ran there: see what the program does, with perf or uftrace.")
         : culprit_verdict_function (verdict, culprit)
             ? g_strdup_printf ("See what it does with culprit record --graph %s, and who calls it with culprit show; "
                                "prove it with culprit prove %s, which delays it on purpose.",
                                name, name)
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

#define PERCENT 100
#define FEW 5            /* captures: what so few have in common may be chance */
#define CONSTANT 0.05    /* of a stall's length: with a smaller spread it is the same each time */
#define LEAST_CONSTANT 3 /* captures: two equal lengths do not make a constant */
#define MOST_PERCENT 99.5
#define MOST_BRANCHES 5 /* of a breakdown */
#define LIKELY 0.5      /* a confidence: below, nothing is probable */
#define MOST_INSIDE 3   /* calls */

static void
say_time (GString *words, double time_ns)
{
  g_autofree char *text = culprit_time_format (llround (time_ns));

  g_string_append (words, text);
}

const char *
words_context (CulpritContext context)
{
  return context < CULPRIT_CONTEXTS ? culprit_context_words[context].inside : "";
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
}

static void
say_cost (GString *words, const CulpritCulprit *culprit)
{
  g_autofree char *range = culprit_time_format_range (llround (culprit->least_ns), llround (culprit->most_ns));

  g_string_append (words, culprit->captures > 1 ? range : "");
  if (culprit->captures == 1)
    say_time (words, culprit->most_ns);
  if (isnan (culprit->per_call_ns) || culprit->single == culprit->captures)
    return;
  g_string_append (words, ", at ");
  say_time (words, culprit->per_call_ns);
  g_string_append (words, " per call");
  if (isnan (culprit->reference_per_call_ns))
    return;
  g_string_append (words, " instead of ");
  say_time (words, culprit->reference_per_call_ns);
}

/* "2.1 ms of 2.4 ms more than usual (88 %)", or all of it. @usual: than what. */
static void
say_share (GString *words, double excess_ns, double all_ns, double share, const char *usual)
{
  gboolean all = culprit_share_is_all (share);

  if (all)
    g_string_append (words, "all of the ");
  else
    {
      say_time (words, excess_ns);
      g_string_append (words, " of ");
    }
  say_time (words, all_ns);
  g_string_append_printf (words, " more than %s", usual);
  if (all)
    g_string_append (words, " (other functions were faster)");
  else
    g_string_append_printf (words, " (%.0f %%)", share * PERCENT);
}

/* The same, "in 9 of 10 late wake-ups". */
static void
say_excess (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_autofree char *of = say_of_late (verdict, culprit->captures, verdict->stands_out);

  say_share (words, culprit->excess_ns, culprit->all_ns, culprit->share,
             verdict->evidence->lower ? "in the lower peak" : "usual");
  g_string_append_printf (words, " in %s", of);
}

/* Whether its time is what it adds: one number, as far as it is said. */
static gboolean
adds_all_its_time (const CulpritCulprit *culprit)
{
  g_autofree char *time = culprit_time_format_range (llround (culprit->least_ns), llround (culprit->most_ns));
  g_autofree char *excess = culprit_time_format (llround (culprit->excess_ns));

  return culprit->class == CULPRIT_CLASS_TOO_LONG && g_str_equal (time, excess) &&
         (isnan (culprit->per_call_ns) || culprit->single == culprit->captures);
}

static void
say_function (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  if (culprit->class != CULPRIT_CLASS_TOO_LONG)
    say_count (words, culprit);
  if (culprit->class == CULPRIT_CLASS_MIXED)
    g_string_append (words, " and ");
  if (adds_all_its_time (culprit))
    {
      say_excess (words, verdict, culprit);
      return;
    }
  if (culprit->class != CULPRIT_CLASS_TOO_OFTEN)
    say_cost (words, culprit);
  g_string_append (words, ", accounting for ");
  say_excess (words, verdict, culprit);
}

/* What people call what a kernel function does: "read" for __x64_sys_read. The caller owns it. */
static char *
common_name (const char *function)
{
  static const char *const prefixes[] = { "__x64_sys_", "__arm64_sys_", "__ia32_sys_", "__riscv_sys_",
                                          "__se_sys_",  "__do_sys_",    "ksys_" };
  static const char *const faults[] = { "exc_page_fault",  "asm_exc_page_fault", "do_user_addr_fault",
                                        "handle_mm_fault", "do_page_fault",      "do_mem_abort" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (function, prefixes[i]))
      return g_strdup (function + strlen (prefixes[i]));
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    if (g_str_equal (function, faults[i]))
      return g_strdup ("page faults");
  return g_strdup (g_str_equal (function, "[user]") ? "user mode" : function);
}

/* ": read (seq_read_iter) 3, exit_group (tlb_flush_mmu) 2, page faults 2, itself 1". */
static void
say_breakdown (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  gboolean source = culprit_evidence_node (verdict->evidence, culprit->node)->parent == CULPRIT_NOTHING;
  guint left = culprit->captures;

  for (guint i = 0; i < culprit->breakdown->len && i < MOST_BRANCHES; i++)
    {
      const CulpritBranch *branch = &g_array_index (culprit->breakdown, CulpritBranch, i);
      const char *own = culprit_evidence_node (verdict->evidence, branch->node)->name;
      g_autofree char *name = common_name (own);

      g_string_append_printf (words, "%s%s", i > 0 ? ", " : ": ", name);
      if (!g_str_equal (branch->leaf, own))
        g_string_append_printf (words, " (%s)", branch->leaf);
      if (culprit->captures > 1)
        g_string_append_printf (words, " %u", branch->captures);
      left -= branch->captures;
    }
  if (culprit->breakdown->len > MOST_BRANCHES)
    g_string_append (words, " and others");
  else if (culprit->breakdown->len > 0 && left > 0)
    g_string_append_printf (words, ", %s %u", source ? "spread" : "itself", left);
}

/* What of its source the node is, " in exit_group > do_exit"; nothing for the source itself and what it begins with. */
static void
say_inside (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_autoptr (GPtrArray) names = culprit_verdict_node (verdict, culprit->node);
  guint first = culprit->context == CULPRIT_CONTEXT_TASK ? 1 : 2;

  for (guint i = MAX (first, names->len - MIN (names->len, MOST_INSIDE)); i < names->len; i++)
    {
      g_autofree char *name = common_name (g_ptr_array_index (names, i));

      g_string_append_printf (words, "%s%s",
                              i == MAX (first, names->len - MIN (names->len, MOST_INSIDE)) ? " in " : " > ", name);
    }
}

/* Whether @culprit is another task or a whole interrupt, which held the CPU; else it is something in it. */
static gboolean
words_is_holder (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  guint parent = culprit->class == CULPRIT_CLASS_INTERFERENCE
                     ? culprit_evidence_node (verdict->evidence, culprit->node)->parent
                     : 0;

  return culprit->class == CULPRIT_CLASS_INTERFERENCE &&
         (culprit->kind == CULPRIT_CAUSE_TASK || parent == CULPRIT_NOTHING ||
          culprit_evidence_node (verdict->evidence, parent)->parent == CULPRIT_NOTHING);
}

/* Whether @culprit is not one interrupt, but all soft interrupts, or all NMIs. */
static gboolean
words_is_all_of_a_kind (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return (culprit->context == CULPRIT_CONTEXT_SOFTIRQ || culprit->context == CULPRIT_CONTEXT_NMI) &&
         culprit_evidence_node (verdict->evidence, culprit->node)->parent == CULPRIT_NOTHING;
}

static void
say_holder (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_string_append (words, "held the CPU");
  if (culprit->kind == CULPRIT_CAUSE_TASK)
    say_inside (words, verdict, culprit);
  g_string_append (words, " for ");
  say_excess (words, verdict, culprit);
  if (culprit->breakdown->len > 1 || culprit->kind == CULPRIT_CAUSE_TASK)
    say_breakdown (words, verdict, culprit);
  else
    g_string_append (words, words_is_all_of_a_kind (verdict, culprit) ? ", spread over what they did"
                                                                      : ", spread over its functions");
  if (culprit->inverted > 0)
    g_string_append_printf (
        words,
        "; its priority is lower than that of the measured task (in %u capture%s): priority inversion, "
        "or a section that cannot be preempted",
        culprit->inverted, culprit_plural (culprit->inverted));
}

static void
say_blocked (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_autoptr (GPtrArray) names = culprit_verdict_node (verdict, culprit->node); /* the first is the waker's */
  const char *in = names->len > 0 ? culprit_name_of_wait ((char **) names->pdata + 1, names->len - 1) : "";

  g_string_append_printf (words, "asleep%s%s for ", *in ? " in " : "", in);
  say_excess (words, verdict, culprit);
  if (culprit->inverted > 0)
    g_string_append_printf (words, "; the priority of %s is lower than that of the measured task (in %u capture%s)",
                            culprit->name, culprit->inverted, culprit_plural (culprit->inverted));
}

/* A node that is no single function, and nobody else's. */
static void
say_node (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const gboolean alone = culprit->name && culprit_name_is_pseudo (culprit->name);

  if ((culprit->class == CULPRIT_CLASS_TOO_OFTEN || culprit->class == CULPRIT_CLASS_MIXED) && !isnan (culprit->calls))
    {
      say_count (words, culprit);
      g_string_append (words, ", ");
    }
  if (!alone)
    g_string_append (words, "with all that it calls, ");
  say_excess (words, verdict, culprit);
  if (culprit->breakdown->len > 1)
    say_breakdown (words, verdict, culprit);
  else if (!alone)
    g_string_append (words, ", spread over what it calls");
}

/* How the late wake-ups of @culprit relate to ordinary ones. */
static void
say_relation (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const CulpritOrdinary *ordinary = &culprit->ordinary;
  const gboolean lower = verdict->evidence->lower;
  const char *window = verdict->evidence->window;
  g_autofree char *windows = culprit_count_format (ordinary->windows);
  g_autofree char *of = culprit_count_format (culprit->ordinary_of);

  if (culprit->node == CULPRIT_NOTHING || !(culprit->ordinary_of > 0))
    return;
  if (!(ordinary->windows > 0))
    {
      g_string_append_printf (words, " %s in none of %s ",
                              culprit->context == CULPRIT_CONTEXT_SOFTIRQ || culprit->context == CULPRIT_CONTEXT_NMI
                                  ? "That runs"
                                  : "It runs",
                              of);
      g_string_append_printf (words, lower ? "%ss of the lower peak." : "ordinary %ss: only when they are %s.", window,
                              verdict->evidence->late);
      return;
    }
  if (lower)
    g_string_append (words, " Those of the lower peak");
  else
    g_string_append_printf (words, " Ordinary %ss", window);
  g_string_append_printf (words, " have it too, %s of %s, at most ", windows, of);
  say_time (words, ordinary->max_ns);
  if (culprit->class == CULPRIT_CLASS_TOO_OFTEN)
    {
      g_autofree char *calls = culprit_count_format (ordinary->max_calls);

      g_string_append_printf (words, " in %s call%s", calls, culprit_plural (ordinary->max_calls));
    }
  if (!(ordinary->max_ns < culprit->least_ns))
    g_string_append (words, ": a matter of degree.");
  else if (lower)
    g_string_append_c (words, '.');
  else
    g_string_append_printf (words, ", less than in any %s one.", verdict->evidence->late);
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
}

static void
say_blind (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const CulpritStalls *stalls = verdict->stalls;
  g_autofree char *of = say_of_late (verdict, culprit->captures, verdict->stands_out);

  g_string_append (words, "nothing that can be traced ran for ");
  say_length (words, stalls);
  g_string_append_printf (words, ", in %s, ", of);
  if (stalls->struck_places > 1)
    g_string_append_printf (words, "at %u different places%s", stalls->struck_places,
                            stalls->same_place ? "" : ", none of them repeatedly");
  else
    g_string_append (words, "always while the CPU was idle or ran what it ordinarily does");
  g_string_append (words, stalls->virtual_machine
                              ? ": the hypervisor took the CPU, as this is a virtual machine"
                              : ": that is how firmware (an SMI) takes the CPU, or a hypervisor where there is one");
  g_string_append_printf (words, "; %s",
                          stalls->uncounted && stalls->proof == CULPRIT_PROOF_UNVERIFIABLE
                              ? "but the SMI counter stood still, which speaks against an SMI"
                              : culprit_proof_in_words (stalls->proof));
  if (stalls->likely)
    g_string_append_printf (words, "; %u capture%s cannot rule out a function that is often slow", stalls->struck,
                            culprit_plural (stalls->struck));
}

static void
say_late (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_string_append (words, "the CPU was idle, with nothing to run, for ");
  say_excess (words, verdict, culprit);
}

#define MOST_WHERE 3 /* runs that are named */

/* Where @culprit is, if in too many runs to name them. */
static void
say_how_many (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) kernels = g_hash_table_new (g_str_hash, g_str_equal);
  guint captures = 0;
  guint of = 0;

  for (guint i = 0; i < culprit->where->len; i++)
    {
      const CulpritOccurrence *there = &g_array_index (culprit->where, CulpritOccurrence, i);
      const CulpritPopulation *population = culprit_evidence_population (verdict->evidence, there->population);

      g_hash_table_add (hosts, (char *) population->host);
      g_hash_table_add (kernels, (char *) population->kernel);
      captures += there->captures;
      of += population->captures;
    }
  g_string_append_printf (words, " Found on %u host%s with %u kernel%s: %u of %u captures of %u series of runs",
                          g_hash_table_size (hosts), culprit_plural (g_hash_table_size (hosts)),
                          g_hash_table_size (kernels), culprit_plural (g_hash_table_size (kernels)), captures, of,
                          culprit->where->len);
}

void
words_say_where (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  if (verdict->evidence->populations->len < 2)
    return;
  if (culprit->where->len > MOST_WHERE)
    say_how_many (words, verdict, culprit);
  for (guint i = 0; i < culprit->where->len && culprit->where->len <= MOST_WHERE; i++)
    {
      const CulpritOccurrence *there = &g_array_index (culprit->where, CulpritOccurrence, i);
      const CulpritPopulation *population = culprit_evidence_population (verdict->evidence, there->population);

      g_string_append_printf (words, "%s runs “%s” on %s, kernel %s: %u of %u capture%s", i == 0 ? " Found in" : ";",
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

char *
words_interval (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return g_strdup_printf ("carries %.0f to %.0f %% of such %ss", floor (culprit->low * PERCENT),
                          ceil (culprit->high * PERCENT), verdict->evidence->window);
}

/* The name of the culprit, to which words_say_finding() adds what it did. */
static void
say_subject (GString *words, const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  switch (culprit->class)
    {
    case CULPRIT_CLASS_INTERFERENCE:
      if (words_is_all_of_a_kind (verdict, culprit))
        g_string_append (words, culprit->context == CULPRIT_CONTEXT_SOFTIRQ ? "Soft interrupts " : "NMIs ");
      else if (words_is_holder (verdict, culprit))
        g_string_append_printf (words, "The %s %s ", culprit_context_words[culprit->context].kind, culprit->name);
      else
        g_string_append_printf (words, "%s%s took too long: ", culprit->name, words_context (culprit->context));
      break;
    case CULPRIT_CLASS_BLOCKED:
      g_string_append_printf (words, "Blocked until %s woke it: ", culprit_waker_in_words (culprit->name));
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
  switch (culprit->class)
    {
    case CULPRIT_CLASS_INTERFERENCE:
      if (words_is_holder (verdict, culprit))
        say_holder (words, verdict, culprit);
      else
        say_node (words, verdict, culprit);
      break;
    case CULPRIT_CLASS_BLOCKED:
      say_blocked (words, verdict, culprit);
      break;
    case CULPRIT_CLASS_BLIND_STALL:
      say_blind (words, verdict, culprit);
      break;
    case CULPRIT_CLASS_LATE_TIMER:
      say_late (words, verdict, culprit);
      break;
    default:
      if (culprit->kind == CULPRIT_CAUSE_FUNCTION)
        say_function (words, verdict, culprit);
      else
        say_node (words, verdict, culprit);
    }
  g_string_append_c (words, '.');
  say_relation (words, verdict, culprit);
}

static char *
say_culprit (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  GString *words = g_string_new (NULL);
  g_autofree char *confidence = words_confidence (verdict, culprit);
  g_autofree char *interval = words_interval (verdict, culprit);
  g_autofree char *weight = words_weight (culprit);

  say_subject (words, verdict, culprit);
  words_say_finding (words, verdict, culprit);
  if (culprit->captures > 1)
    g_string_append_printf (words, " %s; %s; %s.", confidence, interval, weight);
  if (culprit->path && *culprit->path && culprit->kind != CULPRIT_CAUSE_TASK)
    g_string_append_printf (words, " Path: %s.", culprit->path);
  words_say_where (words, verdict, culprit);
  return g_string_free (words, FALSE);
}

char *
words_why_suspect (const CulpritCulprit *suspect)
{
  if (suspect->captures == 1)
    return g_strdup ("One capture shows nothing general.");
  if (suspect->more == 0)
    return g_strdup ("So few of the captures may agree by chance.");
  return g_strdup_printf ("That %u captures agree may be chance; take %u more.", suspect->captures, suspect->more);
}

/* Whether @suspect may be called the probable cause: there is no certain one, and it carries half of the captures. */
static gboolean
words_is_probable (const CulpritVerdict *verdict, const CulpritCulprit *suspect)
{
  return verdict->culprits->len == 0 && suspect->captures > 1 && 2 * suspect->captures >= verdict->stands_out &&
         suspect->confidence >= LIKELY;
}

/* A suspect's sentence is that of a culprit, preceded by a caveat and followed by the reason. */
static char *
say_suspect (const CulpritVerdict *verdict, const CulpritCulprit *suspect)
{
  g_autofree char *sentence = say_culprit (verdict, suspect);
  g_autofree char *why = words_why_suspect (suspect);

  return g_strdup_printf ("%s: %s %s",
                          verdict->stands_out == 1               ? "This one"
                          : words_is_probable (verdict, suspect) ? "Probably"
                                                                 : "Not established",
                          sentence, why);
}

static gboolean
any_is_compared (const CulpritVerdict *verdict)
{
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    if (culprit_evidence_case (verdict->evidence, i)->ordinary > 0)
      return TRUE;
  return FALSE;
}

/* What is said of most of those that stand out instead of a cause. NULL: there is no such thing. @captures: of how
 * many. */
static const char *
find_reason (const CulpritVerdict *verdict, guint *captures)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  const char *reason = NULL;

  *captures = 0;
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (verdict->evidence, i);
      guint count;

      if (!one->stands_out || one->ignored || !one->reason)
        continue;
      count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, one->reason)) + 1;
      g_hash_table_insert (counts, (char *) one->reason, GUINT_TO_POINTER (count));
      if (2 * count > verdict->stands_out)
        {
          reason = one->reason;
          *captures = count;
        }
    }
  return reason;
}

/* What those have in common that no cause explains. */
static char *
say_common (const CulpritVerdict *verdict)
{
  g_autoptr (GPtrArray) names = culprit_verdict_node (verdict, verdict->common);
  g_autoptr (GString) path = g_string_new (NULL);
  g_autofree char *spread = say_of_late (verdict, verdict->spread, verdict->stands_out);
  g_autofree char *common = say_of_late (verdict, verdict->common_captures, verdict->stands_out);
  guint alike;
  const char *reason = find_reason (verdict, &alike);
  g_autofree char *said = say_of_late (verdict, alike, verdict->stands_out);

  if (2 * verdict->spread >= verdict->stands_out)
    return g_strdup_printf ("No cause: in %s nothing has half of the excess; what they did took %.1f times as long as "
                            "ordinarily, altogether.",
                            spread, verdict->spread_factor);
  if (names->len == 0 && reason)
    return g_strdup_printf ("No cause: in %s %s.", said, reason);
  if (names->len == 0)
    return g_strdup_printf ("No cause: %u of %u capture%s stand%s out, but nothing is common to half of them.",
                            verdict->stands_out, verdict->captures, culprit_plural (verdict->captures),
                            verdict->stands_out == 1 ? "s" : "");
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (path, "%s%s", i > 0 ? " > " : "", (const char *) g_ptr_array_index (names, i));
  return g_strdup_printf (verdict->common_captures == 1
                              ? "No cause is certain. In %s the time went here: %s."
                              : "No cause is certain. What %s have in common is where the time went: %s.",
                          common, path->str);
}

static char *
say_nothing (const CulpritVerdict *verdict)
{
  const char *late = verdict->evidence->late;
  const char *window = verdict->evidence->window;

  if (verdict->captures == 0)
    return g_strdup_printf (verdict->ignored > 0 ? "All %s %ss are ignored: there is nothing to analyse."
                                                 : "There are no %s %ss to analyse.",
                            late, window);
  if (!any_is_compared (verdict))
    return g_strdup_printf ("No verdict: there are no ordinary %ss to compare with; record with a larger buffer.",
                            window);
  if (verdict->stands_out == 0 && verdict->tracing > 0)
    return g_strdup_printf ("Nothing stands out: %u of %u capture%s %s %s only because of tracing; without it, they "
                            "do not differ from their ordinary %ss.",
                            verdict->tracing, verdict->captures, culprit_plural (verdict->captures),
                            is_or_are (verdict->tracing), late, window);
  if (verdict->stands_out == 0)
    return g_strdup_printf ("Nothing stands out: none of %u capture%s differs from its ordinary %ss by more than these "
                            "differ among themselves.",
                            verdict->captures, culprit_plural (verdict->captures), window);
  return say_common (verdict);
}

GPtrArray *
culprit_verdict_in_words (const CulpritVerdict *verdict)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);
  gboolean probable =
      verdict->suspects->len > 0 && words_is_probable (verdict, &g_array_index (verdict->suspects, CulpritCulprit, 0));

  for (guint i = 0; i < verdict->culprits->len && i < CULPRIT_CULPRITS_MOST; i++)
    g_ptr_array_add (sentences, say_culprit (verdict, &g_array_index (verdict->culprits, CulpritCulprit, i)));
  if (sentences->len == 0 && !probable && !(verdict->stands_out == 1 && verdict->suspects->len == 1))
    g_ptr_array_add (sentences, say_nothing (verdict));
  for (guint i = 0; i < verdict->suspects->len && i < CULPRIT_CULPRITS_MOST; i++)
    g_ptr_array_add (sentences, say_suspect (verdict, &g_array_index (verdict->suspects, CulpritCulprit, i)));
  return sentences;
}

char *
culprit_verdict_basis (const CulpritVerdict *verdict)
{
  g_autofree char *of = say_of_late (verdict, verdict->stands_out, verdict->captures);
  g_autofree char *ordinary = culprit_count_format (verdict->ordinary);

  return g_strdup_printf ("%s clearly exceed%s %s ordinary one%s", of, verdict->stands_out == 1 ? "s" : "", ordinary,
                          culprit_plural (verdict->ordinary));
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
  say_share (words, one->culprit_ns, one->excess_ns, one->share, "usual");
  if (one->path && *one->path)
    g_string_append_printf (words, "; path: %s", one->path);
  return g_string_free (words, FALSE);
}
