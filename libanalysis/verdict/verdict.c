/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the cases one by one, then those of each population together, and tallies the results. */
#include "verdict.h"

#include "carry.h"
#include "compare.h"
#include "fleet/fleet.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* What one culprit explains of one capture. */
typedef struct
{
  guint culprit; /* its index */
  guint index;   /* of the case */
  double ns;
} Explained;

/* Culprits, and what they explain. */
typedef struct
{
  GArray *culprits;  /* of CulpritCulprit */
  GArray *explained; /* of Explained */
} Weighed;

/* A cause's share of the total excess, with an interval like that of a proportion: for as many captures of equal excess
 * as carry the same information as these of unequal excess. */

#define RESAMPLES 1000
#define LOW 0.025
#define HIGH 0.975

static const CulpritCase *
case_at (const GArray *cases, guint index)
{
  return &g_array_index (cases, CulpritCase, index);
}

static gboolean
counts (const CulpritCase *one)
{
  return one->stands_out && !one->ignored;
}

static void
find_weights (GArray *culprits, const GArray *cases, const GArray *all)
{
  double sum_ns = 0;
  double squares = 0;
  double captures;

  for (guint i = 0; i < cases->len; i++)
    if (counts (case_at (cases, i)))
      {
        sum_ns += case_at (cases, i)->excess_ns;
        squares += case_at (cases, i)->excess_ns * case_at (cases, i)->excess_ns;
      }
  captures = squares > 0 ? sum_ns * sum_ns / squares : 0;
  for (guint i = 0; i < all->len; i++)
    {
      const Explained *explained = &g_array_index (all, Explained, i);

      g_array_index (culprits, CulpritCulprit, explained->culprit).weight += explained->ns / sum_ns;
    }
  for (guint i = 0; i < culprits->len; i++)
    {
      CulpritCulprit *culprit = &g_array_index (culprits, CulpritCulprit, i);
      double with = CLAMP (culprit->weight, 0, 1) * captures;

      culprit->weight_low = gsl_cdf_beta_Pinv (LOW, with + 0.5, captures - with + 0.5);
      culprit->weight_high = gsl_cdf_beta_Pinv (HIGH, with + 0.5, captures - with + 0.5);
    }
}

/* The one that explains most of the cases when each counts as often as it was @drawn; @explained_ns has room for
 * each. */
static void
find_leader (const Weighed *one, const guint *drawn, double *explained_ns)
{
  guint leader = 0;

  memset (explained_ns, 0, one->culprits->len * sizeof *explained_ns);
  for (guint i = 0; i < one->explained->len; i++)
    {
      const Explained *explained = &g_array_index (one->explained, Explained, i);

      explained_ns[explained->culprit] += drawn[explained->index] * explained->ns;
    }
  for (guint i = 1; i < one->culprits->len; i++)
    leader = explained_ns[i] > explained_ns[leader] ? i : leader;
  if (one->culprits->len > 0 && explained_ns[leader] > 0)
    g_array_index (one->culprits, CulpritCulprit, leader).leads += 1;
}

/* How often each explains most when as many captures are resampled, with replacement. */
static void
find_leads (const Weighed *all, guint n_all, const GArray *cases)
{
  g_autofree guint *counting = g_new (guint, cases->len + 1);
  g_autofree guint *drawn = g_new (guint, cases->len + 1);
  g_autofree double *explained_ns = NULL;
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);
  guint most = 0;
  guint n = 0;

  for (guint i = 0; i < n_all; i++)
    most = MAX (most, all[i].culprits->len);
  explained_ns = g_new (double, most + 1);
  for (guint i = 0; i < cases->len; i++)
    if (!case_at (cases, i)->ignored)
      counting[n++] = i;
  for (guint round = 0; most > 0 && round < RESAMPLES; round++)
    {
      memset (drawn, 0, cases->len * sizeof *drawn);
      for (guint i = 0; i < n; i++)
        drawn[counting[gsl_rng_uniform_int (random, n)]]++;
      for (guint i = 0; i < n_all; i++)
        find_leader (&all[i], drawn, explained_ns);
    }
  gsl_rng_free (random);
}

/* Sets weight, its interval and leads of the culprits in each of the @n @all, which explain parts of @cases. */
static void
weigh (const Weighed *all, guint n, const GArray *cases)
{
  for (guint i = 0; i < n; i++)
    find_weights (all[i].culprits, cases, all[i].explained);
  find_leads (all, n, cases);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < all[i].culprits->len; k++)
      g_array_index (all[i].culprits, CulpritCulprit, k).leads /= RESAMPLES;
}

