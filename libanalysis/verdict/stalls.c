/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds blind stalls: stretches that no consistent culprit explains, if they are spread over places. */
#include "stalls.h"

#include "guilt-private.h"
#include "judge.h"
#include "names.h"
#include "suspects-private.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define ONE_FUNCTION 0.8      /* share of captures at one place if a slow function is to blame, not stalls */
#define SILENT_BY_CHANCE 0.05 /* probability that other CPUs, or a counter, wrongly indicate a stall */
#define SURE_OF_ONE_AT_MOST 0.9

CulpritStalls *
culprit_stalls_new (void)
{
  CulpritStalls *stalls = g_new0 (CulpritStalls, 1);

  stalls->places = g_array_new (FALSE, TRUE, sizeof (CulpritPlace));
  stalls->least_p = 1;
  stalls->length_sd_ns = NAN;
  return stalls;
}

void
culprit_stalls_free (CulpritStalls *stalls)
{
  g_array_unref (stalls->places);
  g_free (stalls);
}

const char *
culprit_proof_name (CulpritProof proof)
{
  static const char *const names[] = { "unverifiable", "consistent", "confirmed" };

  return names[proof];
}

const char *
culprit_stalls_culprit (const CulpritStalls *stalls)
{
  return stalls->virtual_machine ? "hypervisor" : "blind stall";
}

static gboolean
is_candidate (const CulpritCase *one)
{
  return one->struck > 0 && one->struck_ns >= STALL_HALF * one->excess_ns;
}

/* The maximum number of remaining captures that have half of their excess in one stretch at the same place. */
static guint
count_most_alike (const StallTest *test)
{
  guint most = 0;

  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      guint carried = guilt_count_carried (test, i);

      most = MAX (most, carried);
    }
  return most;
}

static const char *
why (const CulpritSuspect *suspect, double p)
{
  if (suspect->rest)
    return "the idle CPU waits there";
  if (culprit_name_is_pseudo (suspect->name))
    return "no function ran there";
  if (suspect->guilty)
    return "struck too often for blind stalls";
  return p < STALL_SIGNIFICANT ? "stalls may prefer it" : "may be chance";
}

/* The events before and after the longest stretches at @place, if they are the same in all captures. */
static void
find_neighbours (const StallTest *test, guint suspect, CulpritPlace *place)
{
  gboolean known = FALSE;

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritStretch *stretch = &stall_case_at (test, i)->stretch;

      if (!test->candidates->in[i] || !strikes_hit (test->strikes, i, suspect) ||
          stretch->function != place->function || stretch->context != place->context)
        continue;
      if (!known)
        {
          place->before = stretch->before;
          place->after = stretch->after;
        }
      place->before = g_strcmp0 (place->before, stretch->before) == 0 ? place->before : NULL;
      place->after = g_strcmp0 (place->after, stretch->after) == 0 ? place->after : NULL;
      known = TRUE;
    }
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const CulpritPlace *left = a;
  const CulpritPlace *right = b;

  if (left->hits != right->hits)
    return (int) right->hits - (int) left->hits;
  return strcmp (left->name, right->name);
}

static void
list_places (const StallTest *test, CulpritStalls *stalls)
{
  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      const CulpritSuspect *suspect = suspect_at (test->population, i);
      CulpritPlace place = { .function = suspect->function, .name = suspect->name, .context = suspect->context };
      guint hits = test->candidates->hits[i];

      if (hits == 0)
        continue;
      find_neighbours (test, i, &place);
      place.hits = hits;
      place.share = suspect->time_share;
      place.p = guilt_chance (test, test->candidates, i);
      place.ordinary_ns = suspect->longest_ns;
      place.guilty = suspect->guilty;
      place.any_p = MIN (guilt_chance_of_any (test, test->candidates, i), 1);
      place.reason = why (suspect, place.any_p);
      stalls->least_p = place.guilty ? stalls->least_p : MIN (stalls->least_p, place.p);
      g_array_append_val (stalls->places, place);
    }
  g_array_sort (stalls->places, compare_places);
}

/* What the remaining captures have in common: their length, number, and what else was recorded about them. */
static void
measure (const StallTest *test, CulpritStalls *stalls)
{
  double squares = 0;
  guint told = 0;
  guint silent = 0;
  guint n = 0;

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = stall_case_at (test, i);
      double distance_ns;

      if (!test->left->in[i])
        continue;
      distance_ns = one->struck_ns - stalls->length_ns;
      stalls->length_ns += distance_ns / ++n;
      squares += distance_ns * (one->struck_ns - stalls->length_ns);
      stalls->several += one->struck;
      told += one->smi_count > 0 || one->steal_ns >= STALL_HALF * one->struck_ns;
      silent += culprit_case_stood_still (one);
    }
  stalls->struck = n;
  stalls->several /= MAX (n, 1);
  stalls->length_sd_ns = n > 1 ? sqrt (squares / (n - 1)) : NAN;
  stalls->proof = told > STALL_HALF * n     ? CULPRIT_PROOF_CONFIRMED
                  : silent > STALL_HALF * n ? CULPRIT_PROOF_CONSISTENT
                                            : CULPRIT_PROOF_UNVERIFIABLE;
  stalls->confidence = stalls->proof == CULPRIT_PROOF_UNVERIFIABLE
                           ? 1 - gsl_cdf_binomial_P (count_most_alike (test), ONE_FUNCTION, n)
                           : 1 - pow (SILENT_BY_CHANCE, MAX (told, silent));
  stalls->confidence = n == 1 ? MIN (stalls->confidence, SURE_OF_ONE_AT_MOST) : stalls->confidence;
}

