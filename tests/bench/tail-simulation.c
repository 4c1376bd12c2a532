/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures how often the intervals of a tail contain the truth, on distributions whose tail is known, and how often it
 * is refused. */
#include "latency/tail.h"
#include "units.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY_NS 20000.0  /* all wake-ups of a scene take at least so long */
#define RARE 0.01        /* the share of another cause, */
#define RARE_NS 150000.0 /* which takes at least so long */
#define BURST 10.0       /* mean length */
#define ONCE_IN 1e7      /* a deadline that one in so many wake-ups misses */

typedef struct
{
  const char *name;
  double shape;
  double scale_ns;
  double share;    /* of the wake-ups that have the distribution; the others are a body below it */
  double begin_ns; /* of the distribution */
  gint64 width_ns; /* of bins */
  gboolean blocks; /* the order of wake-ups is known */
  gboolean bursty; /* late ones come in bursts */
} Scene;

static const Scene scenes[] = {
  { "exponential", 0, 15000, 1, BODY_NS, 1, FALSE, FALSE },
  { "exponential, in order", 0, 15000, 1, BODY_NS, 1, TRUE, FALSE },
  { "Pareto", 0.25, 8000, 1, BODY_NS, 1, FALSE, FALSE },
  { "bounded", -0.25, 30000, 1, BODY_NS, 1, FALSE, FALSE },
  { "binned at 1 us", 0, 15000, 1, BODY_NS, 1000, FALSE, FALSE },
  { "bursty", 0.1, 10000, 1, BODY_NS, 1, TRUE, TRUE },
  { "mixture, a rare cause", 0.1, 20000, RARE, BODY_NS, 1, FALSE, FALSE },
  { "mixture, a peak of its own", 0, 20000, RARE, RARE_NS, 1, FALSE, FALSE },
};

/* What the part @p of the scene's wake-ups exceeds, for small parts. */
static double
latency_of (const Scene *scene, double p)
{
  double q = p / scene->share;

  return scene->begin_ns +
         scene->scale_ns * (scene->shape == 0 ? -log (q) : expm1 (-scene->shape * log (q)) / scene->shape);
}

typedef struct
{
  CulpritProfile *profile;
  GArray *blocks;
} Run;

static Run
simulate (const Scene *scene, guint n, gsl_rng *random)
{
  Run run = { culprit_profile_new (scene->width_ns), scene->blocks ? culprit_tail_blocks_new () : NULL };
  g_autofree gint64 *order = g_new (gint64, n);
  double height = 0;
  gint64 floor_ns;

  for (guint i = 0; i < n; i++)
    {
      double p = gsl_rng_uniform_pos (random);
      double level;

      /* A maximum of those before, which fade away, and a new one: with such bursts, the distribution is the same. */
      if (scene->bursty)
        {
          height = fmax ((1 - 1 / BURST) * height, -(i == 0 ? 1 : 1 / BURST) / log (p));
          p = -expm1 (-1 / height);
        }
      level = p < scene->share ? latency_of (scene, p) : BODY_NS + gsl_ran_gamma (random, 4, 1000);
      order[i] = (gint64) floor (level / scene->width_ns) * scene->width_ns;
      culprit_profile_add (run.profile, order[i], 1);
    }
  culprit_profile_finish (run.profile);
  if (!run.blocks)
    return run;
  floor_ns = culprit_tail_floor (run.profile, 0);
  for (guint i = 0; i < n; i++)
    {
      CulpritTailBlock *block = &g_array_index (run.blocks, CulpritTailBlock, (guint64) i * CULPRIT_TAIL_BLOCKS / n);

      block->n++;
      if (order[i] > floor_ns)
        culprit_profile_add (block->late, order[i], 1);
    }
  for (guint i = 0; i < run.blocks->len; i++)
    culprit_profile_finish (g_array_index (run.blocks, CulpritTailBlock, i).late);
  return run;
}

