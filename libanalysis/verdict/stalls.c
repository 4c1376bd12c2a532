/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First the places that are struck too often to be chance: there a function took too long. What is left is blind where
 * it is spread. */
#include "stalls.h"

#include "judge.h"
#include "latency/rank-tests.h"
#include "names.h"
#include "strikes-private.h"
#include "suspects-private.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define HALF 0.5
#define SIGNIFICANT 0.05
#define LEAST_SHARE 1e-3     /* of time, that a place counts with: one that ordinary wake-ups hardly come by */
#define PREFERRED 4          /* times the odds of a place that stalls prefer, as those where the CPU leaves its guest */
#define UNDECIDED_CAPTURES 3 /* With fewer, half of them at one place is no sign, */
#define UNDECIDED_P 0.01     /* nor is it where chance would strike it so often with this probability. */
#define OTHER_LENGTHS 0.01   /* p of the lengths at a place, from which on they differ from those elsewhere */
#define ONE_FUNCTION 0.8     /* of the captures are at one place, where a slow function is to blame and not stalls */
#define SILENT_BY_CHANCE 0.05 /* probability that the other CPUs, or a counter, tell of a stall that was none */
#define SURE_OF_ONE_AT_MOST 0.9

/* What is tested. */
typedef struct
{
  Strikes *strikes;
  GPtrArray *cases; /* of CulpritCase */
  CulpritPopulation *population;
  gboolean *left; /* of each case: it is a candidate that no guilty place explains */
} Test;

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

static CulpritCase *
case_at (const Test *test, guint place)
{
  return g_ptr_array_index (test->cases, place);
}

static gboolean
is_candidate (const CulpritCase *one)
{
  return one->struck > 0 && one->struck_ns >= HALF * one->excess_ns;
}

/* Whether @suspect can be guilty at all: no time that belongs to no function, nor where the CPU rests before each
 * wake-up. */
static gboolean
can_be_guilty (const CulpritSuspect *suspect)
{
  return !suspect->is_holder && !suspect->rest && !culprit_name_is_pseudo (suspect->name);
}

static guint
count_left (const Test *test)
{
  guint left = 0;

  for (guint i = 0; i < test->cases->len; i++)
    left += test->left[i];
  return left;
}

static void
leave_to (const Test *test, guint suspect)
{
  for (guint i = 0; i < test->cases->len; i++)
    test->left[i] = test->left[i] && !strikes_hit (test->strikes, i, suspect);
}

/* Takes the captures that @suspect explains from those that are left. */
static void
convict (const Test *test, guint suspect)
{
  suspect_at (test->population, suspect)->guilty = TRUE;
  leave_to (test, suspect);
}

/* Whether all that are left were struck at @suspect, and blind stalls would hardly meet so at any place. */
static gboolean
is_only_place (const Test *test, guint suspect)
{
  guint n = count_left (test);
  double meet = 0;

  if (strikes_count (test->strikes, test->left, suspect) < n)
    return FALSE;
  for (guint i = 0; i < test->population->suspects->len; i++)
    meet += pow (suspect_at (test->population, i)->time_share, n);
  return meet < SIGNIFICANT;
}

/* The place that is struck most beyond chance, over all places; each may be wrong as often as it has a share of time.
 */
static guint
find_most_guilty (const Test *test)
{
  guint found = CULPRIT_NO_SUSPECT;
  double least = SIGNIFICANT;

  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      const CulpritSuspect *suspect = suspect_at (test->population, i);
      double p;

      if (!can_be_guilty (suspect) || strikes_count (test->strikes, test->left, i) < 2)
        continue;
      p = strikes_probability (test->strikes, test->left, i, 1) / MAX (suspect->time_share, LEAST_SHARE);
      p = is_only_place (test, i) ? MIN (p, SIGNIFICANT / 2) : p;
      if (p >= least)
        continue;
      least = p;
      found = i;
    }
  return found;
}

/* The number of places at which those that are left were struck. */
static guint
count_places (const Test *test)
{
  guint places = 0;

  for (guint i = 0; i < test->population->suspects->len; i++)
    places += strikes_count (test->strikes, test->left, i) > 0;
  return places;
}

/* How many of those that are left have half of their excess in one stretch at @suspect. */
static guint
count_carried (const Test *test, guint suspect)
{
  guint carried = 0;

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = case_at (test, i);

      for (guint k = 0; k < one->parts->len && test->left[i] && strikes_hit (test->strikes, i, suspect); k++)
        carried += culprit_case_part (one, k)->suspect == suspect &&
                   culprit_case_part (one, k)->struck_ns >= HALF * one->excess_ns;
    }
  return carried;
}

/* The greatest such number of all places. */
static guint
count_most_alike (const Test *test)
{
  guint most = 0;

  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      guint carried = count_carried (test, i);

      most = MAX (most, carried);
    }
  return most;
}

/* Whether the stretches at @suspect are of another length than those of captures that were struck elsewhere: stalls
 * that merely prefer a place last as long there as anywhere. */