static void
clear_culprit (gpointer data)
{
  g_array_unref (((CulpritCulprit *) data)->where);
  g_array_unref (((CulpritCulprit *) data)->explains);
  g_array_unref (((CulpritCulprit *) data)->breakdown);
}

void
culprit_verdict_free (CulpritVerdict *verdict)
{
  g_clear_pointer (&verdict->evidence, culprit_evidence_free);
  g_clear_pointer (&verdict->without_windows, g_ptr_array_unref);
  g_clear_pointer (&verdict->culprits, g_array_unref);
  g_clear_pointer (&verdict->suspects, g_array_unref);
  g_clear_pointer (&verdict->stalls, culprit_stalls_free);
  g_free (verdict->selection);
  g_free (verdict);
}

const char *
culprit_verdict_key (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return g_hash_table_lookup (verdict->evidence->keys, &culprit->function);
}

const char *
culprit_verdict_function (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const CulpritCallNode *node =
      culprit->node != CULPRIT_NOTHING ? culprit_evidence_node (verdict->evidence, culprit->node) : NULL;

  return node && node->function != CULPRIT_NOTHING ? node->name : NULL;
}

/* Adds the proof of @function unless there is none, it tells nothing or was not made by us, or it was added already. */
static gboolean
add_proof (CulpritStudy *study, const char *function, GPtrArray *proofs, GError **error)
{
  GError *problem = NULL;
  CulpritStoredProof *stored;

  for (guint i = 0; i < proofs->len; i++)
    if (g_str_equal (culprit_stored_proof_name (proofs->pdata[i]), function))
      return TRUE;
  stored = culprit_study_proof_of (study, function, &problem);
  if (stored && !stored->proof->refusal)
    g_ptr_array_add (proofs, stored);
  else if (stored)
    culprit_stored_proof_free (stored);
  if (g_error_matches (problem, CULPRIT_STUDY_ERROR, CULPRIT_STUDY_ERROR_NOT_FOUND))
    g_clear_error (&problem);
  if (problem)
    g_propagate_error (error, problem);
  return !problem;
}

GPtrArray *
culprit_verdict_proofs (const CulpritVerdict *verdict, CulpritStudy *study, GError **error)
{
  const GArray *const lists[] = { verdict->culprits, verdict->suspects };
  g_autoptr (GPtrArray) proofs = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_stored_proof_free);

  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint i = 0; i < MIN (lists[list]->len, CULPRIT_CULPRITS_MOST); i++)
      {
        const char *function = culprit_verdict_function (verdict, &g_array_index (lists[list], CulpritCulprit, i));

        if (function && !add_proof (study, function, proofs, error))
          return NULL;
      }
  return g_steal_pointer (&proofs);
}

GPtrArray *
culprit_verdict_node (const CulpritVerdict *verdict, guint node)
{
  GPtrArray *names = g_ptr_array_new ();

  for (; node != CULPRIT_NOTHING; node = culprit_evidence_node (verdict->evidence, node)->parent)
    g_ptr_array_insert (names, 0, (gpointer) culprit_evidence_node (verdict->evidence, node)->name);
  return names;
}

const CulpritCase *
culprit_verdict_case (const CulpritVerdict *verdict, gint64 capture)
{
  guint low = 0;
  guint high = verdict->evidence->cases->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (culprit_evidence_case (verdict->evidence, middle)->capture < capture)
        low = middle + 1;
      else
        high = middle;
    }
  return low < verdict->evidence->cases->len && culprit_evidence_case (verdict->evidence, low)->capture == capture
             ? culprit_evidence_case (verdict->evidence, low)
             : NULL;
}

const char *
culprit_verdict_case_key (const CulpritVerdict *verdict, const CulpritCase *one)
{
  const CulpritEvidence *evidence = verdict->evidence;
  const CulpritCallNode *node =
      one->carrier.node != CULPRIT_NOTHING ? culprit_evidence_node (evidence, one->carrier.node) : NULL;
  gint64 function = one->function;

  if (!one->culprit || one->class == CULPRIT_CLASS_BLIND_STALL || one->class == CULPRIT_CLASS_LATE_TIMER)
    return NULL;
  if (function == 0 && node && node->function != CULPRIT_NOTHING)
    function = culprit_evidence_function (evidence, node->function)->id;
  return g_hash_table_lookup (evidence->keys, &function);
}

