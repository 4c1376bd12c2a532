/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late wake-ups are grouped by what a person would act on: other tasks, functions, nodes; what stretches alone suggest
 * comes last, as a machine that stands still may strike anywhere. */
#include "causes.h"

#include "carry.h"
#include "compare.h"
#include "latency/comparison/tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#define COINCIDENCE 0.05   /* that what is not single carries one more wake-up by coincidence */
#define FEW_PLACES 0.125   /* at least, that something that is single does: stalls may prefer some places */
#define PREFERENCE 4       /* the odds that they may strike a place with, compared with its share of time */
#define SHARED 0.9         /* of the captures of a task, at or below its node */
#define COVER 0.75         /* of the captures of a node, for it to be divided */
#define ONE_FUNCTION 0.8   /* share of captures at one place if a slow function is to blame, not stalls */
#define OTHER_LENGTHS 0.01 /* p of the test whether stretches are as long as others */
#define SO_FEW 0.01        /* p of the places that stalls would keep to */
#define MOST_MORE 50       /* captures that may be asked for */

typedef struct
{
  const CulpritEvidence *evidence;
  const CulpritPopulation *population;
  GArray *left;     /* of guint: cases that stand out and are of no cause or suspect yet */
  GArray *causes;   /* of CulpritCause */
  guint stands_out; /* cases */
} Search;

static CulpritCase *
case_at (const Search *search, const GArray *cases, guint i)
{
  return culprit_evidence_case (search->evidence, g_array_index (cases, guint, i));
}

static const CulpritCallNode *
node_at (const Search *search, guint node)
{
  return culprit_evidence_node (search->evidence, node);
}

static CulpritContext
context_of (const Search *search, const CulpritCase *one)
{
  return node_at (search, one->carrier.node)->context;
}

static gboolean
is_carried (const CulpritCase *one)
{
  return one->carrier.node != CULPRIT_NOTHING;
}

static gboolean
is_of_task (const Search *search, const CulpritCase *one)
{
  return is_carried (one) && culprit_context_is_of_task (context_of (search, one));
}

/* Whether it is carried by [user] or the like: a single stretch there is nobody's fault. */
static gboolean
is_bracket (const Search *search, const CulpritCase *one)
{
  guint function =
      one->carrier.function != CULPRIT_NOTHING ? one->carrier.function : node_at (search, one->carrier.node)->function;

  return function != CULPRIT_NOTHING && culprit_evidence_function (search->evidence, function)->bracket;
}

static gboolean
mostly_single (const Search *search, const GArray *cases)
{
  guint single = 0;

  for (guint i = 0; i < cases->len; i++)
    single += case_at (search, cases, i)->carrier.single;
  return 2 * single > cases->len;
}

double
culprit_causes_agreement (CulpritCauseKind kind, double share, gboolean single, guint k, guint of)
{
  double q = single ? MAX (share, FEW_PLACES) : kind == CULPRIT_CAUSE_FUNCTION ? COINCIDENCE : MAX (share, COINCIDENCE);

  if (kind == CULPRIT_CAUSE_TASK && !single)
    return 1 - pow (COINCIDENCE, k - 1.0);
  return 1 - MIN (1, (k > 0 ? gsl_cdf_binomial_Q (k - 1, q, of) : 1) / q);
}

/* The share of ordinary time of what carries @one. */
static double
share_of (const Search *search, CulpritCauseKind kind, const CulpritCase *one)
{
  CulpritCarrier carrier = one->carrier;

  if (kind == CULPRIT_CAUSE_TASK)
    carrier = (CulpritCarrier) { .node = node_at (search, one->carrier.node)->source, .function = CULPRIT_NOTHING };
  return culprit_carrier_share (search->population, &carrier);
}

static double
confidence_of (const Search *search, CulpritCauseKind kind, const GArray *cases, guint of)
{
  double share = share_of (search, kind, case_at (search, cases, 0));

  return culprit_causes_agreement (kind, share, mostly_single (search, cases), cases->len, of);
}

