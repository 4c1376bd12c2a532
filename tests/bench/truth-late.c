/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes wake-ups late. A cause always exceeds the ordinary variation of wake-ups by far: otherwise it would not be the
 * cause. */
#include "truth-late.h"

#include "truth-file.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#define LATE_NS                                                                                                        \
  {                                                                                                                    \
    2e5, 3e6                                                                                                           \
  }
#define LATE_SIGMAS                                                                                                    \
  {                                                                                                                    \
    12, 30                                                                                                             \
  } /* of ordinary wake-ups, at least */
#define LATE_VARIES                                                                                                    \
  {                                                                                                                    \
    .7, 1.3                                                                                                            \
  }
#define CALL_SIGMAS .2 /* that a call which is made a hundred times costs at least */
#define STORM_TIMES 100
#define MOST_SHARE .2 /* of what a task does, in one of its functions: about */
#define STALL_SPREAD .05
#define USUAL_WORK_NS 400
#define CERTAINLY 1e9 /* times as likely to be struck as any other place */

static void
add_below (Lateness *lateness, World *world, Region region, guint n)
{
  lateness->site = region;
  lateness->first = world->sites->len;
  lateness->n_sites = n;
  for (guint i = 0; i < n; i++)
    {
      guint site = world_add_site (world, region, 0, (Range) { 0, 0 }, USUAL_WORK_NS);

      world_site (world, site)->parent = region;
    }
}

static void
prepare_function (Lateness *lateness, const Guilt *guilt, World *world)
{
  double call_ns = world_draw (world, guilt->call_ns);

  if (guilt->too_often)
    call_ns = MAX (call_ns, CALL_SIGMAS * world->sd_ns);
  lateness->site = world_add_site (world, world_draw_region (world), guilt->runs, guilt->calls, call_ns);
  lateness->in_windows = guilt->runs == 0 && guilt->calls.high > 0 ? world_draw_whole (world, guilt->in_windows) : 0;
}

void
lateness_prepare (Lateness *lateness, const Cause *cause, gboolean wide, World *world)
{
  *lateness = (Lateness) { .cause = cause };
  lateness->late_ns = MAX (world_draw (world, (Range) LATE_NS), world->sd_ns * world_draw (world, (Range) LATE_SIGMAS));
  if (cause->kind == CAUSE_FUNCTION)
    prepare_function (lateness, &cause->guilt, world);
  if (cause->kind == CAUSE_STALLS)
    lateness->place = world_site (world, gsl_rng_uniform_int (world->random, world->sites->len))->function;
  if (cause->kind == CAUSE_STORM)
    {
      add_below (lateness, world, REGION_STORM, STORM_FUNCTIONS);
      lateness->times = wide ? world_draw (world, (Range) { 30, 300 }) : STORM_TIMES;
    }
  if (cause->kind == CAUSE_TASK)
    add_below (lateness, world, REGION_TASK, world_draw_whole (world, (Range) { 10, 40 }));
  if (cause->kind == CAUSE_SLOWNESS)
    lateness->late_ns = MAX (world->mean_ns * world_draw (world, (Range) { 1.5, 7 }),
                             world->sd_ns * world_draw (world, (Range) LATE_SIGMAS));
}

/* The interrupt comes @n times, and calls all of its functions each time. */
static void
storm (const Lateness *lateness, const World *world, Cycle *cycle, guint n, double call_ns)
{
  cycle_set_calls (world, cycle, REGION_STORM, n, USUAL_WORK_NS / 2, .2);
  for (guint i = 0; i < lateness->n_sites; i++)
    cycle_set_calls (world, cycle, lateness->first + i, n, call_ns, .3);
}

/* The task holds the CPU instead of the idle task, and runs its functions for @work_ns. */
static void
hand_over (const Lateness *lateness, const World *world, Cycle *cycle, double work_ns)
{
  g_autofree double *parts = g_new (double, lateness->n_sites);
  double sum = 0;

  cycle_clear_region (world, cycle, REGION_IDLE);
  cycle_set_calls (world, cycle, REGION_TASK, 1, USUAL_WORK_NS, .2);
  for (guint i = 0; i < lateness->n_sites; i++)
    sum += parts[i] = MIN (gsl_ran_exponential (world->random, 1), MOST_SHARE * lateness->n_sites);
  for (guint i = 0; i < lateness->n_sites; i++)
    {
      guint n = 1 + gsl_rng_uniform_int (world->random, 5);

      cycle_set_calls (world, cycle, lateness->first + i, n, work_ns * parts[i] / sum / n, 0);
    }
}

