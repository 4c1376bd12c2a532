/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums up what single stretches carry: where, how long, and what confirms that the machine stood still. */
#include "stalls.h"

#include "carry.h"
#include "causes.h"

#include <math.h>
#include <string.h>

#define IDLE_PLACE (CULPRIT_NOTHING - 1)

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
culprit_proof_in_words (CulpritProof proof)
{
  static const char *const words[] = { "nothing in the recording could confirm it",
                                       "the other CPUs stood still at the same time",
                                       "the SMI counter or the hypervisor's steal time confirms it" };

  return words[proof];
}

const char *
culprit_stalls_culprit (const CulpritStalls *stalls)
{
  return stalls->virtual_machine ? "hypervisor" : "blind stall";
}

void
culprit_stalls_measure (CulpritStalls *stalls, const CulpritEvidence *evidence, const GArray *cases)
{
  double squares = 0;

  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  stalls->struck = cases->len;
  stalls->uncounted = TRUE;
  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (evidence, g_array_index (cases, guint, i));
      double distance_ns = one->carrier.stretch_ns - stalls->length_ns;

      g_hash_table_add (places, GUINT_TO_POINTER (culprit_case_place (evidence, one)));
      stalls->uncounted &= one->smi_count == 0;
      stalls->length_ns += distance_ns / (i + 1);
      squares += distance_ns * (one->carrier.stretch_ns - stalls->length_ns);
    }
  stalls->struck_places = g_hash_table_size (places);
  stalls->same_place = stalls->struck_places < stalls->struck;
  stalls->length_sd_ns = cases->len > 1 ? sqrt (squares / (cases->len - 1)) : NAN;
  stalls->likely = stalls->proof == CULPRIT_PROOF_UNVERIFIABLE && cases->len < CULPRIT_STALL_CAPTURES;
  stalls->blind = 2 * stalls->struck >= stalls->captures;
}

gboolean
culprit_case_is_candidate (const CulpritCase *one)
{
  return one->hidden == 0 && one->carrier.node != CULPRIT_NOTHING && one->carrier.single &&
         one->carrier.place != CULPRIT_NOTHING && one->carrier.stretch_ns >= CULPRIT_STALL_FAR * one->usual_stretch_ns;
}

guint
culprit_case_place (const CulpritEvidence *evidence, const CulpritCase *one)
{
  const CulpritPopulation *population = culprit_evidence_population (evidence, one->population);

  return culprit_evidence_waits (evidence, population, one->carrier.place) ? IDLE_PLACE : one->carrier.place;
}

/* Places. */

static CulpritPlace *
find_place (CulpritStalls *stalls, guint part)
{
  for (guint i = 0; i < stalls->places->len; i++)
    if (g_array_index (stalls->places, CulpritPlace, i).part == part)
      return &g_array_index (stalls->places, CulpritPlace, i);
  return NULL;
}

static void
add_hit (CulpritStalls *stalls, const CulpritEvidence *evidence, const CulpritCase *one)
{
  const CulpritCallFunction *function = culprit_evidence_function (evidence, one->carrier.place);
  const CulpritCarrier at = { .function = one->carrier.place };
  const CulpritStretch *stretch = &one->stretch;
  gboolean same = stretch->function == function->id && stretch->context == function->context;
  CulpritPlace *place = find_place (stalls, one->carrier.place);

  if (!place)
    {
      CulpritPlace added = { .part = one->carrier.place,
                             .function = function->id,
                             .name = function->name,
                             .context = function->context,
                             .before = same ? stretch->before : NULL,
                             .after = same ? stretch->after : NULL,
                             .ordinary_ns = one->carrier.ordinary_stretch_ns };

      added.share = culprit_carrier_share (culprit_evidence_population (evidence, one->population), &at);
      g_array_append_val (stalls->places, added);
      place = find_place (stalls, one->carrier.place);
    }
  place->hits++;
  place->before = same && g_strcmp0 (place->before, stretch->before) == 0 ? place->before : NULL;
  place->after = same && g_strcmp0 (place->after, stretch->after) == 0 ? place->after : NULL;
}