/* The cases that no established cause explains: so many may agree by coincidence. A suspect explains none. */
static guint
count_open (const Search *search)
{
  guint open = search->stands_out;

  for (guint i = 0; i < search->causes->len; i++)
    {
      const CulpritCause *cause = &g_array_index (search->causes, CulpritCause, i);

      if (culprit_cause_is_sure (cause))
        open -= cause->cases->len;
    }
  return open;
}

static GHashTable *
set_of (const GArray *cases)
{
  GHashTable *set = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < cases->len; i++)
    g_hash_table_add (set, GUINT_TO_POINTER (g_array_index (cases, guint, i)));
  return set;
}

static void
remove_cases (GArray *from, const GArray *cases)
{
  g_autoptr (GHashTable) removed = set_of (cases);
  guint kept = 0;

  for (guint i = 0; i < from->len; i++)
    if (!g_hash_table_contains (removed, GUINT_TO_POINTER (g_array_index (from, guint, i))))
      g_array_index (from, guint, kept++) = g_array_index (from, guint, i);
  g_array_set_size (from, kept);
}

/* Makes a cause of its cases, which are taken, and no longer left. */
static void
add_cause (Search *search, CulpritCause cause)
{
  remove_cases (search->left, cause.cases);
  cause.ignored = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (search->causes, cause);
}

/* Makes a cause or a suspect of @cases, of @of, which are taken; it has @share of all ordinary time. */
static void
add_judged (Search *search, CulpritCauseKind kind, guint node, guint function, GArray *cases, double share, guint of)
{
  gboolean single = mostly_single (search, cases);
  CulpritCause cause = { .kind = kind,
                         .node = node,
                         .function = function,
                         .cases = cases,
                         .confidence = culprit_causes_agreement (kind, share, single, cases->len, of) };

  for (guint more = 1; cause.confidence < CULPRIT_SURE && cause.more == 0 && more <= MOST_MORE; more++)
    if (culprit_causes_agreement (kind, share, single, cases->len + more, of + more) >= CULPRIT_SURE)
      cause.more = more;
  add_cause (search, cause);
}

/* Groups. */

/* What two cases must have in common to be in one group. */
typedef guint (*GroupOf) (const Search *search, const CulpritCase *one);

/* The cases that are left, grouped by @group_of, which gives CULPRIT_NOTHING for those that are in none: group -> array
 * of indices. */
static GHashTable *
group_cases (const Search *search, const GArray *cases, GroupOf group_of)
{
  GHashTable *groups = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < cases->len; i++)
    {
      guint group = group_of (search, case_at (search, cases, i));
      GArray *members = g_hash_table_lookup (groups, GUINT_TO_POINTER (group));

      if (group == CULPRIT_NOTHING)
        continue;
      if (!members)
        {
          members = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (groups, GUINT_TO_POINTER (group), members);
        }
      g_array_append_val (members, g_array_index (cases, guint, i));
    }
  return groups;
}

/* The groups in a fixed order: of guint. */
static GArray *
sort_groups (GHashTable *groups)
{
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (guint));
  GHashTableIter each;
  gpointer group;

  g_hash_table_iter_init (&each, groups);
  while (g_hash_table_iter_next (&each, &group, NULL))
    {
      guint number = GPOINTER_TO_UINT (group);

      g_array_append_val (sorted, number);
    }
  g_array_sort (sorted, compare_uint);
  return sorted;
}

/* What shows stalls. */

static gboolean
is_in_user_mode (const Search *search, guint place)
{
  const CulpritCallFunction *function = culprit_evidence_function (search->evidence, place);

  return function->bracket && function->context != CULPRIT_CONTEXT_IDLE;
}

/* User mode has no events of its own: a stretch there, but for one that held a timer off, is no sign of a stall. */
static gboolean
may_be_busy (const Search *search, const CulpritCase *one)
{
  return culprit_case_is_candidate (one) && !one->carrier.in_user_mode && is_in_user_mode (search, one->carrier.place);
}

static guint
place_of (const Search *search, const CulpritCase *one)
{
  return culprit_case_is_candidate (one) && !may_be_busy (search, one) ? culprit_case_place (search->evidence, one)
                                                                       : CULPRIT_NOTHING;
}

