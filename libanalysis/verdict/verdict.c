/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the cases one by one, then those of each population for blind stalls, and tallies the results. */
#include "verdict.h"

#include "each.h"
#include "excess.h"
#include "fleet/fleet.h"
#include "judge.h"
#include "names.h"
#include "suspects-private.h"
#include "weight-private.h"

#include <math.h>

/* What is tallied together: culprits with the same degree of certainty. */
typedef struct
{
  CulpritVerdict *verdict;
  GArray *culprits;  /* of CulpritCulprit */
  GArray *explained; /* of Explained */
} Tally;

static void
clear_culprit (gpointer data)
{
  g_array_unref (((CulpritCulprit *) data)->where);
  g_array_unref (((CulpritCulprit *) data)->explains);
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

static CulpritCase *
case_at (const CulpritVerdict *verdict, guint index)
{
  return &g_array_index (verdict->evidence->cases, CulpritCase, index);
}

static CulpritPopulation *
population_at (const CulpritVerdict *verdict, guint index)
{
  return &g_array_index (verdict->evidence->populations, CulpritPopulation, index);
}

const char *
culprit_verdict_key (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  return g_hash_table_lookup (verdict->evidence->keys, &culprit->function);
}

const CulpritCase *
culprit_verdict_case (const CulpritVerdict *verdict, gint64 capture)
{
  guint low = 0;
  guint high = verdict->evidence->cases->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (case_at (verdict, middle)->capture < capture)
        low = middle + 1;
      else
        high = middle;
    }
  return low < verdict->evidence->cases->len && case_at (verdict, low)->capture == capture ? case_at (verdict, low)
                                                                                           : NULL;
}

/* A function is the same culprit whether it was called too often or took too long; others have only one class. */
static gboolean
is_same (const CulpritCulprit *culprit, const char *name, gint64 function, CulpritContext context)
{
  return culprit->function == function && culprit->context == context && g_str_equal (culprit->name, name);
}

static CulpritCulprit *
find_culprit (const GArray *culprits, const char *name, gint64 function, CulpritContext context)
{
  for (guint i = 0; i < culprits->len; i++)
    if (is_same (&g_array_index (culprits, CulpritCulprit, i), name, function, context))
      return &g_array_index (culprits, CulpritCulprit, i);
  return NULL;
}

static void
add_occurrence (CulpritCulprit *culprit, guint population)
{
  CulpritOccurrence first = { population, 1 };

  for (guint i = culprit->where->len; i > 0; i--) /* Usually it is the last one. */
    if (g_array_index (culprit->where, CulpritOccurrence, i - 1).population == population)
      {
        g_array_index (culprit->where, CulpritOccurrence, i - 1).captures++;
        return;
      }
  g_array_append_val (culprit->where, first);
}

/* What a case is attributed to; there may be several. */
typedef struct
{
  CulpritClass class;
  const char *name;
  gint64 function;
  CulpritContext context;
  double ns;
  double by_count;
  const char *path;
  double confidence;
  const CulpritPart *part; /* NULL if it is not a function */
} Due;

static void
add_due (const Tally *tally, guint index, const Due *due)
{
  const CulpritCase *one = case_at (tally->verdict, index);
  const CulpritPart *part = due->part;
  CulpritCulprit *culprit = find_culprit (tally->culprits, due->name, due->function, due->context);
  Explained explained = { 0, index, due->ns };

  if (!culprit)
    {
      CulpritCulprit added = { .class = due->class,
                               .name = due->name,
                               .function = due->function,
                               .context = due->context,
                               .where = g_array_new (FALSE, FALSE, sizeof (CulpritOccurrence)),
                               .explains = g_array_new (FALSE, FALSE, sizeof (gint64)) };

      g_array_append_val (tally->culprits, added);
      culprit = &g_array_index (tally->culprits, CulpritCulprit, tally->culprits->len - 1);
    }
  if (due->ns > culprit->most_ns)
    {
      culprit->path = due->path;
      culprit->most_ns = due->ns;
    }
  culprit->captures++;
  culprit->inverted += !part && one->inverted;
  culprit->confidence = MAX (culprit->confidence, due->confidence);
  culprit->excess_ns += due->ns;
  culprit->all_ns += one->excess_ns;
  culprit->calls += part ? part->calls : NAN;
  culprit->base_calls += part ? part->base_calls : NAN;
  culprit->reference_calls += part ? part->reference_calls : NAN;
  culprit->by_count += due->by_count * due->ns;
  culprit->per_call_ns += part ? part->self_ns : NAN;
  culprit->reference_per_call_ns += part ? part->reference_per_call_ns : NAN;
  culprit->count_ns += part ? part->count_ns : 0;
  culprit->cost_ns += part ? part->cost_ns : 0;
  add_occurrence (culprit, one->population);
  g_array_append_val (culprit->explains, one->capture);
  explained.culprit = culprit - (CulpritCulprit *) (gpointer) tally->culprits->data;
  g_array_append_val (tally->explained, explained);
}

