/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays a cycle: the timer's interrupt interrupts whatever held the CPU, followed by other interrupts and softirqs;
 * then the measured task gets the CPU and returns from its sleep. */
#include "truth-wake.h"

#include <gsl/gsl_randist.h>

#define NO_CALL G_MAXUINT
#define BEFORE_INTERRUPT .6 /* share of the idle task's own time before the timer's interrupt */
#define MOST_DEPTH 60

typedef struct
{
  guint first;
  guint last;
  guint next; /* of those that the same call makes */
  guint calls;
} Links;

typedef struct
{
  const World *world;
  const Cycle *cycle;
  Links *links;
  Wake *wake;
  gint32 pid;
  guint8 flags;
  guint16 depth;
  guint owners[MOST_DEPTH];
  double own_ns;     /* since the last event, in the window */
  double outside_ns; /* and before it */
  EventKind last;
} Play;

static void
happen (Play *play, EventKind kind, guint function)
{
  const World *world = play->world;
  double tracing_ns = world->event_ns + world->kind_ns[(play->last == EVENT_EXIT) * 2 + (kind == EVENT_EXIT)] +
                      world->event_ns * world->jitter * gsl_ran_exponential (world->random, 1);
  Event event = { .kind = kind,
                  .function = function,
                  .owner = play->depth + (kind == EVENT_EXIT) > 0 ? play->owners[play->depth + (kind == EVENT_EXIT) - 1]
                                                                  : NO_FUNCTION,
                  .pid = play->pid,
                  .depth = play->depth,
                  .flags = play->flags,
                  .gap_ns = play->outside_ns + play->own_ns + tracing_ns,
                  .inside_ns = play->own_ns + tracing_ns,
                  .own_ns = play->own_ns };

  g_array_append_val (play->wake->events, event);
  play->own_ns = play->outside_ns = 0;
  play->last = kind;
}

static void
enter (Play *play, guint function)
{
  happen (play, EVENT_ENTRY, function);
  play->owners[play->depth++] = function;
}

static void
leave (Play *play, guint function)
{
  play->depth--;
  happen (play, EVENT_EXIT, function);
}

static const Call *
call_at (const Play *play, guint place)
{
  return &g_array_index (play->cycle->calls, Call, place);
}

static void
append_call (Play *play, guint parent, guint place)
{
  Links *links = &play->links[parent];

  if (links->first == NO_CALL)
    links->first = place;
  else
    play->links[links->last].next = place;
  links->last = place;
  links->calls++;
}

/* The call that makes the one at @place: one of the site's parent, or of the next site above that runs. NO_CALL: it is
 * a root. */
static guint
find_caller (const Play *play, guint place, const guint *firsts, const guint *counts)
{
  guint site = call_at (play, place)->site;

  while (site >= REGIONS)
    {
      site = world_site (play->world, site)->parent;
      if (counts[site] > 0)
        return firsts[site] + gsl_rng_uniform_int (play->world->random, counts[site]);
    }
  return NO_CALL;
}

/* Interrupts interrupt what holds the CPU, which is treated as if it called them. */
static void
append_interrupts (Play *play, guint background, const guint *firsts, const guint *counts)
{
  static const Region order[] = { REGION_HARDIRQ, REGION_STORM, REGION_SOFTIRQ };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint k = 0; k < counts[order[i]]; k++)
      append_call (play, background, firsts[order[i]] + k);
}

static void
link_calls (Play *play, const guint *firsts, const guint *counts)
{
  guint background = counts[REGION_TASK] > 0 ? firsts[REGION_TASK] : firsts[REGION_IDLE];

  for (guint i = 0; i < play->cycle->calls->len; i++)
    play->links[i] = (Links) { NO_CALL, NO_CALL, NO_CALL, 0 };
  append_interrupts (play, background, firsts, counts);
  for (guint i = 0; i < play->cycle->calls->len; i++)
    {
      guint caller = find_caller (play, i, firsts, counts);

      if (caller != NO_CALL)
        append_call (play, caller, i);
    }
}

static guint8
flags_of (Region region)
{
  return region == REGION_HARDIRQ || region == REGION_STORM ? HARDIRQ : region == REGION_SOFTIRQ ? SOFTIRQ : 0;
}

static void play_inside (Play *play, guint place, double first_part);

static void
play_call (Play *play, guint place)
{
  const Site *site = world_site (play->world, call_at (play, place)->site);
  guint8 flags = play->flags;

  play->flags = flags_of (site->region);
  enter (play, site->function);
  play_inside (play, place, 0);
  leave (play, site->function);
  play->flags = flags;
}

/* What the call at @place calls, with its own time divided among the pieces in between; @first_part of it comes
 * first. */
static void
play_inside (Play *play, guint place, double first_part)
{
  const Links *links = &play->links[place];
  g_autofree double *pieces = g_new (double, links->calls + 1);
  double self_ns = call_at (play, place)->self_ns;
  double sum = 0;
  guint i = 0;

  for (guint k = 0; k <= links->calls; k++)
    sum += pieces[k] = gsl_ran_exponential (play->world->random, 1);
  play->own_ns += self_ns * first_part;
  for (guint child = links->first; child != NO_CALL; child = play->links[child].next)
    {
      play->own_ns += self_ns * (1 - first_part) * pieces[i++] / sum;
      play_call (play, child);
    }
  play->own_ns += self_ns * (1 - first_part) * pieces[i] / sum;
}

