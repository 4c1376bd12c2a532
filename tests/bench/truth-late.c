/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes wake-ups late. A cause always exceeds the ordinary variation of wake-ups by far, or is most of it: otherwise it
 * would not be the cause. */
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
  }                  /* of ordinary wake-ups, at least */
#define LATE_MEANS 2 /* of ordinary wake-ups, at least */
#define LATE_VARIES .3
#define MOST_LATE_VARIES .5
#define PART                                                                                                           \
  {                                                                                                                    \
    .1, .6                                                                                                             \
  } /* of what late wake-ups have, in ordinary ones that have a part of it */
#define NOISE_SIGMAS                                                                                                   \
  {                                                                                                                    \
    3, 8                                                                                                               \
  } /* of all other variation */
#define NOISE_SHARE                                                                                                    \
  {                                                                                                                    \
    .2, 1                                                                                                              \
  } /* of all other time, at least */
#define NOISE_CALLS                                                                                                    \
  {                                                                                                                    \
    5, 20                                                                                                              \
  }
#define NOISE_OF_OTHERS                                                                                                \
  {                                                                                                                    \
    .15, .5                                                                                                            \
  }
#define WIDE_BRANCHES                                                                                                  \
  {                                                                                                                    \
    4, 9                                                                                                               \
  }
#define WIDE_LEAVES                                                                                                    \
  {                                                                                                                    \
    6, 20                                                                                                              \
  }
#define LEAF_RUNS .1 /* in ordinary wake-ups */
#define LATE_LEAVES .35
#define TASK_SHARE                                                                                                     \
  {                                                                                                                    \
    .05, .3                                                                                                            \
  } /* of an ordinary wake-up, where a task ordinarily runs */

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

/* Adds functions that each call further ones. All of them run in a share of the cycles. */
static void
add_branches (Lateness *lateness, World *world, Range branches, Range leaves, double runs)
{
  Region region = world_site (world, lateness->site)->region;

  lateness->first = world->sites->len;
  lateness->leaves = world_draw_whole (world, leaves);
  lateness->n_sites = world_draw_whole (world, branches) * (1 + lateness->leaves);
  for (guint i = 0; i < lateness->n_sites; i++)
    {
      guint site = world_add_site (world, region, runs, (Range) { 1, 1 }, USUAL_WORK_NS);

      world_site (world, site)->parent =
          i % (1 + lateness->leaves) == 0 ? lateness->site : site - i % (1 + lateness->leaves);
    }
}

static guint
add_varying (const Cause *cause, World *world, double mean_ns)
{
  guint calls = cause->varies == VARIES_COST ? 1 : world_draw_whole (world, (Range) NOISE_CALLS);
  guint site = world_add_site (world, world_draw_region (world), 1, (Range) { calls, calls }, mean_ns / calls);

  world_site (world, site)->varies = cause->varies;
  return site;
}

static void
prepare_noise (Lateness *lateness, const Cause *cause, World *world)
{
  double mean_ns = MAX (world->sd_ns * world_draw (world, (Range) NOISE_SIGMAS),
                        world->mean_ns * world_draw (world, (Range) NOISE_SHARE));
  guint others = world_draw_whole (world, cause->others);

  if (cause->kind == CAUSE_NOISE)
    lateness->site = add_varying (cause, world, mean_ns);
  for (guint i = 0; i < others; i++)
    add_varying (cause, world,
                 cause->kind == CAUSE_NOISE ? mean_ns * world_draw (world, (Range) NOISE_OF_OTHERS) : mean_ns);
}

static void
prepare_path (Lateness *lateness, gboolean wide, World *world)
{
  Region region = lateness->cause->kind == CAUSE_PATH ? world_draw_region (world) : REGION_SOFTIRQ;

  lateness->site = region;
  if (lateness->cause->kind == CAUSE_PATH)
    lateness->site = world_add_site (world, region, 1, (Range) { 1, 1 }, USUAL_WORK_NS);
  world_site (world, lateness->site)->parent = region;
  add_branches (lateness, world, wide ? (Range) WIDE_BRANCHES : (Range) { 5, 5 },
                wide ? (Range) WIDE_LEAVES : (Range) { 10, 10 }, LEAF_RUNS);
}