/* Whether an established cause, but not blind stalls, has the stretches at @place. */
static gboolean
is_guilty (const CulpritEvidence *evidence, const GArray *causes, const CulpritPlace *place)
{
  for (guint i = 0; i < causes->len; i++)
    {
      const CulpritCause *cause = &g_array_index (causes, CulpritCause, i);

      for (guint k = 0; k < cause->cases->len; k++)
        {
          const CulpritCase *one = culprit_evidence_case (evidence, g_array_index (cause->cases, guint, k));

          if (cause->kind != CULPRIT_CAUSE_STALLS && cause->confidence >= CULPRIT_SURE && one->carrier.single &&
              one->carrier.place == place->part)
            return TRUE;
        }
    }
  return FALSE;
}

static const char *
why (const CulpritEvidence *evidence, const CulpritPopulation *population, const CulpritPlace *place)
{
  if (g_hash_table_contains (population->waits, GUINT_TO_POINTER (place->part)))
    return "the idle CPU waits there";
  if (culprit_evidence_function (evidence, place->part)->bracket)
    return "no function ran there";
  if (place->guilty)
    return "struck too often for blind stalls";
  return place->p < 1 - CULPRIT_SURE ? "stalls may prefer it" : "may be chance";
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

void
culprit_stalls_list (CulpritStalls *stalls, const CulpritEvidence *evidence, const GArray *cases, const GArray *causes)
{
  const CulpritPopulation *population = NULL;

  for (guint i = 0; i < cases->len; i++)
    {
      const CulpritCase *one = culprit_evidence_case (evidence, g_array_index (cases, guint, i));

      population = culprit_evidence_population (evidence, one->population);
      if (one->ignored || !culprit_case_is_candidate (one))
        continue;
      stalls->candidates++;
      add_hit (stalls, evidence, one);
    }
  for (guint i = 0; i < stalls->places->len; i++)
    {
      CulpritPlace *place = &g_array_index (stalls->places, CulpritPlace, i);

      place->guilty = is_guilty (evidence, causes, place);
      place->p =
          1 - culprit_causes_agreement (CULPRIT_CAUSE_FUNCTION, place->share, TRUE, place->hits, stalls->candidates);
      place->reason = why (evidence, population, place);
      stalls->least_p = place->guilty ? stalls->least_p : MIN (stalls->least_p, place->p);
    }
  g_array_sort (stalls->places, compare_places);
}

void
culprit_stalls_add (CulpritStalls *sum, const CulpritStalls *stalls)
{
  double n = sum->struck;
  double m = stalls->struck;
  double apart_ns = stalls->length_ns - sum->length_ns;
  double squares = (n > 1 ? sum->length_sd_ns * sum->length_sd_ns * (n - 1) : 0) +
                   (m > 1 ? stalls->length_sd_ns * stalls->length_sd_ns * (m - 1) : 0);

  if (m > 0)
    {
      squares += apart_ns * apart_ns * n * m / (n + m);
      sum->length_ns += apart_ns * m / (n + m);
      sum->length_sd_ns = n + m > 1 ? sqrt (squares / (n + m - 1)) : NAN;
      sum->likely = (n == 0 || sum->likely) && stalls->likely && n + m < CULPRIT_STALL_CAPTURES;
      sum->proof = MAX (sum->proof, stalls->proof);
      sum->virtual_machine = n > 0 ? sum->virtual_machine && stalls->virtual_machine : stalls->virtual_machine;
      sum->confidence = MAX (sum->confidence, stalls->confidence);
    }
  sum->captures += stalls->captures;
  sum->candidates += stalls->candidates;
  sum->struck += stalls->struck;
  sum->struck_places += stalls->struck_places;
  sum->same_place |= stalls->same_place;
  sum->uncounted = (n == 0 || sum->uncounted) && (m == 0 || stalls->uncounted) && n + m > 0;
  sum->least_p = MIN (sum->least_p, stalls->least_p);
  g_array_append_vals (sum->places, stalls->places->data, stalls->places->len);
}

void
culprit_stalls_finish (CulpritStalls *sum)
{
  sum->blind = sum->struck > 0 && 2 * sum->struck >= sum->captures;
  g_array_sort (sum->places, compare_places);
}