gint64
culprit_verdict_typical (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  const gint64 *captures = (const gint64 *) (gpointer) culprit->explains->data;
  g_autoptr (GArray) excesses = g_array_new (FALSE, FALSE, sizeof (double));
  double median_ns;
  guint i = 0;

  for (guint k = 0; k < culprit->explains->len; k++)
    g_array_append_val (excesses, culprit_verdict_case (verdict, captures[k])->excess_ns);
  g_array_sort (excesses, compare_double);
  median_ns = g_array_index (excesses, double, (excesses->len - 1) / 2);
  while (culprit_verdict_case (verdict, captures[i])->excess_ns != median_ns)
    i++;
  return captures[i];
}

/* Tallying. */

/* What is tallied together: culprits with the same degree of certainty. */
typedef struct
{
  CulpritVerdict *verdict;
  GArray *culprits;  /* of CulpritCulprit */
  GArray *explained; /* of Explained */
} Tally;

/* The same cause may occur in several populations. A task is one whatever it did. */
static gboolean
is_same (const CulpritEvidence *evidence, const CulpritCulprit *culprit, const CulpritCause *cause)
{
  if (culprit->kind != cause->kind)
    return FALSE;
  switch (cause->kind)
    {
    case CULPRIT_CAUSE_TASK:
      return culprit_evidence_node (evidence, culprit->node)->source ==
             culprit_evidence_node (evidence, cause->node)->source;
    case CULPRIT_CAUSE_FUNCTION:
      return culprit->function == culprit_evidence_function (evidence, cause->function)->id &&
             culprit->context == culprit_evidence_function (evidence, cause->function)->context;
    case CULPRIT_CAUSE_NODE:
      return culprit->node == cause->node;
    default:
      return TRUE;
    }
}

static const char *
name_of (const CulpritVerdict *verdict, const CulpritCause *cause)
{
  const CulpritEvidence *evidence = verdict->evidence;

  switch (cause->kind)
    {
    case CULPRIT_CAUSE_TASK:
      return culprit_evidence_node (evidence, culprit_evidence_node (evidence, cause->node)->source)->name;
    case CULPRIT_CAUSE_STALLS:
      return culprit_stalls_culprit (verdict->stalls);
    case CULPRIT_CAUSE_TIMER:
      return "idle";
    default:
      return culprit_evidence_node (evidence, cause->node)->name;
    }
}

static CulpritCulprit *
find_culprit (const Tally *tally, const CulpritCause *cause)
{
  const CulpritEvidence *evidence = tally->verdict->evidence;
  CulpritCulprit added = { .kind = cause->kind,
                           .name = name_of (tally->verdict, cause),
                           .node = cause->node,
                           .context = cause->node != CULPRIT_NOTHING
                                          ? culprit_evidence_node (evidence, cause->node)->context
                                      : cause->kind == CULPRIT_CAUSE_TIMER ? CULPRIT_CONTEXT_IDLE
                                                                           : CULPRIT_CONTEXTS,
                           .least_ns = INFINITY };

  for (guint i = 0; i < tally->culprits->len; i++)
    if (is_same (evidence, &g_array_index (tally->culprits, CulpritCulprit, i), cause))
      return &g_array_index (tally->culprits, CulpritCulprit, i);
  if (cause->kind == CULPRIT_CAUSE_FUNCTION)
    added.function = culprit_evidence_function (evidence, cause->function)->id;
  added.where = g_array_new (FALSE, FALSE, sizeof (CulpritOccurrence));
  added.explains = g_array_new (FALSE, FALSE, sizeof (gint64));
  added.breakdown = g_array_new (FALSE, FALSE, sizeof (CulpritBranch));
  g_array_append_val (tally->culprits, added);
  return &g_array_index (tally->culprits, CulpritCulprit, tally->culprits->len - 1);
}

