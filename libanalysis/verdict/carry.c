/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A carrier has half of what is not mere slowness of everything. A function's own time is looked at first, over all its
 * paths; else the tree, from its root down. */
#include "carry.h"

#include "names.h"

#include <math.h>

#define MOSTLY_COUNT 0.7 /* share of the excess due to calls: called too often */
#define MOSTLY_COST 0.3  /* at most this: took too long; mixed in between */
#define ALONE 0.1        /* of the excess of a wake-up: a call that never ran elsewhere and is as long took too long */

const char *
culprit_class_name (CulpritClass class)
{
  static const char *const names[CULPRIT_CLASSES] = { "unexplained",  "called-too-often", "took-too-long", "mixed",
                                                      "interference", "blind-stall",      "late-timer",    "spread",
                                                      "tracing",      "blocked" };

  return names[class];
}

CulpritClass
culprit_class_of_count_share (double count_share)
{
  return count_share >= MOSTLY_COUNT  ? CULPRIT_CLASS_TOO_OFTEN
         : count_share <= MOSTLY_COST ? CULPRIT_CLASS_TOO_LONG
                                      : CULPRIT_CLASS_MIXED;
}

double
culprit_carrier_share (const CulpritPopulation *population, const CulpritCarrier *carrier)
{
  const CulpritOrdinary *ordinary = culprit_evidence_ordinary (population, carrier);
  double usual; /* part of its own time, which is not rare */
  double part;

  if (!ordinary || !(ordinary->ns > 0))
    return 0;
  usual = 1 - ordinary->rare_ns / ordinary->ns;
  part = CLAMP (ordinary->part, 0, 1);
  return usual > 0 ? part * usual / (part * usual + 1 - part) : 0;
}

/* Its part of all ordinary time, at most of the ordinary wake-ups: a single long one does not make it permanent. */
static double
permanent_share (const CulpritPopulation *population, const CulpritCarrier *carrier)
{
  const CulpritOrdinary *ordinary = culprit_evidence_ordinary (population, carrier);

  if (!ordinary || !(population->ordinary_ns > 0))
    return 0;
  return CLAMP (MIN (ordinary->ns / population->ordinary_ns, ordinary->windows / population->ordinary), 0, 1);
}

/* How much longer more calls make it, if each costs what it does in its base. */
static double
more_calls_ns (const CulpritPopulation *population, const CulpritCarrier *carrier)
{
  const CulpritOrdinary *ordinary = culprit_evidence_ordinary (population, carrier);

  if (!ordinary || !(ordinary->calls > 0))
    return 0;
  return (carrier->calls - ordinary->calls / population->ordinary) * ordinary->ns / ordinary->calls;
}

static gboolean
carries (const CulpritEvidence *evidence, const CulpritCase *one, const CulpritCarrier *carrier)
{
  const CulpritPopulation *population = culprit_evidence_population (evidence, one->population);
  double share = permanent_share (population, carrier);

  if (evidence->apart && more_calls_ns (population, carrier) >= CULPRIT_HALF * one->excess_ns)
    return TRUE;
  return share < 1 && (culprit_carrier_excess (carrier) / one->excess_ns - share) / (1 - share) >= CULPRIT_HALF;
}

/* The candidate with the greatest excess: a function if @functions, else a node below @parent. */
static const CulpritCarrier *
find_greatest (const CulpritEvidence *evidence, const GArray *candidates, gboolean functions, guint parent)
{
  const CulpritCarrier *greatest = NULL;

  for (guint i = 0; i < candidates->len; i++)
    {
      const CulpritCarrier *candidate = &g_array_index (candidates, CulpritCarrier, i);

      if ((candidate->function != CULPRIT_NOTHING) != functions ||
          (!functions && culprit_evidence_node (evidence, candidate->node)->parent != parent))
        continue;
      if (!greatest || culprit_carrier_excess (candidate) > culprit_carrier_excess (greatest))
        greatest = candidate;
    }
  return greatest;
}