/* Turns sums into means. */
static void
finish_culprit (CulpritCulprit *culprit)
{
  double n = culprit->captures;

  culprit->by_count /= culprit->excess_ns;
  culprit->share = culprit->excess_ns / culprit->all_ns;
  culprit->per_call_ns /= culprit->calls;
  culprit->excess_ns /= n;
  culprit->all_ns /= n;
  culprit->calls /= n;
  culprit->base_calls /= n;
  culprit->reference_calls /= n;
  culprit->reference_per_call_ns /= n;
  culprit->count_ns /= n;
  culprit->cost_ns /= n;
  if (culprit->function != 0)
    culprit->class = culprit_class_by_count (culprit->by_count);
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
        finish_culprit (&g_array_index (tallies[i].culprits, CulpritCulprit, k));
    }
  weigh (weighed, n, tallies->verdict->evidence->cases);
  for (guint i = 0; i < n; i++)
    g_array_sort (tallies[i].culprits, compare_culprits);
}

static gboolean
is_sure (const CulpritVerdict *verdict, const CulpritCase *one, guint suspect)
{
  return suspect != CULPRIT_NO_SUSPECT &&
         suspect_is_sure (suspect_at (population_at (verdict, one->population), suspect));
}

/* The label of @one. */
static Due
due_of_label (const CulpritCase *one)
{
  Due due = { one->class,    one->culprit, one->function,   one->context, one->culprit_ns,
              one->by_count, one->path,    one->confidence, NULL };

  if (one->function != 0)
    due.part = culprit_case_find (one, one->function, one->context);
  return due;
}

/* Functions that @one is attributed to besides its label: established as causes by other captures, and abnormal here.
 * Functions of an interrupt or task that is the label count for the label. */
static void
add_others (const Tally *tally, guint index)
{
  const CulpritCase *one = case_at (tally->verdict, index);

  for (guint i = 0; i < one->parts->len; i++)
    {
      const CulpritPart *part = culprit_case_part (one, i);
      double by_count = culprit_part_by_count (part, one->excess_ns);
      const CulpritSuspect *suspect = suspect_at (population_at (tally->verdict, one->population), part->suspect);
      gboolean inside = one->class == CULPRIT_CLASS_INTERFERENCE && one->context == part->context;

      if (part->p < CULPRIT_ABNORMAL && suspect_is_sure (suspect) && part->suspect != one->suspect && !inside &&
          !suspect->rest && !culprit_name_is_pseudo (part->name) && one->hidden == 0)
        add_due (tally, index,
                 &(Due) { culprit_class_by_count (by_count), part->name, part->function, part->context, part->excess_ns,
                          by_count, part->path, suspect->confidence, part });
    }
}

/* Blind stalls are a cause by themselves: no single place indicates them. The place where a CPU waits cannot be guilty
 * either: for a late timer it is enough that its confidence is high. */
static gboolean
is_cause (const CulpritVerdict *verdict, const CulpritCase *one)
{
  return one->class == CULPRIT_CLASS_BLIND_STALL ||
         (one->class == CULPRIT_CLASS_LATE_TIMER && one->confidence >= CULPRIT_SURE) ||
         is_sure (verdict, one, one->suspect);
}