/* The carrier of @one, as that of @culprit: a task may have carried it by one function. */
static void
add_case (const Tally *tally, CulpritCulprit *culprit, guint index)
{
  CulpritCase *one = culprit_evidence_case (tally->verdict->evidence, index);
  const CulpritCarrier *carrier = &one->carrier;
  Explained explained = { culprit - (CulpritCulprit *) (gpointer) tally->culprits->data, index, one->culprit_ns };

  if (culprit->captures == 0 || one->culprit_ns > culprit->path_ns)
    {
      culprit->path = one->path;
      culprit->path_ns = one->culprit_ns;
    }
  culprit->captures++;
  culprit->inverted += one->inverted;
  culprit->single += carrier->single;
  culprit->excess_ns += one->culprit_ns;
  culprit->all_ns += one->excess_ns;
  culprit->calls += carrier->calls > 0 ? carrier->calls : NAN;
  culprit->reference_calls += carrier->reference_calls;
  culprit->per_call_ns += carrier->ns;
  culprit->reference_per_call_ns += carrier->reference_ns;
  culprit->count_share += carrier->count_share * one->culprit_ns;
  culprit->least_ns = MIN (culprit->least_ns, carrier->ns);
  culprit->most_ns = MAX (culprit->most_ns, carrier->ns);
  g_array_append_val (culprit->explains, one->capture);
  g_array_append_val (tally->explained, explained);
}

static void
add_ordinary (CulpritCulprit *culprit, const CulpritPopulation *population, const CulpritCause *cause)
{
  const CulpritCarrier carrier = { .node = cause->node, .function = cause->function };
  const CulpritOrdinary *ordinary =
      cause->node != CULPRIT_NOTHING ? culprit_evidence_ordinary (population, &carrier) : NULL;

  culprit->ordinary_of += population->ordinary;
  if (!ordinary)
    return;
  culprit->ordinary.ns += ordinary->ns;
  culprit->ordinary.calls += ordinary->calls;
  culprit->ordinary.windows += ordinary->windows;
  culprit->ordinary.max_ns = MAX (culprit->ordinary.max_ns, ordinary->max_ns);
  culprit->ordinary.max_calls = MAX (culprit->ordinary.max_calls, ordinary->max_calls);
}

static void
tally_cause (const Tally *tally, guint population, const CulpritCause *cause)
{
  CulpritCulprit *culprit = find_culprit (tally, cause);
  CulpritOccurrence there = { population, 0 };
  CulpritOccurrence *last;
  GArray *nodes;

  for (guint i = 0; i < cause->cases->len; i++)
    add_case (tally, culprit, g_array_index (cause->cases, guint, i));
  culprit->confidence = MAX (culprit->confidence, cause->confidence);
  culprit->more = culprit->more > 0 ? MIN (culprit->more, cause->more) : cause->more;
  /* A task can be a suspect twice in a population. */
  if (culprit->where->len == 0 ||
      g_array_index (culprit->where, CulpritOccurrence, culprit->where->len - 1).population != population)
    {
      add_ordinary (culprit, culprit_evidence_population (tally->verdict->evidence, population), cause);
      g_array_append_val (culprit->where, there);
    }
  last = &g_array_index (culprit->where, CulpritOccurrence, culprit->where->len - 1);
  last->captures += cause->cases->len;
  if (cause->kind != CULPRIT_CAUSE_TASK)
    return;
  nodes = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (nodes, culprit->node);
  g_array_append_val (nodes, cause->node);
  culprit->node = culprit_causes_shared_node (tally->verdict->evidence, nodes);
  g_array_unref (nodes);
}

static int
compare_branches (gconstpointer a, gconstpointer b)
{
  const CulpritBranch *left = a;
  const CulpritBranch *right = b;

  if (left->captures != right->captures)
    return left->captures < right->captures ? 1 : -1;
  return (left->node > right->node) - (left->node < right->node);
}

/* Whether a function only dispatches system calls: what it calls tells them apart. */
static gboolean
is_dispatcher (const char *function)
{
  static const char *const dispatchers[] = { "x64_sys_call",
                                             "ia32_sys_call",
                                             "do_syscall_64",
                                             "invoke_syscall",
                                             "do_el0_svc",
                                             "el0_svc",
                                             "el0_svc_common.constprop.0" };

  for (guint i = 0; i < G_N_ELEMENTS (dispatchers); i++)
    if (g_str_equal (function, dispatchers[i]))
      return TRUE;
  return FALSE;
}

/* The node directly below that of @culprit on the way to the carrier of @one, or the first below a dispatcher. */
static guint
branch_of (const CulpritEvidence *evidence, const CulpritCulprit *culprit, const CulpritCase *one)
{
  guint branch = culprit_causes_step (evidence, one->carrier.node, culprit->node);
  guint next;

  while (branch != CULPRIT_NOTHING && is_dispatcher (culprit_evidence_node (evidence, branch)->name) &&
         (next = culprit_causes_step (evidence, one->carrier.node, branch)) != CULPRIT_NOTHING)
    branch = next;
  return branch;
}

