/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the content of a study. */
#include "truth-study.h"

#include <math.h>

#define MOST_EVENTS 300000 /* of all captures of a study, about */
#define MOST_DRAWN 3e7     /* calls, to find the slowest cycles of a study in the base setting */
#define MOST_DRAWN_WIDE 6e6
#define FEWEST_CYCLES 1000 /* for a capture with a cause */
#define CYCLES_RANGE 1000  /* ratio of the largest to the smallest number */
#define EVENT_TIMES 1.3    /* the tracer's time for an event, of the minimum, about */
#define MOST_DRAWS 1000    /* to find an ordinary wake-up that is below the threshold */

guint
study_count (const Study *study, guint cause)
{
  guint n = 0;

  for (guint i = 0; i < study->world->captures; i++)
    n += study->causes[i] == cause;
  return n;
}

guint
study_draw_cause (const Study *study)
{
  const Cause *causes = study->scene->causes;

  return gsl_rng_uniform_int (study->world->random, causes[0].captures + causes[1].captures) >= causes[0].captures;
}

/* As many captures of each cause as the scene says, in random order. */
static void
shuffle_causes (Study *study)
{
  guint n = study->world->captures;

  for (guint i = 0; i < study->scene->causes[1].captures; i++)
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
assign_causes (Study *study)
{
  study->causes = g_new0 (guint, study->world->captures);
  if (!study->wide && !study->scene->drawn)
    shuffle_causes (study);
  else
    for (guint i = 0; i < study->world->captures; i++)
      study->causes[i] = study_draw_cause (study);
}

Wake *
study_draw_late (const Study *study, guint cause)
{
  g_autoptr (Cycle) cycle = cycle_new ();
  const Lateness *lateness = &study->late[cause];

  cycle_draw_slowest (study->world, cause_is_slowest (lateness->cause) ? study->slowest_of : 1, cycle);
  return lateness_wake (lateness, study->world, cycle);
}

static void
draw_late_wakes (Study *study)
{
  study->wakes = g_new0 (Wake *, study->world->captures);
  for (guint i = 0; i < study->world->captures; i++)
    study->wakes[i] = study_draw_late (study, study->causes[i]);
}

/* The first is cycle 0. */
static void
count_cycles (Study *study)
{
  guint64 cycles = 0;

  study->hits = g_new (guint64, study->world->captures);
  for (guint i = 0; i < study->world->captures; i++)
    {
      gboolean slowest = cause_is_slowest (study->late[study->causes[i]].cause);

      cycles +=
          slowest ? study->slowest_of : FEWEST_CYCLES * pow (CYCLES_RANGE, gsl_rng_uniform (study->world->random));
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

double
study_threshold_ns (const Study *study, guint capture)
{
  const World *world = study->world;
  double ordinary_ns = world->mean_ns + EVENT_TIMES * 2 * world->mean_calls * world->event_ns;
  double least_ns = INFINITY;

  if (study->own_thresholds)
    return floor (wake_latency_ns (study->wakes[capture])) - 2;
  for (guint i = 0; i < world->captures; i++)
    least_ns = MIN (least_ns, wake_latency_ns (study->wakes[i]));
  return floor (ordinary_ns + world->threshold * (least_ns - ordinary_ns));
}

/* Whether the guilty function @late runs in the ordinary wake-up @number of the study, of which it runs in few. */
static gboolean
runs_in (const Study *study, const Lateness *late, guint number)
{
  guint all = study->world->captures * study->world->ordinary;

  for (guint i = 0; i < late->in_windows; i++)
    if (number == (all / 3 + i * all / 2) % all)
      return TRUE;
  return FALSE;
}

Wake *
study_draw_ordinary (const Study *study, guint number, double threshold_ns)
{
  g_autoptr (Cycle) cycle = cycle_new ();
  Wake *wake = NULL;

  for (guint draws = 0; draws < MOST_DRAWS; draws++)
    {
      g_clear_pointer (&wake, wake_free);
      cycle_draw (study->world, cycle);
      for (guint i = 0; i < MOST_CAUSES; i++)
        {
          const Lateness *late = &study->late[i];

          lateness_usual (late, study->wide, study->world, cycle);
          if (runs_in (study, late, number))
            cycle_set_calls (study->world, cycle, late->site, 1, world_site (study->world, late->site)->call_ns, .2);
        }
      wake = wake_new (study->world, cycle);
      if (wake_latency_ns (wake) + 2 < threshold_ns)
        break;
    }
  return wake;
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
      study->own_thresholds |= cause_is_slowest (&scene->causes[i]);
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
