/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws worlds and cycles. */
#include "truth-world.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#define PILOT 400 /* cycles from which the typical length is measured */
#define LEAST_NS 100
#define MOST_NS 1e6
#define MOST_TRIES 40         /* to find a site in a region */
#define MOST_HEAVY_CALLS 2000 /* of a function in a cycle */

/* The share of the sites in each region. */
static const double region_shares[] = { .45, .2, .15, .2 };

static double
log_uniform (const World *world, double low, double high)
{
  return low * pow (high / low, gsl_rng_uniform (world->random));
}

Region
world_draw_region (const World *world)
{
  double drawn = gsl_rng_uniform (world->random);
  guint region = 0;

  while (region + 1 < G_N_ELEMENTS (region_shares) && drawn >= region_shares[region])
    drawn -= region_shares[region++];
  return region;
}

/* The root of the region, or an existing site in it. */
static guint
draw_parent (const World *world, Region region, double nesting)
{
  if (gsl_rng_uniform (world->random) >= nesting)
    return region;
  for (guint tries = 0; tries < MOST_TRIES; tries++)
    {
      guint site = gsl_rng_uniform_int (world->random, world->sites->len);

      if (world_site (world, site)->region == region)
        return site;
    }
  return region;
}

static void
add_site (World *world, Site site)
{
  g_array_append_val (world->sites, site);
}

static void
add_roots (World *world)
{
  for (guint region = 0; region < REGIONS; region++)
    add_site (world, (Site) { .function = world->functions++,
                              .region = region,
                              .parent = region,
                              .runs = region <= REGION_MEASURED,
                              .least_calls = 1,
                              .most_calls = 1,
                              .call_ns = region == REGION_IDLE ? 2000 : 700 });
}

static void
add_base_sites (World *world)
{
  add_roots (world);
  for (guint i = 0; i < 18; i++)
    {
      Region region = world_draw_region (world);

      add_site (world, (Site) { .function = world->functions++,
                                .region = region,
                                .parent = draw_parent (world, region, .3),
                                .runs = 1,
                                .least_calls = 1,
                                .most_calls = 1,
                                .call_ns = MAX (gsl_ran_lognormal (world->random, 6.5, .8), LEAST_NS) });
    }
}

/* A function may be called from several places, some of them several times, some not in all cycles. */
static void
add_wide_sites (World *world)
{
  guint n = log_uniform (world, 5, 300);
  double centre_ns = log_uniform (world, 200, 10000);
  double spread = world_draw (world, (Range) { .6, 1.4 });
  double nesting = world_draw (world, (Range) { 0, .9 });
  double paths = world_draw (world, (Range) { 0, .4 });

  add_roots (world);
  world_site (world, REGION_IDLE)->call_ns = log_uniform (world, 500, 20000);
  for (guint i = 0; i < n; i++)
    {
      Region region = world_draw_region (world);
      gboolean again = i > 0 && gsl_rng_uniform (world->random) < paths;
      gboolean rare = gsl_rng_uniform (world->random) < .2;
      gboolean often = gsl_rng_uniform (world->random) < .2;
      Site site = { .region = region,
                    .parent = draw_parent (world, region, nesting),
                    .runs = rare ? world_draw (world, (Range) { .05, .95 }) : 1,
                    .least_calls = 1,
                    .most_calls = often ? 2 + gsl_rng_uniform_int (world->random, 8) : 1,
                    .call_ns = centre_ns * gsl_ran_lognormal (world->random, 0, spread) };

      site.call_ns = CLAMP (site.call_ns, LEAST_NS, MOST_NS);
      site.function =
          again ? world_site (world, REGIONS + gsl_rng_uniform_int (world->random, i))->function : world->functions++;
      add_site (world, site);
    }
}