void
lateness_usual (const Lateness *lateness, gboolean wide, const World *world, Cycle *cycle)
{
  if (lateness->cause->kind == CAUSE_STORM)
    storm (lateness, world, cycle, gsl_rng_uniform_int (world->random, 6), USUAL_WORK_NS);
  else if (lateness->cause->kind == CAUSE_TASK && wide && gsl_rng_uniform (world->random) < .2)
    hand_over (lateness, world, cycle, world->mean_ns * world_draw (world, (Range) { .05, .3 }));
}

static void
set_guilty_calls (const Lateness *lateness, const World *world, Cycle *cycle, double late_ns)
{
  const Guilt *guilt = &lateness->cause->guilt;
  guint n = world_draw_whole (world, guilt->late_calls);
  double call_ns = guilt->too_often     ? world_site (world, lateness->site)->call_ns
                   : guilt->late_ns > 0 ? MAX (guilt->late_ns, late_ns)
                                        : late_ns / n;

  cycle_set_calls (world, cycle, lateness->site, n, call_ns, guilt->too_often ? .2 : .02);
}

static void
strike (const Lateness *lateness, const World *world, Wake *wake)
{
  const Cause *cause = lateness->cause;
  guint n = world_draw_whole (world, cause->strikes);
  guint sites = MIN (cause->places, world->sites->len);

  for (guint i = 0; i < n; i++)
    {
      guint site = sites > 0 ? gsl_rng_uniform_int (world->random, sites) * world->sites->len / sites : 0;

      wake_strike (world, wake,
                   cause->strike_ns.high > 0 ? MAX (world_draw (world, cause->strike_ns), lateness->late_ns / 3)
                                             : lateness->late_ns * gsl_ran_lognormal (world->random, 0, STALL_SPREAD),
                   sites > 0 ? world_site (world, site)->function : lateness->place,
                   sites > 0 ? CERTAINLY : MAX (cause->prone, 1));
    }
}

Wake *
lateness_wake (const Lateness *lateness, const World *world, Cycle *cycle)
{
  double late_ns = lateness->late_ns * world_draw (world, (Range) LATE_VARIES);
  Wake *wake;

  switch (lateness->cause->kind)
    {
    case CAUSE_FUNCTION:
      set_guilty_calls (lateness, world, cycle, late_ns);
      break;
    case CAUSE_STORM:
      storm (lateness, world, cycle, lateness->times, late_ns / lateness->times / lateness->n_sites);
      break;
    case CAUSE_TASK:
      hand_over (lateness, world, cycle, late_ns);
      break;
    case CAUSE_SLOWNESS:
      cycle_scale (cycle, 1 + late_ns / world->mean_ns);
      break;
    case CAUSE_NOTHING:
    case CAUSE_STALLS:
      break;
    }
  wake = wake_new (world, cycle);
  if (lateness->cause->kind == CAUSE_STALLS)
    strike (lateness, world, wake);
  return wake;
}

gboolean
lateness_elsewhere (const Lateness *lateness, const World *world, Elsewhere *elsewhere)
{
  const Guilt *guilt = &lateness->cause->guilt;

  if (lateness->cause->kind != CAUSE_FUNCTION || guilt->elsewhere == 0)
    return FALSE;
  *elsewhere =
      (Elsewhere) { lateness->site, guilt->elsewhere,
                    guilt->elsewhere_ns > 0 ? guilt->elsewhere_ns : world_site (world, lateness->site)->call_ns };
  return TRUE;
}

const char *
lateness_class (const Lateness *lateness)
{
  switch (lateness->cause->kind)
    {
    case CAUSE_FUNCTION:
      return lateness->cause->guilt.too_often ? "called-too-often" : "took-too-long";
    case CAUSE_STALLS:
      return "blind-stall";
    case CAUSE_STORM:
    case CAUSE_TASK:
      return "interference";
    case CAUSE_NOTHING:
    case CAUSE_SLOWNESS:
      break;
    }
  return NULL;
}

char *
lateness_culprit (const Lateness *lateness, const World *world)
{
  switch (lateness->cause->kind)
    {
    case CAUSE_FUNCTION:
    case CAUSE_STORM:
      return function_name (world_site (world, lateness->site)->function);
    case CAUSE_TASK:
      return g_strdup ("worker");
    case CAUSE_STALLS:
      return g_strdup ("blind stall");
    case CAUSE_NOTHING:
    case CAUSE_SLOWNESS:
      break;
    }
  return NULL;
}