static void
play_cycle (Play *play, guint background, guint measured)
{
  guint function = world_site (play->world, call_at (play, background)->site)->function;

  play->pid = call_at (play, background)->site == REGION_TASK ? PID_WORKER : 0;
  enter (play, function);
  play->outside_ns = play->wake->lead_ns;
  play_inside (play, background, BEFORE_INTERRUPT);
  leave (play, function);
  if (play->world->switches)
    happen (play, EVENT_SWITCH, NO_FUNCTION);
  play->pid = PID_MEASURED;
  play->owners[play->depth++] = REGION_MEASURED;
  play_inside (play, measured, 0);
  leave (play, REGION_MEASURED);
}

Wake *
wake_new (const World *world, const Cycle *cycle)
{
  Wake *wake = g_new0 (Wake, 1);
  g_autofree Links *links = g_new (Links, cycle->calls->len);
  g_autofree guint *firsts = g_new0 (guint, world->sites->len);
  g_autofree guint *counts = g_new0 (guint, world->sites->len);
  Play play = { .world = world, .cycle = cycle, .links = links, .wake = wake };

  for (guint i = cycle->calls->len; i > 0; i--)
    {
      firsts[call_at (&play, i - 1)->site] = i - 1;
      counts[call_at (&play, i - 1)->site]++;
    }
  link_calls (&play, firsts, counts);
  wake->events = g_array_sized_new (FALSE, FALSE, sizeof (Event), 2 * cycle->calls->len + 80);
  wake->lead_ns = world_draw (world, (Range) { 5000, 50000 });
  play_cycle (&play, firsts[counts[REGION_TASK] > 0 ? REGION_TASK : REGION_IDLE], firsts[REGION_MEASURED]);
  g_array_index (wake->events, Event, 0).inside_ns = 0;
  wake->inside = wake->events->len;
  wake->user_ns = world_draw (world, (Range) { 200, 800 });
  return wake;
}

void
wake_free (Wake *wake)
{
  g_array_unref (wake->events);
  g_free (wake);
}

static double
strike_weight (const World *world, const Event *event, guint place, double prone)
{
  return (world->strikes_tracing ? event->inside_ns : event->own_ns) * (event->owner == place ? prone : 1);
}

void
wake_strike (const World *world, Wake *wake, double length_ns, guint place, double prone)
{
  double sum = wake->user_ns;
  double drawn;

  for (guint i = 0; i < wake->inside; i++)
    sum += strike_weight (world, &g_array_index (wake->events, Event, i), place, prone);
  drawn = sum * gsl_rng_uniform (world->random);
  for (guint i = 0; i < wake->inside; i++)
    {
      Event *event = &g_array_index (wake->events, Event, i);
      double weight = strike_weight (world, event, place, prone);

      if (drawn < weight)
        {
          event->gap_ns += length_ns;
          event->inside_ns += length_ns;
          event->own_ns += length_ns;
          event->stall_ns += length_ns;
          return;
        }
      drawn -= weight;
    }
  wake->user_ns += length_ns;
}

static void
play_tiny (Play *play, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      enter (play, FUNCTION_TINY (play->world));
      play->own_ns = gsl_ran_exponential (play->world->random, 10);
      if (i % 2 == 0)
        {
          enter (play, FUNCTION_TINY (play->world));
          leave (play, FUNCTION_TINY (play->world));
        }
      leave (play, FUNCTION_TINY (play->world));
      play->own_ns = gsl_ran_exponential (play->world->random, 10);
    }
}

static void
play_elsewhere (Play *play, const Elsewhere *elsewhere)
{
  const Site *site = world_site (play->world, elsewhere->site);
  guint n = elsewhere->calls + gsl_rng_uniform (play->world->random);

  for (guint i = 0; i < n; i++)
    {
      play->flags = flags_of (site->region);
      enter (play, site->function);
      play->own_ns = elsewhere->call_ns * gsl_ran_lognormal (play->world->random, 0, .1);
      leave (play, site->function);
      play->flags = 0;
      play->own_ns = world_draw (play->world, (Range) { 500, 5000 });
    }
}

void
wake_finish (const World *world, Wake *wake, const Elsewhere *elsewhere, gboolean marker)
{
  Play play = { .world = world, .wake = wake, .pid = PID_MEASURED, .last = EVENT_EXIT, .own_ns = wake->user_ns };
  gboolean measured = elsewhere && world_site (world, elsewhere->site)->region == REGION_MEASURED;

  if (marker)
    happen (&play, EVENT_MARKER, NO_FUNCTION);
  play_tiny (&play, world->filler);
  if (measured)
    play_elsewhere (&play, elsewhere);
  enter (&play, REGION_MEASURED);
  if (!elsewhere || measured)
    return;
  play.pid = 0;
  play.depth = 0;
  enter (&play, REGION_IDLE);
  play_elsewhere (&play, elsewhere);
  leave (&play, REGION_IDLE);
}

double
wake_latency_ns (const Wake *wake)
{
  double latency_ns = wake->user_ns;

  for (guint i = 0; i < wake->inside; i++)
    latency_ns += g_array_index (wake->events, Event, i).inside_ns;
  return latency_ns;
}

double
wake_own_ns (const Wake *wake)
{
  double own_ns = wake->user_ns;

  for (guint i = 0; i < wake->inside; i++)
    own_ns += g_array_index (wake->events, Event, i).own_ns;
  return own_ns;
}