static void
prepare_system_calls (Lateness *lateness, gboolean wide, World *world)
{
  lateness->site = REGION_TASK;
  add_branches (lateness, world, wide ? (Range) WIDE_BRANCHES : (Range) { 8, 8 },
                wide ? (Range) WIDE_LEAVES : (Range) { 6, 6 }, 0);
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
  double varies = wide ? world_draw (world, (Range) { 0, MOST_LATE_VARIES }) : LATE_VARIES;

  *lateness = (Lateness) { .cause = cause, .varies = { 1 - varies, 1 + varies } };
  lateness->late_ns = MAX (world_draw (world, (Range) LATE_NS), world->sd_ns * world_draw (world, (Range) LATE_SIGMAS));
  lateness->late_ns = MAX (lateness->late_ns, LATE_MEANS * world->mean_ns);
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
  if (cause->kind == CAUSE_NOISE || cause->kind == CAUSE_NOTHING)
    prepare_noise (lateness, cause, world);
  if (cause->kind == CAUSE_PATH || cause->kind == CAUSE_SOFTIRQ)
    prepare_path (lateness, wide, world);
  if (cause->kind == CAUSE_SYSCALLS)
    prepare_system_calls (lateness, wide, world);
}

/* The interrupt comes @n times, and calls all of its functions each time. */
static void
storm (const Lateness *lateness, const World *world, Cycle *cycle, guint n, double call_ns)
{
  cycle_set_calls (world, cycle, REGION_STORM, n, USUAL_WORK_NS / 2, .2);
  for (guint i = 0; i < lateness->n_sites; i++)
    cycle_set_calls (world, cycle, lateness->first + i, n, call_ns, .3);
}

/* The task holds the CPU instead of the idle task, and runs @n_sites of its functions, from @first, for @work_ns. */
static void
hand_over (const World *world, Cycle *cycle, guint first, guint n_sites, double work_ns)
{
  g_autofree double *parts = g_new (double, n_sites);
  double sum = 0;

  cycle_clear_region (world, cycle, REGION_IDLE);
  cycle_set_calls (world, cycle, REGION_TASK, 1, USUAL_WORK_NS, .2);
  for (guint i = 0; i < n_sites; i++)
    sum += parts[i] = MIN (gsl_ran_exponential (world->random, 1), MOST_SHARE * n_sites);
  for (guint i = 0; i < n_sites; i++)
    {
      guint n = 1 + gsl_rng_uniform_int (world->random, 5);

      cycle_set_calls (world, cycle, first + i, n, work_ns * parts[i] / sum / n, 0);
    }
}

/* The task does so in one of its system calls. */
static void
call_system (const Lateness *lateness, const World *world, Cycle *cycle, double work_ns)
{
  guint calls = lateness->n_sites / (1 + lateness->leaves);
  guint call = lateness->first + (1 + lateness->leaves) * gsl_rng_uniform_int (world->random, calls);

  hand_over (world, cycle, call + 1, lateness->leaves, work_ns);
  cycle_set_calls (world, cycle, call, 1, USUAL_WORK_NS, .2);
}

/* Some of the functions below @site take @work_ns, none of them much of it. */
static void
spread_out (const Lateness *lateness, const World *world, Cycle *cycle, double work_ns)
{
  g_autofree double *parts = g_new0 (double, lateness->n_sites);
  double sum = 0;

  for (guint i = 0; i < lateness->n_sites; i++)
    if (gsl_rng_uniform (world->random) < LATE_LEAVES)
      sum += parts[i] = world_draw (world, (Range) { 1, 2 });
  for (guint i = 0; i < lateness->n_sites; i++)
    {
      guint n = 1 + gsl_rng_uniform_int (world->random, 3);

      if (parts[i] > 0)
        cycle_set_calls (world, cycle, lateness->first + i, n, work_ns * parts[i] / sum / n, .2);
      else if (i % (1 + lateness->leaves) == 0)
        cycle_set_calls (world, cycle, lateness->first + i, 1, USUAL_WORK_NS, .2);
    }
}