/* NULL: nothing carries it. */
static const CulpritCarrier *
find_carrier (const CulpritEvidence *evidence, const CulpritCase *one, const GArray *candidates)
{
  const CulpritCarrier *best = find_greatest (evidence, candidates, TRUE, CULPRIT_NOTHING);
  const CulpritCarrier *deepest = NULL;

  if (best && carries (evidence, one, best))
    return best;
  for (best = find_greatest (evidence, candidates, FALSE, CULPRIT_NOTHING); best && carries (evidence, one, best);
       best = find_greatest (evidence, candidates, FALSE, best->node))
    deepest = best;
  return deepest;
}

/* What a node or function does when it ordinarily runs. */
static void
find_reference (const CulpritEvidence *evidence, const CulpritPopulation *population, CulpritCarrier *carrier)
{
  const CulpritOrdinary *ordinary = culprit_evidence_ordinary (population, carrier);
  gboolean ran = ordinary && ordinary->calls > 0;

  carrier->reference_calls = ran ? ordinary->calls / ordinary->windows : 0;
  carrier->reference_ns =
      ran ? ordinary->ns / ordinary->calls
      : carrier->function != CULPRIT_NOTHING
          ? culprit_evidence_elsewhere (population, culprit_evidence_function (evidence, carrier->function)->id)
          : NAN;
}

/* The share of its excess that is due to more calls than when it ordinarily runs. A single call is never too many. */
static double
find_count_share (const CulpritCase *one, const CulpritCarrier *carrier)
{
  double each_ns = carrier->calls > 0 ? carrier->ns / carrier->calls : 0;
  double usual_ns = carrier->reference_ns;
  double usual_calls = carrier->reference_calls > 0 ? carrier->reference_calls : 1;
  double count_ns = (carrier->calls - usual_calls) * (each_ns + usual_ns) / 2;
  double more_ns = carrier->ns - usual_calls * usual_ns;

  if (carrier->calls < 2 || carrier->single)
    return 0;
  if (isnan (usual_ns))
    return each_ns < ALONE * one->excess_ns ? 1 : 0;
  return more_ns > 0 ? CLAMP (count_ns / more_ns, 0, 1) : 0;
}

static gboolean
is_idle_wait (const CulpritEvidence *evidence, const CulpritPopulation *population, const CulpritCarrier *carrier)
{
  return culprit_evidence_node (evidence, carrier->node)->context == CULPRIT_CONTEXT_IDLE &&
         culprit_evidence_waits (evidence, population, carrier->heaviest);
}

/* By how much the task that has @node is less urgent than the measured one, below 0: more. 0 also if that is not known.
 */
static gint64
priority_below (const CulpritEvidence *evidence, const CulpritCase *one, guint node, const GArray *candidates)
{
  guint source = culprit_evidence_node (evidence, node)->source;

  for (guint i = 0; i < candidates->len; i++)
    {
      const CulpritCarrier *candidate = &g_array_index (candidates, CulpritCarrier, i);

      if (candidate->node == source && candidate->priority >= 0 && one->priority >= 0)
        return candidate->priority - one->priority;
    }
  return 0;
}

/* Whether most of it passed in user mode, before the first event, when a timer should have rung: user mode lets every
 * interrupt in, and who has the CPU then is not to blame. */
static gboolean
waited_in_user_mode (const CulpritEvidence *evidence, const CulpritCase *one, const CulpritCarrier *carrier)
{
  const CulpritCallFunction *heaviest;

  if (!one->by_timer || carrier->heaviest == CULPRIT_NOTHING || !one->stretch.before || *one->stretch.before)
    return FALSE;
  heaviest = culprit_evidence_function (evidence, carrier->heaviest);
  return heaviest->bracket && heaviest->context == CULPRIT_CONTEXT_TASK && heaviest->id == one->stretch.function &&
         one->stretch.context == CULPRIT_CONTEXT_TASK &&
         one->stretch.length_ns >= CULPRIT_HALF * culprit_carrier_excess (carrier);
}