static gboolean
has_lengths_of_its_own (const Test *test, const gboolean *candidates, guint suspect)
{
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) elsewhere = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = case_at (test, i);
      gboolean hit = strikes_hit (test->strikes, i, suspect);
      double longest_ns = 0;

      for (guint k = 0; k < one->parts->len && candidates[i]; k++)
        if (!hit || culprit_case_part (one, k)->suspect == suspect)
          longest_ns = MAX (longest_ns, culprit_case_part (one, k)->struck_ns);
      if (candidates[i])
        g_array_append_val (hit ? here : elsewhere, longest_ns);
    }
  return here->len > 0 && elsewhere->len > 0 &&
         culprit_rank_sum_p ((const double *) (gpointer) here->data, here->len,
                             (const double *) (gpointer) elsewhere->data, elsewhere->len) < OTHER_LENGTHS;
}

/* Where there are blind stalls, a place that is struck no more often than one that they prefer is let go. */
static void
acquit (const Test *test, const gboolean *candidates)
{
  if (count_left (test) < 2 || count_places (test) < 2)
    return;
  memcpy (test->left, candidates, test->cases->len * sizeof *candidates);
  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      CulpritSuspect *suspect = suspect_at (test->population, i);

      if (suspect->guilty && strikes_probability (test->strikes, candidates, i, PREFERRED) >= SIGNIFICANT &&
          !has_lengths_of_its_own (test, candidates, i))
        suspect->guilty = FALSE;
      if (suspect->guilty)
        convict (test, i);
    }
}

/* Suspects that are abnormal mostly where a single stretch is. */
static void
find_by_stalls (const Test *test)
{
  guint n = test->population->suspects->len;
  g_autofree guint *abnormal = g_new0 (guint, n + 1);
  g_autofree guint *struck = g_new0 (guint, n + 1);

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = case_at (test, i);

      for (guint k = 0; k < one->parts->len && !one->ignored; k++)
        {
          const CulpritPart *part = culprit_case_part (one, k);

          abnormal[part->suspect] += part->p < CULPRIT_ABNORMAL;
          struck[part->suspect] += part->p < CULPRIT_ABNORMAL && part->struck_ns > 0 && is_candidate (one);
        }
    }
  for (guint i = 0; i < n; i++)
    suspect_at (test->population, i)->by_stalls = struck[i] > HALF * abnormal[i];
}

/* A place that carries half of those left, beyond chance, and yet is not guilty, leaves open what they are: its
 * captures are left to the function, as a suspicion. */
static void
set_aside (const Test *test)
{
  guint n = count_left (test);

  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      CulpritSuspect *suspect = suspect_at (test->population, i);
      guint carried = count_carried (test, i);

      if (!can_be_guilty (suspect) || carried < UNDECIDED_CAPTURES || carried < HALF * n ||
          strikes_probability (test->strikes, test->left, i, 1) >= UNDECIDED_P)
        continue;
      suspect->undecided = TRUE;
      leave_to (test, i);
      return;
    }
}

static const char *
why (const CulpritSuspect *suspect, double p)
{
  if (suspect->rest)
    return "the CPU waits there before each wake-up";
  if (culprit_name_is_pseudo (suspect->name))
    return "no function ran there";
  if (suspect->guilty)
    return "blind stalls would not strike it so often";
  return p < SIGNIFICANT ? "stalls that prefer such a place would strike it as often" : "so many hits may be chance";
}