/* Of one in twenty, say, ordinary wake-ups: the guilty function does a part of what it does in late ones. */
static void
set_part_of_guilty_calls (const Lateness *lateness, const World *world, Cycle *cycle, double part)
{
  const Guilt *guilt = &lateness->cause->guilt;
  double calls = (guilt->late_calls.low + guilt->late_calls.high) / 2;

  if (guilt->too_often)
    cycle_set_calls (world, cycle, lateness->site, ceil (part * calls), world_site (world, lateness->site)->call_ns,
                     .2);
  else
    cycle_set_calls (world, cycle, lateness->site, calls, part * lateness->late_ns / calls, .02);
}

void
lateness_usual (const Lateness *lateness, gboolean wide, const World *world, Cycle *cycle)
{
  const Guilt *guilt = &lateness->cause->guilt;
  double work_ns = world->mean_ns * world_draw (world, (Range) TASK_SHARE);

  if (lateness->cause->kind == CAUSE_STORM)
    storm (lateness, world, cycle, gsl_rng_uniform_int (world->random, 6), USUAL_WORK_NS);
  else if (lateness->cause->kind == CAUSE_TASK && wide && gsl_rng_uniform (world->random) < .2)
    hand_over (world, cycle, lateness->first, lateness->n_sites, work_ns);
  else if (lateness->cause->kind == CAUSE_SYSCALLS && gsl_rng_uniform (world->random) < .2)
    call_system (lateness, world, cycle, work_ns);
  else if (guilt->partly > 0 && gsl_rng_uniform (world->random) < guilt->partly)
    set_part_of_guilty_calls (lateness, world, cycle, world_draw (world, (Range) PART));
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
  double late_ns = lateness->late_ns * world_draw (world, lateness->varies);
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
      hand_over (world, cycle, lateness->first, lateness->n_sites, late_ns);
      break;
    case CAUSE_SLOWNESS:
      cycle_scale (cycle, 1 + late_ns / world->mean_ns);
      break;
    case CAUSE_PATH:
    case CAUSE_SOFTIRQ:
      spread_out (lateness, world, cycle, late_ns);
      break;
    case CAUSE_SYSCALLS:
      call_system (lateness, world, cycle, late_ns);
      break;
    case CAUSE_NOTHING:
    case CAUSE_NOISE:
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
    case CAUSE_NOISE:
      return lateness->cause->varies == VARIES_COST ? "took-too-long" : "called-too-often";
    case CAUSE_PATH:
      return "took-too-long";
    case CAUSE_STORM:
    case CAUSE_TASK:
    case CAUSE_SOFTIRQ:
    case CAUSE_SYSCALLS:
      return "interference";
    case CAUSE_NOTHING:
    case CAUSE_SLOWNESS:
      break;
    }
  return NULL;
}

const char *
lateness_other_class (const Lateness *lateness, const World *world)
{
  Region region = world_site (world, lateness->site)->region;

  return lateness->cause->kind == CAUSE_PATH && (region == REGION_HARDIRQ || region == REGION_SOFTIRQ) ? "interference"
                                                                                                       : NULL;
}

char *
lateness_culprit (const Lateness *lateness, const World *world)
{
  switch (lateness->cause->kind)
    {
    case CAUSE_FUNCTION:
    case CAUSE_NOISE:
    case CAUSE_PATH:
    case CAUSE_SOFTIRQ:
    case CAUSE_STORM:
      return function_name (world_site (world, lateness->site)->function);
    case CAUSE_SYSCALLS:
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