/* Counts the captures of @culprit by what is directly below its node. */
static void
break_down (const CulpritVerdict *verdict, CulpritCulprit *culprit)
{
  if (culprit->node == CULPRIT_NOTHING || culprit->function != 0)
    return;
  for (guint i = 0; i < culprit->explains->len; i++)
    {
      const CulpritCase *one = culprit_verdict_case (verdict, g_array_index (culprit->explains, gint64, i));
      CulpritBranch branch = { branch_of (verdict->evidence, culprit, one), 1,
                               culprit_evidence_node (verdict->evidence, one->carrier.node)->name };
      guint k = 0;

      while (k < culprit->breakdown->len && g_array_index (culprit->breakdown, CulpritBranch, k).node != branch.node)
        k++;
      if (branch.node == CULPRIT_NOTHING)
        continue;
      if (k == culprit->breakdown->len)
        g_array_append_val (culprit->breakdown, branch);
      else
        g_array_index (culprit->breakdown, CulpritBranch, k).captures++;
    }
  g_array_sort (culprit->breakdown, compare_branches);
}

static CulpritClass
class_of (const CulpritCulprit *culprit)
{
  gboolean calls = culprit->kind == CULPRIT_CAUSE_FUNCTION || culprit->context == CULPRIT_CONTEXT_MEASURED ||
                   culprit->context == CULPRIT_CONTEXT_IDLE;

  if (culprit->context == CULPRIT_CONTEXT_BLOCKED)
    return CULPRIT_CLASS_BLOCKED;
  switch (culprit->kind)
    {
    case CULPRIT_CAUSE_STALLS:
      return CULPRIT_CLASS_BLIND_STALL;
    case CULPRIT_CAUSE_TIMER:
      return CULPRIT_CLASS_LATE_TIMER;
    default:
      return culprit->kind != CULPRIT_CAUSE_TASK && calls ? culprit_class_of_count_share (culprit->count_share)
                                                          : CULPRIT_CLASS_INTERFERENCE;
    }
}

/* Turns sums into means. */
static void
finish_culprit (const CulpritVerdict *verdict, CulpritCulprit *culprit)
{
  double n = culprit->captures;
  double others = verdict->stands_out - n;

  culprit->count_share /= culprit->excess_ns;
  culprit->share = culprit->excess_ns / culprit->all_ns;
  culprit->per_call_ns /= culprit->calls;
  culprit->excess_ns /= n;
  culprit->all_ns /= n;
  culprit->calls /= n;
  culprit->reference_calls /= n;
  culprit->reference_per_call_ns /= n;
  culprit->low = gsl_cdf_beta_Pinv (LOW, n + 0.5, others + 0.5);
  culprit->high = others > 0 ? gsl_cdf_beta_Pinv (HIGH, n + 0.5, others + 0.5) : 1;
  culprit->class = class_of (culprit);
  g_array_sort (culprit->explains, compare_int64);
  break_down (verdict, culprit);
}

static int
compare_culprits (gconstpointer a, gconstpointer b)
{
  const CulpritCulprit *left = a;
  const CulpritCulprit *right = b;
  double left_ns = left->excess_ns * left->captures;
  double right_ns = right->excess_ns * right->captures;

  return (left_ns < right_ns) - (left_ns > right_ns);
}

static void
finish_tallies (const Tally *tallies, guint n)
{
  g_autofree Weighed *weighed = g_new (Weighed, n);

  for (guint i = 0; i < n; i++)
    {
      weighed[i] = (Weighed) { tallies[i].culprits, tallies[i].explained };
      for (guint k = 0; k < tallies[i].culprits->len; k++)
        finish_culprit (tallies->verdict, &g_array_index (tallies[i].culprits, CulpritCulprit, k));
    }
  weigh (weighed, n, tallies->verdict->evidence->cases);
  for (guint i = 0; i < n; i++)
    g_array_sort (tallies[i].culprits, compare_culprits);
}

static void
count_case (CulpritVerdict *verdict, const CulpritCase *one)
{
  verdict->ignored += one->ignored;
  if (one->ignored)
    return;
  verdict->captures++;
  verdict->stands_out += one->stands_out;
  verdict->tracing += one->class == CULPRIT_CLASS_TRACING;
  verdict->spread += one->class == CULPRIT_CLASS_SPREAD;
  verdict->spread_factor += one->class == CULPRIT_CLASS_SPREAD ? one->own_ns / one->base_ns : 0;
  verdict->explained += one->cause;
  verdict->excess_ns += one->stands_out ? one->excess_ns : 0;
  verdict->borrowed += !one->own_base && verdict->evidence->base_captures == 0;
  verdict->incomplete += one->lost_events > 0 || one->not_captured_ns > 0;
  verdict->hiding += one->hidden != 0;
}