/* What was recorded that confirms blind stalls in @cases. @proofs: in how many. */
static CulpritProof
find_proof (const Search *search, const GArray *cases, guint *proofs)
{
  guint silent = 0;
  guint counted = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = case_at (search, cases, i);

      silent += culprit_case_stood_still (one);
      counted += one->smi_count > 0 || one->steal_ns >= CULPRIT_HALF * one->excess_ns;
    }
  *proofs = MAX (silent, counted);
  return 2 * counted > cases->len  ? CULPRIT_PROOF_CONFIRMED
         : 2 * silent > cases->len ? CULPRIT_PROOF_CONSISTENT
                                   : CULPRIT_PROOF_UNVERIFIABLE;
}

/* How certain it is that @cases, which may be blind, are. 0: they are not. @proof: what confirms that. */
static double
confidence_of_stalls (const Search *search, const GArray *cases, CulpritProof *proof)
{
  g_autoptr (GHashTable) places = group_cases (search, cases, place_of);
  guint most = 0;
  guint all = cases->len;
  guint proofs;
  GHashTableIter each;
  gpointer members;

  *proof = find_proof (search, cases, &proofs);
  g_hash_table_iter_init (&each, places);
  while (g_hash_table_iter_next (&each, NULL, &members))
    most = MAX (most, ((GArray *) members)->len);
  for (guint i = 0; i < cases->len; i++)
    all -= may_be_busy (search, case_at (search, cases, i));
  if (*proof != CULPRIT_PROOF_UNVERIFIABLE)
    return cases->len == 1 ? CULPRIT_STALLS_SURE_OF_ONE : 1 - pow (COINCIDENCE, proofs);
  if (g_hash_table_size (places) < 2)
    return 0;
  return gsl_cdf_binomial_Q (most, ONE_FUNCTION, all);
}

/* How likely stalls are, at most, to strike a place that has @share of the time: they may prefer it. */
static double
preferred (double share)
{
  return MAX (PREFERENCE * share / (1 + (PREFERENCE - 1) * share), FEW_PLACES);
}

/* Whether @cases that may be blind keep to fewer places than stalls would: then several functions are slow. That the
 * CPU is idle or in user mode says nothing of it. */
static gboolean
keep_to_few (const Search *search, const GArray *cases)
{
  g_autoptr (GHashTable) places = group_cases (search, cases, place_of);
  const guint most = 1 / FEW_PLACES;
  double share = 0;
  guint functions = 0;
  guint struck = 0;
  GHashTableIter each;
  gpointer members;

  g_hash_table_iter_init (&each, places);
  while (g_hash_table_iter_next (&each, NULL, &members))
    {
      const CulpritCarrier at = { .function = case_at (search, members, 0)->carrier.place };

      if (culprit_evidence_waits (search->evidence, search->population, at.function) ||
          is_in_user_mode (search, at.function))
        continue;
      share += culprit_carrier_share (search->population, &at);
      functions++;
      struck += ((GArray *) members)->len;
    }
  return functions > 0 && functions < most &&
         gsl_sf_choose (most, functions) * pow (MAX (share, functions * FEW_PLACES), struck) <= SO_FEW;
}

/* Whether most of @cases, a task's, of so many may be blind, establish stalls, are in many of its functions, and no
 * more than may strike what has the CPU in so many wake-ups: a stall begins before one. */
static gboolean
are_stalls (const Search *search, const GArray *cases, guint of)
{
  const CulpritCarrier task = { .node = node_at (search, case_at (search, cases, 0)->carrier.node)->source,
                                .function = CULPRIT_NOTHING };
  const CulpritOrdinary *ordinary = culprit_evidence_ordinary (search->population, &task);
  const double share = ordinary ? ordinary->windows / search->population->ordinary : 0;
  g_autoptr (GArray) blind = g_array_new (FALSE, FALSE, sizeof (guint));
  CulpritProof proof;

  for (guint i = 0; i < cases->len; i++)
    if (culprit_case_is_candidate (case_at (search, cases, i)))
      g_array_append_val (blind, g_array_index (cases, guint, i));
  return 2 * blind->len > cases->len && confidence_of_stalls (search, blind, &proof) >= CULPRIT_SURE &&
         !keep_to_few (search, blind) && gsl_cdf_binomial_Q (cases->len - 1, preferred (share), of) > 1 - CULPRIT_SURE;
}