/* Whether only the idle task's wait was struck: then the event that should have ended it came late. */
static gboolean
is_only_rest (const StallTest *test)
{
  for (guint i = 0; i < test->population->suspects->len; i++)
    if (!suspect_at (test->population, i)->rest && test->left->hits[i] > 0)
      return FALSE;
  return TRUE;
}

/* The suspect with the longest abnormal stretches of @one. */
static guint
find_most_struck (const CulpritCase *one)
{
  const CulpritPart *most = culprit_case_part (one, 0);

  for (guint i = 1; i < one->parts->len; i++)
    if (culprit_case_part (one, i)->struck_ns > most->struck_ns)
      most = culprit_case_part (one, i);
  return most->suspect;
}

/* The host emulates a virtual machine's timer: if it takes the CPU at other times, late timers are due to it as
 * well. */
static void
label (const StallTest *test, const CulpritStalls *stalls, CulpritClass class)
{
  for (guint i = 0; i < test->cases->len; i++)
    {
      CulpritCase *one = stall_case_at (test, i);
      const GArray *struck = strikes_of (test->strikes, i);
      gboolean explained = FALSE;

      for (guint k = 0; k < struck->len; k++)
        explained |= suspect_at (test->population, g_array_index (struck, guint, k))->guilty ||
                     suspect_at (test->population, g_array_index (struck, guint, k))->undecided;
      if (one->class == CULPRIT_CLASS_LATE_TIMER && class == CULPRIT_CLASS_BLIND_STALL && stalls->virtual_machine)
        culprit_judge_stalls (one, class, culprit_stalls_culprit (stalls), one->culprit_ns);
      if (!is_candidate (one) || explained)
        continue;
      culprit_judge_stalls (one, class, class == CULPRIT_CLASS_BLIND_STALL ? culprit_stalls_culprit (stalls) : "idle",
                            one->struck_ns);
      if (class == CULPRIT_CLASS_LATE_TIMER)
        one->suspect = find_most_struck (one);
    }
}

static void
judge (const StallTest *test, CulpritStalls *stalls)
{
  guint places = guilt_count_places (test, test->left);

  measure (test, stalls);
  stalls->spread = stalls->proof != CULPRIT_PROOF_UNVERIFIABLE || (stalls->struck >= 2 && places >= 2);
  stalls->likely = stalls->struck < CULPRIT_STALL_CAPTURES && stalls->proof == CULPRIT_PROOF_UNVERIFIABLE;
  if (stalls->spread)
    label (test, stalls, CULPRIT_CLASS_BLIND_STALL);
  else if (stalls->struck >= 2 && is_only_rest (test))
    label (test, stalls, CULPRIT_CLASS_LATE_TIMER);
}

CulpritStalls *
culprit_stalls_test (GPtrArray *cases, CulpritPopulation *population)
{
  CulpritStalls *stalls = culprit_stalls_new ();
  g_autoptr (Strikes) strikes = strikes_new (cases, population);
  g_autoptr (StrikeSet) candidates = strike_set_new (strikes);
  g_autoptr (StrikeSet) left = strike_set_new (strikes);
  StallTest test = { strikes, cases, population, candidates, left };

  stalls->virtual_machine = population->virtual_machine;
  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = stall_case_at (&test, i);

      left->in[i] = candidates->in[i] = is_candidate (one) && !one->ignored;
      stalls->captures += one->stands_out && !one->ignored;
    }
  strike_set_count (strikes, candidates);
  strike_set_count (strikes, left);
  stalls->candidates = candidates->n;
  guilt_find (&test);
  list_places (&test, stalls);
  judge (&test, stalls);
  return stalls;
}

void
culprit_stalls_add (CulpritStalls *sum, const CulpritStalls *stalls)
{
  double n = sum->struck;
  double m = stalls->spread ? stalls->struck : 0;
  double apart_ns = stalls->length_ns - sum->length_ns;
  double squares = (n > 1 ? sum->length_sd_ns * sum->length_sd_ns * (n - 1) : 0) +
                   (m > 1 ? stalls->length_sd_ns * stalls->length_sd_ns * (m - 1) : 0);

  if (m > 0)
    {
      squares += apart_ns * apart_ns * n * m / (n + m);
      sum->length_ns += apart_ns * m / (n + m);
      sum->several += (stalls->several - sum->several) * m / (n + m);
      sum->length_sd_ns = n + m > 1 ? sqrt (squares / (n + m - 1)) : NAN;
      sum->likely = n > 0 ? sum->likely && stalls->likely : stalls->likely;
      sum->proof = MAX (sum->proof, stalls->proof);
      sum->virtual_machine = n > 0 ? sum->virtual_machine && stalls->virtual_machine : stalls->virtual_machine;
      sum->confidence = MAX (sum->confidence, stalls->confidence);
    }
  sum->captures += stalls->captures;
  sum->candidates += stalls->candidates;
  sum->struck += m;
  sum->spread |= stalls->spread;
  sum->least_p = MIN (sum->least_p, stalls->least_p);
  sum->blind = sum->spread && sum->struck >= STALL_HALF * sum->captures;
  g_array_append_vals (sum->places, stalls->places->data, stalls->places->len);
}

void
culprit_stalls_finish (CulpritStalls *sum)
{
  g_array_sort (sum->places, compare_places);
}