static void
count_case (CulpritVerdict *verdict, const CulpritCase *one)
{
  verdict->captures++;
  verdict->stands_out += one->stands_out;
  verdict->explained += is_cause (verdict, one);
  verdict->excess_ns += one->stands_out ? one->excess_ns : 0;
  verdict->ordinary += one->own_base ? one->ordinary : 0;
  verdict->borrowed += !one->own_base && verdict->evidence->base_captures == 0;
  verdict->incomplete += one->lost_events > 0 || one->not_captured_ns > 0;
  verdict->hiding += one->hidden != 0;
  verdict->cycles_unknown += !one->cycles_known;
}

static void
tally_all (CulpritVerdict *verdict)
{
  g_autoptr (GArray) by_causes = g_array_new (FALSE, FALSE, sizeof (Explained));
  g_autoptr (GArray) by_suspects = g_array_new (FALSE, FALSE, sizeof (Explained));
  const Tally tallies[] = { { verdict, verdict->culprits, by_causes }, { verdict, verdict->suspects, by_suspects } };
  const Tally *causes = &tallies[0];
  const Tally *suspects = &tallies[1];

  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = case_at (verdict, i);
      Due due = due_of_label (one);

      if (one->ignored)
        {
          verdict->ignored++;
          continue;
        }
      count_case (verdict, one);
      if (one->culprit)
        add_due (is_cause (verdict, one) ? causes : suspects, i, &due);
      add_others (causes, i);
    }
  verdict->excess_ns /= MAX (verdict->stands_out, 1);
  finish_tallies (tallies, G_N_ELEMENTS (tallies));
}

/* How certain it is that the label of @one is a cause. */
static double
find_confidence (const CulpritCase *one, const CulpritPopulation *population, const CulpritStalls *stalls)
{
  if (one->class == CULPRIT_CLASS_BLIND_STALL)
    return stalls->confidence;
  return one->suspect != CULPRIT_NO_SUSPECT ? suspect_at (population, one->suspect)->confidence : 0;
}

/* The cases of each population, and what was found about its blind stalls. */
typedef struct
{
  const CulpritVerdict *verdict;
  GPtrArray *members;
  CulpritStalls **stalls;
} Judging;

/* Judges the cases of one population, first one by one and then for blind stalls. */
static void
judge_population (gpointer data, guint index)
{
  const Judging *judging = data;
  CulpritPopulation *population = population_at (judging->verdict, index);
  GPtrArray *cases = g_ptr_array_index (judging->members, index);
  CulpritStalls *stalls;

  for (guint i = 0; i < cases->len; i++)
    culprit_judge (g_ptr_array_index (cases, i), population);
  stalls = culprit_stalls_test (cases, population);
  for (guint i = 0; i < cases->len; i++)
    {
      CulpritCase *one = g_ptr_array_index (cases, i);

      culprit_judge_hidden (one);
      one->confidence = find_confidence (one, population, stalls);
    }
  judging->stalls[index] = stalls;
}

static void
judge_all (CulpritVerdict *verdict)
{
  g_autoptr (GPtrArray) members = culprit_evidence_members (verdict->evidence);
  g_autofree CulpritStalls **stalls = g_new0 (CulpritStalls *, members->len + 1);
  Judging judging = { verdict, members, stalls };

  culprit_each (members->len, judge_population, &judging);
  for (guint i = 0; i < members->len; i++)
    {
      culprit_stalls_add (verdict->stalls, stalls[i]);
      culprit_stalls_free (stalls[i]);
    }
  culprit_stalls_finish (verdict->stalls);
}

CulpritVerdict *
culprit_verdict_new (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error)
{
  g_autoptr (CulpritVerdict) verdict = g_new0 (CulpritVerdict, 1);

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
  judge_all (verdict);
  tally_all (verdict);
  return culprit_fleet_selection (study, &verdict->selection, error) ? g_steal_pointer (&verdict) : NULL;
}