/* 1: other tasks. */

guint
culprit_causes_step (const CulpritEvidence *evidence, guint node, guint at)
{
  guint below = CULPRIT_NOTHING;

  for (; node != at && node != CULPRIT_NOTHING; node = culprit_evidence_node (evidence, node)->parent)
    below = node;
  return node == at ? below : CULPRIT_NOTHING;
}

/* The step from @at that most of @nodes take, and how many. */
static guint
most_frequent_step (const CulpritEvidence *evidence, const GArray *nodes, guint at, guint *n)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  guint most = CULPRIT_NOTHING;

  *n = 0;
  for (guint i = 0; i < nodes->len; i++)
    {
      guint step = culprit_causes_step (evidence, g_array_index (nodes, guint, i), at);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (step))) + 1;

      g_hash_table_insert (counts, GUINT_TO_POINTER (step), GUINT_TO_POINTER (count));
      if (step != CULPRIT_NOTHING && count > *n)
        {
          most = step;
          *n = count;
        }
    }
  return most;
}

/* The deepest node that at least @least of @nodes are, or are below. */
static guint
deepest_node (const CulpritEvidence *evidence, const GArray *nodes, double least)
{
  guint at = CULPRIT_NOTHING;
  guint n;

  for (guint step = most_frequent_step (evidence, nodes, at, &n); step != CULPRIT_NOTHING && n >= least;
       step = most_frequent_step (evidence, nodes, at, &n))
    at = step;
  return at;
}

guint
culprit_causes_shared_node (const CulpritEvidence *evidence, const GArray *nodes)
{
  return deepest_node (evidence, nodes, SHARED * nodes->len);
}

guint
culprit_causes_common_node (const CulpritEvidence *evidence, const GArray *nodes, guint of)
{
  return deepest_node (evidence, nodes, CULPRIT_HALF * of);
}

static GArray *
nodes_of (const Search *search, const GArray *cases)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < cases->len; i++)
    g_array_append_val (nodes, case_at (search, cases, i)->carrier.node);
  return nodes;
}

static guint
task_of (const Search *search, const CulpritCase *one)
{
  if (!is_of_task (search, one) || (one->carrier.single && is_bracket (search, one)))
    return CULPRIT_NOTHING;
  return node_at (search, one->carrier.node)->source;
}

static void
find_tasks (Search *search)
{
  g_autoptr (GHashTable) groups = group_cases (search, search->left, task_of);
  g_autoptr (GArray) sources = sort_groups (groups);
  guint of = count_open (search);

  for (guint i = 0; i < sources->len; i++)
    {
      GArray *cases = g_hash_table_lookup (groups, GUINT_TO_POINTER (g_array_index (sources, guint, i)));
      g_autoptr (GArray) nodes = nodes_of (search, cases);

      if (cases->len > 1 && !are_stalls (search, cases, of))
        add_judged (search, CULPRIT_CAUSE_TASK, culprit_causes_shared_node (search->evidence, nodes), CULPRIT_NOTHING,
                    g_array_ref (cases), share_of (search, CULPRIT_CAUSE_TASK, case_at (search, cases, 0)), of);
    }
}

/* 2: functions. */

/* Of the nodes that most of the function's time came by in each of @cases, the one with most over all of them. */
static guint
heaviest_node (const Search *search, const GArray *cases)
{
  guint heaviest = CULPRIT_NOTHING;
  double most_ns = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      guint node = case_at (search, cases, i)->carrier.node;
      double ns = 0;

      for (guint k = 0; k < cases->len; k++)
        ns += case_at (search, cases, k)->carrier.node == node ? case_at (search, cases, k)->carrier.node_ns : 0;
      if (heaviest != CULPRIT_NOTHING && (ns < most_ns || (ns == most_ns && node >= heaviest)))
        continue;
      heaviest = node;
      most_ns = ns;
    }
  return heaviest;
}

static guint
function_of (const Search *search, const CulpritCase *one)
{
  return !is_of_task (search, one) && !one->carrier.late_timer ? one->carrier.function : CULPRIT_NOTHING;
}