static void
run_clear (Run *run)
{
  culprit_profile_free (run->profile);
  g_clear_pointer (&run->blocks, g_array_unref);
}

static gboolean
is_inside (const CulpritEstimate *estimate, double truth)
{
  return estimate->low <= truth && truth <= estimate->high;
}

/* The maximum of @n wake-ups. */
static double
draw_maximum (const Scene *scene, double n, gsl_rng *random)
{
  double independent = scene->bursty ? n / BURST : n;

  return latency_of (scene, -expm1 (log (gsl_rng_uniform_pos (random)) / independent));
}

/* Whether the worst of as many wake-ups more is as predicted. */
static gboolean
holds_worst (const CulpritTailLevel *level, const Scene *scene, gsl_rng *random)
{
  double maximum = draw_maximum (scene, level->once_in, random);

  return level->worst_low_ns <= maximum && maximum <= level->worst_high_ns;
}

static void
try_scene (const Scene *scene, guint rounds, guint n, gsl_rng *random)
{
  const double levels_asked[] = { ONCE_IN, 9.0 * n, 0 };
  const CulpritTailAsked asked = { .deadline_ns = llround (latency_of (scene, 1 / ONCE_IN)), .levels = levels_asked };
  guint outcomes[CULPRIT_TAIL_UNSTABLE + 1] = { 0 };
  guint late = 0;
  guint levels = 0;
  guint worst[2] = { 0 };
  guint above = 0;
  guint fitted;
  double width = 0;
  double share = 0;

  for (guint round = 0; round < rounds; round++)
    {
      Run run = simulate (scene, n, random);
      const CulpritTailLevel *level;
      g_autoptr (CulpritTail) tail = culprit_tail_new (run.profile, run.blocks, &asked);

      run_clear (&run);
      outcomes[tail->outcome]++;
      if (tail->outcome != CULPRIT_TAIL_FITTED)
        continue;
      late += is_inside (&tail->late_part, 1 / ONCE_IN);
      above += tail->late_part.low > 1 / ONCE_IN;
      width += log10 (tail->late_part.high * ONCE_IN);
      share += log10 ((double) tail->exceeding);
      level = &g_array_index (tail->levels, CulpritTailLevel, 0);
      levels += is_inside (&level->ns, latency_of (scene, 1 / ONCE_IN));
      for (guint i = 0; i < 2; i++)
        worst[i] += holds_worst (&g_array_index (tail->levels, CulpritTailLevel, i), scene, random);
    }
  fitted = outcomes[CULPRIT_TAIL_FITTED];
  printf ("%-28s fitted %5.1f %% (few %u, coarse %u, group %u, far %u, unstable %u)", scene->name,
          fitted * 100.0 / rounds, outcomes[CULPRIT_TAIL_FEW], outcomes[CULPRIT_TAIL_COARSE],
          outcomes[CULPRIT_TAIL_GROUP], outcomes[CULPRIT_TAIL_FAR], outcomes[CULPRIT_TAIL_UNSTABLE]);
  if (fitted > 0)
    printf ("  late %5.1f %% (above %4.1f %%)  level %5.1f %%  worst of 10^7 %5.1f %%  of nine times as many %5.1f %%  "
            "upper end 10^%.1f times  exceeding "
            "10^%.1f",
            late * 100.0 / fitted, above * 100.0 / fitted, levels * 100.0 / fitted, worst[0] * 100.0 / fitted,
            worst[1] * 100.0 / fitted, width / fitted, share / fitted);
  printf ("\n");
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  guint rounds = argc > 1 ? atoi (argv[1]) : 1000;
  guint n = argc > 2 ? atoi (argv[2]) : 100000;
  const char *only = argc > 3 ? argv[3] : "";

  culprit_numbers_init ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);

      gsl_rng_set (random, i + 1);
      if (strstr (scenes[i].name, only))
        try_scene (&scenes[i], rounds, n, random);
      gsl_rng_free (random);
    }
  return EXIT_SUCCESS;
}
