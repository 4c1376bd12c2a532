/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the cases one by one, then all of them for blind stalls, and tallies what came out. */
#include "verdict.h"

#include "judge.h"
#include "latency/rank-tests.h"

#include <gsl/gsl_rng.h>
#include <math.h>

#define SEED 20040801
#define RESAMPLES 1000
#define RATE 0.05           /* of false discoveries */
#define LEAST_SUPPORTED 0.1 /* of the whole excess that a function carries that is called supported */
#define NO_CULPRIT G_MAXUINT

void
culprit_verdict_free (CulpritVerdict *verdict)
{
  g_clear_pointer (&verdict->evidence, culprit_evidence_free);
  g_clear_pointer (&verdict->culprits, g_array_unref);
  g_clear_pointer (&verdict->stalls, culprit_stalls_free);
  g_free (verdict);
}

static CulpritCase *
case_at (const CulpritVerdict *verdict, guint place)
{
  return &g_array_index (verdict->evidence->cases, CulpritCase, place);
}

static CulpritCulprit *
culprit_at (const CulpritVerdict *verdict, guint place)
{
  return &g_array_index (verdict->culprits, CulpritCulprit, place);
}

const CulpritCase *
culprit_verdict_case (const CulpritVerdict *verdict, gint64 capture)
{
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    if (case_at (verdict, i)->capture == capture)
      return case_at (verdict, i);
  return NULL;
}

/* A function is the same culprit whether it was called too often or took too long. */
static gboolean
is_same (const CulpritCulprit *culprit, const CulpritCase *one)
{
  return culprit->function == one->function && culprit->context == one->context &&
         g_str_equal (culprit->name, one->culprit) && (one->function != 0 || culprit->class == one->class);
}

static guint
find_culprit (const CulpritVerdict *verdict, const CulpritCase *one)
{
  for (guint i = 0; one->culprit && i < verdict->culprits->len; i++)
    if (is_same (culprit_at (verdict, i), one))
      return i;
  return NO_CULPRIT;
}

static void
add_to_culprit (CulpritCulprit *culprit, const CulpritCase *one)
{
  const CulpritPart *part = one->function != 0 ? culprit_case_find (one, one->function, one->context) : NULL;

  if (one->culprit_ns > culprit->most_ns)
    {
      culprit->path = one->path;
      culprit->most_ns = one->culprit_ns;
    }
  culprit->captures++;
  culprit->inverted += one->inverted;
  culprit->excess_ns += one->culprit_ns;
  culprit->all_ns += one->excess_ns;
  culprit->calls += part ? part->calls : NAN;
  culprit->base_calls += part ? part->base_calls : NAN;
  culprit->base_calls_ran += part ? part->base_calls_ran : NAN;
  culprit->by_count += one->by_count * one->culprit_ns;
  culprit->per_call_ns += part ? part->self_ns : NAN;
  culprit->base_per_call_ns += part ? part->base_self_ns : NAN;
  culprit->count_ns += part ? part->count_ns : 0;
  culprit->cost_ns += part ? part->cost_ns : 0;
}

/* Sums become means. */
static void
finish_culprit (CulpritCulprit *culprit)
{
  double n = culprit->captures;

  culprit->by_count /= culprit->excess_ns;
  culprit->share = culprit->excess_ns / culprit->all_ns;
  culprit->per_call_ns /= culprit->calls;
  culprit->base_per_call_ns /= culprit->base_calls;
  culprit->excess_ns /= n;
  culprit->all_ns /= n;
  culprit->calls /= n;
  culprit->base_calls /= n;
  culprit->base_calls_ran /= n;
  culprit->count_ns /= n;
  culprit->cost_ns /= n;
  if (culprit->function != 0)
    culprit->class = culprit->by_count >= CULPRIT_MOSTLY_COUNT  ? CULPRIT_CLASS_TOO_OFTEN
                     : culprit->by_count <= CULPRIT_MOSTLY_COST ? CULPRIT_CLASS_TOO_LONG
                                                                : CULPRIT_CLASS_MIXED;
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
tally (CulpritVerdict *verdict)
{
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = case_at (verdict, i);
      CulpritCulprit added = {
        .class = one->class, .name = one->culprit, .function = one->function, .context = one->context
      };
      guint place = find_culprit (verdict, one);

      verdict->captures++;
      verdict->stands_out += one->stands_out;
      verdict->explained += one->culprit != NULL;
      verdict->excess_ns += one->stands_out ? one->excess_ns : 0;
      verdict->ordinary += one->own_base ? one->ordinary : 0;
      verdict->borrowed += !one->own_base && verdict->evidence->base_captures == 0;
      verdict->incomplete += one->lost_events > 0 || one->not_captured_ns > 0;
      if (!one->culprit)
        continue;
      if (place == NO_CULPRIT)
        {
          place = verdict->culprits->len;
          g_array_append_val (verdict->culprits, added);
        }
      add_to_culprit (culprit_at (verdict, place), one);
    }
  verdict->excess_ns /= MAX (verdict->stands_out, 1);
  for (guint i = 0; i < verdict->culprits->len; i++)
    finish_culprit (culprit_at (verdict, i));
  g_array_sort (verdict->culprits, compare_culprits);
}

