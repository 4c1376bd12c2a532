/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures how often the verdict on the shape errs: systems whose truth is known are simulated again and again, with
 * independent and with bursty samples, and judged. Prints a line for each: same, different, inconclusive. */
#include "latency/comparison/shape.h"
#include "units.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 5000 /* per run */
#define BURST 200.0  /* mean length of a stretch in one state, in samples */

typedef struct
{
  const char *name;
  const char *expected;
  guint runs; /* of each */
  gboolean bursty;
  double second_us;   /* position of the other's second peak; the base's is at 16 */
  double small_share; /* of the other's third peak; the base's is 0.03 */
  double scale;       /* of all of the other's latencies */
  double shift_us;
} Scene;

static const Scene scenes[] = {
  { "same system", "not different", 10, FALSE, 16, 0.03, 1, 0 },
  { "same, shift and scale", "not different", 10, FALSE, 16, 0.03, 1.15, 4 },
  { "same, shift and scale", "not different", 10, TRUE, 16, 0.03, 1.15, 4 },
  { "same, shift and scale", "not different", 6, FALSE, 16, 0.03, 1.15, 4 },
  { "same, shift and scale", "not different", 6, TRUE, 16, 0.03, 1.15, 4 },
  { "a peak moved 16 to 19 us", "different", 10, FALSE, 19, 0.03, 1.15, 4 },
  { "a peak moved 16 to 19 us", "different", 10, TRUE, 19, 0.03, 1.15, 4 },
  { "a peak moved 16 to 19 us", "different", 6, TRUE, 19, 0.03, 1.15, 4 },
  { "a peak of 3 % lost", "different", 10, FALSE, 16, 0, 1.15, 4 },
  { "a peak of 3 % lost", "different", 10, TRUE, 16, 0, 1.15, 4 },
  { "a peak of 3 % lost", "different", 6, TRUE, 16, 0, 1.15, 4 },
  { "too few runs", "inconclusive", 5, FALSE, 19, 0, 1, 0 },
};

/* In a busy stretch the second peak is three times as likely, as with a load that comes and goes. */
static CulpritProfile *
simulate (const Scene *scene, gboolean base, gsl_rng *random)
{
  CulpritProfile *profile = culprit_profile_new (1);
  double second_us = base ? 16 : scene->second_us;
  double small_share = base ? 0.03 : scene->small_share;
  double scale = base ? 1 : scene->scale;
  double shift_us = base ? 0 : scene->shift_us;
  gboolean busy = gsl_rng_uniform (random) < 0.5;

  for (guint i = 0; i < SAMPLES; i++)
    {
      double second_share = !scene->bursty ? 0.25 : busy ? 0.375 : 0.125;
      double drawn = gsl_rng_uniform (random);
      double latency_us = drawn < small_share                  ? 27 + gsl_ran_gaussian (random, 0.7)
                          : drawn < small_share + second_share ? second_us + gsl_ran_gaussian (random, 0.9)
                                                               : 5.5 + gsl_ran_gamma (random, 4, 0.4);

      if (gsl_rng_uniform (random) < 1 / BURST)
        busy = !busy;
      culprit_profile_add (profile, (latency_us * scale + shift_us) * 1000, 1);
    }
  culprit_profile_finish (profile);
  return profile;
}

static CulpritShapeVerdict
judge_once (const Scene *scene, gsl_rng *random)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) culprit_profile_free);
  g_autoptr (CulpritShape) shape = NULL;
  const CulpritProfile *const *profiles;

  for (guint i = 0; i < 2 * scene->runs; i++)
    g_ptr_array_add (runs, simulate (scene, i < scene->runs, random));
  profiles = (const CulpritProfile *const *) runs->pdata;
  shape = culprit_shape_compare (profiles, scene->runs, profiles + scene->runs, scene->runs);
  return shape->verdict;
}

int
main (int argc, char **argv)
{
  guint rounds = argc > 1 ? atoi (argv[1]) : 200;
  guint only = argc > 2 ? atoi (argv[2]) : 0;

  culprit_numbers_init ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      const Scene *scene = &scenes[i];
      gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);
      guint counts[3] = { 0 };

      if (only > 0 && only != i + 1)
        continue;
      gsl_rng_set (random, i + 1);
      for (guint round = 0; round < rounds; round++)
        counts[judge_once (scene, random)]++;
      printf ("%-26s %-12s %2u runs   same %5.1f %%   different %5.1f %%   inconclusive %5.1f %%   expected: %s\n",
              scene->name, scene->bursty ? "bursty" : "independent", scene->runs,
              counts[CULPRIT_SHAPE_SAME] * 100.0 / rounds, counts[CULPRIT_SHAPE_DIFFERENT] * 100.0 / rounds,
              counts[CULPRIT_SHAPE_INCONCLUSIVE] * 100.0 / rounds, scene->expected);
      fflush (stdout);
      gsl_rng_free (random);
    }
  return EXIT_SUCCESS;
}
