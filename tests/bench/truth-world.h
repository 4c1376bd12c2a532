/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A world: the functions that run when the measured task is woken, what they call, and what their calls cost. A cycle
 * is what runs in one of its wake-ups. */
#pragma once

#include "truth-scenes.h"

#include <gsl/gsl_rng.h>

/* Where a function runs. */
typedef enum
{
  REGION_HARDIRQ,
  REGION_SOFTIRQ,
  REGION_IDLE,
  REGION_MEASURED,
  REGION_STORM, /* an interrupt that may come several times */
  REGION_TASK,  /* another task, which held the CPU before the measured one */
  REGIONS,
} Region;

/* A place in the kernel from which a function is called. The first REGIONS sites are the roots of their regions, and
 * call the functions of the same number; a site comes after the one that calls it. */
typedef struct
{
  guint function; /* Several sites may call one function. */
  Region region;
  guint parent; /* a site; for a root, itself */
  double runs;  /* share of the cycles in which it runs */
  guint least_calls;
  guint most_calls;
  double call_ns; /* typically */
  Varies varies;  /* If not VARIES_LITTLE, most_calls is their mean. */
} Site;

typedef struct
{
  guint site;
  double self_ns;
} Call;

typedef struct
{
  GArray *calls; /* of Call, in the order of sites */
  double self_ns;
} Cycle;

typedef struct
{
  gsl_rng *random;
  CostsKind kind;
  double sigma;
  GArray *sites;   /* of Site */
  guint functions; /* their number */
  double mean_ns;  /* of a cycle */
  double sd_ns;
  double mean_calls;
  guint captures;
  guint ordinary; /* wake-ups in a capture */
  guint64 period_ns;
  double event_ns;          /* minimum of the tracer's time for an event */
  double jitter;            /* of that, a part of it */
  double threshold;         /* as a part of the way from ordinary latencies to the smallest late one */
  double kind_ns[4];        /* its difference for each kind of stretch */
  guint other_cpu_ns;       /* between two events of another CPU; 0: there is none */
  gboolean others_stop;     /* A stall stops the other CPU too. */
  gboolean strikes_tracing; /* Stalls also strike the tracer's time. */
  gboolean switches;        /* The trace has sched_switch events. */
  guint filler;             /* calls of a tiny function after each wake-up */
} World;

static inline Site *
world_site (const World *world, guint place)
{
  return &g_array_index (world->sites, Site, place);
}

static inline double
world_draw (const World *world, Range range)
{
  return range.low + (range.high - range.low) * gsl_rng_uniform (world->random);
}

/* A whole number in @range, all equally likely. */
static inline guint
world_draw_whole (const World *world, Range range)
{
  return (guint) range.low + gsl_rng_uniform_int (world->random, (gulong) (range.high - range.low) + 1);
}

/* The setting is base or @wide. */
World *world_new (const Scene *scene, gboolean wide, gulong seed);

void world_free (World *world);

/* Adds a site with a function of its own in @region, called from somewhere there. */
guint world_add_site (World *world, Region region, double runs, Range calls, double call_ns);

/* A region in which something runs in each cycle. */
Region world_draw_region (const World *world);

/* How long a cycle is. To be called again when sites were added. */
void world_measure (World *world);

Cycle *cycle_new (void);
void cycle_free (Cycle *cycle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Cycle, cycle_free)

void cycle_draw (const World *world, Cycle *cycle);

/* The slowest of @n cycles. */
void cycle_draw_slowest (const World *world, guint n, Cycle *cycle);

/* Makes @site be called @n times in @cycle, for @call_ns each, give or take @sigma. */
void cycle_set_calls (const World *world, Cycle *cycle, guint site, guint n, double call_ns, double sigma);

/* Nothing of @region runs. */
void cycle_clear_region (const World *world, Cycle *cycle, Region region);

void cycle_scale (Cycle *cycle, double factor);
