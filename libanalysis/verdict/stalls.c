/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First the places that are struck too often to be chance: there a function took too long. What is left is blind where
 * it is spread. */
#include "stalls.h"

#include "judge.h"
#include "names.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define HALF 0.5
#define SURELY_ONE_PLACE 0.8 /* of the candidates */
#define OFTEN_ONE_PLACE 0.6  /* likewise, where it is also significant */
#define SIGNIFICANT 0.05
#define REPEATED 3         /* hits of a place among others */
#define REPEATED_SHARE 0.4 /* of the candidates, that such a place has at least */
#define REPEATED_P 0.001
#define LEAST_TIME_SHARE 1e-4 /* of a place that ordinary wake-ups hardly come by */

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

/* Whether the other CPUs stood still at the same time. */
static gboolean
all_stood_still (const CulpritStretch *stretch)
{
  return stretch->other_cpus > 0 && stretch->silent_cpus == stretch->other_cpus;
}

/* Another task in user mode is no gap: it ran, unless all of the machine stood still. */
static gboolean
is_candidate (const CulpritCase *one)
{
  const CulpritStretch *stretch = &one->stretch;

  return one->stands_out && stretch->length_ns - stretch->ordinary_ns >= HALF * one->excess_ns &&
         (all_stood_still (stretch) ||
          !(stretch->context == CULPRIT_CONTEXT_TASK && culprit_name_is_pseudo (stretch->name)));
}

static gboolean
is_in_function (const CulpritPlace *place, const CulpritStretch *stretch)
{
  return place->function == stretch->function && place->context == stretch->context;
}

static gboolean
is_at (const CulpritPlace *place, const CulpritStretch *stretch)
{
  return is_in_function (place, stretch) && g_strcmp0 (place->before, stretch->before) == 0 &&
         g_strcmp0 (place->after, stretch->after) == 0;
}

static CulpritPlace *
find_place (CulpritStalls *stalls, const CulpritStretch *stretch)
{
  CulpritPlace added = { .function = stretch->function,
                         .name = stretch->name,
                         .context = stretch->context,
                         .rest = stretch->rest,
                         .before = stretch->before,
                         .after = stretch->after };

  for (guint i = 0; i < stalls->places->len; i++)
    if (is_at (&g_array_index (stalls->places, CulpritPlace, i), stretch))
      return &g_array_index (stalls->places, CulpritPlace, i);
  g_array_append_val (stalls->places, added);
  return &g_array_index (stalls->places, CulpritPlace, stalls->places->len - 1);
}

static void
count_hits (const GArray *cases, CulpritStalls *stalls)
{
  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (cases, CulpritCase, i);
      CulpritPlace *place;

      stalls->captures += one->stands_out;
      if (!is_candidate (one))
        continue;
      stalls->candidates++;
      place = find_place (stalls, &one->stretch);
      place->hits++;
      place->ordinary_ns += (one->stretch.ordinary_ns - place->ordinary_ns) / place->hits;
    }
}

/* What part of ordinary time is spent at @place; of the outliers what is not their longest stretch counts as well. */
static double
time_share (const GArray *cases, const CulpritPlace *place)
{
  double there_ns = 0;
  double all_ns = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (cases, CulpritCase, i);
      const CulpritPart *part = culprit_case_find (one, place->function, place->context);
      gboolean here = is_in_function (place, &one->stretch);

      all_ns += one->base_ns + MAX (one->own_ns - one->stretch.length_ns, 0);
      if (part)
        there_ns += part->base_self_ns + MAX (part->self_ns - (here ? one->stretch.length_ns : 0), 0);
    }
  return all_ns > 0 ? CLAMP (there_ns / all_ns, LEAST_TIME_SHARE, 1) : LEAST_TIME_SHARE;
}

/* What part of the candidates lies anywhere in the function of @place. */
static double
part_in_function (const GArray *cases, const CulpritStalls *stalls, const CulpritPlace *place)
{
  double hits = 0;

  for (guint i = 0; i < cases->len; i++)
    hits += is_candidate (&g_array_index (cases, CulpritCase, i)) &&
            is_in_function (place, &g_array_index (cases, CulpritCase, i).stretch);
  return hits / stalls->candidates;
}

static void
test_place (const GArray *cases, const CulpritStalls *stalls, CulpritPlace *place)
{
  double part = (double) place->hits / stalls->candidates;
  double whole = part_in_function (cases, stalls, place);

  place->share = time_share (cases, place);
  place->p = MIN (gsl_cdf_binomial_Q (place->hits - 1, place->share, stalls->candidates) * stalls->places->len, 1);
  place->guilty = !culprit_name_is_pseudo (place->name) && !place->rest && stalls->candidates >= 2 &&
                  (whole >= SURELY_ONE_PLACE || (part >= OFTEN_ONE_PLACE && place->p < SIGNIFICANT) ||
                   (place->hits >= REPEATED && part >= REPEATED_SHARE && place->p < REPEATED_P));
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const CulpritPlace *left = a;
  const CulpritPlace *right = b;

  return (int) right->hits - (int) left->hits;
}