static gboolean
is_interrupt (CulpritContext context)
{
  return context == CULPRIT_CONTEXT_HARDIRQ || context == CULPRIT_CONTEXT_SOFTIRQ || context == CULPRIT_CONTEXT_NMI;
}

static CulpritClass
classify (const CulpritEvidence *evidence, const CulpritCarrier *carrier)
{
  CulpritContext context = culprit_evidence_node (evidence, carrier->node)->context;

  if (carrier->late_timer)
    return CULPRIT_CLASS_LATE_TIMER;
  if (context == CULPRIT_CONTEXT_BLOCKED)
    return CULPRIT_CLASS_BLOCKED;
  if (context == CULPRIT_CONTEXT_TASK || (carrier->function == CULPRIT_NOTHING && is_interrupt (context)))
    return CULPRIT_CLASS_INTERFERENCE;
  return culprit_class_of_count_share (carrier->count_share);
}

static void
leave (CulpritCase *one, CulpritClass class, const char *reason)
{
  one->class = class;
  one->culprit = NULL;
  one->function = 0;
  one->path = NULL;
  one->inverted = FALSE;
  one->culprit_ns = 0;
  one->share = 0;
  one->carrier = (CulpritCarrier) { .node = CULPRIT_NOTHING, .function = CULPRIT_NOTHING };
  one->reason = reason;
}

const char *
culprit_carry_hidden (const CulpritCase *one, CulpritClass class)
{
  gboolean in_one_place = class == CULPRIT_CLASS_TOO_LONG || class == CULPRIT_CLASS_MIXED;
  gboolean nowhere = class == CULPRIT_CLASS_LATE_TIMER;

  if ((one->hidden & CULPRIT_HIDDEN_DEEP) && (in_one_place || nowhere))
    return "calls were traced only to a limited depth: the cause may lie below it";
  if ((one->hidden & CULPRIT_HIDDEN_INTERRUPTS) && (in_one_place || nowhere))
    return "interrupts were not traced: one of them may be the cause";
  if ((one->hidden & CULPRIT_HIDDEN_FUNCTIONS) &&
      (nowhere || class == CULPRIT_CLASS_INTERFERENCE || (one->culprit && culprit_name_is_pseudo (one->culprit))))
    return "only some functions were traced: another may be the cause";
  return NULL;
}

/* The calls below the source of @node, down to it. NULL: it is a source. */
static const char *
path_of (const CulpritEvidence *evidence, guint node)
{
  const char *known = g_hash_table_lookup (evidence->paths, GUINT_TO_POINTER (node));
  GString *path;

  if (known || culprit_evidence_node (evidence, node)->parent == CULPRIT_NOTHING)
    return known;
  path = g_string_new (NULL);
  for (guint call = node; culprit_evidence_node (evidence, call)->parent != CULPRIT_NOTHING;
       call = culprit_evidence_node (evidence, call)->parent)
    {
      g_autofree char *name = culprit_name_in_path (culprit_evidence_node (evidence, call)->name);

      if (path->len > 0)
        g_string_prepend (path, " > ");
      g_string_prepend (path, name);
    }
  known = path->str;
  g_hash_table_insert (evidence->paths, GUINT_TO_POINTER (node), g_string_free (path, FALSE));
  return known;
}

/* Names the culprit: a function; a task or interrupt; what it does. */
static void
blame (const CulpritEvidence *evidence, CulpritCase *one, const GArray *candidates)
{
  const CulpritCallNode *node = culprit_evidence_node (evidence, one->carrier.node);
  gboolean of_task = culprit_context_is_of_task (node->context);

  one->class = classify (evidence, &one->carrier);
  one->context = node->context;
  one->culprit = one->carrier.late_timer
                     ? "idle"
                     : culprit_evidence_node (evidence, of_task ? node->source : one->carrier.node)->name;
  one->function = one->carrier.function != CULPRIT_NOTHING && !of_task && !one->carrier.late_timer
                      ? culprit_evidence_function (evidence, one->carrier.function)->id
                      : 0;
  one->culprit_ns = culprit_carrier_excess (&one->carrier);
  one->share = one->culprit_ns / one->excess_ns;
  one->inverted = of_task && priority_below (evidence, one, one->carrier.node, candidates) > 0;
  one->path = path_of (evidence, one->carrier.node);
  one->reason = NULL;
}