/* Whether @one, which does not count, has what @cause is about. */
static gboolean
has_cause (const CulpritEvidence *evidence, const CulpritCase *one, const CulpritCause *cause)
{
  guint node = one->carrier.node;

  if (node == CULPRIT_NOTHING)
    return FALSE;
  switch (cause->kind)
    {
    case CULPRIT_CAUSE_TASK:
      return culprit_evidence_node (evidence, node)->source == culprit_evidence_node (evidence, cause->node)->source;
    case CULPRIT_CAUSE_FUNCTION:
      return one->carrier.function == cause->function;
    case CULPRIT_CAUSE_NODE:
      return node == cause->node || culprit_causes_step (evidence, node, cause->node) != CULPRIT_NOTHING;
    case CULPRIT_CAUSE_TIMER:
      return one->carrier.late_timer;
    default:
      return culprit_case_is_candidate (one);
    }
}

static void
set_confidence (CulpritCase *one, const CulpritCause *cause)
{
  one->confidence = cause->confidence;
  one->cause = culprit_cause_is_sure (cause);
}

/* Tells the cases of @cause how certain it is. */
static void
set_confidences (const CulpritVerdict *verdict, const CulpritCause *cause)
{
  for (guint i = 0; i < cause->cases->len; i++)
    set_confidence (culprit_evidence_case (verdict->evidence, g_array_index (cause->cases, guint, i)), cause);
  for (guint i = 0; i < cause->ignored->len; i++)
    set_confidence (culprit_evidence_case (verdict->evidence, g_array_index (cause->ignored, guint, i)), cause);
}

/* Of what an ignored capture has, it is said to be of the most established. */
static int
rank_of (const CulpritCause *cause)
{
  return cause->kind == CULPRIT_CAUSE_STALLS ? 1 : culprit_cause_is_sure (cause) ? 2 : 0;
}

static gboolean
outranks (const CulpritCause *cause, const CulpritCause *other)
{
  return !other || rank_of (cause) > rank_of (other) ||
         (rank_of (cause) == rank_of (other) && cause->confidence > other->confidence);
}

/* Tells those of @cases that do not count which of @causes they have too, if any. @stalled: whose fault blind stalls
 * are. */
static void
attribute_ignored (const CulpritVerdict *verdict, const GArray *cases, const GArray *causes, const char *stalled)
{
  for (guint i = 0; i < cases->len; i++)
    {
      CulpritCase *one = culprit_evidence_case (verdict->evidence, g_array_index (cases, guint, i));
      const CulpritCause *best = NULL;

      for (guint k = 0; k < causes->len && one->ignored; k++)
        {
          const CulpritCause *cause = &g_array_index (causes, CulpritCause, k);

          if (outranks (cause, best) && has_cause (verdict->evidence, one, cause))
            best = cause;
        }
      if (!best)
        continue;
      set_confidence (one, best);
      g_array_append_val (best->ignored, g_array_index (cases, guint, i));
      if (best->kind == CULPRIT_CAUSE_STALLS)
        culprit_carry_stalled (one, stalled);
    }
}

static GArray *
cases_of (const CulpritVerdict *verdict, guint population)
{
  GArray *cases = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    if (culprit_evidence_case (verdict->evidence, i)->population == population)
      g_array_append_val (cases, i);
  return cases;
}

/* The causes of each population (arrays of CulpritCause). */
static GPtrArray *
judge_populations (CulpritVerdict *verdict)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < verdict->evidence->populations->len; i++)
    {
      g_autoptr (GArray) cases = cases_of (verdict, i);
      g_autoptr (CulpritStalls) stalls = culprit_stalls_new ();
      const CulpritPopulation *population = culprit_evidence_population (verdict->evidence, i);
      GArray *causes = culprit_causes_find (verdict->evidence, i, cases, stalls);

      for (guint k = 0; k < causes->len; k++)
        set_confidences (verdict, &g_array_index (causes, CulpritCause, k));
      attribute_ignored (verdict, cases, causes, culprit_stalls_culprit (stalls));
      culprit_stalls_add (verdict->stalls, stalls);
      if (population->captures > 0)
        verdict->ordinary = population->ordinary + (verdict->evidence->base_captures > 0 ? 0 : verdict->ordinary);
      g_ptr_array_add (all, causes);
    }
  culprit_stalls_finish (verdict->stalls);
  return all;
}

