/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the content of a study. */
#include "truth-study.h"

#include <math.h>

#define MOST_EVENTS 300000 /* of all captures of a study, about */
#define MOST_DRAWN 3e7     /* calls, to find the slowest cycles of a study in the base setting */
#define MOST_DRAWN_WIDE 6e6
#define FEWEST_CYCLES 1000 /* for a capture with a cause */
#define CYCLES_RANGE 1000  /* ratio of the largest to the smallest number */

guint
study_count (const Study *study, guint cause)
{
  guint n = 0;

  for (guint i = 0; i < study->world->captures; i++)
    n += study->causes[i] == cause;
  return n;
}

/* The cause of each capture: as many as the scene says, or in that proportion; in random order. */
static void
assign_causes (Study *study)
{
  const Cause *causes = study->scene->causes;
  guint n = study->world->captures;
  guint all = causes[0].captures + causes[1].captures;
  guint of_second = (n * causes[1].captures + all / 2) / all;

  if (causes[1].captures > 0)
    of_second = CLAMP (of_second, 1, n - 1);
  study->causes = g_new0 (guint, n);
  for (guint i = 0; i < of_second; i++)
    study->causes[i] = 1;
  for (guint i = n; i > 1; i--)
    {
      guint other = gsl_rng_uniform_int (study->world->random, i);
      guint cause = study->causes[i - 1];

      study->causes[i - 1] = study->causes[other];
      study->causes[other] = cause;
    }
}

static void
draw_late_wakes (Study *study)
{
  g_autoptr (Cycle) cycle = cycle_new ();

  study->wakes = g_new0 (Wake *, study->world->captures);
  for (guint i = 0; i < study->world->captures; i++)
    {
      const Lateness *lateness = &study->late[study->causes[i]];

      cycle_draw_slowest (study->world, lateness->cause->kind == CAUSE_NOTHING ? study->slowest_of : 1, cycle);
      study->wakes[i] = lateness_wake (lateness, study->world, cycle);
    }
}

/* The first is cycle 0. */
static void
count_cycles (Study *study)
{
  guint64 cycles = 0;

  study->hits = g_new (guint64, study->world->captures);
  for (guint i = 0; i < study->world->captures; i++)
    {
      gboolean nothing = study->late[study->causes[i]].cause->kind == CAUSE_NOTHING;

      cycles +=
          nothing ? study->slowest_of : FEWEST_CYCLES * pow (CYCLES_RANGE, gsl_rng_uniform (study->world->random));
      study->hits[i] = cycles - 1;
    }
}

/* Reduces a study that would take too long. */
static void
limit (Study *study)
{
  World *world = study->world;
  double calls = world->mean_calls * world->captures;

  study->slowest_of = MIN (study->scene->slowest_of, MAX (20, (study->wide ? MOST_DRAWN_WIDE : MOST_DRAWN) / calls));
  world->ordinary = CLAMP (MOST_EVENTS / (2 * (calls + world->filler * world->captures)), 3, world->ordinary);
  if (study->slowest_of > 0)
    world->ordinary = MIN (world->ordinary, study->slowest_of - 1);
}

Study *
study_new (const Scene *scene, gboolean wide, gulong seed)
{
  Study *study = g_new0 (Study, 1);

  study->scene = scene;
  study->wide = wide;
  study->world = world_new (scene, wide, seed);
  world_measure (study->world);
  for (guint i = 0; i < MOST_CAUSES; i++)
    {
      lateness_prepare (&study->late[i], &scene->causes[i], wide, study->world);
      study->own_thresholds |= scene->causes[i].kind == CAUSE_NOTHING && scene->causes[i].captures > 0;
    }
  world_measure (study->world);
  limit (study);
  assign_causes (study);
  draw_late_wakes (study);
  count_cycles (study);
  return study;
}

void
study_free (Study *study)
{
  for (guint i = 0; i < study->world->captures; i++)
    wake_free (study->wakes[i]);
  g_free (study->wakes);
  g_free (study->hits);
  g_free (study->causes);
  world_free (study->world);
  g_free (study);
}