/* How often each culprit explains most when as many captures are drawn from them, with repetition. */
static void
find_confidence (CulpritVerdict *verdict)
{
  guint n = verdict->evidence->cases->len;
  g_autofree guint *places = g_new (guint, n + 1);
  g_autofree double *explained = g_new (double, verdict->culprits->len + 1);
  g_autofree guint *leads = g_new0 (guint, verdict->culprits->len + 1);
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);

  gsl_rng_set (random, SEED);
  for (guint i = 0; i < n; i++)
    places[i] = find_culprit (verdict, case_at (verdict, i));
  for (guint round = 0; verdict->culprits->len > 0 && round < RESAMPLES; round++)
    {
      guint leader = 0;

      for (guint i = 0; i < verdict->culprits->len; i++)
        explained[i] = 0;
      for (guint i = 0; i < n; i++)
        {
          guint drawn = gsl_rng_uniform_int (random, n);

          if (places[drawn] != NO_CULPRIT)
            explained[places[drawn]] += case_at (verdict, drawn)->culprit_ns;
        }
      for (guint i = 1; i < verdict->culprits->len; i++)
        leader = explained[i] > explained[leader] ? i : leader;
      leads[leader] += explained[leader] > 0;
    }
  for (guint i = 0; i < verdict->culprits->len; i++)
    culprit_at (verdict, i)->confidence = (double) leads[i] / RESAMPLES;
  gsl_rng_free (random);
}

/* Whether the function of @culprit has more than its mean over all captures that stand out, not only where it leads. */
static double
test_support (const CulpritVerdict *verdict, const CulpritCulprit *culprit)
{
  g_autofree double *excesses = g_new (double, verdict->stands_out + 1);
  guint n = 0;

  if (culprit->function == 0)
    return NAN;
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    {
      const CulpritCase *one = case_at (verdict, i);
      const CulpritPart *part = culprit_case_find (one, culprit->function, culprit->context);

      if (one->stands_out)
        excesses[n++] = part ? part->excess_ns : 0;
    }
  return culprit_signed_rank_p (excesses, n);
}

/* Benjamini and Hochberg: supported are all up to the greatest p that is not above its rank's part of the rate. */
static void
find_support (CulpritVerdict *verdict)
{
  double limit = -1;
  guint tested = 0;

  for (guint i = 0; i < verdict->culprits->len; i++)
    {
      culprit_at (verdict, i)->p = test_support (verdict, culprit_at (verdict, i));
      tested += !isnan (culprit_at (verdict, i)->p);
    }
  for (guint i = 0; i < verdict->culprits->len; i++)
    {
      double p = culprit_at (verdict, i)->p;
      guint rank = 0;

      for (guint k = 0; k < verdict->culprits->len; k++)
        rank += culprit_at (verdict, k)->p <= p;
      if (p <= RATE * rank / tested)
        limit = MAX (limit, p);
    }
  for (guint i = 0; i < verdict->culprits->len; i++)
    {
      CulpritCulprit *culprit = culprit_at (verdict, i);

      culprit->supported = culprit->p <= limit && culprit->excess_ns * culprit->captures >=
                                                      LEAST_SUPPORTED * verdict->excess_ns * verdict->stands_out;
    }
}

CulpritVerdict *
culprit_verdict_new (CulpritStudy *study, const CulpritEvidenceOptions *options, GError **error)
{
  g_autoptr (CulpritVerdict) verdict = g_new0 (CulpritVerdict, 1);

  verdict->evidence = culprit_evidence_read (study, options, error);
  if (!verdict->evidence)
    return NULL;
  verdict->culprits = g_array_new (FALSE, FALSE, sizeof (CulpritCulprit));
  for (guint i = 0; i < verdict->evidence->cases->len; i++)
    culprit_judge (case_at (verdict, i));
  verdict->stalls = culprit_stalls_test (verdict->evidence->cases);
  tally (verdict);
  find_confidence (verdict);
  find_support (verdict);
  return g_steal_pointer (&verdict);
}