/* A suspect in several populations: those of one function or task. */
typedef struct
{
  guint key;         /* the function of the evidence, or the task's source */
  guint id;          /* as the study numbers it */
  GPtrArray *causes; /* of CulpritCause, not owned */
  guint captures;
  guint single;
  double share;      /* the largest */
  double confidence; /* over all of them */
} Together;

static void
together_free (Together *together)
{
  g_ptr_array_unref (together->causes);
  g_free (together);
}

/* The suspects of @kind in all populations: what they are -> Together. */
static GHashTable *
find_together (const CulpritVerdict *verdict, const GPtrArray *populations, CulpritCauseKind kind)
{
  const CulpritEvidence *evidence = verdict->evidence;
  GHashTable *all = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) together_free);

  for (guint i = 0; i < populations->len; i++)
    {
      const GArray *causes = g_ptr_array_index (populations, i);

      for (guint k = 0; k < causes->len; k++)
        {
          CulpritCause *cause = &g_array_index (causes, CulpritCause, k);
          CulpritCarrier carrier = { .node = cause->node, .function = cause->function };
          Together *together;
          guint key;

          if (cause->kind != kind || culprit_cause_is_sure (cause))
            continue;
          if (kind == CULPRIT_CAUSE_TASK)
            carrier.node = culprit_evidence_node (evidence, cause->node)->source;
          key = kind == CULPRIT_CAUSE_TASK ? carrier.node : cause->function;
          together = g_hash_table_lookup (all, GUINT_TO_POINTER (key));
          if (!together)
            {
              together = g_new0 (Together, 1);
              together->key = key;
              together->id = kind == CULPRIT_CAUSE_TASK ? key : (guint) culprit_evidence_function (evidence, key)->id;
              together->causes = g_ptr_array_new ();
              g_hash_table_insert (all, GUINT_TO_POINTER (key), together);
            }
          g_ptr_array_add (together->causes, cause);
          together->captures += cause->cases->len;
          for (guint c = 0; c < cause->cases->len; c++)
            together->single +=
                culprit_evidence_case (evidence, g_array_index (cause->cases, guint, c))->carrier.single;
          together->share =
              MAX (together->share, culprit_carrier_share (culprit_evidence_population (evidence, i), &carrier));
        }
    }
  return all;
}

/* How many wake-ups stand out that no established cause explains. */
static guint
count_open (const CulpritVerdict *verdict, const GPtrArray *populations)
{
  guint open = 0;

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (verdict->evidence, i);

      open += one->stands_out && !one->ignored;
    }
  for (guint i = 0; i < populations->len; i++)
    {
      const GArray *causes = g_ptr_array_index (populations, i);

      for (guint k = 0; k < causes->len; k++)
        {
          const CulpritCause *cause = &g_array_index (causes, CulpritCause, k);

          open -= culprit_cause_is_sure (cause) ? cause->cases->len : 0;
        }
    }
  return open;
}

/* The most certain of @all, of equally certain ones that with the most captures, then that which the study numbers
 * first; NULL: none is established. */
static Together *
most_certain (GHashTable *all, CulpritCauseKind kind, guint open)
{
  GHashTableIter iter;
  gpointer value;
  Together *best = NULL;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Together *together = value;

      together->confidence = culprit_causes_agreement (kind, together->share, 2 * together->single > together->captures,
                                                       together->captures, open);
      if (together->confidence < CULPRIT_SURE ||
          (best && (together->confidence < best->confidence ||
                    (together->confidence == best->confidence &&
                     (together->captures < best->captures ||
                      (together->captures == best->captures && together->id > best->id))))))
        continue;
      best = together;
    }
  return best;
}

/* Many machines may have one capture each of the same: tasks, or functions, that are only suspects of their populations
 * are judged once more, over all populations together. */
static void
judge_together (CulpritVerdict *verdict, const GPtrArray *populations, CulpritCauseKind kind)
{
  g_autoptr (GHashTable) all = find_together (verdict, populations, kind);
  Together *best;

  while ((best = most_certain (all, kind, count_open (verdict, populations))))
    {
      for (guint i = 0; i < best->causes->len; i++)
        {
          CulpritCause *cause = g_ptr_array_index (best->causes, i);

          cause->confidence = best->confidence;
          cause->more = 0;
          set_confidences (verdict, cause);
        }
      g_hash_table_remove (all, GUINT_TO_POINTER (best->key));
    }
}