static void
set_wide (World *world, const Scene *scene)
{
  world->captures = world_draw_whole (world, (Range) { 2, 40 });
  world->ordinary = log_uniform (world, 3, 61);
  world->threshold = world_draw (world, (Range) { .5, .99 });
  world->period_ns = (2 + gsl_rng_uniform_int (world->random, 19)) * 1000000ul;
  world->event_ns = log_uniform (world, 100, 2500);
  world->jitter = world_draw (world, (Range) { .005, .1 });
  for (guint i = 0; i < G_N_ELEMENTS (world->kind_ns); i++)
    world->kind_ns[i] = world->event_ns * world_draw (world, (Range) { 0, .3 });
  if (gsl_rng_uniform (world->random) < .5)
    world->other_cpu_ns = log_uniform (world, 20000, 500000);
  world->switches = gsl_rng_uniform (world->random) < .5;
  world->others_stop = gsl_rng_uniform (world->random) < .5;
  world->strikes_tracing = gsl_rng_uniform (world->random) < .5;
  world->filler = 4 + gsl_rng_uniform_int (world->random, 20);
  if (scene->costs == COSTS_LOGNORMAL && scene->sigma == 0)
    world->sigma = world_draw (world, (Range) { .1, .6 });
  if (scene->costs == COSTS_LOGNORMAL && gsl_rng_uniform (world->random) < .2)
    world->kind = COSTS_GAMMA;
}

World *
world_new (const Scene *scene, gboolean wide, gulong seed)
{
  World *world = g_new0 (World, 1);

  world->random = gsl_rng_alloc (gsl_rng_taus2);
  gsl_rng_set (world->random, seed);
  world->kind = scene->costs;
  world->sigma = scene->sigma > 0 ? scene->sigma : .35;
  world->sites = g_array_new (FALSE, FALSE, sizeof (Site));
  for (guint i = 0; i < MOST_CAUSES; i++)
    world->captures += scene->causes[i].captures;
  world->ordinary = 20;
  world->period_ns = 5000000;
  world->event_ns = 300;
  world->jitter = .02;
  world->threshold = .97;
  world->filler = 8;
  if (wide)
    {
      set_wide (world, scene);
      add_wide_sites (world);
    }
  else
    add_base_sites (world);
  return world;
}

void
world_free (World *world)
{
  gsl_rng_free (world->random);
  g_array_unref (world->sites);
  g_free (world);
}

guint
world_add_site (World *world, Region region, double runs, Range calls, double call_ns)
{
  add_site (world, (Site) { .function = world->functions++,
                            .region = region,
                            .parent = draw_parent (world, region, .3),
                            .runs = runs,
                            .least_calls = calls.low,
                            .most_calls = calls.high,
                            .call_ns = call_ns });
  return world->sites->len - 1;
}

void
world_measure (World *world)
{
  g_autoptr (Cycle) cycle = cycle_new ();
  double squares = 0;
  double calls = 0;

  world->mean_ns = 0;
  for (guint i = 0; i < PILOT; i++)
    {
      double distance_ns;

      cycle_draw (world, cycle);
      distance_ns = cycle->self_ns - world->mean_ns;
      world->mean_ns += distance_ns / (i + 1);
      squares += distance_ns * (cycle->self_ns - world->mean_ns);
      calls += cycle->calls->len;
    }
  world->sd_ns = sqrt (squares / (PILOT - 1));
  world->mean_calls = calls / PILOT;
}

Cycle *
cycle_new (void)
{
  Cycle *cycle = g_new0 (Cycle, 1);

  cycle->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  return cycle;
}

void
cycle_free (Cycle *cycle)
{
  g_array_unref (cycle->calls);
  g_free (cycle);
}

/* Of shape 3 and mean 1: the sum of three waiting times. */
static double
draw_gamma (gsl_rng *random)
{
  return -log (gsl_rng_uniform_pos (random) * gsl_rng_uniform_pos (random) * gsl_rng_uniform_pos (random)) / 3;
}

/* Of mean 1. */
static double
draw_heavy (gsl_rng *random)
{
  return gsl_ran_pareto (random, 3, 1) / 1.5;
}