/* Whether @cases are more certain of their function than those that are @best so far; NULL: there are none. */
static gboolean
is_better (const Search *search, const GArray *cases, double confidence, const GArray *best, double most)
{
  const CulpritEvidence *evidence = search->evidence;

  if (!best || confidence != most)
    return !best || confidence > most;
  if (cases->len != best->len)
    return cases->len > best->len;
  return culprit_evidence_function (evidence, case_at (search, cases, 0)->carrier.function)->id <
         culprit_evidence_function (evidence, case_at (search, best, 0)->carrier.function)->id;
}

/* The most certain function that carries several of the cases that are left; FALSE: none is certain enough. */
static gboolean
find_function (Search *search)
{
  g_autoptr (GHashTable) groups = group_cases (search, search->left, function_of);
  g_autoptr (GArray) functions = sort_groups (groups);
  GArray *best = NULL;
  double most = 0;
  guint of = count_open (search);

  for (guint i = 0; i < functions->len; i++)
    {
      GArray *cases = g_hash_table_lookup (groups, GUINT_TO_POINTER (g_array_index (functions, guint, i)));
      double confidence = confidence_of (search, CULPRIT_CAUSE_FUNCTION, cases, of);

      if (confidence < CULPRIT_SURE || !is_better (search, cases, confidence, best, most))
        continue;
      best = cases;
      most = confidence;
    }
  if (!best)
    return FALSE;
  add_judged (search, CULPRIT_CAUSE_FUNCTION, heaviest_node (search, best), case_at (search, best, 0)->carrier.function,
              g_array_ref (best), share_of (search, CULPRIT_CAUSE_FUNCTION, case_at (search, best, 0)), of);
  return TRUE;
}

/* 3: the tree. */

/* Of @cases, those whose carriers are below the node @step, directly below @at. */
static GArray *
cases_below (const Search *search, const GArray *cases, guint at, guint step)
{
  GArray *below = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < cases->len; i++)
    if (culprit_causes_step (search->evidence, case_at (search, cases, i)->carrier.node, at) == step)
      g_array_append_val (below, g_array_index (cases, guint, i));
  return below;
}

/* The nodes directly below @at (of guint) with two of @cases or more. @covered: how many these have. */
static GArray *
steps_of (const Search *search, const GArray *cases, guint at, guint *covered)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (guint));

  *covered = 0;
  for (guint i = 0; i < cases->len; i++)
    {
      guint step = culprit_causes_step (search->evidence, case_at (search, cases, i)->carrier.node, at);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (step))) + 1;

      g_hash_table_insert (counts, GUINT_TO_POINTER (step), GUINT_TO_POINTER (count));
      if (step != CULPRIT_NOTHING && count == 2)
        g_array_append_val (steps, step);
      *covered += step == CULPRIT_NOTHING || count < 2 ? 0 : count == 2 ? 2 : 1;
    }
  g_array_sort (steps, compare_uint);
  return steps;
}

/* The function that carries all of @cases; CULPRIT_NOTHING: there is none. */
static guint
common_function (const Search *search, const GArray *cases)
{
  guint function = function_of (search, case_at (search, cases, 0));

  for (guint i = 1; i < cases->len && function != CULPRIT_NOTHING; i++)
    if (function_of (search, case_at (search, cases, i)) != function)
      function = CULPRIT_NOTHING;
  return function;
}

/* Divides @at, that @cases share, or makes it a cause of them. If one function carries them all, it is that function:
 * one that is not certain enough to have been found as such. */
static void
divide (Search *search, guint at, const GArray *cases, guint of)
{
  guint covered;
  g_autoptr (GArray) steps = steps_of (search, cases, at, &covered);

  if (at == CULPRIT_NOTHING || covered >= COVER * cases->len)
    for (guint i = 0; i < steps->len; i++)
      {
        guint step = g_array_index (steps, guint, i);
        g_autoptr (GArray) below = cases_below (search, cases, at, step);

        divide (search, step, below, of);
      }
  else if (cases->len > 1)
    {
      guint function = common_function (search, cases);
      const CulpritCarrier carrier = { .node = at, .function = function };
      double share = culprit_carrier_share (search->population, &carrier);
      GArray *own = g_array_new (FALSE, FALSE, sizeof (guint));

      g_array_append_vals (own, cases->data, cases->len);
      if (function != CULPRIT_NOTHING)
        add_judged (search, CULPRIT_CAUSE_FUNCTION, heaviest_node (search, cases), function, own, share, of);
      else
        add_judged (search, CULPRIT_CAUSE_NODE, at, CULPRIT_NOTHING, own, share, of);
    }
}