static void
label_case (CulpritCase *one, const CulpritCulprit *culprit)
{
  if (culprit_carry_hidden (one, culprit->class))
    return;
  one->culprit = culprit->name;
  one->class = culprit->class;
}

/* Captures that established @causes (of CulpritCause) explain have their name and class, also ignored ones, unless they
 * do not show what that depends on. */
static void
label_cases (const Tally *tally, const GArray *causes)
{
  const CulpritEvidence *evidence = tally->verdict->evidence;

  for (guint i = 0; i < causes->len; i++)
    {
      const CulpritCause *cause = &g_array_index (causes, CulpritCause, i);
      const CulpritCulprit *culprit = culprit_cause_is_sure (cause) ? find_culprit (tally, cause) : NULL;

      for (guint k = 0; culprit && k < cause->cases->len; k++)
        label_case (culprit_evidence_case (evidence, g_array_index (cause->cases, guint, k)), culprit);
      for (guint k = 0; culprit && k < cause->ignored->len; k++)
        label_case (culprit_evidence_case (evidence, g_array_index (cause->ignored, guint, k)), culprit);
    }
}

static void
tally_all (CulpritVerdict *verdict, const GPtrArray *populations)
{
  g_autoptr (GArray) by_causes = g_array_new (FALSE, FALSE, sizeof (Explained));
  g_autoptr (GArray) by_suspects = g_array_new (FALSE, FALSE, sizeof (Explained));
  const Tally tallies[] = { { verdict, verdict->culprits, by_causes }, { verdict, verdict->suspects, by_suspects } };

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    count_case (verdict, culprit_evidence_case (verdict->evidence, i));
  verdict->excess_ns /= MAX (verdict->stands_out, 1);
  verdict->spread_factor /= MAX (verdict->spread, 1);
  for (guint i = 0; i < populations->len; i++)
    {
      const GArray *causes = g_ptr_array_index (populations, i);

      for (guint k = 0; k < causes->len; k++)
        {
          const CulpritCause *cause = &g_array_index (causes, CulpritCause, k);

          tally_cause (&tallies[culprit_cause_is_sure (cause) ? 0 : 1], i, cause);
        }
    }
  finish_tallies (tallies, G_N_ELEMENTS (tallies));
  for (guint i = 0; i < populations->len; i++)
    label_cases (&tallies[0], g_ptr_array_index (populations, i));
}

/* What most late wake-ups have in common, if only in the tree of calls. */
static void
find_common (CulpritVerdict *verdict)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (verdict->evidence, i);

      if (!one->ignored && one->carrier.node != CULPRIT_NOTHING)
        g_array_append_val (nodes, one->carrier.node);
    }
  verdict->common = culprit_causes_common_node (verdict->evidence, nodes, verdict->stands_out);
  for (guint i = 0; i < nodes->len && verdict->common != CULPRIT_NOTHING; i++)
    verdict->common_captures +=
        g_array_index (nodes, guint, i) == verdict->common ||
        culprit_causes_step (verdict->evidence, g_array_index (nodes, guint, i), verdict->common) != CULPRIT_NOTHING;
}

CulpritVerdict *
culprit_verdict_new (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error)
{
  g_autoptr (CulpritVerdict) verdict = g_new0 (CulpritVerdict, 1);
  g_autoptr (GPtrArray) populations = NULL;

  verdict->evidence = culprit_evidence_read (study, options, error);
  verdict->without_windows =
      verdict->evidence ? culprit_query_without_windows (study, options->filter, FALSE, error) : NULL;
  if (!verdict->without_windows)
    return NULL;
  verdict->culprits = g_array_new (FALSE, FALSE, sizeof (CulpritCulprit));
  g_array_set_clear_func (verdict->culprits, clear_culprit);
  verdict->suspects = g_array_new (FALSE, FALSE, sizeof (CulpritCulprit));
  g_array_set_clear_func (verdict->suspects, clear_culprit);
  verdict->stalls = culprit_stalls_new ();
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    culprit_carry (verdict->evidence, i);
  populations = judge_populations (verdict);
  judge_together (verdict, populations, CULPRIT_CAUSE_TASK);
  judge_together (verdict, populations, CULPRIT_CAUSE_FUNCTION);
  tally_all (verdict, populations);
  find_common (verdict);
  return culprit_fleet_selection (study, &verdict->selection, error) ? g_steal_pointer (&verdict) : NULL;
}
