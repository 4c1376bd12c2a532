/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures how often culprit trial errs: blocks of wake-ups are simulated, quiet, bursty, unlike each other, drifting
 * or changing for good in the middle, with treatments that do nothing or something known, and judged. Prints for each
 * scene in how many trials body, tail, or any of them differ, and how many intervals contain the truth; then how often
 * what was promised of more blocks came true. */
#include "latency/comparison/trial.h"
#include "units.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LATENCIES 1000 /* of a block */
#define BURST 200.0    /* mean length of a stretch in one state, in wake-ups */

typedef struct
{
  const char *name;
  guint blocks;
  double busy;       /* how many times as likely late wake-ups are in busy stretches */
  double unlike;     /* standard deviation of the logarithm of what all latencies of a block are multiplied by */
  double drift_us;   /* from the first block to the last */
  double step_us;    /* in the middle of the trial */
  double earlier_us; /* all wake-ups, by the treatment */
  double late_part;  /* of the wake-ups: those hit by what the treatment may remove */
  double late_treated;
} Scene;

static const Scene scenes[] = {
  { "nothing, quiet", 12, 1, 0, 0, 0, 0, 0.01, 0.01 },
  { "nothing, bursty", 12, 8, 0, 0, 0, 0, 0.01, 0.01 },
  { "nothing, blocks unlike", 12, 8, 0.1, 0, 0, 0, 0.01, 0.01 },
  { "nothing, drift", 12, 8, 0.02, 5, 0, 0, 0.01, 0.01 },
  { "nothing, a step", 12, 8, 0.02, 0, 5, 0, 0.01, 0.01 },
  { "nothing, all of it", 24, 8, 0.1, 5, 5, 0, 0.01, 0.01 },
  { "nothing, many blocks", 80, 8, 0.1, 5, 5, 0, 0.01, 0.01 },
  { "0.2 us earlier, bursty", 12, 8, 0, 0, 0, 0.2, 0.01, 0.01 },
  { "1 us earlier, unlike", 24, 8, 0.1, 0, 0, 1, 0.01, 0.01 },
  { "0.2 us earlier, drift", 12, 8, 0, 5, 0, 0.2, 0.01, 0.01 },
  { "1 % late removed", 12, 1, 0, 0, 0, 0, 0.01, 0 },
  { "1 % late removed, bursty", 12, 8, 0, 0, 0, 0, 0.01, 0 },
  { "1 % late removed, drift", 12, 8, 0.02, 5, 0, 0, 0.01, 0 },
  { "0.3 % late removed", 24, 8, 0.02, 0, 0, 0, 0.003, 0 },
  { "10 % late removed", 12, 8, 0.02, 5, 0, 0, 0.1, 0 },
};

static CulpritProfile *
simulate (const Scene *scene, guint place, gboolean treated, gsl_rng *random)
{
  CulpritProfile *profile = culprit_profile_new (1);
  double factor = exp (gsl_ran_gaussian (random, scene->unlike));
  double later_us = scene->drift_us * place / scene->blocks + (place >= scene->blocks / 2 ? scene->step_us : 0) -
                    (treated ? scene->earlier_us : 0);
  double late_part = treated ? scene->late_treated : scene->late_part;
  gboolean busy = gsl_rng_uniform (random) < 0.5;

  for (guint i = 0; i < LATENCIES; i++)
    {
      double part = late_part * 2 / (1 + scene->busy) * (busy ? scene->busy : 1);
      double latency_us =
          gsl_rng_uniform (random) < part ? 60 + gsl_ran_gaussian (random, 5) : 8 + gsl_ran_gamma (random, 4, 0.4);

      if (gsl_rng_uniform (random) < 1 / BURST)
        busy = !busy;
      culprit_profile_add (profile, (latency_us * factor + later_us) * 1000, 1);
    }
  culprit_profile_finish (profile);
  return profile;
}

