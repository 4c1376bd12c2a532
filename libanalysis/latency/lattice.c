/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Narrows down the length of a tick from neighbouring latencies to distant ones: each latency that must be a certain
 * number of ticks from the first one limits the length further, or shows that there are no ticks. For ticks of a few
 * ns, these numbers are not certain; but if latencies are so dense that each tick has some, the i-th latency is that of
 * the i-th tick. */
#include "lattice.h"

#include <math.h>

#define ROUNDING 1.0    /* ns: how far the distance of two latencies may be from whole ticks */
#define LEAST_STEP 3    /* ns: for shorter ticks, rounding to ns hides them in single latencies */
#define MOST_DIVISORS 4 /* neighbouring latencies may all be up to this many ticks apart */
#define CHANCE 1e-4     /* that this many latencies are on ticks by chance */
#define BODY_LOW 0.001  /* of the samples: ticks are searched for between these ranks, where latencies are dense */
#define BODY_HIGH 0.99
#define ON_TICKS 0.99 /* of all samples must be on them */
#define CORE_LOW 0.1  /* of the samples: between these ranks each tick has some, if there are enough */
#define CORE_HIGH 0.8
#define CORE_TICKS 50       /* fewer may be so by chance */
#define LEAST_CORE_STEP 1.2 /* ns: closer to 1, a single ns without latencies would look the same */
#define MOST_CORE_STEP 10   /* ns: longer ticks are found otherwise */
#define CORE_REACH 0.51     /* ns: rounding to ns, and the precision of the fit */
#define CORE_TOLERANCE 0.25 /* ns: likewise, far from the core */

/* The latencies in which ticks are searched for: the bins from @first to @last. */
typedef struct
{
  const CulpritProfile *profile;
  guint first;
  guint last;
} Body;

static gint64
latency_of (const Body *body, guint index)
{
  return culprit_profile_bin (body->profile, index)->latency_ns;
}

static Body
find_body (const CulpritProfile *profile, double low_rank, double high_rank)
{
  Body body = { profile, 0, 0 };
  guint64 low = profile->n * low_rank;
  guint64 high = profile->n * high_rank;
  guint64 before = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      before += culprit_profile_bin (profile, i)->count;
      if (before <= low)
        body.first = i + 1;
      if (before - culprit_profile_bin (profile, i)->count <= high)
        body.last = i;
    }
  body.first = MIN (body.first, body.last);
  return body;
}

static gint64
least_gap (const Body *body)
{
  gint64 least = G_MAXINT64;

  for (guint i = body->first; i < body->last; i++)
    least = MIN (least, latency_of (body, i + 1) - latency_of (body, i));
  return least;
}

/* Whether all of @body is on ticks of about @step_ns; narrows down their exact length. */
static gboolean
narrow (const Body *body, double *step_ns)
{
  double low = *step_ns - ROUNDING;
  double high = *step_ns + ROUNDING;
  double chance = 0; /* its logarithm */

  for (guint i = body->first + 1; i <= body->last; i++)
    {
      double distance = latency_of (body, i) - latency_of (body, body->first);
      double least = ceil ((distance - ROUNDING) / high);
      double most = floor ((distance + ROUNDING) / low);

      if (least > most)
        return FALSE;
      if (least < most || most == 0)
        continue;
      low = fmax (low, (distance - ROUNDING) / most);
      high = fmin (high, (distance + ROUNDING) / most);
      chance += log (fmin (1, (2 * ROUNDING + 1) / low));
    }
  *step_ns = (low + high) / 2;
  return chance < log (CHANCE);
}

/* The ticks of about @step_ns that @body is on, or, if it is 0, one for each of its latencies: their length by least
 * squares. */
static CulpritLattice
fit (const Body *body, double step_ns)
{
  gint64 first_ns = latency_of (body, body->first);
  guint n = body->last - body->first + 1;
  double ticks = 0;
  double distances = 0;
  double products = 0;
  double squares = 0;
  double least = INFINITY;
  double most = -INFINITY;

  for (guint i = body->first; i <= body->last; i++)
    {
      double distance = latency_of (body, i) - first_ns;
      double tick = step_ns > 0 ? round (distance / step_ns) : i - body->first;

      ticks += tick;
      distances += distance;
      products += tick * distance;
      squares += tick * tick;
    }
  step_ns = (products - ticks * distances / n) / (squares - ticks * ticks / n);
  for (guint i = body->first; i <= body->last; i++)
    {
      double distance = latency_of (body, i) - first_ns;
      double rest = distance - round (distance / step_ns) * step_ns;

      least = fmin (least, rest);
      most = fmax (most, rest);
    }
  return (CulpritLattice) { step_ns, first_ns + (least + most) / 2, (most - least) / 2 };
}

/* Whether nearly all samples are on the ticks, including those outside the body. */
static gboolean
holds (const CulpritLattice *lattice, const CulpritProfile *profile, double tolerance_ns)
{
  double on = 0;

  for (guint i = 0; i < profile->bins->len; i++)
    {
      const CulpritBin *bin = culprit_profile_bin (profile, i);
      double tick = culprit_lattice_tick (lattice, bin->latency_ns);

      if (fabs (bin->latency_ns - lattice->origin_ns - tick * lattice->step_ns) <= tolerance_ns)
        on += bin->count;
    }
  return on >= ON_TICKS * profile->n;
}

/* Ticks of a few ns, each of which has latencies. */
static gboolean
find_dense (const CulpritProfile *profile, CulpritLattice *lattice)
{
  Body core = find_body (profile, CORE_LOW, CORE_HIGH);

  if (profile->width_ns > 1 || core.last < core.first + CORE_TICKS)
    return FALSE;
  *lattice = fit (&core, 0);
  return lattice->step_ns >= LEAST_CORE_STEP && lattice->step_ns <= MOST_CORE_STEP && lattice->reach_ns <= CORE_REACH &&
         holds (lattice, profile, lattice->reach_ns + CORE_TOLERANCE);
}

CulpritLattice
culprit_lattice_find (const CulpritProfile *profile)
{
  double reach_ns = (profile->width_ns - 1) / 2.0;
  const CulpritLattice none = { profile->width_ns, reach_ns, reach_ns };
  Body body = find_body (profile, BODY_LOW, BODY_HIGH);
  CulpritLattice dense;
  gint64 gap = body.first < body.last ? least_gap (&body) : 0;

  for (guint divisor = 1; divisor <= MOST_DIVISORS; divisor++)
    {
      double step_ns = (double) gap / divisor;
      CulpritLattice lattice;

      if (step_ns < MAX (LEAST_STEP, profile->width_ns + 1))
        break;
      if (!narrow (&body, &step_ns))
        continue;
      lattice = fit (&body, step_ns);
      if (holds (&lattice, profile, 2 * ROUNDING))
        return lattice;
    }
  return find_dense (profile, &dense) ? dense : none;
}

gint64
culprit_lattice_tick (const CulpritLattice *lattice, gint64 latency_ns)
{
  return llround ((latency_ns - lattice->origin_ns) / lattice->step_ns);
}

gint64
culprit_lattice_from (const CulpritLattice *lattice, gint64 tick)
{
  return llround (lattice->origin_ns + tick * lattice->step_ns - lattice->reach_ns);
}