static void
find_nodes (Search *search)
{
  g_autoptr (GArray) cases = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < search->left->len; i++)
    {
      const CulpritCase *one = case_at (search, search->left, i);

      if (is_carried (one) && !is_of_task (search, one) && !one->carrier.single && !one->carrier.late_timer)
        g_array_append_val (cases, g_array_index (search->left, guint, i));
    }
  divide (search, CULPRIT_NOTHING, cases, count_open (search));
}

/* 4: blind stalls. */

static double *
stretches_of (const Search *search, const GArray *cases)
{
  double *stretches_ns = g_new (double, cases->len);

  for (guint i = 0; i < cases->len; i++)
    stretches_ns[i] = case_at (search, cases, i)->carrier.stretch_ns;
  return stretches_ns;
}

/* Whether the stretches of @cases are not as long as those of @others. */
static gboolean
differ (const Search *search, const GArray *cases, const GArray *others)
{
  g_autofree double *stretches_ns = stretches_of (search, cases);
  g_autofree double *others_ns = stretches_of (search, others);

  return culprit_rank_sum_p (stretches_ns, cases->len, others_ns, others->len) < OTHER_LENGTHS;
}

/* Stalls may strike a place more often than its time suggests: whether the cause is still certain if they do, or is no
 * stall like the @blind ones. */
static gboolean
survives (const Search *search, const CulpritCause *cause, const GArray *blind)
{
  double share = share_of (search, cause->kind, case_at (search, cause->cases, 0));

  if (!mostly_single (search, cause->cases) || differ (search, cause->cases, blind))
    return TRUE;
  return gsl_cdf_binomial_Q (cause->cases->len - 1, preferred (share), cause->cases->len + blind->len) <=
         1 - CULPRIT_SURE;
}

/* The cases that are left and may be blind, and if @timers, late timers. If not @users, none whose task may just have
 * been busy in user mode. */
static GArray *
find_blind (const Search *search, gboolean timers, gboolean users)
{
  GArray *blind = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < search->left->len; i++)
    {
      const CulpritCase *one = case_at (search, search->left, i);

      if (culprit_case_is_candidate (one) ? users || !may_be_busy (search, one) : timers && one->carrier.late_timer)
        g_array_append_val (blind, g_array_index (search->left, guint, i));
    }
  return blind;
}

static void
clear_cause (gpointer data)
{
  g_array_unref (((CulpritCause *) data)->cases);
  g_array_unref (((CulpritCause *) data)->ignored);
}

static void
find_stalls (Search *search, CulpritStalls *stalls)
{
  const gboolean timers = search->population->virtual_machine;
  g_autoptr (GArray) all = find_blind (search, FALSE, TRUE);
  guint proofs;
  const gboolean users = find_proof (search, all, &proofs) != CULPRIT_PROOF_UNVERIFIABLE;
  g_autoptr (GArray) blind = find_blind (search, FALSE, users);
  g_autoptr (GArray) others = find_blind (search, timers, users);

  stalls->virtual_machine = timers;
  if (confidence_of_stalls (search, blind, &stalls->proof) <= 0 ||
      (!timers && stalls->proof == CULPRIT_PROOF_UNVERIFIABLE && keep_to_few (search, blind)))
    return;
  for (guint i = search->causes->len; i > 0; i--)
    {
      const CulpritCause *cause = &g_array_index (search->causes, CulpritCause, i - 1);

      if (survives (search, cause, others))
        continue;
      g_array_append_vals (search->left, cause->cases->data, cause->cases->len);
      g_array_remove_index (search->causes, i - 1);
    }
  g_array_sort (search->left, compare_uint);
  g_clear_pointer (&blind, g_array_unref);
  blind = find_blind (search, timers, users);
  stalls->confidence = confidence_of_stalls (search, blind, &stalls->proof);
  culprit_stalls_measure (stalls, search->evidence, blind);
  for (guint i = 0; i < blind->len; i++)
    culprit_carry_stalled (case_at (search, blind, i), culprit_stalls_culprit (stalls));
  add_cause (search, (CulpritCause) { .kind = CULPRIT_CAUSE_STALLS,
                                      .node = CULPRIT_NOTHING,
                                      .function = CULPRIT_NOTHING,
                                      .cases = g_array_ref (blind),
                                      .confidence = stalls->confidence });
}