void
culprit_carry (const CulpritEvidence *evidence, guint index)
{
  CulpritCase *one = culprit_evidence_case (evidence, index);
  const GArray *candidates = g_ptr_array_index (evidence->candidates, index);
  const CulpritPopulation *population = culprit_evidence_population (evidence, one->population);
  double traced_ns = one->tracing_ns - one->base_tracing_ns;
  double later_ns = one->excess_ns + (one->own_ns < one->latency_ns ? traced_ns : 0);
  const CulpritCarrier *carrier;
  gboolean idle_wait;
  const char *hidden;

  if (one->ordinary == 0)
    leave (one, CULPRIT_CLASS_UNEXPLAINED, "there are no ordinary wake-ups to compare it with");
  else if (population->captures == 0)
    leave (one, CULPRIT_CLASS_UNEXPLAINED,
           "all captures of its series are ignored: there is nothing to compare it with");
  else if (!one->stands_out && later_ns > 0 && traced_ns >= CULPRIT_HALF * later_ns)
    leave (one, CULPRIT_CLASS_TRACING, "it is late only because of tracing");
  else if (!one->stands_out)
    leave (one, CULPRIT_CLASS_UNEXPLAINED, "it does not stand out from its ordinary wake-ups");
  if (!one->stands_out || population->captures == 0)
    return;
  carrier = candidates ? find_carrier (evidence, one, candidates) : NULL;
  if (!carrier)
    {
      leave (one, CULPRIT_CLASS_SPREAD, "nothing in it has half of the excess");
      return;
    }
  if (g_str_equal (culprit_evidence_node (evidence, carrier->node)->name, "[not captured]"))
    {
      leave (one, CULPRIT_CLASS_UNEXPLAINED, "most of it was not captured: record with a larger buffer");
      return;
    }
  idle_wait = is_idle_wait (evidence, population, carrier);
  if (idle_wait && !(one->by_timer && one->timer_rang))
    {
      hidden = culprit_carry_hidden (one, CULPRIT_CLASS_LATE_TIMER);
      leave (one, CULPRIT_CLASS_UNEXPLAINED, hidden ? hidden : "the CPU was idle: no function explains that");
      return;
    }
  one->carrier = *carrier;
  one->carrier.single = carrier->stretch_ns >= CULPRIT_HALF * culprit_carrier_excess (carrier);
  one->carrier.late_timer = idle_wait;
  one->carrier.in_user_mode =
      waited_in_user_mode (evidence, one, carrier) &&
      !((one->hidden & CULPRIT_HIDDEN_INTERRUPTS) && priority_below (evidence, one, carrier->node, candidates) < 0);
  find_reference (evidence, population, &one->carrier);
  one->carrier.count_share = find_count_share (one, &one->carrier);
  blame (evidence, one, candidates);
  hidden = culprit_carry_hidden (one, one->carrier.in_user_mode ? CULPRIT_CLASS_LATE_TIMER : one->class);
  if (hidden)
    leave (one, CULPRIT_CLASS_UNEXPLAINED, hidden);
}

void
culprit_carry_acquit (CulpritCase *one)
{
  leave (one, CULPRIT_CLASS_UNEXPLAINED, "the timer's interrupt came late, and user mode cannot hold it off");
}

void
culprit_carry_stalled (CulpritCase *one, const char *culprit)
{
  one->class = CULPRIT_CLASS_BLIND_STALL;
  one->culprit = culprit;
  one->context = CULPRIT_CONTEXTS;
  one->function = 0;
  one->inverted = FALSE;
  one->path = NULL;
}