static gboolean
is_guilty (const CulpritStalls *stalls, const CulpritStretch *stretch)
{
  for (guint i = 0; i < stalls->places->len; i++)
    {
      const CulpritPlace *place = &g_array_index (stalls->places, CulpritPlace, i);

      if (place->guilty && is_at (place, stretch))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_struck (const CulpritStalls *stalls, const CulpritCase *one)
{
  return is_candidate (one) && !is_guilty (stalls, &one->stretch);
}

/* Whether what no guilty place explains is spread: two places at least, none with more than half; or it is proved,
 * since a CPU that rests before each wake-up is always struck there. */
static gboolean
is_spread (const CulpritStalls *stalls)
{
  guint places = 0;
  guint most = 0;

  for (guint i = 0; i < stalls->places->len; i++)
    {
      const CulpritPlace *place = &g_array_index (stalls->places, CulpritPlace, i);

      if (place->guilty)
        continue;
      places++;
      most = MAX (most, place->hits);
    }
  return stalls->struck > 0 &&
         (stalls->proof != CULPRIT_PROOF_UNVERIFIABLE || (places >= 2 && most <= HALF * stalls->struck));
}

/* Whether nothing but the idle task's wait was struck: then what should have ended its rest came late. */
static gboolean
is_only_idle (const CulpritStalls *stalls)
{
  for (guint i = 0; i < stalls->places->len; i++)
    {
      const CulpritPlace *place = &g_array_index (stalls->places, CulpritPlace, i);

      if (!place->guilty && !place->rest)
        return FALSE;
    }
  return stalls->struck > 0;
}

static void
measure_struck (const GArray *cases, CulpritStalls *stalls)
{
  double squares = 0;
  guint n = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (cases, CulpritCase, i);
      double distance_ns;

      if (!is_struck (stalls, one))
        continue;
      distance_ns = one->stretch.length_ns - stalls->length_ns;
      stalls->length_ns += distance_ns / ++n;
      squares += distance_ns * (one->stretch.length_ns - stalls->length_ns);
    }
  stalls->struck = n;
  stalls->length_sd_ns = n > 1 ? sqrt (squares / (n - 1)) : NAN;
}

/* What else was recorded speaks for it. */
static CulpritProof
find_proof (const GArray *cases, const CulpritStalls *stalls)
{
  guint told = 0;
  guint silent = 0;

  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = &g_array_index (cases, CulpritCase, i);

      if (!is_struck (stalls, one))
        continue;
      told += one->smi_count > 0 || one->steal_ns >= HALF * one->stretch.length_ns;
      silent += all_stood_still (&one->stretch);
    }
  if (told > HALF * stalls->struck)
    return CULPRIT_PROOF_CONFIRMED;
  return silent > HALF * stalls->struck ? CULPRIT_PROOF_CONSISTENT : CULPRIT_PROOF_UNVERIFIABLE;
}

static void
label (GArray *cases, const CulpritStalls *stalls, CulpritClass class)
{
  for (guint i = 0; i < cases->len; i++)
    {
      CulpritCase *one = &g_array_index (cases, CulpritCase, i);

      if (!is_struck (stalls, one))
        continue;
      one->class = class;
      one->culprit = class == CULPRIT_CLASS_LATE_TIMER ? "idle" : "blind stall";
      one->function = 0;
      one->context = class == CULPRIT_CLASS_LATE_TIMER ? CULPRIT_CONTEXT_IDLE : CULPRIT_CONTEXTS;
      one->culprit_ns = MIN (one->stretch.length_ns - one->stretch.ordinary_ns, one->excess_ns);
      one->share = one->culprit_ns / one->excess_ns;
      one->path = NULL;
      one->reason = NULL;
    }
}

CulpritStalls *
culprit_stalls_test (GArray *cases)
{
  CulpritStalls *stalls = g_new0 (CulpritStalls, 1);

  stalls->places = g_array_new (FALSE, TRUE, sizeof (CulpritPlace));
  stalls->least_p = 1;
  count_hits (cases, stalls);
  for (guint i = 0; i < stalls->places->len; i++)
    test_place (cases, stalls, &g_array_index (stalls->places, CulpritPlace, i));
  g_array_sort (stalls->places, compare_places);
  for (guint i = 0; i < stalls->places->len; i++)
    if (!g_array_index (stalls->places, CulpritPlace, i).guilty)
      stalls->least_p = MIN (stalls->least_p, g_array_index (stalls->places, CulpritPlace, i).p);
  measure_struck (cases, stalls);
  stalls->proof = find_proof (cases, stalls);
  if (is_only_idle (stalls) && stalls->struck >= 2 && stalls->proof == CULPRIT_PROOF_UNVERIFIABLE)
    label (cases, stalls, CULPRIT_CLASS_LATE_TIMER);
  else if (is_spread (stalls))
    {
      label (cases, stalls, CULPRIT_CLASS_BLIND_STALL);
      stalls->spread = TRUE;
      stalls->blind = stalls->struck >= HALF * stalls->captures;
      stalls->likely = stalls->struck < CULPRIT_STALL_CAPTURES;
    }
  return stalls;
}