/* 5 and what remains. */

static guint
late_timer_of (const Search *search, const CulpritCase *one)
{
  return is_carried (one) && one->carrier.late_timer ? 0 : CULPRIT_NOTHING;
}

static guint
any_function_of (const Search *search, const CulpritCase *one)
{
  return function_of (search, one);
}

static guint
any_task_of (const Search *search, const CulpritCase *one)
{
  return is_of_task (search, one) && !one->carrier.in_user_mode ? node_at (search, one->carrier.node)->source
                                                                : CULPRIT_NOTHING;
}

static guint
any_node_of (const Search *search, const CulpritCase *one)
{
  return one->carrier.in_user_mode ? CULPRIT_NOTHING : one->carrier.node;
}

/* What only a stall could explain, and none did. */
static void
acquit (const Search *search, const GArray *cases)
{
  for (guint i = 0; i < cases->len; i++)
    {
      CulpritCase *one = case_at (search, cases, i);

      if (one->carrier.in_user_mode && one->class != CULPRIT_CLASS_BLIND_STALL)
        culprit_carry_acquit (one);
    }
}

/* Makes causes or suspects of the groups among the cases that are left. */
static void
add_groups (Search *search, CulpritCauseKind kind, GroupOf group_of)
{
  g_autoptr (GHashTable) groups = group_cases (search, search->left, group_of);
  g_autoptr (GArray) sorted = sort_groups (groups);
  guint of = count_open (search);

  for (guint i = 0; i < sorted->len; i++)
    {
      GArray *cases = g_hash_table_lookup (groups, GUINT_TO_POINTER (g_array_index (sorted, guint, i)));
      const CulpritCase *first = case_at (search, cases, 0);
      g_autoptr (GArray) nodes = nodes_of (search, cases);
      guint node = kind == CULPRIT_CAUSE_TASK    ? culprit_causes_shared_node (search->evidence, nodes)
                   : kind == CULPRIT_CAUSE_TIMER ? CULPRIT_NOTHING
                                                 : heaviest_node (search, cases);

      add_judged (search, kind, node, kind == CULPRIT_CAUSE_FUNCTION ? first->carrier.function : CULPRIT_NOTHING,
                  g_array_ref (cases), share_of (search, kind, first), of);
    }
}

GArray *
culprit_causes_find (const CulpritEvidence *evidence, guint population, const GArray *cases, CulpritStalls *stalls)
{
  Search search = { evidence, culprit_evidence_population (evidence, population),
                    g_array_new (FALSE, FALSE, sizeof (guint)), g_array_new (FALSE, FALSE, sizeof (CulpritCause)), 0 };

  g_array_set_clear_func (search.causes, clear_cause);
  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = case_at (&search, cases, i);

      if (one->stands_out && !one->ignored)
        g_array_append_val (search.left, g_array_index (cases, guint, i));
    }
  search.stands_out = search.left->len;
  stalls->captures = search.stands_out;
  find_tasks (&search);
  while (find_function (&search))
    ;
  find_nodes (&search);
  find_stalls (&search, stalls);
  add_groups (&search, CULPRIT_CAUSE_TIMER, late_timer_of);
  add_groups (&search, CULPRIT_CAUSE_TASK, any_task_of);
  add_groups (&search, CULPRIT_CAUSE_FUNCTION, any_function_of);
  add_groups (&search, CULPRIT_CAUSE_NODE, any_node_of);
  culprit_stalls_list (stalls, evidence, cases, search.causes);
  acquit (&search, cases);
  g_array_unref (search.left);
  return search.causes;
}