static double
draw_factor (const World *world)
{
  switch (world->kind)
    {
    case COSTS_GAMMA:
      return draw_gamma (world->random);
    case COSTS_PARETO:
      return draw_heavy (world->random);
    case COSTS_COMMON:
      return exp (.3 * gsl_ran_gaussian_ziggurat (world->random, 1));
    case COSTS_LOGNORMAL:
      break;
    }
  return exp (world->sigma * gsl_ran_gaussian_ziggurat (world->random, 1));
}

/* How often @site is called in a cycle in which it runs. */
static guint
draw_calls (const World *world, const Site *site)
{
  switch (site->varies)
    {
    case VARIES_CALLS:
      return gsl_ran_geometric (world->random, 1. / site->most_calls);
    case VARIES_HEAVY:
      return MIN (site->most_calls * draw_heavy (world->random), MOST_HEAVY_CALLS);
    case VARIES_COST:
    case VARIES_LITTLE:
      break;
    }
  if (site->most_calls == site->least_calls)
    return site->least_calls;
  return world_draw_whole (world, (Range) { site->least_calls, site->most_calls });
}

void
cycle_draw (const World *world, Cycle *cycle)
{
  double common = world->kind == COSTS_COMMON ? draw_factor (world) : 1;

  g_array_set_size (cycle->calls, 0);
  cycle->self_ns = 0;
  for (guint i = 0; i < world->sites->len; i++)
    {
      const Site *site = world_site (world, i);
      guint calls;

      if (site->runs < 1 && gsl_rng_uniform (world->random) >= site->runs)
        continue;
      calls = draw_calls (world, site);
      for (guint k = 0; k < calls; k++)
        {
          double factor = site->varies == VARIES_COST ? gsl_ran_exponential (world->random, 1) : draw_factor (world);
          Call call = { i, site->call_ns * common * factor };

          cycle->self_ns += call.self_ns;
          g_array_append_val (cycle->calls, call);
        }
    }
}

void
cycle_draw_slowest (const World *world, guint n, Cycle *cycle)
{
  g_autoptr (Cycle) drawn = cycle_new ();

  cycle_draw (world, cycle);
  for (guint i = 1; i < n; i++)
    {
      cycle_draw (world, drawn);
      if (drawn->self_ns > cycle->self_ns)
        {
          Cycle slower = *drawn;

          *drawn = *cycle;
          *cycle = slower;
        }
    }
}

void
cycle_clear_region (const World *world, Cycle *cycle, Region region)
{
  for (guint i = cycle->calls->len; i > 0; i--)
    {
      const Call *call = &g_array_index (cycle->calls, Call, i - 1);

      if (world_site (world, call->site)->region != region)
        continue;
      cycle->self_ns -= call->self_ns;
      g_array_remove_index (cycle->calls, i - 1);
    }
}

void
cycle_set_calls (const World *world, Cycle *cycle, guint site, guint n, double call_ns, double sigma)
{
  guint place = 0;

  while (place < cycle->calls->len && g_array_index (cycle->calls, Call, place).site < site)
    place++;
  while (place < cycle->calls->len && g_array_index (cycle->calls, Call, place).site == site)
    {
      cycle->self_ns -= g_array_index (cycle->calls, Call, place).self_ns;
      g_array_remove_index (cycle->calls, place);
    }
  for (guint i = 0; i < n; i++)
    {
      Call call = { site, call_ns * exp (sigma * gsl_ran_gaussian_ziggurat (world->random, 1)) };

      cycle->self_ns += call.self_ns;
      g_array_insert_val (cycle->calls, place + i, call);
    }
}

void
cycle_scale (Cycle *cycle, double factor)
{
  for (guint i = 0; i < cycle->calls->len; i++)
    g_array_index (cycle->calls, Call, i).self_ns *= factor;
  cycle->self_ns *= factor;
}