static void
clear_block (gpointer data)
{
  culprit_profile_free (((CulpritTreatedBlock *) data)->latencies);
}

static CulpritTrial *
try_once (const Scene *scene, gsl_rng *random)
{
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (CulpritTreatedBlock));
  gboolean round[CULPRIT_TRIAL_ROUND] = { FALSE, FALSE, TRUE, TRUE };

  g_array_set_clear_func (blocks, clear_block);
  for (guint i = 0; i < scene->blocks; i++)
    {
      CulpritTreatedBlock block = { .turn = i + 1 };

      if (i % CULPRIT_TRIAL_ROUND == 0)
        gsl_ran_shuffle (random, round, CULPRIT_TRIAL_ROUND, sizeof *round);
      block.treated = round[i % CULPRIT_TRIAL_ROUND];
      block.latencies = simulate (scene, i, block.treated, random);
      g_array_append_val (blocks, block);
    }
  return culprit_trial_new (blocks);
}

static const CulpritTrialEffect *
effect_of (const CulpritTrial *trial, CulpritTrialPart part)
{
  return &g_array_index (trial->effects, CulpritTrialEffect, part);
}

static void
run_scene (const Scene *scene, guint rounds, gsl_rng *random)
{
  guint differs[CULPRIT_TRIAL_PARTS] = { 0 };
  guint any = 0;
  guint covered = 0;
  guint promised = 0;
  guint kept = 0;
  guint contradictions = 0;

  for (guint round = 0; round < rounds; round++)
    {
      g_autoptr (CulpritTrial) trial = try_once (scene, random);
      const CulpritTrialEffect *body = effect_of (trial, CULPRIT_TRIAL_BODY);

      for (CulpritTrialPart part = 0; part < CULPRIT_TRIAL_PARTS; part++)
        {
          const CulpritTrialEffect *effect = effect_of (trial, part);

          differs[part] += effect->differs;
          contradictions += effect->differs != (effect->low_ns > 0 || effect->high_ns < 0);
        }
      any += body->differs || effect_of (trial, CULPRIT_TRIAL_TAIL)->differs;
      covered += body->low_ns <= -scene->earlier_us * 1000 && body->high_ns >= -scene->earlier_us * 1000;
      if (scene->earlier_us == 0 && scene->late_part == scene->late_treated && body->more_blocks > 0 &&
          body->more_blocks + scene->blocks <= CULPRIT_TRIAL_MOST_BLOCKS)
        {
          Scene again = *scene;
          g_autoptr (CulpritTrial) longer = NULL;

          again.blocks += body->more_blocks;
          again.earlier_us = body->shown_ns / 1000;
          longer = try_once (&again, random);
          promised++;
          kept += effect_of (longer, CULPRIT_TRIAL_BODY)->differs;
        }
    }
  printf ("%-26s %2u blocks   body %5.1f %%   tail %5.1f %%   any %5.1f %%", scene->name, scene->blocks,
          differs[CULPRIT_TRIAL_BODY] * 100.0 / rounds, differs[CULPRIT_TRIAL_TAIL] * 100.0 / rounds,
          any * 100.0 / rounds);
  if (scene->late_part == scene->late_treated)
    printf ("   interval of the body holds %5.1f %%", covered * 100.0 / rounds);
  if (promised > 0)
    printf ("   shown by more blocks %5.1f %%", kept * 100.0 / promised);
  if (contradictions > 0)
    printf ("   test and interval disagree %u times", contradictions);
  printf ("\n");
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  guint rounds = argc > 1 ? atoi (argv[1]) : 400;
  guint seed = argc > 2 ? atoi (argv[2]) : 1;

  culprit_numbers_init ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);

      gsl_rng_set (random, seed * G_N_ELEMENTS (scenes) + i);
      run_scene (&scenes[i], rounds, random);
      gsl_rng_free (random);
    }
  return EXIT_SUCCESS;
}