/* The events around the longest stretches at @place, where they are the same in all captures. */
static void
find_neighbours (const Test *test, const gboolean *candidates, guint suspect, CulpritPlace *place)
{
  gboolean known = FALSE;

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritStretch *stretch = &case_at (test, i)->stretch;

      if (!candidates[i] || !strikes_hit (test->strikes, i, suspect) || stretch->function != place->function ||
          stretch->context != place->context)
        continue;
      if (!known)
        *place = (CulpritPlace) { .function = place->function,
                                  .name = place->name,
                                  .context = place->context,
                                  .before = stretch->before,
                                  .after = stretch->after };
      place->before = known && g_strcmp0 (place->before, stretch->before) != 0 ? NULL : place->before;
      place->after = known && g_strcmp0 (place->after, stretch->after) != 0 ? NULL : place->after;
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
list_places (const Test *test, const gboolean *candidates, CulpritStalls *stalls)
{
  for (guint i = 0; i < test->population->suspects->len; i++)
    {
      const CulpritSuspect *suspect = suspect_at (test->population, i);
      CulpritPlace place = { .function = suspect->function, .name = suspect->name, .context = suspect->context };
      guint hits = strikes_count (test->strikes, candidates, i);

      if (hits == 0)
        continue;
      find_neighbours (test, candidates, i, &place);
      place.hits = hits;
      place.share = suspect->time_share;
      place.p = strikes_probability (test->strikes, candidates, i, 1);
      place.ordinary_ns = suspect->longest_ns;
      place.guilty = suspect->guilty;
      place.reason = why (suspect, place.p / MAX (suspect->time_share, LEAST_SHARE));
      stalls->least_p = place.guilty ? stalls->least_p : MIN (stalls->least_p, place.p);
      g_array_append_val (stalls->places, place);
    }
  g_array_sort (stalls->places, compare_places);
}

/* What those that are left have in common: how long, how many, and what else was recorded of it. */
static void
measure (const Test *test, CulpritStalls *stalls)
{
  double squares = 0;
  guint told = 0;
  guint silent = 0;
  guint n = 0;

  for (guint i = 0; i < test->cases->len; i++)
    {
      const CulpritCase *one = case_at (test, i);
      double distance_ns;

      if (!test->left[i])
        continue;
      distance_ns = one->struck_ns - stalls->length_ns;
      stalls->length_ns += distance_ns / ++n;
      squares += distance_ns * (one->struck_ns - stalls->length_ns);
      stalls->several += one->struck;
      told += one->smi_count > 0 || one->steal_ns >= HALF * one->struck_ns;
      silent += culprit_case_stood_still (one);
    }
  stalls->struck = n;
  stalls->several /= MAX (n, 1);
  stalls->length_sd_ns = n > 1 ? sqrt (squares / (n - 1)) : NAN;
  stalls->proof = told > HALF * n     ? CULPRIT_PROOF_CONFIRMED
                  : silent > HALF * n ? CULPRIT_PROOF_CONSISTENT
                                      : CULPRIT_PROOF_UNVERIFIABLE;
  if (n > 0)
    stalls->confidence = 1 - gsl_cdf_binomial_P (count_most_alike (test), ONE_FUNCTION, n);
  if (stalls->proof != CULPRIT_PROOF_UNVERIFIABLE)
    stalls->confidence = MAX (stalls->confidence, 1 - pow (SILENT_BY_CHANCE, MAX (told, silent)));
  stalls->confidence = n == 1 ? MIN (stalls->confidence, SURE_OF_ONE_AT_MOST) : stalls->confidence;
}

/* Whether nothing but the idle task's wait was struck: then what should have ended its rest came late. */
static gboolean
is_only_rest (const Test *test)
{
  for (guint i = 0; i < test->population->suspects->len; i++)
    if (!suspect_at (test->population, i)->rest && strikes_count (test->strikes, test->left, i) > 0)
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

static void
label (const Test *test, const CulpritStalls *stalls, CulpritClass class)
{
  for (guint i = 0; i < test->cases->len; i++)
    {
      CulpritCase *one = case_at (test, i);
      const GArray *struck = strikes_of (test->strikes, i);
      gboolean explained = FALSE;

      for (guint k = 0; k < struck->len; k++)
        explained |= suspect_at (test->population, g_array_index (struck, guint, k))->guilty ||
                     suspect_at (test->population, g_array_index (struck, guint, k))->undecided;
      if (!is_candidate (one) || explained)
        continue;
      culprit_judge_stalls (one, class, class == CULPRIT_CLASS_BLIND_STALL ? culprit_stalls_culprit (stalls) : "idle",
                            one->struck_ns);
      if (class == CULPRIT_CLASS_LATE_TIMER)
        one->suspect = find_most_struck (one);
    }
}

static void
judge (const Test *test, CulpritStalls *stalls)
{
  guint places = count_places (test);

  measure (test, stalls);
  stalls->spread =
      stalls->struck > 0 && (stalls->proof != CULPRIT_PROOF_UNVERIFIABLE || (stalls->struck >= 2 && places >= 2));
  stalls->likely =
      stalls->spread && stalls->struck < CULPRIT_STALL_CAPTURES && stalls->proof == CULPRIT_PROOF_UNVERIFIABLE;
  if (stalls->spread)
    label (test, stalls, CULPRIT_CLASS_BLIND_STALL);
  else if (stalls->struck >= 2 && is_only_rest (test))
    label (test, stalls, CULPRIT_CLASS_LATE_TIMER);
}

CulpritStalls *
culprit_stalls_test (GPtrArray *cases, CulpritPopulation *population)
{
  CulpritStalls *stalls = culprit_stalls_new ();
  g_autofree gboolean *candidates = g_new0 (gboolean, cases->len + 1);
  g_autofree gboolean *left = g_new0 (gboolean, cases->len + 1);
  g_autoptr (Strikes) strikes = strikes_new (cases, population);
  Test test = { strikes, cases, population, left };

  stalls->virtual_machine = population->virtual_machine;
  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = case_at (&test, i);

      left[i] = candidates[i] = is_candidate (one) && !one->ignored;
      stalls->captures += one->stands_out && !one->ignored;
      stalls->candidates += candidates[i];
    }
  for (guint guilty = find_most_guilty (&test); guilty != CULPRIT_NO_SUSPECT; guilty = find_most_guilty (&test))
    convict (&test, guilty);
  acquit (&test, candidates);
  set_aside (&test);
  find_by_stalls (&test);
  list_places (&test, candidates, stalls);
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
  sum->blind = sum->spread && sum->struck >= HALF * sum->captures;
  g_array_append_vals (sum->places, stalls->places->data, stalls->places->len);
  g_array_sort (sum->places, compare_places);
}
